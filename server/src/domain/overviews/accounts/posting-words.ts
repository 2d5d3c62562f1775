import { manualEntryLabels } from "@tilinta/contract/vocabulary/manual-entries"
import type { LedgerTransaction } from "#ledger/post-transactions"

export type PostingKind = LedgerTransaction["kind"] | "payment" | "unmatched-payment"

/** As administrators read the postings of an account. A kind without words does not compile. */
export const postingWords = {
  payment: "Pagamento",
  "unmatched-payment": "Pagamento a conferir",
  "payment-accepted": "Pagamento aceito",
  withdrawal: "Saque solicitado",
  "withdrawal-returned": "Saque devolvido ao saldo",
  payout: "Saque em envio",
  "payout-completed": "Saque pago",
  "payout-returned": "Saque devolvido pelo banco",
  refund: "Estorno em envio",
  "refund-completed": "Estorno pago",
  "refund-returned": "Estorno não realizado",
  "refund-by-bank": "Estorno feito pelo banco",
  "dispute-blocked": "Contestação: valor bloqueado",
  "dispute-released": "Contestação: valor liberado",
  "reserve-held": "Retido até a data combinada",
  "reserve-drawn": "Retido: liberado para um débito",
  "reserve-released": "Retido: valor liberado",
  "own-payout": manualEntryLabels.own_payout,
  "bank-tariff": manualEntryLabels.bank_tariff,
  "capital-in": manualEntryLabels.capital_in,
  "bank-yield": manualEntryLabels.yield,
  correction: manualEntryLabels.correction,
} as const satisfies Record<PostingKind, string>
