import type { DisputeView } from "@tilinta/contract/api/disputes-endpoints"
import type { TransactionDetail } from "@tilinta/contract/api/transactions-endpoints"
import type { SellerStatus } from "@tilinta/contract/vocabulary/transaction-status"
import type { Moment } from "#ui/timeline.tsx"
import { momentsOfDispute } from "../disputes/dispute-words.ts"

const endings = {
  pendente: null,
  pago: null,
  expirado: "Expirou sem pagamento",
  cancelado: "Cancelado",
  recusado: "Não foi possível gerar o código",
  estornado: "Valor estornado",
} as const satisfies Record<SellerStatus, string | null>

/** The events of a charge in chronological order. */
export function timelineOf(transaction: TransactionDetail, disputes: readonly DisputeView[] = []): Moment[] {
  const { createdAt, paidAt, updatedAt, expiresAt, status, metadata } = transaction
  const moments: Moment[] = [{ label: "Pix gerado", at: createdAt, tone: "done" }]
  if (paidAt !== null) {
    moments.push({ label: metadata.late ? "Pago depois do prazo" : "Pagamento confirmado", at: paidAt, tone: "good" })
  }
  const ending = endings[status]
  if (ending !== null) moments.push({ label: ending, at: status === "expirado" ? expiresAt : updatedAt, tone: "bad" })
  return [...moments, ...disputes.flatMap(momentsOfDispute)].toSorted((a, b) => a.at.localeCompare(b.at))
}
