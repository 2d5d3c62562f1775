import * as z from "zod/mini"
import * as heads from "../heads.ts"
import { eventTypes } from "../vocabulary/event-types.ts"
import { deliveryStates, webhookHealths, webhookProblems } from "../vocabulary/webhooks.ts"
import { MAX_PASSWORD_LENGTH } from "./auth-endpoints.ts"
import { defineEndpoint } from "./define-endpoint.ts"
import { id, isoDateTime, malformed, partOfList, requiredLine, success, text } from "./fields.ts"

const tag = "Webhooks"
const scope = "webhooks:write"

export const webhookView = z.object({
  _id: id,
  url: z.string(),
  /** Empty for every type, also those that come later. */
  types: z.array(z.enum(eventTypes)),
  createdAt: isoDateTime,
  health: z.enum(webhookHealths),
  /** The first failure since the last success; null while it answers. */
  failingSince: z.nullable(isoDateTime),
  lastProblem: z.nullable(z.enum(webhookProblems)),
  lastDeliveredAt: z.nullable(isoDateTime),
  /** Deliveries without success so far; at most 1000 are counted. */
  undelivered: z.int(),
  /** Until then the former secret signs too; null when it doesn't. */
  formerSecretUntil: z.nullable(isoDateTime),
})
export type WebhookView = z.infer<typeof webhookView>

const url = requiredLine(2_000, "Informe o endereço que recebe os eventos.")
const types = z.array(z.enum(eventTypes, "Tipo de evento desconhecido."))
/** A session confirms with the password what makes events leave; a key with the scope needs none. */
const passwordCurrent = z.optional(text(MAX_PASSWORD_LENGTH, "A senha é longa demais."))

const createWebhookBody = z.object({ url, types: z.prefault(types, []), passwordCurrent })
export type CreateWebhookBody = z.input<typeof createWebhookBody>

const changeWebhookBody = z.object({ url: z.optional(url), types: z.optional(types), passwordCurrent })
export type ChangeWebhookBody = z.input<typeof changeWebhookBody>

const ofOne = { params: z.object({ id: text(200) }) }
export const webhookWithSecret = z.object({ secret: z.nullable(z.string()), webhook: webhookView })

export const createWebhookEndpoint = defineEndpoint(heads.createWebhook, {
  operationId: "createWebhook",
  audience: "seller",
  scope,
  stepUp: "always",
  isIdempotent: true,
  tag,
  summary: "Cadastra um endereço; `secret` só aparece nesta resposta, e é null quando o pedido é repetido",
  body: createWebhookBody,
  reply: { status: 201, schema: success(webhookWithSecret) },
})

export const listWebhooksEndpoint = defineEndpoint(heads.listWebhooks, {
  operationId: "listWebhooks",
  audience: "seller",
  scope,
  tag,
  summary: "Os endereços cadastrados, dos mais novos aos mais antigos, e como vão",
  reply: { status: 200, schema: success(z.object({ webhooks: z.array(webhookView) })) },
})

export const getWebhookEndpoint = defineEndpoint(heads.getWebhook, {
  operationId: "getWebhook",
  audience: "seller",
  scope,
  tag,
  summary: "Um endereço",
  ...ofOne,
  reply: { status: 200, schema: success(z.object({ webhook: webhookView })) },
})

export const changeWebhookEndpoint = defineEndpoint(heads.changeWebhook, {
  operationId: "changeWebhook",
  audience: "seller",
  scope,
  stepUp: "always",
  tag,
  summary: "Muda o endereço ou os tipos; pelo navegador, um novo endereço pede a senha",
  ...ofOne,
  body: changeWebhookBody,
  reply: { status: 200, schema: success(z.object({ webhook: webhookView })) },
})

export const deleteWebhookEndpoint = defineEndpoint(heads.deleteWebhook, {
  operationId: "deleteWebhook",
  audience: "seller",
  scope,
  stepUp: "always",
  tag,
  summary: "Exclui um endereço, com as suas entregas: nada mais é enviado",
  ...ofOne,
  reply: { status: 204 },
})

