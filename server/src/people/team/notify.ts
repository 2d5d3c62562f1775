import type { Tx } from "#db/transaction"
import { notifyOwners, type OwnerNotice, withdrawNotices } from "#platform/mails/notify-owner"
import { listManagersOf } from "./reads.ts"

/**
 * Tells the sellers, and whoever else owns or manages their shops, who may read all that such a notice names. The others
 * hear by their lists and devices alone: mails are the seller's. `exceptId` did it and knows.
 */
export async function notifyShops(
  tx: Tx,
  notices: readonly OwnerNotice[],
  now: Date,
  { exceptId }: { exceptId?: string } = {},
): Promise<void> {
  const managers = await managersOf(tx, notices)
  const copies = notices.flatMap((each) => {
    const { userId, notice, about, dedupeKey } = each
    if (notice === null) return []
    return (managers.get(userId) ?? []).map(({ managerId, shop }) => ({
      userId: managerId,
      notice: { ...notice, inShop: { id: userId, name: shop } },
      mail: null,
      ...(about !== undefined && { about: keyIn(userId, about) }),
      ...(dedupeKey !== undefined && { dedupeKey: keyIn(userId, dedupeKey) }),
    }))
  })
  await notifyOwners(
    tx,
    [...notices, ...copies].filter(({ userId }) => userId !== exceptId),
    now,
  )
}

/** Takes back what `notifyShops` told under these keys. */
export async function withdrawFromShops(tx: Tx, keys: readonly { userId: string; key: string }[]): Promise<void> {
  const managers = await managersOf(tx, keys)
  const copies = keys.flatMap(({ userId, key }) =>
    (managers.get(userId) ?? []).map(({ managerId }) => ({ userId: managerId, key: keyIn(userId, key) })),
  )
  await withdrawNotices(tx, [...keys, ...copies])
}

/** One person may hear of several shops. */
function keyIn(shopId: string, key: string): string {
  return `${key}:${shopId}`
}

async function managersOf(tx: Tx, told: readonly { userId: string }[]) {
  const shopIds = [...new Set(told.map(({ userId }) => userId))]
  return Map.groupBy(shopIds.length === 0 ? [] : await listManagersOf(tx, shopIds), ({ shopId }) => shopId)
}
