import { sql } from "kysely"
import type { NewRow } from "#db/rows-of"
import type { Db, Tx } from "#db/transaction"

export interface ResetRequest {
  emailKey: string
  /** From where it came. */
  address: string
  userAgent: string
}

export async function insertResetRequest(tx: Tx, request: ResetRequest, requestedAt: Date): Promise<void> {
  const { emailKey: email_key, address, userAgent: user_agent } = request
  await tx
    .insertInto("password_reset_requests")
    .values({ email_key, address, user_agent, requested_at: requestedAt })
    .execute()
}

/** Deletes the requests; a rollback restores them. */
export async function takeResetRequests(tx: Tx, limit: number): Promise<ResetRequest[]> {
  const { rows } = await sql<ResetRequest>`
    delete from password_reset_requests where id in (
      select id from password_reset_requests order by id limit ${limit} for update skip locked
    ) returning email_key as "emailKey", address, user_agent as "userAgent"`.execute(tx)
  return rows
}

/** Those that were mailed. */
export async function countResetsSince(db: Db, userId: string, since: Date): Promise<number> {
  const { count } = await db
    .selectFrom("password_resets")
    .select((rows) => rows.fn.countAll<string>().as("count"))
    .where("user_id", "=", userId)
    .where("created_at", ">", since)
    .where("by_hand", "=", false)
    .executeTakeFirstOrThrow()
  return Number(count)
}

interface NewReset {
  tokenHash: Buffer
  userId: string
  createdAt: Date
  expiresAt: Date
  /** An administrator passes the link on, instead of a mail. */
  isByHand?: boolean
}

export async function insertReset(tx: Tx, reset: NewReset): Promise<void> {
  await tx
    .insertInto("password_resets")
    .values({
      token_hash: reset.tokenHash,
      user_id: reset.userId,
      created_at: reset.createdAt,
      expires_at: reset.expiresAt,
      ended_at: null,
      by_hand: reset.isByHand ?? false,
    } satisfies NewRow<"password_resets">)
    .execute()
}

/** A link that still works. */
export async function findLiveReset(
  db: Db,
  tokenHash: Buffer,
  now: Date,
): Promise<{ userId: string; isByHand: boolean } | undefined> {
  return db
    .selectFrom("password_resets")
    .select(["user_id as userId", "by_hand as isByHand"])
    .where("token_hash", "=", tokenHash)
    .where("ended_at", "is", null)
    .where("expires_at", ">", now)
    .executeTakeFirst()
}

export async function endResetsOf(tx: Tx, userId: string, now: Date): Promise<void> {
  await tx
    .updateTable("password_resets")
    .set({ ended_at: now })
    .where("user_id", "=", userId)
    .where("ended_at", "is", null)
    .execute()
}

/** Skips locked rows; they are deleted by the next run. */
export async function deleteResetsExpiredBefore(tx: Tx, moment: Date): Promise<void> {
  const old = tx.selectFrom("password_resets").select("token_hash").where("expires_at", "<", moment)
  await tx.deleteFrom("password_resets").where("token_hash", "in", old.forUpdate().skipLocked()).execute()
}

export async function deleteResetsOf(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom("password_resets").where("user_id", "=", userId).execute()
}

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

interface EmailChange {
  userId: string
  tokenHash: Buffer
  email: string
  askedBy: string
  createdAt: Date
  expiresAt: Date
}

/** Replaces an earlier one of the same user, whose link then stops working. */
export async function saveEmailChange(tx: Tx, change: EmailChange): Promise<void> {
  const fields = {
    token_hash: change.tokenHash,
    email: change.email,
    asked_by: change.askedBy,
    created_at: change.createdAt,
    expires_at: change.expiresAt,
  }
  await tx
    .insertInto("email_changes")
    .values({ user_id: change.userId, ...fields } satisfies NewRow<"email_changes">)
    .onConflict((conflict) => conflict.column("user_id").doUpdateSet(fields))
    .execute()
}

