import type { PasskeyAssertion } from "@tilinta/contract/api/passkeys-endpoints"
import type { Db, Tx } from "#db/transaction"
import { passkeyRefused } from "#domain/people/second-factors/passkey-refused"
import { type ProvenPasskey, provePasskey, spendPasskey } from "#domain/people/second-factors/prove-passkey"
import { markSteppedUp } from "#domain/people/sessions/step-up-session"
import type { Clock } from "#kit/clock"
import { DomainError } from "#kit/domain-error"
import { recordFailure, refuseTooManyFailures } from "./login-limit.ts"
import { attemptByPasskey } from "./passkey-attempt.ts"
import { holdActiveUser } from "./users-repository.ts"

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
  const freshUntil = await db.transaction().execute((tx) => refresh(tx, wish, proven, clock.now()))
  if (freshUntil === null) throw passkeyRefused()
  return freshUntil
}

async function refresh(
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
