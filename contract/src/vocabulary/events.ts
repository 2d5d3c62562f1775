import type { SellerStatus } from "./transactions.ts"

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
  "invoice.created": "Cobrança com vencimento criada",
  "invoice.updated": "Cobrança com vencimento alterada",
  "invoice.overdue": "Cobrança vencida",
  "invoice.paid": "Cobrança com vencimento paga",
  "invoice.expired": "Cobrança encerrada sem pagamento",
  "invoice.cancelled": "Cobrança com vencimento cancelada",
  "subscription.created": "Assinatura criada",
  "subscription.updated": "Assinatura alterada",
  "subscription.past_due": "Assinatura em atraso",
  "subscription.completed": "Assinatura concluída",
  "subscription.cancelled": "Assinatura cancelada",
  "mandate.approved": "Débito automático autorizado",
  "mandate.rejected": "Débito automático recusado",
  "mandate.cancelled": "Débito automático cancelado",
  "mandate.expired": "Autorização de débito encerrada",
  "debit.scheduled": "Débito agendado",
  "debit.paid": "Débito pago",
  "debit.failed": "Débito não feito",
  "debit.cancelled": "Débito cancelado",
  "reminder.sent": "Lembrete enviado",
} as const satisfies Record<EventType, string>

/** The facts that integrators hear of, by feed and webhook, by what they are about. docs/events.md says when each is told. */
export const chargeEventTypes = [
  "charge.created",
  "charge.paid",
  "charge.expired",
  "charge.cancelled",
  "charge.refunded",
  "charge.disputed",
] as const
export const withdrawalEventTypes = [
  "withdrawal.requested",
  "withdrawal.approved",
  "withdrawal.completed",
  "withdrawal.rejected",
  "withdrawal.cancelled",
  "withdrawal.returned",
  "withdrawal.held",
] as const
export const pageEventTypes = [
  "page.created",
  "page.updated",
  "page.completed",
  "page.expired",
  "page.deleted",
] as const
export const paymentEventTypes = ["payment.unmatched"] as const
export const invoiceEventTypes = [
  "invoice.created",
  "invoice.updated",
  "invoice.overdue",
  "invoice.paid",
  "invoice.expired",
  "invoice.cancelled",
] as const
export const subscriptionEventTypes = [
  "subscription.created",
  "subscription.updated",
  "subscription.past_due",
  "subscription.completed",
  "subscription.cancelled",
] as const

export const mandateEventTypes = [
  "mandate.approved",
  "mandate.rejected",
  "mandate.cancelled",
  "mandate.expired",
] as const
export const debitEventTypes = ["debit.scheduled", "debit.paid", "debit.failed", "debit.cancelled"] as const

export const reminderEventTypes = ["reminder.sent"] as const

export const eventTypes = [
  ...chargeEventTypes,
  ...withdrawalEventTypes,
  ...pageEventTypes,
  ...paymentEventTypes,
  ...invoiceEventTypes,
  ...subscriptionEventTypes,
  ...mandateEventTypes,
  ...debitEventTypes,
  ...reminderEventTypes,
] as const
export type EventType = (typeof eventTypes)[number]

/** Events of the payer's stream: the same words as `data.status` of payment-status. */
export const paymentStatusEvent = "status"

/** The event of a screen at the counter, with what it shows. */
export const screenEvent = "screen"

/** Events of the seller's stream. The first one confirms that the subscription is active. */
export const sellerReadyEvent = "ready"
export const sellerTransactionsEvent = "transactions"

export interface ChangedTransaction {
  _id: string
  status: SellerStatus
  grossAmount: number
  /** Above 0 the event reports a partial refund, not a payment. */
  refundedAmount: number
  checkoutPage: { _id: string | null; title: string }
  payerName: string
}

export interface TransactionsChanged {
  transactions: ChangedTransaction[]
  /** True when the event lists only some of the changes: fetch the list again. */
  more: boolean
}

/** Why a delivery failed, in its seller's words. */
export const webhookProblemLabels = {
  timed_out: "Não respondeu em 10 segundos",
  unresolved: "O nome do endereço não foi encontrado no DNS",
  inside: "O endereço leva a uma rede interna",
  refused: "A conexão foi recusada",
  tls: "O certificado TLS não é válido para este endereço",
  broken: "A conexão caiu antes da resposta",
  redirected: "Respondeu com um redirecionamento, que não é seguido",
  bad_status: "Respondeu com um status diferente de 2xx",
  gone: "Respondeu 410: este endereço não existe mais",
  unconfirmed: "Respondeu sem a palavra da confirmação",
} as const
export type WebhookProblem = keyof typeof webhookProblemLabels
export const webhookProblems = /* @__PURE__ */ Object.keys(webhookProblemLabels) as WebhookProblem[]

/** `queued` is tried by itself, `waiting` had all its tries and goes on once the endpoint answers or somebody asks. */
export const deliveryStateLabels = {
  queued: "Na fila",
  retrying: "Tentando de novo",
  delivered: "Entregue",
  waiting: "Aguardando",
} as const
export type DeliveryState = keyof typeof deliveryStateLabels
export const deliveryStates = /* @__PURE__ */ Object.keys(deliveryStateLabels) as DeliveryState[]

export const webhookHealthLabels = {
  unused: "Ainda sem entregas",
  healthy: "Funcionando",
  failing: "Falhando",
  unconfirmed: "Aguardando confirmação",
} as const
export const webhookHealths = /* @__PURE__ */ Object.keys(webhookHealthLabels) as (keyof typeof webhookHealthLabels)[]

/** The type of what 'Enviar teste' sends; no event of the log has it. */
export const webhookTestType = "webhook.test"
/** The first that an address gets: it counts once its answer holds the word in `data.challenge`. */
export const webhookChallengeType = "webhook.challenge"

export const MOST_WEBHOOKS = 10
