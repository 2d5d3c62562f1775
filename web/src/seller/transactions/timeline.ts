import type { DisputeView } from "@tilinta/contract/api/disputes-endpoints"
import type { TransactionDetail } from "@tilinta/contract/api/transactions-endpoints"
import type { Moment } from "#ui/timeline.tsx"
import { momentsOfDispute } from "../disputes/dispute-words.ts"

/** The events of a charge in chronological order. */
export function timelineOf(transaction: TransactionDetail, disputes: readonly DisputeView[] = []): Moment[] {
  const { createdAt, paidAt, updatedAt, expiresAt, status, metadata } = transaction
  const moments: Moment[] = [{ label: "PIX gerado", at: createdAt, tone: "done" }]
  if (paidAt !== null) {
    moments.push({ label: metadata.late ? "Pago depois do prazo" : "Pagamento confirmado", at: paidAt, tone: "good" })
  }
  if (status === "expirado") moments.push({ label: "Expirou sem pagamento", at: expiresAt, tone: "bad" })
  if (status === "cancelado") moments.push({ label: "Cancelado", at: updatedAt, tone: "bad" })
  if (status === "recusado") moments.push({ label: "Não foi possível gerar o código", at: updatedAt, tone: "bad" })
  if (status === "estornado") moments.push({ label: "Valor estornado", at: updatedAt, tone: "bad" })
  return [...moments, ...disputes.flatMap(momentsOfDispute)].toSorted((a, b) => a.at.localeCompare(b.at))
}
