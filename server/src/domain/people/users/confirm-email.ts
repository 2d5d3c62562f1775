import type { Db, Tx } from "#db/transaction"
import { recordAudit } from "#domain/platform/audit/record-audit"
import type { Clock } from "#kit/clock"
import { hashOfToken, isToken } from "#kit/secret-token"
import { findLiveConfirmation } from "./email-confirmations-repository.ts"
import { emailKeyOf } from "./user.ts"
import { lockUser, updateEmailState } from "./users-repository.ts"

/** Whether a link still confirms the address of an account. */
export async function isConfirmationLink({ db, clock }: { db: Db; clock: Clock }, token: string): Promise<boolean> {
  return isToken(token) && (await findLiveConfirmation(db, hashOfToken(token), clock.now())) !== undefined
}

/** False for a link that confirms nothing; a second use of one that did changes nothing. */
export async function confirmEmail(
  { db, clock }: { db: Db; clock: Clock },
  { token, address }: { token: string; address: string },
): Promise<boolean> {
  if (!isToken(token)) return false
  const now = clock.now()
  return db.transaction().execute((tx) => confirm(tx, { tokenHash: hashOfToken(token), address, now }))
}

async function confirm(
  tx: Tx,
  { tokenHash, address, now }: { tokenHash: Buffer; address: string; now: Date },
): Promise<boolean> {
  const link = await findLiveConfirmation(tx, tokenHash, now)
  const user = link && (await lockUser(tx, link.userId))
  if (link === undefined || user === undefined || emailKeyOf(user.email) !== link.emailKey) return false
  if (user.emailState === "confirmed") return true
  await updateEmailState(tx, user.id, "confirmed", now)
  await recordAudit(tx, {
    actor: { id: user.id, address },
    happenedAt: now,
    action: "user.email_confirmed",
    entity: "user",
    entityId: user.id,
    before: null,
    after: null,
  })
  return true
}
