import { sql } from "kysely"
import type { Tx } from "#db/transaction"

/** One at a time per address, so that signups sent at once are counted like signups sent one by one. */
export async function lockSignupsFrom(tx: Tx, address: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`signups:${address}`}, 0))`.execute(tx)
}

/** When the `nth` newest attempt of this address since then was. */
export async function findNthSignup(
  tx: Tx,
  { address, since, nth }: { address: string; since: Date; nth: number },
): Promise<Date | undefined> {
  const row = await tx
    .selectFrom("signup_attempts")
    .select("attempted_at")
    .where("address", "=", address)
    .where("attempted_at", ">", since)
    .orderBy("attempted_at", "desc")
    .offset(nth - 1)
    .limit(1)
    .executeTakeFirst()
  return row?.attempted_at
}

export async function insertSignup(tx: Tx, address: string, attemptedAt: Date): Promise<void> {
  await tx.insertInto("signup_attempts").values({ address, attempted_at: attemptedAt }).execute()
}

export async function deleteSignupsBefore(tx: Tx, moment: Date): Promise<void> {
  await tx.deleteFrom("signup_attempts").where("attempted_at", "<", moment).execute()
}
