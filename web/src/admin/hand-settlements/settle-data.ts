import type { settleRefundEndpoint, settleWithdrawalEndpoint } from "@tilinta/contract/api/hand-settlements-endpoints"
import type { HandSettlementOutcome, HandSettlementSubject } from "@tilinta/contract/vocabulary/hand-settlement"
import { call } from "#api/client.ts"
import { leanEndpoint } from "#api/lean-endpoint.ts"

const settleWithdrawal = leanEndpoint<typeof settleWithdrawalEndpoint>("PATCH", "/api/v1/admin/withdrawals/:id/settle")
const settleRefund = leanEndpoint<typeof settleRefundEndpoint>("PATCH", "/api/v1/admin/refunds/:id/settle")

interface SaidByHand {
  outcome: HandSettlementOutcome
  endToEndId: string | null
  reason: string
}

/** Returns the server's message: it may have taken effect, or wait for another administrator. */
export async function settle(subject: HandSettlementSubject, id: string, body: SaidByHand): Promise<string> {
  const order = { params: { id }, body }
  const { message } = subject === "withdrawal" ? await call(settleWithdrawal, order) : await call(settleRefund, order)
  return message
}
