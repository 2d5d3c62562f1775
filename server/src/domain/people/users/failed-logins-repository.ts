import { sql } from "kysely"
import type { Db, Tx } from "#db/transaction"

export interface FailedLogin {
  accountKey: string
  /** The caller's network, or the known device: what the limits count. */
  address: string
}

/**
 * Time of the `nth` newest failure since then: of this address, or without one of the account from unknown devices. A
 * caller with so many must wait until it is old enough.
 */
export async function findNthFailure(
  db: Db,
  filter: { accountKey?: string; address?: string; since: Date; nth: number },
): Promise<Date | undefined> {
  const row = await db
    .selectFrom("failed_logins")
    .select("failed_at")
    .where("failed_at", ">", filter.since)
    .$if(filter.address !== undefined, (query) => query.where("address", "=", filter.address ?? ""))
    .$if(filter.address === undefined, (query) => query.where("address", "not like", "device:%"))
    .$if(filter.accountKey !== undefined, (query) => query.where("account_key", "=", filter.accountKey ?? ""))
    .orderBy("failed_at", "desc")
    .offset(filter.nth - 1)
    .limit(1)
    .executeTakeFirst()
  return row?.failed_at
}

/** Failures of the account since then, from wherever, counted to `atMost`. */
export async function countFailures(
  db: Db,
  { accountKey, since, atMost }: { accountKey: string; since: Date; atMost: number },
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (
      select from failed_logins where account_key = ${accountKey} and failed_at > ${since} limit ${atMost}
    ) failures`.execute(db)
  return rows[0]?.count ?? 0
}

/** Serialises failures per address and per account, so that concurrent guesses count like sequential ones. */
export async function lockFailuresOf(tx: Tx, { accountKey, address }: FailedLogin): Promise<void> {
  for (const key of [`failed-logins:${address}`, `failed-logins-of:${accountKey}`]) {
    await sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(tx)
  }
}

export async function insertFailure(tx: Tx, { accountKey, address }: FailedLogin, failedAt: Date): Promise<void> {
  await tx.insertInto("failed_logins").values({ account_key: accountKey, address, failed_at: failedAt }).execute()
}

export async function deleteFailuresBefore(tx: Tx, address: string, moment: Date): Promise<void> {
  await tx.deleteFrom("failed_logins").where("address", "=", address).where("failed_at", "<", moment).execute()
}

/** Skips locked rows; they are deleted by the next run. */
export async function deleteAllFailuresBefore(tx: Tx, moment: Date): Promise<void> {
  const old = tx.selectFrom("failed_logins").select("id").where("failed_at", "<", moment)
  await tx.deleteFrom("failed_logins").where("id", "in", old.forUpdate().skipLocked()).execute()
}

export async function deleteFailuresOf(tx: Tx, accountKey: string): Promise<void> {
  await tx.deleteFrom("failed_logins").where("account_key", "=", accountKey).execute()
}
