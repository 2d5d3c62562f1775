import { managers, ownerAlone, type ShopRole } from "@tilinta/contract/vocabulary/team"
import type { Tx } from "#db/transaction"
import { notifyOwners, type OwnerNotice, withdrawNotices } from "#platform/mails/notify-owner"
import { listMembersAs } from "./reads.ts"

/**
 * Tells the sellers, and whoever else owns or manages their shops, who may read all that such a notice names. The others
 * hear by their lists and devices alone: mails are the seller's. `exceptId` did it and knows.
 */
export async function notifyShops(
  tx: Tx,
  notices: readonly OwnerNotice[],
  now: Date,
  { exceptId, roles = managers }: { exceptId?: string; roles?: readonly ShopRole[] } = {},
): Promise<void> {
  const readers = await readersOf(tx, notices, roles)
  const copies = notices.flatMap((each) => {
    const { userId, notice, about, dedupeKey } = each
    if (notice === null) return []
    return (readers.get(userId) ?? []).map(({ memberId, shop }) => ({
      userId: memberId,
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

/** Tells the owners alone: a manager has no part in withdrawals. */
export async function notifyAllOwners(tx: Tx, notices: readonly OwnerNotice[], now: Date): Promise<void> {
  await notifyShops(tx, notices, now, { roles: ownerAlone })
}

/** Takes back what `notifyShops` told under these keys. */
export async function withdrawFromShops(tx: Tx, keys: readonly { userId: string; key: string }[]): Promise<void> {
  const readers = await readersOf(tx, keys, managers)
  const copies = keys.flatMap(({ userId, key }) =>
    (readers.get(userId) ?? []).map(({ memberId }) => ({ userId: memberId, key: keyIn(userId, key) })),
  )
  await withdrawNotices(tx, [...keys, ...copies])
}

/** One person may hear of several shops. */
function keyIn(shopId: string, key: string): string {
  return `${key}:${shopId}`
}

async function readersOf(tx: Tx, told: readonly { userId: string }[], roles: readonly ShopRole[]) {
  const shopIds = [...new Set(told.map(({ userId }) => userId))]
  return Map.groupBy(shopIds.length === 0 ? [] : await listMembersAs(tx, shopIds, roles), ({ shopId }) => shopId)
}
