import type { Tx } from "#db/transaction"
import { closeSessionsOf } from "#domain/people/sessions/close-session"
import { recordAudit } from "#domain/platform/audit/record-audit"
import { newId } from "#kit/ids"
import { findFreezes, insertFreeze, trustFewerFactors } from "./freezes-repository.ts"

interface Wish {
  userId: string
  /** The address that asks. */
  address: string
  /** Factors that were enrolled later don't end the freeze. */
  trustsFactorsUntil: Date
}

/**
 * Nothing of the account is requested, approved or sent from here on, by no session and no API key; its sessions end. A
 * frozen account stays frozen, and trusts fewer factors. Call it under the user's lock.
 */
export async function freezeAccount(tx: Tx, { userId, address, trustsFactorsUntil }: Wish, now: Date): Promise<void> {
  await closeSessionsOf(tx, userId, { spared: null, by: { id: userId, address } }, now)
  const [underWay] = await findFreezes(tx, [userId])
  if (underWay !== undefined) return trustFewerFactors(tx, underWay.id, trustsFactorsUntil)
  const id = newId()
  await insertFreeze(tx, { id, userId, frozenAt: now, trustsFactorsUntil }, address)
  await recordAudit(tx, {
    ...{ actor: { id: userId, address }, happenedAt: now, action: "user.frozen", entity: "user", entityId: userId },
    before: null,
    after: null,
  })
}
