import type { Db, Tx } from "#db/transaction"
import { issueNotMeLink } from "#domain/people/freezes/not-me-links"
import { closeSessionsOf } from "#domain/people/sessions/close-session"
import { recordAudit } from "#domain/platform/audit/record-audit"
import { tellOwner } from "#domain/platform/mails/tell-owner"
import type { Clock } from "#kit/clock"
import { DomainError } from "#kit/domain-error"
import { hashOfToken, isToken } from "#kit/secret-token"
import { deleteEmailChangeOf, findLiveEmailChange } from "./email-changes-repository.ts"
import { emailTaken, isEmailConflict } from "./email-taken.ts"
import { deleteDevicesOf } from "./known-devices-repository.ts"
import { endResetsOf } from "./password-resets-repository.ts"
import type { OnRecovery } from "./recovery.ts"
import { lockUser, updateAccount, updateEmailState } from "./users-repository.ts"

/** The link proves that its holder reads the new address, which counts from now on; all sessions end. */
export async function moveEmail(
  { db, clock, onRecovery }: { db: Db; clock: Clock; onRecovery: OnRecovery },
  { token, address }: { token: string; address: string },
): Promise<void> {
  const now = clock.now()
  const tokenHash = hashOfToken(token)
  const change = isToken(token) ? await findLiveEmailChange(db, tokenHash, now) : undefined
  if (change === undefined) throw new DomainError("email_link_invalid")
  try {
    await db
      .transaction()
      .execute((tx) => applyEmail(tx, { tokenHash, userId: change.userId, address, onRecovery }, now))
  } catch (error) {
    throw isEmailConflict(error) ? emailTaken() : error
  }
}

interface Confirmation {
  tokenHash: Buffer
  userId: string
  address: string
  onRecovery: OnRecovery
}

/** Takes the user's lock and then reads the link again: it may have been used or replaced meanwhile. */
async function applyEmail(tx: Tx, { tokenHash, userId, address, onRecovery }: Confirmation, now: Date): Promise<void> {
  const before = await lockUser(tx, userId)
  const change = await findLiveEmailChange(tx, tokenHash, now)
  if (before === undefined || !before.active || change?.userId !== userId) throw new DomainError("email_link_invalid")
  const after = { ...before, email: change.email }
  await deleteEmailChangeOf(tx, userId)
  await updateAccount(tx, after, now)
  await updateEmailState(tx, userId, "confirmed", now)
  await endResetsOf(tx, userId, now)
  await closeSessionsOf(tx, userId, { spared: null, by: { id: userId, address } }, now)
  await deleteDevicesOf(tx, userId)
  await recordAudit(tx, {
    actor: { id: userId, address },
    ...{ happenedAt: now, action: "user.email_moved", entity: "user", entityId: userId },
    before: { email: before.email },
    after: { email: after.email },
  })
  const notice = { kind: "email_changed", changedAt: now.toISOString() } as const
  await onRecovery(tx, userId, now)
  const notMe = await issueNotMeLink(tx, userId, now)
  await tellOwner(tx, { userId, mailTo: before.email, notice, notMe }, now)
}
