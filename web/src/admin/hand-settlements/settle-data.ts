import * as heads from "@tilinta/contract/heads"
import type { HandSettlementOutcome, HandSettlementSubject } from "@tilinta/contract/vocabulary/hand-settlement"
import { call } from "#api/client.ts"

interface SaidByHand {
  outcome: HandSettlementOutcome
  endToEndId: string | null
  reason: string
}

/** Returns the server's message: it may have taken effect, or wait for another administrator. */
export async function settle(subject: HandSettlementSubject, id: string, body: SaidByHand): Promise<string> {
  const order = { params: { id }, body }
  const { message } =
    subject === "withdrawal" ? await call(heads.settleWithdrawal, order) : await call(heads.settleRefund, order)
  return message
}
