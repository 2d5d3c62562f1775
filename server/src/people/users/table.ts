import { basisPointsFromPercentage } from "@tilinta/contract/vocabulary/money"
import type { EmailState } from "@tilinta/contract/vocabulary/people"
import { sql } from "kysely"
import { prepared } from "#db/prepared"
import { type ChangedRow, type NewRow, uuidList } from "#db/rows-of"
import type { Tx } from "#db/transaction"
import { newId } from "#kit/ids"
import { type Person, type UserWithPassword, userFromRow, userWithPasswordFromRow } from "./reads.ts"
import { emailKeyOf, erasedName, type User } from "./rules.ts"

export interface LockedPerson extends Person {
  /** Digits; empty when unknown. */
  cpf: string
  recoveredAt: Date | null
}

/** Keeps people as they are until the end of the transaction; others may lock them so, too. In the order of ids. */
export async function lockPersonRows(tx: Tx, ids: readonly string[]): Promise<LockedPerson[]> {
  const { rows } = await prepared<LockedPerson>("lock-people")`
    select id, name, active as "isActive", cpf, recovered_at as "recoveredAt" from users
    where id = any(${uuidList(ids)}) order by id for share`.execute(tx)
  return rows
}

export async function lockUser(tx: Tx, id: string): Promise<UserWithPassword | undefined> {
  const row = await tx.selectFrom("users").selectAll().where("id", "=", id).forNoKeyUpdate().executeTakeFirst()
  return row && userWithPasswordFromRow(row)
}

/** Locks in the order of ids, like every writer. */
export async function lockUsers(tx: Tx, ids: readonly string[]): Promise<UserWithPassword[]> {
  const rows = await tx.selectFrom("users").selectAll().where("id", "in", ids).orderBy("id").forNoKeyUpdate().execute()
  return rows.map(userWithPasswordFromRow)
}

export async function lockUserByEmail(tx: Tx, emailKey: string): Promise<User | undefined> {
  const query = tx.selectFrom("users").selectAll().where("email_key", "=", emailKey)
  const row = await query.forNoKeyUpdate().executeTakeFirst()
  return row && userFromRow(row)
}

/** Locks the user's password and state until the end of the transaction. False when either has changed meanwhile. */
export async function lockLogin(tx: Tx, { id, passwordHash }: UserWithPassword): Promise<boolean> {
  const row = await tx
    .selectFrom("users")
    .select("id")
    .where("id", "=", id)
    .where("password_hash", "=", passwordHash)
    .where("password_is_void", "=", false)
    .where("active", "=", true)
    .forShare()
    .executeTakeFirst()
  return row !== undefined
}

export async function markRecoveredRow(tx: Tx, id: string, now: Date): Promise<void> {
  await tx.updateTable("users").set({ recovered_at: now }).where("id", "=", id).execute()
}

/** Keeps the user from being inactivated until the end of the transaction. False when that has happened. */
export async function lockActiveUser(tx: Tx, id: string): Promise<boolean> {
  const query = tx.selectFrom("users").select("id").where("id", "=", id).where("active", "=", true)
  return (await query.forShare().executeTakeFirst()) !== undefined
}

type Fixed =
  | "id"
  | "cpf"
  | "created_at"
  | "mail_token"
  | "recovered_at"
  | "email_state"
  | "password_is_initial"
  | "password_is_void"
  | "erased_at"
  | "has_shop"

export async function updateAccount(tx: Tx, user: User, now: Date): Promise<void> {
  await tx
    .updateTable("users")
    .set({
      name: user.name,
      email: user.email,
      email_key: emailKeyOf(user.email),
      role: user.role,
      active: user.active,
      any_name: user.anyName,
      fee_basis_points: user.feePercentage === null ? null : basisPointsFromPercentage(user.feePercentage),
      admin_rights_from: user.adminRightsFrom,
      note: user.note,
      updated_at: now,
    } satisfies ChangedRow<"users", Fixed | "password_hash" | "phone" | "address" | "bank_account" | "payment_mails">)
    .where("id", "=", user.id)
    .execute()
}

export async function updatePassword(tx: Tx, id: string, passwordHash: string, now: Date): Promise<void> {
  const ofTheirOwn = { password_hash: passwordHash, password_is_initial: false, password_is_void: false }
  await tx
    .updateTable("users")
    .set({ ...ofTheirOwn, updated_at: now })
    .where("id", "=", id)
    .execute()
}

export async function markPasswordVoid(tx: Tx, id: string): Promise<void> {
  await tx.updateTable("users").set({ password_is_void: true }).where("id", "=", id).execute()
}

export async function updateEmailState(tx: Tx, id: string, state: EmailState, now: Date): Promise<void> {
  await tx.updateTable("users").set({ email_state: state, updated_at: now }).where("id", "=", id).execute()
}

export async function updateProfileRow(tx: Tx, user: User, now: Date): Promise<void> {
  await tx
    .updateTable("users")
    .set({
      name: user.name,
      phone: user.phone,
      address: JSON.stringify(user.address),
      bank_account: JSON.stringify(user.bankAccount),
      payment_mails: user.paymentMails,
      updated_at: now,
    } satisfies ChangedRow<
      "users",
      | Fixed
      | "email"
      | "email_key"
      | "password_hash"
      | "role"
      | "active"
      | "any_name"
      | "fee_basis_points"
      | "admin_rights_from"
      | "note"
    >)
    .where("id", "=", user.id)
    .execute()
}

/** They work in nobody's shop any more, so that what they sell from here on is in a list. */
export async function markHasShop(tx: Tx, id: string): Promise<void> {
  await tx.updateTable("users").set({ has_shop: true }).where("id", "=", id).execute()
}

/** No mail goes to an unconfirmed address, and nobody ever confirms this one. */
export async function eraseUserRow(tx: Tx, id: string, now: Date): Promise<void> {
  const email = `${id}@conta-excluida.invalid`
  await tx
    .updateTable("users")
    .set({
      name: erasedName,
      email,
      email_key: email,
      email_state: "unconfirmed",
      password_hash: null,
      cpf: "",
      phone: "",
      address: "{}",
      bank_account: "{}",
      payment_mails: "none",
      mail_token: newId(),
      active: false,
      any_name: false,
      note: "",
      fee_basis_points: null,
      erased_at: now,
      updated_at: now,
    })
    .where("id", "=", id)
    .execute()
}

export async function lockFirstAdmin(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('first-admin', 0))`.execute(tx)
}

/** False when the e-mail is taken, also by a concurrent signup. */
export async function insertUserOnce(tx: Tx, user: UserWithPassword): Promise<boolean> {
  const inserted = await tx
    .insertInto("users")
    .values({
      id: user.id,
      name: user.name,
      email: user.email,
      email_key: emailKeyOf(user.email),
      password_hash: user.passwordHash,
      cpf: user.cpf,
      phone: user.phone,
      address: JSON.stringify(user.address),
      bank_account: JSON.stringify(user.bankAccount),
      payment_mails: user.paymentMails,
      email_state: user.emailState,
      any_name: user.anyName,
      role: user.role,
      active: user.active,
      admin_rights_from: user.adminRightsFrom,
      note: user.note,
      password_is_initial: user.hasInitialPassword,
      has_shop: user.hasShop,
      created_at: user.createdAt,
      updated_at: user.createdAt,
    } satisfies NewRow<"users", "mail_token" | "recovered_at" | "password_is_void" | "fee_basis_points" | "erased_at">)
    .onConflict((conflict) => conflict.column("email_key").doNothing())
    .returning("id")
    .executeTakeFirst()
  return inserted !== undefined
}
