import { sql } from "kysely"
import { uuidList } from "#db/rows-of"
import type { Db, Tx } from "#db/transaction"
import type { Day } from "#kit/clock"
import { type Claim, endOfClaim, type HandPayout, isClaimed, isSilent, txidOf } from "./rules.ts"

interface Found extends HandPayout {
  claimerName: string | null
  sequence: number | null
  madeAt: Date | null
}

export interface HandPayoutFacts {
  /** Null when nobody is paying it, or whoever was has fallen silent. */
  claim: Claim | null
  /** Null where it stands in none that waits for its return. */
  remittance: { sequence: number; at: Date } | null
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
    select asked.id as "withdrawalId", payout.claimed_by as "claimedBy", payout.claimed_at as "claimedAt",
      payout.bank_id as "bankId", claimer.name as "claimerName", remittance.sequence, remittance.made_at as "madeAt"
    from unnest(${uuidList(withdrawalIds)}) as asked (id)
    left join hand_payouts payout on payout.withdrawal_id = asked.id
    left join users claimer on claimer.id = payout.claimed_by
    left join remittance_entries entry on entry.withdrawal_id = asked.id and entry.state = 'sent'
    left join remittances remittance on remittance.sequence = entry.sequence`.execute(db)
  return new Map(
    rows.map((row) => [
      row.withdrawalId,
      { claim: claimIn(row, now), remittance: remittanceIn(row, now), bankId: row.bankId },
    ]),
  )
}

/** When an imported statement has a debit that bears this withdrawal's identifier and that nobody confirmed; else null. */
export async function findNamedDebit(
  tx: Tx,
  { id, approvedAt }: { id: string; approvedAt: Date | null },
): Promise<Day | null> {
  const { rows } = await sql<{ day: Day }>`
    select day::text as day from bank_debits
    where day >= sao_paulo_day(${approvedAt}::timestamptz) and withdrawal_id is null and strpos(upper(text), ${txidOf(id)}) > 0
    order by day limit 1`.execute(tx)
  return rows[0]?.day ?? null
}

function remittanceIn({ sequence, madeAt }: Found, now: Date): HandPayoutFacts["remittance"] {
  if (sequence === null || madeAt === null || isSilent({ at: madeAt }, now)) return null
  return { sequence, at: madeAt }
}

function claimIn({ claimerName, ...payout }: Found, now: Date): Claim | null {
  const { claimedBy, claimedAt } = payout
  if (claimedBy === null || claimedAt === null || !isClaimed(payout, now)) return null
  return { by: { id: claimedBy, name: claimerName ?? "" }, at: claimedAt, expiresAt: endOfClaim(claimedAt) }
}
