import type { Logger } from "#kit/log"
import { StartError } from "#kit/start-error"
import { connectOwner } from "./connect-owner.ts"

/** A command on a database that no server has prepared would fail at its first table. */
export async function requireTables(ownerUrl: string, log: Logger): Promise<void> {
  const session = await connectOwner(ownerUrl, log)
  try {
    const { rows } = await session.query("select where to_regclass('schema_migrations') is not null")
    if (rows.length > 0) return
  } finally {
    await session.end().catch(() => undefined)
  }
  throw new StartError("O banco de dados ainda não tem tabelas: inicie o servidor uma vez, com npm start.")
}
