import { createHash } from "node:crypto"
import type { PasskeyAssertion } from "@tilinta/contract/passkeys"
import type { SecondFactor } from "@tilinta/contract/vocabulary/people"
import type { Db, Tx } from "#db/transaction"
import type { Clock } from "#kit/clock"
import { DomainError } from "#kit/errors"
import { networkOf } from "#kit/outside"
import type { Protection } from "#kit/request-scope"
import type { SecretKeys } from "#kit/secrets"
import { endFreezeByFactor, findFrozen } from "#people/freezes/freeze"
import { findFactorsOf } from "#people/second-factors/factors"
import { type ProvenPasskey, passkeyRefused, provePasskey, spendPasskey } from "#people/second-factors/prove-passkey"
import { spendCode } from "#people/second-factors/totp"
import { markSteppedUp, openSession, type SessionOrigin } from "#people/sessions/sessions"
import type { Actor } from "#platform/audit/rules"
import { requestFirstConfirmation } from "./change-email.ts"
import { lockFailuresOf } from "./credentials-table.ts"
import { attemptOf, type LoginAttempt, rememberDevice } from "./known-devices.ts"
import { recordFailure, refuseTooManyFailures } from "./limits.ts"
import { isPassword, type PasswordProof, provePassword } from "./passwords.ts"
import { findUserByEmail, findUserById, type UserWithPassword } from "./reads.ts"
import type { User } from "./rules.ts"
import { lockActiveUser, lockLogin } from "./table.ts"

interface Deps {
  db: Db
  clock: Clock
  secretKeys: SecretKeys
  protection: Protection
}

interface Credentials {
  email: string
  password: string
  /** The second factor's, where the account has one. */
  code?: string | null
  origin: SessionOrigin
  /** The token of the browser's cookie, if it has one. */
  device?: string | null
}

/** The limit is checked again after the hash: concurrent guesses would otherwise all pass before one counts. */
export async function logIn(
  deps: Deps,
  { email, password, code = null, origin, device = null }: Credentials,
): Promise<{ user: User } & Opened> {
  const { db, clock } = deps
  const attempt = await attemptOf(db, { email, address: origin.address, device })
  await refuseTooManyFailures(db, attempt, clock.now())

  const user = await findUserByEmail(db, email)
  const isRight = await isPassword(user?.passwordHash ?? null, password)
  if (user === undefined || !isRight) {
    await db.transaction().execute((tx) => recordFailure(tx, attempt, clock.now()))
    throw new DomainError("wrong_credentials")
  }
  await refuseTooManyFailures(db, attempt, clock.now())
  if (!user.active) throw new DomainError("account_disabled")
  if (user.isPasswordVoid) throw new DomainError("password_reset_required")

  const opened = await db.transaction().execute((tx) => openHeldSession(tx, deps, { user, code, origin, attempt }))
  if (opened instanceof DomainError) throw opened
  return { user, ...opened }
}

/**
 * The password was checked outside the transaction: the session must not outlive a concurrent reset or inactivation.
 */
async function openHeldSession(
  tx: Tx,
  { clock, secretKeys, protection }: Deps,
  login: { user: UserWithPassword; code: string | null; origin: SessionOrigin; attempt: LoginAttempt },
): Promise<Opened | DomainError> {
  const { user, code, origin, attempt } = login
  const now = clock.now()
  if (!(await lockLogin(tx, user))) throw new DomainError("wrong_credentials")
  const owner = { id: user.id, address: origin.address }
  const proven = await proveFactor(tx, secretKeys, { owner, attempt, code }, now)
  if (proven instanceof DomainError) return proven
  const { enrolledAt } = proven
  if (enrolledAt !== null) await endFreezeByFactor(tx, { owner, enrolledAt }, now)
  await requestFirstConfirmation(tx, user, protection, now)
  const token = await openSession(tx, user, origin, now)
  return { token, device: await rememberDevice(tx, user.id, attempt, now) }
}

interface PasskeyDeps {
  db: Db
  clock: Clock
  publicUrl: string
  protection: Protection
}

interface Login {
  credential: PasskeyAssertion
  origin: SessionOrigin
  /** The token of the browser's cookie, if it has one. */
  device: string | null
}

interface Opened {
  token: string
  device: string | null
}

/** The authenticator had the key and recognised its owner: that is both factors, and no password is asked for. */
export async function logInByPasskey(deps: PasskeyDeps, login: Login): Promise<{ user: User } & Opened> {
  const { db, clock, protection } = deps
  const { credential, origin } = login
  const attempt = attemptByPasskey(credential, origin.address)
  await refuseTooManyFailures(db, attempt, clock.now())
  const proven = await provePasskey(deps, credential, { purpose: "sign_in", session: null })
  const user = proven === null ? undefined : await findUserById(db, proven.userId)
  if (proven === null || user === undefined) {
    await db.transaction().execute((tx) => recordFailure(tx, attempt, clock.now()))
    throw passkeyRefused()
  }
  if (!user.active) throw new DomainError("account_disabled")
  const opened = await db
    .transaction()
    .execute((tx) => openProvenSession(tx, { ...login, protection, user, proven }, clock.now()))
  if (opened === null) throw passkeyRefused()
  return { user, ...opened }
}

