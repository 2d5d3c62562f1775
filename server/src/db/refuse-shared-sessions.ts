import { randomBytes } from "node:crypto"
import pg from "pg"
import { StartError } from "#kit/errors"
import { addressesOf } from "./route.ts"

const mark = "tilinta.session"
const others = 3
const patienceMs = 3_000

const refusal =
  "DATABASE_URL passa por um pooler em modo de transação (como pool_mode = transaction do PgBouncer), que não serve: LISTEN, bloqueios e ajustes valem por sessão. Ponha nela o endereço do próprio PostgreSQL, ou use pool_mode = session."

/**
 * A pooler in transaction mode gives each transaction another session, and takes locks, settings and LISTEN away without
 * a word. Behind a pooler the driver's id of the session is the pooler's own; then others try to get the same session.
 */
export async function refuseSharedSessions(session: pg.Client, url: string): Promise<void> {
  const before = await pidOf(session)
  if (before === (session as unknown as { processID: number | null }).processID) return

  const value = randomBytes(8).toString("hex")
  await session.query("SELECT set_config($1, $2, false)", [mark, value])
  const intruders: pg.Client[] = []
  try {
    for (let count = 0; count < others; count += 1) {
      const intruder = await beginElsewhere(session, url)
      if (intruder === null) break
      intruders.push(intruder)
      const { rows } = await intruder.query<{ seen: string | null }>("SELECT current_setting($1, true) AS seen", [mark])
      if (rows[0]?.seen === value) throw new StartError(refusal)
    }
    if ((await pidOf(session)) !== before) throw new StartError(refusal)
  } finally {
    await Promise.all(intruders.map((intruder) => intruder.end().catch(() => undefined)))
  }
  await session.query("SELECT set_config($1, '', false)", [mark])
}

/** In a transaction. Null when the pooler has no further session to give. */
async function beginElsewhere({ host, port }: pg.Client, url: string): Promise<pg.Client | null> {
  const connectionString = addressesOf(url).find((address) => isAt(address, host, port)) ?? url
  const intruder = new pg.Client({ connectionString, connectionTimeoutMillis: patienceMs, query_timeout: patienceMs })
  intruder.on("error", () => undefined)
  try {
    await intruder.connect()
    await intruder.query("BEGIN")
    return intruder
  } catch {
    void intruder.end().catch(() => undefined)
    return null
  }
}

function isAt(address: string, host: string, port: number): boolean {
  const client = new pg.Client({ connectionString: address })
  return client.host === host && client.port === port
}

async function pidOf(session: pg.Client): Promise<number | undefined> {
  const { rows } = await session.query<{ pid: number }>("SELECT pg_backend_pid() AS pid")
  return rows[0]?.pid
}
