import type { NewRow } from "#db/rows-of"
import type { Tx } from "#db/transaction"
import type { SecretKeys } from "#kit/secrets"
import { destinationOf } from "#money/withdrawals/reads"
import type { Destination } from "#money/withdrawals/withdrawal"
import { currentMacs } from "#platform/order-macs/macs"
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
    mac: rule.mac,
  }
  await tx
    .insertInto("withdrawal_rules")
    .values({ seller_id: sellerId, ...changes } satisfies NewRow<"withdrawal_rules">)
    .onConflict((conflict) => conflict.column("seller_id").doUpdateSet(changes))
    .execute()
}

/** Those whose MAC another key than the first has made, locked, with the places that they name. */
export async function lockRulesOfFormerKey(
  tx: Tx,
  secretKeys: SecretKeys,
): Promise<(WithdrawalRule & { destination: Destination })[]> {
  const rows = await tx
    .selectFrom("withdrawal_rules as rule")
    .innerJoin("destinations as destination", "destination.id", "rule.destination_id")
    .selectAll("rule")
    .select(["destination.id", "destination.pix_key", "destination.pix_key_kind", "destination.bank_data"])
    .where("rule.mac", "not like", currentMacs(secretKeys))
    .orderBy("rule.seller_id")
    .forUpdate("rule")
    .execute()
  return rows.map((row) => ({ ...toRule(row), destination: destinationOf(row) }))
}

export async function deleteRule(tx: Tx, sellerId: string): Promise<void> {
  await tx.deleteFrom("withdrawal_rules").where("seller_id", "=", sellerId).execute()
}
