import type { Tx } from "#db/transaction"
import type { Actor } from "#domain/platform/audit/audit-entry"
import { recordAudit } from "#domain/platform/audit/record-audit"
import { tellOwner } from "#domain/platform/mails/tell-owner"
import { endFreezeRow, findFreezes } from "./freezes-repository.ts"
import { issueNotMeLink } from "./not-me-links.ts"

/** The owner, or an administrator. */
interface End {
  userId: string
  by: Actor
}

/** False when the account isn't frozen. */
export async function endFreeze(tx: Tx, { userId, by }: End, now: Date): Promise<boolean> {
  if (!(await endFreezeRow(tx, userId, by.id, now))) return false
  await recordAudit(tx, {
    ...{ actor: by, happenedAt: now, action: "user.unfrozen", entity: "user", entityId: userId },
    before: null,
    after: null,
  })
  const isOwner = by.id === userId
  const address = isOwner ? by.address : null
  const notice = { kind: "account_unfrozen", byAdmin: !isOwner, endedAt: now.toISOString(), address } as const
  const notMe = await issueNotMeLink(tx, userId, now)
  await tellOwner(tx, { userId, notice, notMe }, now)
  return true
}

/**
 * Call it when the owner has signed in with a second factor. A factor that was enrolled after what the owner complained of,
 * or shortly before, may be the thief's, and ends nothing.
 */
export async function endFreezeByFactor(
  tx: Tx,
  { owner, enrolledAt }: { owner: Actor; enrolledAt: Date },
  now: Date,
): Promise<boolean> {
  const [underWay] = await findFreezes(tx, [owner.id])
  if (underWay === undefined || enrolledAt >= underWay.trustsFactorsUntil) return false
  return endFreeze(tx, { userId: owner.id, by: owner }, now)
}
