import { allExamples } from "@tilinta/contract/all-examples"
import type { Example } from "@tilinta/contract/define-endpoint"
import {
  chargeEvent,
  debitEvent,
  invoiceEvent,
  mandateEvent,
  pageEvent,
  paymentEvent,
  reminderEvent,
  subscriptionEvent,
  withdrawalEvent,
} from "@tilinta/contract/events"
import type { ApiTag } from "@tilinta/contract/vocabulary/api"
import type { ErrorCode } from "@tilinta/contract/vocabulary/error-codes"
import {
  chargeEventTypes,
  debitEventTypes,
  type EventType,
  invoiceEventTypes,
  mandateEventTypes,
  pageEventTypes,
  paymentEventTypes,
  reminderEventTypes,
  subscriptionEventTypes,
  webhookChallengeType,
  withdrawalEventTypes,
} from "@tilinta/contract/vocabulary/events"
import type { ZodMiniType } from "zod/mini"
import { DomainError } from "#kit/errors"
import { statusOf, toErrorReply } from "./errors.ts"

interface Media {
  content?: Record<string, { schema?: unknown; example?: unknown; examples?: Record<string, unknown> }>
}

interface Operation {
  parameters?: { name: string; in: string; schema?: { type?: string }; example?: unknown }[]
  requestBody?: Media
  responses?: Record<string, Media & { description: string; headers?: object }>
}

const retryAfter = { "Retry-After": { description: "Em quantos segundos tentar de novo", schema: { type: "integer" } } }

const json = "application/json"

/** Writes each endpoint's example call and failures into the description; returns the failures' replies by their codes. */
export function showExamples(paths: Record<string, Record<string, Operation>>): Record<string, object> {
  for (const example of allExamples) {
    const { method, path } = example.endpoint
    const operation = paths[path.replace(/:(\w+)/g, "{$1}")]?.[method.toLowerCase()]
    if (operation !== undefined) showExample(operation, example)
  }
  const codes = [...new Set(allExamples.flatMap(failuresOf))].sort()
  return Object.fromEntries(codes.map((code) => [code, { value: toErrorReply(new DomainError(code)) }]))
}

/** Every code that the endpoint may answer: its own, and those implied by its audience and input. */
function failuresOf({ endpoint, failures }: Example): ErrorCode[] {
  const { params, query, body, audience, urgency, scope, stepUp, whileFrozen } = endpoint
  const takesInput = params !== undefined || query !== undefined || body !== undefined
  const fromBody = ["validation_failed", "payload_too_large", "unsupported_media_type"] as const
  const codes: ErrorCode[] = [
    ...(takesInput ? (["malformed_request", "validation_failed"] as const) : []),
    ...(body === undefined ? [] : fromBody),
    audience === "public" ? "too_many_requests" : "unauthenticated",
    ...(audience === "admin"
      ? (["forbidden", "second_factor_enrolment_required", "new_password_required"] as const)
      : []),
    ...(audience === "public" || whileFrozen ? [] : (["account_frozen"] as const)),
    ...(stepUp === undefined ? [] : (["step_up_required"] as const)),
    ...(audience === "public" || scope !== undefined ? [] : (["api_key_not_accepted"] as const)),
    ...(scope === undefined
      ? []
      : (["api_key_invalid", "api_key_frozen", "api_key_scope_missing", "too_many_requests"] as const)),
    ...(urgency === "last" ? (["overloaded"] as const) : []),
    ...failures,
  ]
  return [...new Set(codes)]
}

function showExample(operation: Operation, example: Example): void {
  const { endpoint, body, reply } = example
  const sent = { ...(example.params as object), ...(example.query as object) } as Record<string, unknown>
  for (const parameter of operation.parameters ?? []) {
    const value = sent[parameter.name]
    if (value !== undefined) parameter.example = parameter.schema?.type === "integer" ? Number(value) : value
  }
  const request = operation.requestBody?.content?.[json]
  if (request !== undefined && body !== undefined) request.example = body

  const responses = (operation.responses ??= {})
  const success = responses[String(endpoint.reply.status)]?.content?.[json]
  if (success !== undefined && reply !== undefined) success.example = reply
  showFailures(responses, failuresOf(example))
}

function showFailures(responses: NonNullable<Operation["responses"]>, codes: ErrorCode[]): void {
  const schema = responses["4XX"]?.content?.[json]?.schema
  for (const [status, sameStatus] of Map.groupBy(codes, (code) => statusOf[code])) {
    const replies = sameStatus.map((code) => [code, { $ref: `#/components/examples/${code}` }])
    responses[String(status)] = {
      description: sameStatus.map((code) => `\`${code}\``).join(", "),
      ...(status === 503 && { headers: retryAfter }),
      content: { [json]: { schema, examples: Object.fromEntries(replies) } },
    }
  }
}

