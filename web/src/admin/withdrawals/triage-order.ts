import type { AdminWithdrawalView } from "@tilinta/contract/api/admin-withdrawals-endpoints"
import type { WithdrawalStatus } from "@tilinta/contract/vocabulary/withdrawal-status"

/** Who waits is served in turn, the oldest first; on several pages the server's order stands. */
export function inTriageOrder(
  rows: readonly AdminWithdrawalView[],
  { status, total }: { status: WithdrawalStatus | undefined; total: number },
): readonly AdminWithdrawalView[] {
  return status === "pending" && total === rows.length ? rows.toReversed() : rows
}
