import { type SqlBool, sql } from "kysely"
import { prepared } from "#db/prepared"
import { type NewRow, uuidList } from "#db/rows-of"
import type { Db, Tx } from "#db/transaction"
import type { Sealed } from "#kit/secrets"

/** Serialises changes of one user's factors. */
export async function lockFactorsOf(tx: Tx, userId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`second-factors:${userId}`}, 0))`.execute(tx)
}

export interface FactorState {
  totpSince: Date | null
  passkeys: number
  recoveryCodesLeft: number
}

export async function findFactorStates(db: Db, userIds: readonly string[]): Promise<Map<string, FactorState>> {
  const { rows } = await prepared<FactorState & { userId: string }>("find-factor-states")`
    select person.id as "userId", totp.confirmed_at as "totpSince",
      (select count(*) from passkeys where passkeys.user_id = person.id)::int as "passkeys",
      (select count(*) from recovery_codes code where code.user_id = person.id and code.used_at is null)::int
        as "recoveryCodesLeft"
    from unnest(${uuidList(userIds)}) as person (id)
    left join totp_factors totp on totp.user_id = person.id`.execute(db)
  return new Map(rows.map(({ userId, ...state }) => [userId, state]))
}

export interface StoredTotp extends Sealed {
  id: string
  userId: string
}

/** Replaces one that was never confirmed; false when there is a confirmed one. */
export async function saveUnconfirmedTotp(tx: Tx, { id, userId, keyId, box }: StoredTotp, now: Date): Promise<boolean> {
  const row = { id, key_id: keyId, sealed_secret: box, created_at: now }
  const saved = await tx
    .insertInto("totp_factors")
    .values({ user_id: userId, ...row } satisfies NewRow<"totp_factors", "confirmed_at" | "last_step">)
    .onConflict((conflict) =>
      conflict.column("user_id").doUpdateSet(row).where("totp_factors.confirmed_at", "is", null),
    )
    .returning("id")
    .executeTakeFirst()
  return saved !== undefined
}

export async function findTotp(
  db: Db,
  userId: string,
  state: "confirmed" | "unconfirmed",
): Promise<StoredTotp | undefined> {
  return db
    .selectFrom("totp_factors")
    .where("user_id", "=", userId)
    .where("confirmed_at", state === "confirmed" ? "is not" : "is", null)
    .select(["id", "user_id as userId", "key_id as keyId", "sealed_secret as box"])
    .executeTakeFirst()
}

/** The code that confirmed it is spent. */
export async function confirmTotpRow(tx: Tx, { id, userId }: StoredTotp, step: number, now: Date): Promise<void> {
  await tx
    .updateTable("totp_factors")
    .set({ confirmed_at: now, last_step: step })
    .where("user_id", "=", userId)
    .where("id", "=", id)
    .execute()
}

/**
 * When the app was confirmed; null when this step or a later one was used before, also by a concurrent request: a code works
 * once.
 */
export async function spendStep(tx: Tx, { id, userId }: StoredTotp, step: number): Promise<Date | null> {
  const query = tx.updateTable("totp_factors").set({ last_step: step })
  const spent = await query
    .where("user_id", "=", userId)
    .where("id", "=", id)
    .where("last_step", "<", step)
    .returning("confirmed_at")
    .executeTakeFirst()
  return spent?.confirmed_at ?? null
}

/** True when it was a confirmed one. With `since` one that was confirmed before stays. */
export async function deleteTotp(tx: Tx, userId: string, since: Date | null = null): Promise<boolean> {
  const deleted = await tx
    .deleteFrom("totp_factors")
    .where("user_id", "=", userId)
    .$if(since !== null, (query) =>
      query.where((row) => row.or([row("confirmed_at", "is", null), row("confirmed_at", ">=", since)])),
    )
    .returning((row) => row("confirmed_at", "is not", null).$castTo<SqlBool>().as("wasConfirmed"))
    .executeTakeFirst()
  return deleted?.wasConfirmed === true
}

export async function insertRecoveryCodes(tx: Tx, userId: string, hashes: Buffer[], now: Date): Promise<void> {
  const rows = hashes.map((code_hash) => ({ code_hash, user_id: userId, created_at: now }))
  await tx
    .insertInto("recovery_codes")
    .values(rows satisfies NewRow<"recovery_codes", "used_at">[])
    .execute()
}

export async function deleteRecoveryCodes(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom("recovery_codes").where("user_id", "=", userId).execute()
}

export async function deleteRecoveryCodesSince(tx: Tx, userId: string, since: Date): Promise<boolean> {
  const codes = tx.deleteFrom("recovery_codes").where("user_id", "=", userId)
  const { numDeletedRows } = await codes.where("created_at", ">=", since).executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

/** When it was made; null when it isn't one of theirs, or was used before. */
export async function spendRecoveryCode(tx: Tx, userId: string, codeHash: Buffer, now: Date): Promise<Date | null> {
  const spent = await tx
    .updateTable("recovery_codes")
    .set({ used_at: now })
    .where("code_hash", "=", codeHash)
    .where("user_id", "=", userId)
    .where("used_at", "is", null)
    .returning("created_at")
    .executeTakeFirst()
  return spent?.created_at ?? null
}

/** Those that another key sealed, locked. */
export async function lockTotpsSealedOtherwise(tx: Tx, keyId: string): Promise<StoredTotp[]> {
  return tx
    .selectFrom("totp_factors")
    .where("key_id", "!=", keyId)
    .select(["id", "user_id as userId", "key_id as keyId", "sealed_secret as box"])
    .orderBy("user_id")
    .forUpdate()
    .execute()
}

export async function saveResealed(tx: Tx, { id, userId, keyId, box }: StoredTotp): Promise<void> {
  await tx
    .updateTable("totp_factors")
    .set({ key_id: keyId, sealed_secret: box })
    .where("user_id", "=", userId)
    .where("id", "=", id)
    .execute()
}
