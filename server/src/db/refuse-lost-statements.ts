import type pg from "pg"
import { StartError } from "#kit/start-error"
import type { DatabaseRoute } from "./database-route.ts"
import { beginElsewhere } from "./refuse-shared-sessions.ts"
import { connectServing } from "./session-powers.ts"

const others = 2
/** The trial itself holds the pooler's last sessions for so long. */
const patienceMs = 1_000

/** It does not exist in this session, or exists already: the pooler keeps no account of it. */
const lostCodes = new Set(["26000", "42P05"])

/**
 * Statements are prepared by name. A pooler that gives each transaction another session must prepare them there, too, as
 * PgBouncer does since 1.21. Others hold sessions meanwhile, so that a statement meets one where it was not prepared, or
 * where another client has prepared it.
 */
export async function refuseLostStatements(route: DatabaseRoute, settings: readonly string[]): Promise<void> {
  const session = await connectServing(route, settings)
  const holders: pg.Client[] = []
  try {
    await ask(session)
    for (let count = 0; count < others; count += 1) {
      const holder = await beginElsewhere(session, route.address(), patienceMs)
      if (holder === null) return
      holders.push(holder)
      await ask(holder)
      await ask(session)
    }
  } finally {
    await Promise.all([session, ...holders].map((client) => client.end().catch(() => undefined)))
  }
}

/** No answer, because the pooler has no session left, tells nothing. */
async function ask(client: pg.Client): Promise<void> {
  const trial = { name: "tilinta-trial", text: "select $1::int as number", values: [1], query_timeout: patienceMs }
  try {
    await client.query(trial)
  } catch (cause) {
    if (!lostCodes.has((cause as pg.DatabaseError).code ?? "")) return
    throw new StartError(
      "O pooler em DATABASE_URL não guarda comandos preparados em modo de transação: use o PgBouncer 1.21 ou mais novo com max_prepared_statements acima de 0 (ou pool_mode = session).",
      { cause },
    )
  }
}
