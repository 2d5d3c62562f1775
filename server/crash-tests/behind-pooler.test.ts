import { afterAll, beforeAll, expect, test } from "vitest"
import { openSharingPooler } from "../test-support/sharing-pooler.ts"
import { query } from "./embedded-books.ts"
import { type Installation, openInstallation } from "./installation.ts"
import type { ServerProcess } from "./server-process.ts"
import { createPix, openShop, pay, readStatus } from "./shop.ts"
import { openStatusStream } from "./status-stream.ts"

let installation: Installation
let pooler: Awaited<ReturnType<typeof openSharingPooler>>
let nodes: ServerProcess[]

beforeAll(async () => {
  installation = await openInstallation()
  pooler = await openSharingPooler(installation.databaseUrl, "transaction", { keepsStatements: true })
  const addresses = { DATABASE_URL: pooler.url, DATABASE_DIRECT_URL: installation.databaseUrl }
  nodes = await Promise.all([installation.startNode(addresses), installation.startNode(addresses)])
})

afterAll(async () => {
  await installation.close()
  await pooler.close()
})

const sessions = `select usename as login, count(*)::int as count from pg_stat_activity
  where usename like 'tilinta%' group by usename`

test("two nodes behind a pooler in transaction mode share two sessions of each pool, hear each other and book", async () => {
  const [node, other] = nodes as [ServerProcess, ServerProcess]
  const shop = await openShop(node.url, { reais: 100 })
  await Promise.all(
    Array.from({ length: 12 }, async () => {
      const pix = await createPix(node.url, shop)
      const stream = await openStatusStream(other.url, pix)
      await pay(node.url, pix)
      await stream.until("pago", 10_000)
      stream.close()
      expect(await readStatus(node.url, pix)).toBe("pago")
    }),
  )
  const counts = await query<{ login: string; count: number }>(installation.databaseUrl, sessions)
  const pooled = counts.filter(({ login }) => !login.startsWith("tilinta_server_"))
  expect(pooled.map(({ login }) => login.split("_")[1]).toSorted()).toEqual([
    "deliveries",
    "jobs",
    "lookups",
    "reports",
    "requests",
  ])
  expect(pooled.every(({ count }) => count === 2)).toBe(true)
  const { code, output } = await installation.verify()
  expect({ code, output }).toMatchObject({ code: 0 })
})
