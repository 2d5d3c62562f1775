import { createHash, createHmac, pbkdf2Sync, randomBytes } from "node:crypto"
import { setTimeout as sleep } from "node:timers/promises"
import type pg from "pg"
import { appRole } from "./app-role.ts"

export interface Login {
  user: string
  password: string
}

/** Duplicate role, or two servers that changed the same row of the cluster-wide role catalogs. */
const raceCodes = new Set(["42710", "23505", "XX000"])

/** Named after the database, because roles belong to the whole PostgreSQL server; all nodes share its password. */
export async function rememberLogin(owner: pg.Client): Promise<Login> {
  const { rows } = await owner.query<{ oid: number }>(
    "SELECT oid::int8::text AS oid FROM pg_database WHERE datname = current_database()",
  )
  const user = `tilinta_server_${rows[0]?.oid}`
  await owner.query("INSERT INTO server_logins (role_name, password) VALUES ($1, $2) ON CONFLICT DO NOTHING", [
    user,
    randomBytes(24).toString("hex"),
  ])
  const { rows: logins } = await owner.query<{ password: string }>(
    "SELECT password FROM server_logins WHERE role_name = $1",
    [user],
  )
  return { user, password: logins[0]?.password ?? "" }
}

/** NOINHERIT: a session has no rights but while it takes the serving role. */
export async function makeRole(owner: pg.Client, { user, password }: Login): Promise<void> {
  const attributes = `LOGIN NOINHERIT NOSUPERUSER NOCREATEDB NOCREATEROLE PASSWORD '${scramVerifier(password)}'`
  await retryRaces(async () => {
    const { rowCount } = await owner.query("SELECT FROM pg_roles WHERE rolname = $1", [user])
    // Only a superuser may repeat NOSUPERUSER.
    if (rowCount === 0) await owner.query(`CREATE ROLE ${user} ${attributes}`)
    else await owner.query(`ALTER ROLE ${user} LOGIN NOINHERIT PASSWORD '${scramVerifier(password)}'`)
    await owner.query(`GRANT ${appRole} TO ${user}`)
  })
}

async function retryRaces(change: () => Promise<unknown>): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      await change()
      return
    } catch (error) {
      if (!isRace(error) || attempt === 20) throw error
      await sleep(25)
    }
  }
}

/** The server keeps and logs this instead of the password. */
function scramVerifier(password: string): string {
  const [salt, rounds] = [randomBytes(16), 4_096]
  const salted = pbkdf2Sync(password, salt, rounds, 32, "sha256")
  const keyOf = (name: string) => createHmac("sha256", salted).update(name).digest()
  const stored = createHash("sha256").update(keyOf("Client Key")).digest("base64")
  return `SCRAM-SHA-256$${rounds}:${salt.toString("base64")}$${stored}:${keyOf("Server Key").toString("base64")}`
}

function isRace(error: unknown): boolean {
  const { code } = error as { code?: unknown }
  return typeof code === "string" && raceCodes.has(code)
}
