import type { PasskeyAssertion } from "@tilinta/contract/api/passkeys-endpoints"
import type { Db, Tx } from "#db/transaction"
import { endFreezeByFactor } from "#domain/people/freezes/end-freeze"
import { passkeyRefused } from "#domain/people/second-factors/passkey-refused"
import { type ProvenPasskey, provePasskey, spendPasskey } from "#domain/people/second-factors/prove-passkey"
import { openSession, type SessionOrigin } from "#domain/people/sessions/open-session"
import type { Clock } from "#kit/clock"
import { DomainError } from "#kit/domain-error"
import type { Protection } from "#kit/protection"
import { askIfNeverAsked } from "./ask-confirmation.ts"
import { attemptOf, rememberDevice } from "./known-device.ts"
import { recordFailure, refuseTooManyFailures } from "./login-limit.ts"
import { attemptByPasskey } from "./passkey-attempt.ts"
import type { User } from "./user.ts"
import { findUserById, holdActiveUser } from "./users-repository.ts"

interface Deps {
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
export async function logInByPasskey(deps: Deps, login: Login): Promise<{ user: User } & Opened> {
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
  if (!(await holdActiveUser(tx, user.id))) throw new DomainError("account_disabled")
  const owner = { id: user.id, address: origin.address }
  if (!(await spendPasskey(tx, proven, owner, now))) return null
  await endFreezeByFactor(tx, { owner, enrolledAt: proven.enrolledAt }, now)
  const attempt = await attemptOf(tx, { email: user.email, address: origin.address, device })
  await askIfNeverAsked(tx, user, protection, now)
  const token = await openSession(tx, user, origin, now)
  return { token, device: await rememberDevice(tx, user.id, attempt, now) }
}
