import { createHash, randomInt } from "node:crypto"
import { Secret, TOTP } from "otpauth"
import type { Db, Tx } from "#db/transaction"
import type { Clock } from "#kit/clock"
import { DomainError } from "#kit/errors"
import { newId } from "#kit/ids"
import { openSecret, type SecretKeys, sealSecret } from "#kit/secrets"
import { closeSessionsOf } from "#people/sessions/sessions"
import type { Actor } from "#platform/audit/rules"
import { requireSharedKey } from "#platform/system/sealing-key"
import { deleteUselessCodes, findFactorsOf, noteFactorChange } from "./factors.ts"
import {
  confirmTotpRow,
  deleteRecoveryCodes,
  deleteTotp,
  findTotp,
  insertRecoveryCodes,
  lockFactorsOf,
  lockTotpsSealedOtherwise,
  type StoredTotp,
  saveResealed,
  saveUnconfirmedTotp,
  spendRecoveryCode,
  spendStep,
} from "./table.ts"

interface Deps {
  db: Db
  clock: Clock
  secretKeys: SecretKeys
}

interface Owner extends Actor {
  /** The token of the session that asks, which stays open. */
  token: string
}

/** Returns the secret for the app. It counts once `confirmTotp` has seen a code; until then asking again replaces it. */
export async function beginTotp(deps: Deps, userId: string): Promise<string> {
  const secret = newTotpSecret()
  await deps.db.transaction().execute((tx) => storeSecret(tx, deps, { userId, secret }))
  return secret
}

async function storeSecret(
  tx: Tx,
  { clock, secretKeys }: Deps,
  { userId, secret }: { userId: string; secret: string },
): Promise<void> {
  await requireSharedKey(tx, secretKeys)
  await lockFactorsOf(tx, userId)
  const isSaved = await saveUnconfirmedTotp(tx, sealTotp(secretKeys, { id: newId(), userId }, secret), clock.now())
  if (!isSaved) throw new DomainError("totp_already_enrolled")
}

/** Returns the recovery codes of a first factor, stored nowhere. Sessions that were opened without the factor end. */
export async function confirmTotp(deps: Deps, owner: Owner, code: string): Promise<string[]> {
  return deps.db.transaction().execute((tx) => confirm(tx, deps, { owner, code }))
}

async function confirm(
  tx: Tx,
  { clock, secretKeys }: Deps,
  { owner, code }: { owner: Owner; code: string },
): Promise<string[]> {
  const now = clock.now()
  await lockFactorsOf(tx, owner.id)
  const isFirst = (await findFactorsOf(tx, owner.id)).length === 0
  const stored = await findTotp(tx, owner.id, "unconfirmed")
  if (stored === undefined) throw new DomainError("totp_not_begun")
  const step = stepOfCode(openTotp(secretKeys, stored), code.replaceAll(/\s/g, ""), now)
  if (step === null) throw new DomainError("second_factor_invalid")
  await confirmTotpRow(tx, stored, step, now)
  await closeSessionsOf(tx, owner.id, { spared: owner, by: actorOf(owner) }, now)
  await noteFactorChange(tx, { owner: actorOf(owner), change: "added", factor: "totp" }, now)
  return isFirst ? replaceRecoveryCodes(tx, owner.id, now) : []
}

/** Other sessions end, as with a changed password. */
export async function removeTotp({ db, clock }: Pick<Deps, "db" | "clock">, owner: Owner): Promise<void> {
  await db.transaction().execute((tx) => remove(tx, owner, clock.now()))
}

async function remove(tx: Tx, owner: Owner, now: Date): Promise<void> {
  await lockFactorsOf(tx, owner.id)
  if (!(await deleteTotp(tx, owner.id))) return
  await deleteUselessCodes(tx, owner.id)
  await closeSessionsOf(tx, owner.id, { spared: owner, by: actorOf(owner) }, now)
  await noteFactorChange(tx, { owner: actorOf(owner), change: "removed", factor: "totp" }, now)
}

function actorOf({ id, address }: Owner): Actor {
  return { id, address }
}

const periodSeconds = 30
const digits = 6
/** The phone's clock may be a step off either way. */
const toleratedSteps = 1

function newTotpSecret(): string {
  return new Secret({ size: 20 }).base32
}

/** The text in the QR code that authenticator apps read. A colon parts the two names, so that neither may have one, encoded or not. */
export function otpauthUriOf(secret: string, { issuer, account }: { issuer: string; account: string }): string {
  return totpOf(secret, { issuer: withoutSeparators(issuer), label: withoutSeparators(account) }).toString()
}