const summaries: Record<EventType, string> = {
  "charge.created": "Um Pix foi gerado",
  "charge.paid": "Um Pix foi pago e creditado",
  "charge.expired": "Um Pix venceu sem ser pago",
  "charge.cancelled": "Um Pix deixou de poder ser pago",
  "charge.refunded": "Um pagamento foi devolvido, inteiro ou em parte",
  "charge.disputed": "O pagador contestou um pagamento no banco dele",
  "withdrawal.requested": "Um saque foi solicitado",
  "withdrawal.approved": "Um saque foi aprovado",
  "withdrawal.completed": "Um saque foi pago",
  "withdrawal.rejected": "Um saque foi rejeitado: o valor voltou ao saldo",
  "withdrawal.cancelled": "Um saque foi cancelado pelo vendedor",
  "withdrawal.returned": "Um saque pago voltou: o valor está de novo no saldo",
  "withdrawal.held": "Um saque espera até `heldUntil`, por segurança",
  "page.created": "Uma página de cobrança foi criada",
  "page.updated": "Uma página de cobrança foi alterada, cancelada ou suspensa",
  "page.completed": "Uma página de cobrança recebeu o último pagamento que aceita",
  "page.expired": "Uma página de cobrança venceu",
  "page.deleted": "Uma página de cobrança foi excluída",
  "invoice.created": "Um cliente foi cobrado até um dia",
  "invoice.updated": "Uma cobrança com vencimento foi alterada, ou recebida por fora",
  "invoice.overdue": "Uma cobrança passou do vencimento sem ser paga",
  "invoice.paid": "Uma cobrança com vencimento foi paga",
  "invoice.expired": "O prazo de uma cobrança com vencimento terminou",
  "invoice.cancelled": "Uma cobrança com vencimento foi cancelada",
  "subscription.created": "Um cliente paga de novo a cada período",
  "subscription.updated": "Uma assinatura foi alterada, pausada ou retomada, ou está em dia de novo",
  "subscription.past_due": "Uma cobrança de uma assinatura passou do vencimento sem ser paga",
  "subscription.completed": "Uma assinatura chegou ao fim",
  "subscription.cancelled": "Uma assinatura foi cancelada",
  "mandate.approved": "O cliente autorizou o débito automático de uma assinatura",
  "mandate.rejected": "O cliente recusou o débito automático",
  "mandate.cancelled":
    "O débito automático de uma assinatura foi cancelado pelo cliente, pelo vendedor ou por um banco",
  "mandate.expired": "Uma autorização venceu sem ser dada, ou chegou ao fim",
  "debit.scheduled": "O banco do cliente agendou o débito de uma cobrança",
  "debit.paid": "O débito de uma cobrança foi pago",
  "debit.failed": "O débito de uma cobrança não foi feito",
  "debit.cancelled": "O débito de uma cobrança foi cancelado",
  "reminder.sent": "Um cliente foi lembrado de uma cobrança",
  "payment.unmatched": "Chegou dinheiro que não pôde ser creditado: a plataforma decide",
}

const groups: [ZodMiniType, readonly EventType[]][] = [
  [chargeEvent, chargeEventTypes],
  [withdrawalEvent, withdrawalEventTypes],
  [pageEvent, pageEventTypes],
  [paymentEvent, paymentEventTypes],
  [invoiceEvent, invoiceEventTypes],
  [subscriptionEvent, subscriptionEventTypes],
  [mandateEvent, mandateEventTypes],
  [debitEvent, debitEventTypes],
  [reminderEvent, reminderEventTypes],
]

const tag: ApiTag = "Eventos"

const headers = {
  "webhook-id": "O `id` do evento: o mesmo em cada repetição",
  "webhook-timestamp": "Quando foi enviado, em segundos desde 1970",
  "webhook-signature":
    "`v1,` e o HMAC-SHA256, em base64, de `webhook-id.webhook-timestamp.corpo` com o segredo do endereço",
}

const challenge = {
  type: "object",
  properties: { data: { type: "object", properties: { challenge: { type: "string" } }, required: ["challenge"] } },
}
const challengeSummary =
  "A primeira mensagem a um endereço: só depois da resposta 2XX com a palavra de `data.challenge`, e mais nada, os eventos são enviados"

/** OpenAPI's `webhooks`: an entry for each type of event that the server sends to a seller's addresses, and the challenge. */
export function describeWebhooks(toSchema: (schema: ZodMiniType) => object): Record<string, object> {
  const events = groups.flatMap(([schema, types]) =>
    types.map((type) => [type, { post: describeOne(type, summaries[type], toSchema(schema)) }] as const),
  )
  const first = { post: describeOne(webhookChallengeType, challengeSummary, challenge) }
  return { ...Object.fromEntries(events), [webhookChallengeType]: first }
}

function describeOne(type: string, summary: string, event: object): object {
  const schema = { allOf: [event, { type: "object", properties: { type: { type: "string", const: type } } }] }
  return {
    operationId: `on${type.replace(/(?:^|\.)(\w)/g, (_all, letter: string) => letter.toUpperCase())}`,
    summary,
    tags: [tag],
    security: [],
    parameters: Object.entries(headers).map(([name, description]) => ({
      name,
      in: "header",
      required: true,
      description,
      schema: { type: "string" },
    })),
    requestBody: { required: true, content: { "application/json": { schema } } },
    responses: {
      "2XX": { description: "Recebido" },
      "4XX": { description: "Recusado: é enviado de novo mais tarde, como depois de qualquer outra resposta" },
    },
  }
}