export const rotateWebhookSecretEndpoint = defineEndpoint(heads.rotateWebhookSecret, {
  operationId: "rotateWebhookSecret",
  audience: "seller",
  scope,
  stepUp: "always",
  isIdempotent: true,
  tag,
  summary: "Troca o segredo; o anterior assina junto por 24 horas. `secret` é null quando o pedido é repetido",
  ...ofOne,
  reply: { status: 200, schema: success(webhookWithSecret) },
})

/** The outcome of one request to an endpoint. */
const outcome = {
  durationMs: z.int(),
  /** Null when no answer came. */
  status: z.nullable(z.int()),
  /** Null on success. */
  problem: z.nullable(z.enum(webhookProblems)),
  /** The same in words. */
  message: z.nullable(z.string()),
  /** The beginning of the answer's body. */
  answer: z.nullable(z.string()),
}

export const testOutcomeView = z.object({ isDelivered: z.boolean(), ...outcome })
export type TestOutcomeView = z.infer<typeof testOutcomeView>

export const testWebhookEndpoint = defineEndpoint(heads.testWebhook, {
  operationId: "testWebhook",
  audience: "seller",
  scope,
  tag,
  summary: "Envia agora um evento `webhook.test`, assinado como os outros, e diz o que o endereço respondeu",
  ...ofOne,
  reply: { status: 200, schema: success(z.object({ test: testOutcomeView })) },
})

export const deliveryView = z.object({
  _id: id,
  webhookId: id,
  eventId: id,
  type: z.enum(eventTypes),
  sequence: z.int(),
  /** The event's moment. */
  createdAt: isoDateTime,
  state: z.enum(deliveryStates),
  lastStatus: z.nullable(z.int()),
  lastProblem: z.nullable(z.enum(webhookProblems)),
  nextAttemptAt: z.nullable(isoDateTime),
  deliveredAt: z.nullable(isoDateTime),
})
export type DeliveryView = z.infer<typeof deliveryView>

const { limit, after } = partOfList(50)

export const listDeliveriesEndpoint = defineEndpoint(heads.listDeliveries, {
  operationId: "listDeliveries",
  audience: "seller",
  scope,
  urgency: "last",
  tag,
  summary: "As entregas de um endereço, das mais novas às mais antigas; `after` continua depois de uma",
  ...ofOne,
  query: z.object({ limit, after }),
  reply: {
    status: 200,
    /** `next` is the cursor of the next part; null at the end. */
    schema: success(z.object({ deliveries: z.array(deliveryView), next: z.nullable(id) })),
  },
})

export const attemptView = z.object({
  attemptedAt: isoDateTime,
  ...outcome,
  url: z.string(),
  headers: z.record(z.string(), z.string()),
})

export const listDeliveryAttemptsEndpoint = defineEndpoint(heads.listDeliveryAttempts, {
  operationId: "listDeliveryAttempts",
  audience: "seller",
  scope,
  tag,
  summary: "Uma entrega: o corpo enviado e cada tentativa, da mais nova à mais antiga",
  ...ofOne,
  reply: {
    status: 200,
    schema: success(z.object({ delivery: deliveryView, body: z.string(), attempts: z.array(attemptView) })),
  },
})

export const resendDeliveryEndpoint = defineEndpoint(heads.resendDelivery, {
  operationId: "resendDelivery",
  audience: "seller",
  scope,
  isIdempotent: true,
  tag,
  summary: "Envia uma entrega de novo, já",
  ...ofOne,
  reply: { status: 200, schema: success(z.object({ delivery: deliveryView })) },
})

export const resendDeliveriesEndpoint = defineEndpoint(heads.resendDeliveries, {
  operationId: "resendDeliveries",
  audience: "seller",
  scope,
  isIdempotent: true,
  tag,
  summary: "Envia de novo tudo o que aconteceu desde `since`, entregue ou não; `count` diz quantas entregas",
  ...ofOne,
  body: z.object({
    since: z
      .string("Informe desde quando.")
      .check(z.refine((value) => !Number.isNaN(Date.parse(value)), { error: "Data inválida.", params: malformed })),
  }),
  reply: { status: 200, schema: success(z.object({ count: z.int() })) },
})
