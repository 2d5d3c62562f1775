import { chargeEvent, pageEvent, paymentEvent, withdrawalEvent } from "@tilinta/contract/api/events-endpoints"
import type { ApiTag } from "@tilinta/contract/vocabulary/api-tags"
import {
  chargeEventTypes,
  type EventType,
  pageEventTypes,
  paymentEventTypes,
  withdrawalEventTypes,
} from "@tilinta/contract/vocabulary/event-types"
import type { ZodMiniType } from "zod/mini"

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
  "payment.unmatched": "Chegou dinheiro que não pôde ser creditado: a plataforma decide",
}

const groups: [ZodMiniType, readonly EventType[]][] = [
  [chargeEvent, chargeEventTypes],
  [withdrawalEvent, withdrawalEventTypes],
  [pageEvent, pageEventTypes],
  [paymentEvent, paymentEventTypes],
]

const tag: ApiTag = "Eventos"

const headers = {
  "webhook-id": "O `id` do evento: o mesmo em cada repetição",
  "webhook-timestamp": "Quando foi enviado, em segundos desde 1970",
  "webhook-signature":
    "`v1,` e o HMAC-SHA256, em base64, de `webhook-id.webhook-timestamp.corpo` com o segredo do endereço",
}

/** OpenAPI's `webhooks`: an entry for each type of event that the server sends to a seller's addresses. */
export function describeWebhooks(toSchema: (schema: ZodMiniType) => object): Record<string, object> {
  return Object.fromEntries(
    groups.flatMap(([schema, types]) => types.map((type) => [type, { post: describeOne(type, toSchema(schema)) }])),
  )
}

function describeOne(type: EventType, event: object): object {
  const schema = { allOf: [event, { type: "object", properties: { type: { type: "string", const: type } } }] }
  return {
    operationId: `on${type.replace(/(?:^|\.)(\w)/g, (_all, letter: string) => letter.toUpperCase())}`,
    summary: summaries[type],
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
