import type { NewRow } from "#db/rows-of"
import type { Tx } from "#db/transaction"
import { toRule } from "./reads.ts"
import type { WithdrawalRule } from "./rules.ts"

export async function lockRule(tx: Tx, sellerId: string): Promise<WithdrawalRule | null> {
  const query = tx.selectFrom("withdrawal_rules").selectAll().where("seller_id", "=", sellerId)
  const row = await query.forUpdate().executeTakeFirst()
  return row === undefined ? null : toRule(row)
}

export async function saveRule(tx: Tx, { sellerId, ...rule }: WithdrawalRule): Promise<void> {
  const changes = {
    every: rule.every,
    above_cents: rule.aboveCents,
    destination_id: rule.destinationId,
    next_at: rule.nextAt,
    paused_because: rule.pausedBecause,
    failure: rule.failure,
    last_withdrawal_id: rule.lastWithdrawalId,
  }
  await tx
    .insertInto("withdrawal_rules")
    .values({ seller_id: sellerId, ...changes } satisfies NewRow<"withdrawal_rules">)
    .onConflict((conflict) => conflict.column("seller_id").doUpdateSet(changes))
    .execute()
}

export async function deleteRule(tx: Tx, sellerId: string): Promise<void> {
  await tx.deleteFrom("withdrawal_rules").where("seller_id", "=", sellerId).execute()
}
