import type { Db, Tx } from "#db/transaction"
import type { AuditEntry } from "#domain/platform/audit/audit-entry"
import { recordAudit } from "#domain/platform/audit/record-audit"
import { secondsAfter } from "#kit/clock"
import { DomainError } from "#kit/domain-error"
import {
  deleteFailuresBefore,
  deleteFailuresOf,
  type FailedLogin,
  findNthFailure,
  insertFailure,
  lockFailuresOf,
} from "./failed-logins-repository.ts"
import { isByKnownDevice } from "./known-device.ts"
import { emailKeyOf } from "./user.ts"
import { findUserByEmail } from "./users-repository.ts"

const perAccount = { failures: 10, windowSeconds: 15 * 60 }
const perAddress = { failures: 100, windowSeconds: 60 * 60 }
/** From unknown devices, whatever their addresses: a botnet has thousands. A link by mail or a known device gets in. */
const perAccountADay = { failures: 100, windowSeconds: 24 * 60 * 60 }

/** Counts wrong passwords only: the owner can still log in from another address, and from a known device. */
export async function refuseTooManyFailures(db: Db, attempt: FailedLogin, now: Date): Promise<void> {
  const { accountKey, address } = attempt
  const waits = await Promise.all([
    secondsToWait(db, { accountKey, address }, perAccount, now),
    secondsToWait(db, { address }, perAddress, now),
  ])
  const ofAccount = isByKnownDevice(attempt) ? 0 : await secondsToWait(db, { accountKey }, perAccountADay, now)
  if (ofAccount > 0)
    throw new DomainError("too_many_requests", { retryAfterSeconds: ofAccount, message: closedToStrangers })
  const retryAfterSeconds = Math.max(...waits)
  if (retryAfterSeconds > 0) throw new DomainError("too_many_requests", { retryAfterSeconds })
}

const closedToStrangers =
  "Houve muitas tentativas com senha errada nesta conta. Entre por um aparelho que já usou ou redefina a sua senha por e-mail."

/** Refuses instead if concurrent guesses have used up the limit. */
export async function recordFailure(tx: Tx, failure: FailedLogin, now: Date): Promise<void> {
  await lockFailuresOf(tx, failure)
  await refuseTooManyFailures(tx, failure, now)
  await insertFailure(tx, failure, now)
  await deleteFailuresBefore(tx, failure.address, secondsAfter(now, -perAccountADay.windowSeconds))
  await recordClosing(tx, failure, now)
}

/** Only the failure that reaches a limit is recorded: later ones are refused uncounted, so guesses can't flood the audit. */
async function recordClosing(tx: Tx, failure: FailedLogin, now: Date): Promise<void> {
  const { accountKey, address } = failure
  const ofAccount = [
    { who: { accountKey, address }, limit: perAccount },
    ...(isByKnownDevice(failure) ? [] : [{ who: { accountKey }, limit: perAccountADay }]),
  ]
  for (const { who, limit } of ofAccount) {
    if ((await secondsToWait(tx, who, limit, now)) === 0) continue
    const user = await findUserByEmail(tx, accountKey)
    if (user !== undefined) await recordAudit(tx, refusalAuditOf(failure, user.id, limit.failures, now))
  }
  if ((await secondsToWait(tx, { address }, perAddress, now)) === 0) return
  await recordAudit(tx, refusalAuditOf(failure, null, perAddress.failures, now))
}

function refusalAuditOf(failure: FailedLogin, userId: string | null, attempts: number, now: Date): AuditEntry {
  const network = isByKnownDevice(failure) ? "Aparelho já conhecido" : failure.address
  return {
    actor: null,
    happenedAt: now,
    action: "session.refused",
    entity: "session",
    entityId: userId ?? network,
    before: null,
    after: { userId, network, attempts },
  }
}

/** After a reset by mail the owner gets in, however often the old password was guessed. */
export async function forgetFailuresOf(tx: Tx, email: string): Promise<void> {
  await deleteFailuresOf(tx, emailKeyOf(email))
}

async function secondsToWait(
  db: Db,
  who: { accountKey?: string; address?: string },
  limit: { failures: number; windowSeconds: number },
  now: Date,
): Promise<number> {
  const since = secondsAfter(now, -limit.windowSeconds)
  const deciding = await findNthFailure(db, { ...who, since, nth: limit.failures })
  return deciding === undefined ? 0 : Math.ceil((deciding.getTime() - since.getTime()) / 1000)
}