/** Also without those of addresses, which some apps decode before they part the names. */
function withoutSeparators(name: string): string {
  return name.replaceAll(/[\s:：/?#%]+/g, " ").trim()
}

function isTotpCode(text: string): boolean {
  return /^\d{6}$/.test(text)
}

/** The 30 seconds that the code belongs to, by which it is spent; null when it is wrong or too old. */
function stepOfCode(secret: string, code: string, now: Date): number | null {
  const timestamp = now.getTime()
  const delta = totpOf(secret).validate({ token: code, timestamp, window: toleratedSteps })
  return delta === null ? null : Math.floor(timestamp / 1000 / periodSeconds) + delta
}

function totpOf(secret: string, names: { issuer?: string; label?: string } = {}): TOTP {
  return new TOTP({ ...names, secret, digits, period: periodSeconds, algorithm: "SHA1" })
}

type Named = Pick<StoredTotp, "id" | "userId">

function sealTotp(keys: SecretKeys, { id, userId }: Named, secret: string): StoredTotp {
  return { id, userId, ...sealSecret(keys, secret, contextOf({ id, userId })) }
}

export function openTotp(keys: SecretKeys, stored: StoredTotp): string {
  return openSecret(keys, stored, contextOf(stored))
}

/** Binds the box to its row and user. */
function contextOf({ id, userId }: Named): string {
  return `totp_factors:${userId}:${id}`
}

interface Guess {
  owner: Actor
  /** Six digits of the authenticator app, or a recovery code. */
  code: string
}

/**
 * Since when the owner has what proves it: the app, or this very recovery code. Null when the code is wrong, too old or used
 * before. Count the failures: six digits can be guessed.
 */
export async function spendCode(tx: Tx, secretKeys: SecretKeys, guess: Guess, now: Date): Promise<Date | null> {
  const { owner } = guess
  const code = guess.code.replaceAll(/[\s-]/g, "")
  if (isTotpCode(code)) return spendTotp(tx, secretKeys, { owner, code }, now)
  const enrolledAt = await spendRecoveryCode(tx, owner.id, hashOfRecoveryCode(owner.id, code), now)
  if (enrolledAt !== null) await noteFactorChange(tx, { owner, change: "recovery_used", factor: "recovery_code" }, now)
  return enrolledAt
}

async function spendTotp(tx: Tx, secretKeys: SecretKeys, { owner, code }: Guess, now: Date): Promise<Date | null> {
  const stored = await findTotp(tx, owner.id, "confirmed")
  if (stored === undefined) return null
  const step = stepOfCode(openTotp(secretKeys, stored), code, now)
  return step === null ? null : spendStep(tx, stored, step)
}

const MANY = 10
/** Without 0, 1, I and O, which are mistaken for each other on paper. */
const letters = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
const groups = 4
const lettersOfGroup = 6

/** 120 random bits each: so many that a plain digest keeps them. */
function newRecoveryCodes(): string[] {
  return Array.from({ length: MANY }, () => Array.from({ length: groups }, newGroup).join("-"))
}

function newGroup(): string {
  return Array.from({ length: lettersOfGroup }, () => letters[randomInt(letters.length)]).join("")
}

/** Blanks, dashes and case don't count. */
function hashOfRecoveryCode(userId: string, code: string): Buffer {
  const typed = code.replaceAll(/[\s-]/g, "").toUpperCase()
  return createHash("sha256").update(`${userId}:${typed}`).digest()
}

/** Returns new codes, stored nowhere; the old ones stop working. */
export async function renewRecoveryCodes({ db, clock }: { db: Db; clock: Clock }, owner: Actor): Promise<string[]> {
  return db.transaction().execute((tx) => renew(tx, owner, clock.now()))
}

async function renew(tx: Tx, owner: Actor, now: Date): Promise<string[]> {
  await lockFactorsOf(tx, owner.id)
  if ((await findFactorsOf(tx, owner.id)).length === 0) throw new DomainError("second_factor_missing")
  await noteFactorChange(tx, { owner, change: "recovery_renewed", factor: "recovery_code" }, now)
  return replaceRecoveryCodes(tx, owner.id, now)
}

/** Call it under the lock of the user's factors. */
export async function replaceRecoveryCodes(tx: Tx, userId: string, now: Date): Promise<string[]> {
  const codes = newRecoveryCodes()
  await deleteRecoveryCodes(tx, userId)
  await insertRecoveryCodes(
    tx,
    userId,
    codes.map((code) => hashOfRecoveryCode(userId, code)),
    now,
  )
  return codes
}

export async function resealTotps(tx: Tx, secretKeys: SecretKeys): Promise<number> {
  const old = await lockTotpsSealedOtherwise(tx, secretKeys()[0].id)
  for (const stored of old) await saveResealed(tx, sealTotp(secretKeys, stored, openTotp(secretKeys, stored)))
  return old.length
}
