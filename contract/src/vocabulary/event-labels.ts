import type { EventType } from "./event-types.ts"

/** Labels of the events, in the seller's words; a type without words does not compile. */
export const eventTypeLabels = {
  "charge.created": "Pix gerado",
  "charge.paid": "Pagamento recebido",
  "charge.expired": "Pix expirado",
  "charge.cancelled": "Pix cancelado",
  "charge.refunded": "Pagamento estornado",
  "charge.disputed": "Pagamento contestado",
  "withdrawal.requested": "Saque solicitado",
  "withdrawal.approved": "Saque aprovado",
  "withdrawal.completed": "Saque concluído",
  "withdrawal.rejected": "Saque rejeitado",
  "withdrawal.cancelled": "Saque cancelado",
  "withdrawal.returned": "Saque devolvido ao saldo",
  "withdrawal.held": "Saque em espera",
  "page.created": "Página criada",
  "page.updated": "Página alterada",
  "page.completed": "Página concluída",
  "page.expired": "Página expirada",
  "page.deleted": "Página excluída",
  "payment.unmatched": "Pagamento a conferir",
} as const satisfies Record<EventType, string>