/** The session must not outlive a concurrent inactivation, nor be opened by a passkey that is just being removed. */
async function openProvenSession(
  tx: Tx,
  { user, proven, origin, device, protection }: Login & { protection: Protection; user: User; proven: ProvenPasskey },
  now: Date,
): Promise<Opened | null> {
  if (!(await lockActiveUser(tx, user.id))) throw new DomainError("account_disabled")
  const owner = { id: user.id, address: origin.address }
  if (!(await spendPasskey(tx, proven, owner, now))) return null
  await endFreezeByFactor(tx, { owner, enrolledAt: proven.enrolledAt }, now)
  // A passkey that doesn't end the freeze may be the thief's, and signs in without the password that only a mail brings.
  if ((await findFrozen(tx, [user.id])).size > 0) throw new DomainError("password_reset_required")
  const attempt = await attemptOf(tx, { email: user.email, address: origin.address, device })
  await requestFirstConfirmation(tx, user, protection, now)
  const token = await openSession(tx, user, origin, now)
  return { token, device: await rememberDevice(tx, user.id, attempt, now) }
}

/**
 * Failures are counted for the passkey instead of its account: nobody can guess a signature, and whoever guesses passwords
 * must not keep the owner's passkey out.
 */
function attemptByPasskey({ id }: PasskeyAssertion, address: string): LoginAttempt {
  const name = createHash("sha256").update(id).digest("base64url")
  return { accountKey: `passkey:${name}`, address: networkOf(address), from: address }
}

interface Attempt {
  owner: Actor
  /** A wrong code is counted by it. */
  attempt: LoginAttempt
  code: string | null
}

/** Since when the account has what proved it; null where it has no factor, so that nothing had to be proven. */
interface Proven {
  enrolledAt: Date | null
}

/**
 * Returns the refusal instead of throwing it, because the failure that it counted must be committed. Attempts on one
 * account take turns, so that guesses sent at once are counted like those sent one by one.
 */
async function proveFactor(
  tx: Tx,
  secretKeys: SecretKeys,
  { owner, attempt, code }: Attempt,
  now: Date,
): Promise<Proven | DomainError> {
  const methods = await findFactorsOf(tx, owner.id)
  if (methods.length === 0) return { enrolledAt: null }
  if (code === null) return codeMissing(methods)
  await lockFailuresOf(tx, attempt)
  await refuseTooManyFailures(tx, attempt, now)
  const enrolledAt = await spendCode(tx, secretKeys, { owner, code }, now)
  if (enrolledAt !== null) return { enrolledAt }
  await recordFailure(tx, attempt, now)
  return new DomainError("second_factor_invalid", { data: { methods } })
}

function codeMissing(methods: SecondFactor[]): DomainError {
  const data = { methods }
  if (methods.includes("totp")) return new DomainError("second_factor_required", { data })
  const or = methods.includes("recovery_code") ? ", ou informe um código de recuperação" : ""
  const message = `Esta conta pede a sua chave de acesso (passkey): use-a para entrar, sem senha${or}.`
  return new DomainError("second_factor_required", { message, data })
}

interface StepUpDeps {
  db: Db
  clock: Clock
  secretKeys: SecretKeys
}

interface PasswordStepUp extends PasswordProof {
  code: string | null
  /** The session that becomes fresh: no other one of the same person. */
  token: string
}

/** Returns until when the session is fresh. Wrong passwords and codes count like failed logins. */
export async function stepUp(deps: StepUpDeps, input: PasswordStepUp): Promise<Date> {
  const user = await provePassword(deps, input, "password")
  const outcome = await deps.db.transaction().execute((tx) => refresh(tx, deps, { ...input, user }))
  if (outcome instanceof DomainError) throw outcome
  return outcome
}

async function refresh(
  tx: Tx,
  { clock, secretKeys }: StepUpDeps,
  { user, code, token, address, device = null }: PasswordStepUp & { user: UserWithPassword },
): Promise<Date | DomainError> {
  const now = clock.now()
  if (!(await lockLogin(tx, user))) throw new DomainError("unauthenticated")
  const attempt = await attemptOf(tx, { email: user.email, address, device })
  const owner = { id: user.id, address }
  const proven = await proveFactor(tx, secretKeys, { owner, attempt, code }, now)
  return proven instanceof DomainError ? proven : markSteppedUp(tx, { owner, token }, now)
}

interface StepUp {
  userId: string
  credential: PasskeyAssertion
  /** The session that becomes fresh: the only one that can use the challenge which was signed. */
  token: string
  address: string
}

/** Returns until when the session is fresh. */
export async function stepUpByPasskey(deps: { db: Db; clock: Clock; publicUrl: string }, input: StepUp): Promise<Date> {
  const { db, clock } = deps
  const attempt = attemptByPasskey(input.credential, input.address)
  await refuseTooManyFailures(db, attempt, clock.now())
  const proven = await provePasskey(deps, input.credential, { purpose: "step_up", session: input })
  if (proven?.userId !== input.userId) {
    await db.transaction().execute((tx) => recordFailure(tx, attempt, clock.now()))
    throw passkeyRefused()
  }
  const freshUntil = await db.transaction().execute((tx) => refreshByPasskey(tx, input, proven, clock.now()))
  if (freshUntil === null) throw passkeyRefused()
  return freshUntil
}

async function refreshByPasskey(
  tx: Tx,
  { userId, token, address }: StepUp,
  proven: ProvenPasskey,
  now: Date,
): Promise<Date | null> {
  if (!(await lockActiveUser(tx, userId))) throw new DomainError("unauthenticated")
  const owner = { id: userId, address }
  if (!(await spendPasskey(tx, proven, owner, now))) return null
  return markSteppedUp(tx, { owner, token }, now)
}
