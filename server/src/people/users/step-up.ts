import type { PasskeyAssertion } from "@tilinta/contract/passkeys"
import type { Db, Tx } from "#db/transaction"
import { type Clock, secondsAfter } from "#kit/clock"
import { DomainError } from "#kit/errors"
import { hashOfToken, type SecretKeys } from "#kit/secrets"
import { type ProvenPasskey, passkeyRefused, provePasskey, spendPasskey } from "#people/second-factors/prove-passkey"
import { saveStepUp } from "#people/sessions/table"
import { recordAudit } from "#platform/audit/record"
import type { Actor } from "#platform/audit/rules"
import { attemptOf } from "./known-devices.ts"
import { recordFailure, refuseTooManyFailures } from "./limits.ts"
import { attemptByPasskey, proveFactor } from "./log-in.ts"
import { type PasswordProof, provePassword } from "./passwords.ts"
import type { UserWithPassword } from "./reads.ts"
import { holdActiveUser, holdLogin } from "./table.ts"

interface Deps {
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
export async function stepUp(deps: Deps, wish: PasswordStepUp): Promise<Date> {
  const user = await provePassword(deps, wish, "password")
  const outcome = await deps.db.transaction().execute((tx) => refresh(tx, deps, { ...wish, user }))
  if (outcome instanceof DomainError) throw outcome
  return outcome
}

async function refresh(
  tx: Tx,
  { clock, secretKeys }: Deps,
  { user, code, token, address, device = null }: PasswordStepUp & { user: UserWithPassword },
): Promise<Date | DomainError> {
  const now = clock.now()
  if (!(await holdLogin(tx, user))) throw new DomainError("unauthenticated")
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
export async function stepUpByPasskey(deps: { db: Db; clock: Clock; publicUrl: string }, wish: StepUp): Promise<Date> {
  const { db, clock } = deps
  const attempt = attemptByPasskey(wish.credential, wish.address)
  await refuseTooManyFailures(db, attempt, clock.now())
  const proven = await provePasskey(deps, wish.credential, { purpose: "step_up", session: wish })
  if (proven?.userId !== wish.userId) {
    await db.transaction().execute((tx) => recordFailure(tx, attempt, clock.now()))
    throw passkeyRefused()
  }
  const freshUntil = await db.transaction().execute((tx) => refreshByPasskey(tx, wish, proven, clock.now()))
  if (freshUntil === null) throw passkeyRefused()
  return freshUntil
}

async function refreshByPasskey(
  tx: Tx,
  { userId, token, address }: StepUp,
  proven: ProvenPasskey,
  now: Date,
): Promise<Date | null> {
  if (!(await holdActiveUser(tx, userId))) throw new DomainError("unauthenticated")
  const owner = { id: userId, address }
  if (!(await spendPasskey(tx, proven, owner, now))) return null
  return markSteppedUp(tx, { owner, token }, now)
}

const freshSeconds = 5 * 60
/** Nodes' clocks may differ by so much. */
const skewSeconds = 30

/** A moment in the future is another node's clock, or ours was set back: that session isn't fresh for longer. */
export function isFresh(steppedUpAt: Date | null, now: Date): boolean {
  if (steppedUpAt === null) return false
  return steppedUpAt <= secondsAfter(now, skewSeconds) && now < secondsAfter(steppedUpAt, freshSeconds)
}

/** Returns until when the session is fresh. */
async function markSteppedUp(tx: Tx, { owner, token }: { owner: Actor; token: string }, now: Date): Promise<Date> {
  const sessionId = await saveStepUp(tx, { userId: owner.id, tokenHash: hashOfToken(token) }, now)
  if (sessionId === undefined) throw new DomainError("unauthenticated")
  await recordAudit(tx, {
    ...{ actor: owner, happenedAt: now, action: "session.stepped_up", entity: "session", entityId: sessionId },
    before: null,
    after: { userId: owner.id },
  })
  return secondsAfter(now, freshSeconds)
}
