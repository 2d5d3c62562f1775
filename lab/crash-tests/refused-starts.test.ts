import { existsSync } from "node:fs"
import { writeFile } from "node:fs/promises"
import { createServer, type Server } from "node:net"
import { join } from "node:path"
import pg from "pg"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { startEmbeddedPostgres } from "../../server/src/db/embedded-postgres.ts"
import { createLog } from "../../server/src/kit/log.ts"
import { untilDatabaseEnded } from "./embedded-books.ts"
import { openWorkshop, type ServerProcess, type Workshop } from "./server-process.ts"
import { openShop, send } from "./shop.ts"

let workshop: Workshop
let server: ServerProcess
let taken: Server

beforeAll(async () => {
  workshop = await openWorkshop()
  server = await workshop.startServer({ dataDir: join(await workshop.newFolder(), "new", "data") })
  taken = createServer().listen(0, "127.0.0.1")
})

afterAll(async () => {
  taken.close()
  await workshop.close()
})

/** Expects the process to end by itself, with one line on stderr, and returns that line. */
async function refusalOf(env: Record<string, string>): Promise<string> {
  const refused = workshop.run("server/src/main.ts", { PORT: "0", LOG_LEVEL: "warn", ...env })
  const { code } = await refused.exited
  const lines = refused.stderr().trimEnd().split("\n")
  expect({ code, lines }).toEqual({ code: 1, lines: [expect.any(String)] })
  expect(refused.stdout()).not.toContain("pronta")
  return lines[0] ?? ""
}

async function pretendEarlierNumbering(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(`
    create table schema_migrations (version integer primary key, name text, checksum text, applied_at timestamptz);
    insert into schema_migrations (version, name, checksum)
    values (1, '0001_identity.sql', 'x'), (57, '0057_inbox_bundles.sql', 'y')`)
  await client.end()
}

test("a missing folder inside a private one is a good DATA_DIR", async () => {
  expect(await send(`${server.url}/readyz`)).toMatchObject({ status: 200 })
  await openShop(server.url)
})

describe.concurrent("what can't start says so in one line", () => {
  test("a second server on the same DATA_DIR is refused in one line, and the first goes on", async () => {
    expect(await refusalOf({ DATA_DIR: server.dataDir })).toMatch(/^DATA_DIR .*já está em uso/)
    expect(await send(`${server.url}/readyz`)).toMatchObject({ status: 200 })
    await openShop(server.url)
  })

  test("a port that is taken is refused in one line, and the database that was started for it is gone", async () => {
    const dataDir = await workshop.newFolder()
    const { port } = taken.address() as { port: number }
    expect(await refusalOf({ DATA_DIR: dataDir, PORT: String(port) })).toMatch(new RegExp(`^PORT: .*${port}`))
    await untilDatabaseEnded(dataDir)
  })

  test("a DATA_DIR that is a file is refused in one line", async () => {
    const file = join(await workshop.newFolder(), "file")
    await writeFile(file, "")
    expect(await refusalOf({ DATA_DIR: file })).toMatch(/^DATA_DIR .*não é uma pasta/)
  })

  test("an unreachable database is refused in one line that names DATABASE_URL and not the password", async () => {
    const dataDir = await workshop.newFolder()
    const line = await refusalOf({ DATA_DIR: dataDir, DATABASE_URL: "postgres://ana:segredo@127.0.0.1:1/tilinta" })
    expect(line).toContain("DATABASE_URL")
    expect(line).not.toContain("segredo")
  })

  test("a bank without its certificate is refused in one line, before anything is started", async () => {
    const dataDir = join(await workshop.newFolder(), "unmade")
    const variables = {
      PIX_CLIENT_ID: "id",
      PIX_CLIENT_SECRET: "segredo",
      PIX_KEY: "loja@ana.example",
      PIX_RECEIVER_NAME: "Ana",
    }
    const env = { DATA_DIR: dataDir, PUBLIC_URL: "https://loja.example", PIX_PROVIDER: "efi", ...variables }
    expect(await refusalOf(env)).toBe("Variável de ambiente PIX_CERT_FILE ausente: PIX_PROVIDER=efi precisa dela.")
    expect(existsSync(dataDir)).toBe(false)
  })

  test("a database that has held sandbox money is refused to a bank in one line that says what to do", async () => {
    const dataDir = await workshop.newFolder()
    const sandbox = await workshop.startServer({ dataDir })
    sandbox.kill("SIGTERM")
    await sandbox.exited
    const bank = {
      PUBLIC_URL: "https://loja.example",
      PIX_PROVIDER: "woovi",
      PIX_APP_KEY: "app",
      SMTP_URL: "smtp://127.0.0.1",
    }
    for (const environment of ["producao", "homologacao"]) {
      const line = await refusalOf({ DATA_DIR: dataDir, ...bank, PIX_ENVIRONMENT: environment })
      expect(line).toMatch(/^Variável de ambiente PIX_PROVIDER inválida .*DATABASE_URL.*PIX_PROVIDER=simulator\.$/)
    }
  })

  test("a database from before the first release is refused in one line that says what to do", async () => {
    const dataDir = await workshop.newFolder()
    const postgres = await startEmbeddedPostgres({ dataDir, log: createLog("silent"), isDurable: false })
    try {
      await pretendEarlierNumbering(postgres.url)
      const line = await refusalOf({ DATA_DIR: await workshop.newFolder(), DATABASE_URL: postgres.url })
      expect(line).toMatch(/^Este banco de dados é de antes da primeira versão \(.*0001_identity\.sql\)/)
      expect(line).toMatch(/use um banco vazio em DATABASE_URL, ou outra pasta em DATA_DIR\.$/)
    } finally {
      await postgres.stop()
    }
  })

  test.each([
    ["PORT", "oitenta"],
    ["PUBLIC_URL", "loja.exemplo"],
    ["DATABASE_URL", "mysql://ana:segredo@127.0.0.1/tilinta"],
    ["PIX_PROVIDER", "banco"],
  ])("a bad %s (%s) is refused in one line that names it and doesn't repeat it", async (name, value) => {
    const line = await refusalOf({ DATA_DIR: await workshop.newFolder(), [name]: value })
    expect(line).toContain(name)
    expect(line).not.toContain(value)
  })
})
