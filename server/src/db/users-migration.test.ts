import { randomBytes } from "node:crypto"
import { cp, mkdtemp, readdir, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import pg from "pg"
import { expect, inject, test } from "vitest"
import { isId } from "#kit/ids"
import { createLog } from "#kit/log"
import { migrate } from "./migrate.ts"

const log = createLog("silent")
const migrations = fileURLToPath(new URL("../../migrations", import.meta.url))

async function withDatabase(work: (url: string, client: pg.Client) => Promise<void>): Promise<void> {
  const server = new pg.Client({ connectionString: inject("testPostgresUrl") })
  await server.connect()
  const name = `migrate_${randomBytes(5).toString("hex")}`
  const address = new URL(inject("testPostgresUrl"))
  address.pathname = `/${name}`
  try {
    await server.query(`CREATE DATABASE ${name}`)
    const client = new pg.Client({ connectionString: address.toString() })
    await client.connect()
    await work(address.toString(), client).finally(() => client.end())
  } finally {
    await server.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
    await server.end()
  }
}

test("users and sessions from before are counted, found and shown like new ones", async () => {
  const folder = await mkdtemp(join(tmpdir(), "tilinta-migrations-"))
  const earlier = (await readdir(migrations)).filter((name) => name < "0013")
  await Promise.all(earlier.map((name) => cp(join(migrations, name), join(folder, name))))
  await withDatabase(async (url, client) => {
    await migrate({ ownerUrl: url, log, folder })
    await client.query(`
      insert into users (id, name, email, email_key, password_hash, cpf, role, active)
      select gen_random_uuid(), 'João ' || i, i || '@x.example', i || '@x.example', 'x', '5299822472' || i,
        case when i = 1 then 'admin' else 'user' end, i < 4
      from generate_series(1, 5) i`)
    await client.query(`
      insert into sessions (token_hash, user_id, expires_at) select sha256(email::bytea), id, now() from users`)

    await migrate({ ownerUrl: url, log })
    const totals = await client.query("select role, active, count from user_totals order by role, active")
    expect(totals.rows).toEqual([
      { role: "admin", active: true, count: "1" },
      { role: "user", active: false, count: "2" },
      { role: "user", active: true, count: "2" },
    ])
    const found = await client.query("select name from users where search_text like '%joao 3%52998224723%'")
    expect(found.rows).toEqual([{ name: "João 3" }])
    const sessions = await client.query<{ id: string; address: string }>("select id, address from sessions")
    expect(new Set(sessions.rows.map(({ id }) => id)).size).toBe(5)
    expect(sessions.rows.filter(({ id, address }) => !isId(id) || address !== "")).toEqual([])
  })
  await rm(folder, { recursive: true })
})
