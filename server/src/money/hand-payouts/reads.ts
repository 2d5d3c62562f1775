import { sql } from "kysely"
import { uuidList } from "#db/rows-of"
import type { Db } from "#db/transaction"
import { type Claim, endOfClaim, type HandPayout, isClaimed } from "./rules.ts"

interface Found extends HandPayout {
  claimerName: string | null
}

export interface HandPayoutFacts {
  /** Null when nobody is paying it, or whoever was has fallen silent. */
  claim: Claim | null
  bankId: string | null
}

/** By the withdrawal's id. */
export async function findHandPayouts(
  db: Db,
  withdrawalIds: readonly string[],
  now: Date,
): Promise<Map<string, HandPayoutFacts>> {
  if (withdrawalIds.length === 0) return new Map()
  const { rows } = await sql<Found>`
    select payout.withdrawal_id as "withdrawalId", payout.claimed_by as "claimedBy", payout.claimed_at as "claimedAt",
      payout.bank_id as "bankId", claimer.name as "claimerName"
    from hand_payouts payout left join users claimer on claimer.id = payout.claimed_by
    where payout.withdrawal_id = any(${uuidList(withdrawalIds)})`.execute(db)
  return new Map(rows.map((row) => [row.withdrawalId, { claim: claimIn(row, now), bankId: row.bankId }]))
}

function claimIn({ claimerName, ...payout }: Found, now: Date): Claim | null {
  const { claimedBy, claimedAt } = payout
  if (claimedBy === null || claimedAt === null || !isClaimed(payout, now)) return null
  return { by: { id: claimedBy, name: claimerName ?? "" }, at: claimedAt, expiresAt: endOfClaim(claimedAt) }
}
