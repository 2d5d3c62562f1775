import type { AdminWithdrawalView } from "@tilinta/contract/api/admin-withdrawals-endpoints"
import { waitReasonLabels } from "@tilinta/contract/vocabulary/withdrawal-holds"
import type { WithdrawalWait } from "@tilinta/contract/vocabulary/withdrawal-status"
import { settlementWait } from "../hand-settlements/settle-words.ts"

/** The reason for which an approved withdrawal is not sent, and what ends the wait. */
export const waitReasons = {
  withdrawals_disabled:
    "Este saque espera: os saques estão suspensos (configuração WITHDRAWALS_ENABLED). Ele é enviado quando forem ativados.",
  held: "Este saque espera, por segurança: não pague antes do prazo.",
  account_frozen:
    "O titular congelou os saques desta conta: não pague. Este saque espera até ela ser liberada, ou devolva o valor ao saldo.",
  seller_inactive: "Este saque espera: a conta do vendedor está inativa. Ele é enviado quando a conta for reativada.",
} as const satisfies Record<WithdrawalWait, string>

type Waiting = Pick<AdminWithdrawalView, "waitsBecause" | "settleable" | "handSettlement">

/** The note beside the status in the list: what keeps it from ending; empty when nothing does. */
export function stateNote(withdrawal: Waiting): string {
  const { waitsBecause } = withdrawal
  return settlementWait(withdrawal) || (waitsBecause === null ? "" : shortReason(waitsBecause))
}

function shortReason(wait: WithdrawalWait): string {
  return wait === "held" ? "Em espera" : waitReasonLabels[wait]
}