/** The change of a link that still works. */
export async function findLiveEmailChange(
  db: Db,
  tokenHash: Buffer,
  now: Date,
): Promise<Pick<EmailChange, "userId" | "email"> | undefined> {
  return db
    .selectFrom("email_changes")
    .select(["user_id as userId", "email"])
    .where("token_hash", "=", tokenHash)
    .where("expires_at", ">", now)
    .executeTakeFirst()
}

export async function deleteEmailChangeOf(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom("email_changes").where("user_id", "=", userId).execute()
}

export async function deleteExpiredEmailChanges(tx: Tx, now: Date): Promise<void> {
  await tx.deleteFrom("email_changes").where("expires_at", "<=", now).execute()
}

export async function insertConfirmation(
  tx: Tx,
  link: { tokenHash: Buffer; userId: string; emailKey: string; createdAt: Date; expiresAt: Date },
): Promise<void> {
  await tx
    .insertInto("email_confirmations")
    .values({
      token_hash: link.tokenHash,
      user_id: link.userId,
      email_key: link.emailKey,
      created_at: link.createdAt,
      expires_at: link.expiresAt,
    } satisfies NewRow<"email_confirmations">)
    .execute()
}

/** The times of a user's links since then, oldest first. */
export async function findConfirmationTimes(db: Db, userId: string, since: Date): Promise<Date[]> {
  const rows = await db
    .selectFrom("email_confirmations")
    .select("created_at")
    .where("user_id", "=", userId)
    .where("created_at", ">", since)
    .orderBy("created_at")
    .execute()
  return rows.map((row) => row.created_at)
}

/** The user of a link that still works, and the address that it proves. */
export async function findLiveConfirmation(
  db: Db,
  tokenHash: Buffer,
  now: Date,
): Promise<{ userId: string; emailKey: string } | undefined> {
  return db
    .selectFrom("email_confirmations")
    .select(["user_id as userId", "email_key as emailKey"])
    .where("token_hash", "=", tokenHash)
    .where("expires_at", ">", now)
    .executeTakeFirst()
}

export async function deleteConfirmationsExpiredBefore(tx: Tx, moment: Date): Promise<void> {
  const old = tx.selectFrom("email_confirmations").select("token_hash").where("expires_at", "<", moment)
  await tx.deleteFrom("email_confirmations").where("token_hash", "in", old).execute()
}

export async function deleteConfirmationsOf(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom("email_confirmations").where("user_id", "=", userId).execute()
}

export async function existsKnownDevice(db: Db, emailKey: string, tokenHash: Buffer): Promise<boolean> {
  const row = await db
    .selectFrom("known_devices")
    .innerJoin("users", "users.id", "known_devices.user_id")
    .where("known_devices.token_hash", "=", tokenHash)
    .where("users.email_key", "=", emailKey)
    .select("users.id")
    .executeTakeFirst()
  return row !== undefined
}

export async function existsDeviceOf(tx: Tx, userId: string): Promise<boolean> {
  const device = tx.selectFrom("known_devices").select("user_id").where("user_id", "=", userId)
  return (await device.limit(1).executeTakeFirst()) !== undefined
}

export async function insertKnownDevice(tx: Tx, userId: string, tokenHash: Buffer, now: Date): Promise<void> {
  await tx
    .insertInto("known_devices")
    .values({ token_hash: tokenHash, user_id: userId, created_at: now } satisfies NewRow<"known_devices">)
    .execute()
}

/** Deletes all but the user's newest. */
export async function deleteOldestDevicesOf(tx: Tx, userId: string, kept: number): Promise<void> {
  const oldest = tx
    .selectFrom("known_devices")
    .select("token_hash")
    .where("user_id", "=", userId)
    .orderBy("created_at", "desc")
    .offset(kept)
  await tx.deleteFrom("known_devices").where("token_hash", "in", oldest).execute()
}

export async function deleteDevicesOf(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom("known_devices").where("user_id", "=", userId).execute()
}
