import { sql } from "kysely"
import type { Tx } from "#db/transaction"

/** Serialises signups per address, so that concurrent ones count like sequential ones. */
export async function lockSignupsFrom(tx: Tx, address: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`signups:${address}`}, 0))`.execute(tx)
}

/** Time of the `nth` newest attempt of this address since then, or of those that met an account. */
export async function findNthSignup(
  tx: Tx,
  { address, since, meetsOnly, nth }: { address: string; since: Date; meetsOnly: boolean; nth: number },
): Promise<Date | undefined> {
  const row = await tx
    .selectFrom("signup_attempts")
    .select("attempted_at")
    .where("address", "=", address)
    .where("attempted_at", ">", since)
    .where("met_account", "in", meetsOnly ? [true] : [true, false])
    .orderBy("attempted_at", "desc")
    .offset(nth - 1)
    .limit(1)
    .executeTakeFirst()
  return row?.attempted_at
}

export async function insertSignup(
  tx: Tx,
  { address, attemptedAt, meetsAccount }: { address: string; attemptedAt: Date; meetsAccount: boolean },
): Promise<void> {
  const row = { address, attempted_at: attemptedAt, met_account: meetsAccount }
  await tx.insertInto("signup_attempts").values(row).execute()
}

export async function deleteSignupsBefore(tx: Tx, moment: Date): Promise<void> {
  await tx.deleteFrom("signup_attempts").where("attempted_at", "<", moment).execute()
}
