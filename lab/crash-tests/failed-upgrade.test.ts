import { readdir } from "node:fs/promises"
import { join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { embeddedUrl, query, untilDatabaseEnded } from "./embedded-books.ts"
import { eventually, report } from "./eventually.ts"
import { brokenMigration, makeNextVersion } from "./next-version.ts"
import { openWorkshop, type ServerProcess, type Workshop } from "./server-process.ts"
import { createPix, netOf, openShop, type Pix, pay, readBalanceCents, readStatus, type Shop } from "./shop.ts"

let workshop: Workshop
let dataDir: string
let server: ServerProcess
let shop: Shop
let paid: Pix

beforeEach(async () => {
  workshop = await openWorkshop()
  dataDir = await workshop.newFolder()
  server = await workshop.startServer({ dataDir })
  shop = await openShop(server.url, { reais: 100 })
  paid = await createPix(server.url, shop)
  await pay(server.url, paid)
  await eventually(
    () => readBalanceCents(server.url, shop),
    (cents) => cents === netOf(10_000),
  )
})

afterEach(() => workshop.close())

async function stop(): Promise<void> {
  server.kill("SIGTERM")
  expect(await server.exited).toEqual({ code: 0, signal: null })
  await untilDatabaseEnded(dataDir)
}

/** Everything that a migration would change. */
async function readDatabase(): Promise<object> {
  const url = await embeddedUrl(dataDir)
  const columns = "select table_name, column_name from information_schema.columns where table_schema = 'public'"
  return {
    migrations: await query(url, "select version, name from schema_migrations order by version"),
    columns: await query(url, `${columns} order by 1, 2`),
    accounts: await query(url, "select id, balance_cents from ledger_accounts order by id"),
    postings: await query(url, "select count(*)::int from ledger_postings"),
  }
}

test("an upgrade that fails ends in one line, leaves a copy and all as it was, and the former version goes on", async () => {
  const before = await readDatabase()
  await stop()
  const script = await makeNextVersion(await workshop.newFolder(), brokenMigration)
  const began = performance.now()
  const upgrade = workshop.run(script, { DATA_DIR: dataDir, PORT: "0", LOG_LEVEL: "warn" })
  expect(await upgrade.exited).toEqual({ code: 1, signal: null })
  report(`the upgrade gave up after ${Math.round(performance.now() - began)} ms`)
  expect(upgrade.stderr()).toBe(
    "A migração 9999_next.sql falhou: division by zero. O banco de dados ficou como estava antes da atualização.\n",
  )
  expect(upgrade.stdout()).not.toContain("pronta")
  await untilDatabaseEnded(dataDir)
  const copies = await readdir(join(dataDir, "before-upgrade"))
  expect(copies).toEqual([expect.stringMatching(/-9999_next\.backup$/)])

  server = await workshop.startServer({ dataDir })
  expect(await readDatabase()).toEqual(before)
  expect(await readBalanceCents(server.url, shop)).toBe(netOf(10_000))
  expect(await readStatus(server.url, paid)).toBe("pago")
  await pay(server.url, await createPix(server.url, shop))
  await eventually(
    () => readBalanceCents(server.url, shop),
    (cents) => cents === 2 * netOf(10_000),
  )
  expect(await workshop.verify({ dataDir })).toMatchObject({ code: 0 })

  const copy = join(dataDir, "before-upgrade", copies[0] ?? "")
  const elsewhere = join(await workshop.newFolder(), "restored")
  const restore = workshop.run("server/src/commands/restore.ts", { DATA_DIR: elsewhere }, [copy])
  expect({ ...(await restore.exited), told: restore.stderr() }).toEqual({ code: 0, signal: null, told: "" })
  expect(await workshop.verify({ dataDir: elsewhere })).toMatchObject({ code: 0 })
})
