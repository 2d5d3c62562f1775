import type { Db, Tx } from "#db/transaction"
import { endFreeze } from "#domain/people/freezes/end-freeze"
import { eraseFactors } from "#domain/people/second-factors/erase-factors"
import { closeSessionsOf } from "#domain/people/sessions/close-session"
import { recordAudit } from "#domain/platform/audit/record-audit"
import { tellAdmins } from "#domain/platform/mails/tell-owner"
import { type Clock, secondsAfter } from "#kit/clock"
import { DomainError } from "#kit/domain-error"
import { hashOfToken, newToken } from "#kit/secret-token"
import { endResetsOf, insertReset } from "./password-resets-repository.ts"
import { emailKeyOf } from "./user.ts"
import { lockUserByEmail } from "./users-repository.ts"

export const printedLinkMinutes = 30

interface Wish {
  email: string
  /** Phone and recovery codes are lost, too. */
  removesFactors: boolean
}

/**
 * A link to a new password that no mail carries, for an operator at the machine who has made sure who asks: it opens an
 * administrator's account and no seller's. The account's sessions end at once, and all administrators hear of it.
 */
export async function printAdminLink({ db, clock }: { db: Db; clock: Clock }, wish: Wish): Promise<{ token: string }> {
  return db.transaction().execute((tx) => printLink(tx, wish, clock.now()))
}

async function printLink(tx: Tx, { email, removesFactors }: Wish, now: Date): Promise<{ token: string }> {
  const admin = await lockUserByEmail(tx, emailKeyOf(email))
  if (admin === undefined || admin.role !== "admin" || !admin.active) throw new DomainError("user_not_found")
  const token = newToken()
  const expiresAt = secondsAfter(now, printedLinkMinutes * 60)
  await endResetsOf(tx, admin.id, now)
  await insertReset(tx, { tokenHash: hashOfToken(token), userId: admin.id, createdAt: now, expiresAt })
  if (removesFactors) {
    await eraseFactors(tx, admin.id)
    // No factor that the freeze trusts is left, and there may be no other administrator.
    await endFreeze(tx, { userId: admin.id, by: { id: admin.id, address: null } }, now)
  }
  await closeSessionsOf(tx, admin.id, { spared: null, by: null }, now)
  await recordAudit(tx, {
    ...{ actor: null, happenedAt: now, action: "user.link_printed", entity: "user", entityId: admin.id },
    ...{ before: null, after: { factorsRemoved: removesFactors } },
  })
  const notice = {
    kind: "reset_link_printed",
    email: admin.email,
    removesFactors,
    printedAt: now.toISOString(),
  } as const
  await tellAdmins(tx, { notice }, now)
  return { token }
}
