import * as z from "zod/mini"
import { MAX_PASSWORD_LENGTH } from "./auth.ts"
import { defineEndpoint, defineExample } from "./define-endpoint.ts"
import { id, isoDateTime, partOfList, requiredLine, secretText, sentMoment, success, text } from "./fields.ts"
import * as heads from "./heads.ts"
import { deliveryStates, eventTypes, webhookHealths, webhookProblems } from "./vocabulary/events.ts"
import { ownerAlone } from "./vocabulary/team.ts"

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
const passwordCurrent = z.optional(secretText(MAX_PASSWORD_LENGTH, "A senha é longa demais."))

const createWebhookBody = z.object({ url, types: z.prefault(types, []), passwordCurrent })
export type CreateWebhookBody = z.input<typeof createWebhookBody>

const changeWebhookBody = z.object({ url: z.optional(url), types: z.optional(types), passwordCurrent })
export type ChangeWebhookBody = z.input<typeof changeWebhookBody>

const ofOne = { params: z.object({ id: text(200) }) }
export const webhookWithSecret = z.object({ secret: z.nullable(z.string()), webhook: webhookView })

export const createWebhookEndpoint = defineEndpoint("createWebhook", heads.createWebhook, {
  audience: "seller",
  roles: ownerAlone,
  scope,
  stepUp: "always",
  isIdempotent: true,
  tag,
  summary: "Cadastra um endereço; `secret` só aparece nesta resposta, e é null quando o pedido é repetido",
  body: createWebhookBody,
  reply: { status: 201, schema: success(webhookWithSecret) },
})

export const listWebhooksEndpoint = defineEndpoint("listWebhooks", heads.listWebhooks, {
  audience: "seller",
  roles: ownerAlone,
  whileFrozen: true,
  scope,
  tag,
  summary: "Os endereços cadastrados, dos mais novos aos mais antigos, e como vão",
  reply: { status: 200, schema: success(z.object({ webhooks: z.array(webhookView) })) },
})

export const getWebhookEndpoint = defineEndpoint("getWebhook", heads.getWebhook, {
  audience: "seller",
  roles: ownerAlone,
  whileFrozen: true,
  scope,
  tag,
  summary: "Um endereço",
  ...ofOne,
  reply: { status: 200, schema: success(z.object({ webhook: webhookView })) },
})

export const changeWebhookEndpoint = defineEndpoint("changeWebhook", heads.changeWebhook, {
  audience: "seller",
  roles: ownerAlone,
  scope,
  stepUp: "always",
  tag,
  summary: "Muda o endereço ou os tipos; pelo navegador, um novo endereço pede a senha",
  ...ofOne,
  body: changeWebhookBody,
  reply: { status: 200, schema: success(z.object({ webhook: webhookView })) },
})

export const deleteWebhookEndpoint = defineEndpoint("deleteWebhook", heads.deleteWebhook, {
  audience: "seller",
  roles: ownerAlone,
  scope,
  stepUp: "always",
  tag,
  summary: "Exclui um endereço, com as suas entregas: nada mais é enviado",
  ...ofOne,
  reply: { status: 204 },
})

export const rotateWebhookSecretEndpoint = defineEndpoint("rotateWebhookSecret", heads.rotateWebhookSecret, {
  audience: "seller",
  roles: ownerAlone,
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
  /** The target of a redirect, which is not followed; null without one. */
  location: z.nullable(z.string()),
}

export const testOutcomeView = z.object({ isDelivered: z.boolean(), ...outcome })
export type TestOutcomeView = z.infer<typeof testOutcomeView>

export const testWebhookEndpoint = defineEndpoint("testWebhook", heads.testWebhook, {
  audience: "seller",
  roles: ownerAlone,
  scope,
  tag,
  summary:
    "Envia agora um evento `webhook.test`, assinado como os outros, ou `webhook.challenge` a um endereço que ainda não foi confirmado, e diz o que ele respondeu",
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

export const listDeliveriesEndpoint = defineEndpoint("listDeliveries", heads.listDeliveries, {
  audience: "seller",
  roles: ownerAlone,
  whileFrozen: true,
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

export const listDeliveryAttemptsEndpoint = defineEndpoint("listDeliveryAttempts", heads.listDeliveryAttempts, {
  audience: "seller",
  roles: ownerAlone,
  whileFrozen: true,
  scope,
  tag,
  summary: "Uma entrega: o corpo enviado e cada tentativa, da mais nova à mais antiga",
  ...ofOne,
  reply: {
    status: 200,
    schema: success(z.object({ delivery: deliveryView, body: z.string(), attempts: z.array(attemptView) })),
  },
})

export const resendDeliveryEndpoint = defineEndpoint("resendDelivery", heads.resendDelivery, {
  audience: "seller",
  roles: ownerAlone,
  scope,
  isIdempotent: true,
  tag,
  summary: "Envia uma entrega de novo, já",
  ...ofOne,
  reply: { status: 200, schema: success(z.object({ delivery: deliveryView })) },
})

export const resendDeliveriesEndpoint = defineEndpoint("resendDeliveries", heads.resendDeliveries, {
  audience: "seller",
  roles: ownerAlone,
  scope,
  isIdempotent: true,
  tag,
  summary: "Envia de novo tudo o que aconteceu desde `since`, entregue ou não; `count` diz quantas entregas",
  ...ofOne,
  body: z.object({ since: sentMoment() }),
  reply: { status: 200, schema: success(z.object({ count: z.int() })) },
})

const exampleId = "0193a4c0-7c1a-7d3e-9b52-4f0d6c8e1a28"
const deliveryId = "0193a4c0-7c1a-7d3e-9b52-4f0d6c8e1a29"
// An address that documents may name never resolves, and this machine always does in the sandbox.
const exampleUrl = "http://localhost:4242/webhooks"
const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo="

const webhook: WebhookView = {
  _id: exampleId,
  url: exampleUrl,
  types: ["charge.paid", "charge.refunded"],
  createdAt: "2026-11-21T12:00:00.000Z",
  health: "healthy",
  failingSince: null,
  lastProblem: null,
  lastDeliveredAt: "2026-11-21T14:30:00.000Z",
  undelivered: 0,
  formerSecretUntil: null,
}
const fresh: WebhookView = { ...webhook, health: "unconfirmed", lastDeliveredAt: null }

const delivery = {
  _id: deliveryId,
  webhookId: exampleId,
  eventId: "evt_0193a4c07c1a7d3e9b524f0d6c8e1a20_42",
  type: "charge.paid",
  sequence: 42,
  createdAt: "2026-11-21T14:29:59.000Z",
  state: "delivered",
  lastStatus: 200,
  lastProblem: null,
  nextAttemptAt: null,
  deliveredAt: "2026-11-21T14:30:00.000Z",
} as const

const attempt = { durationMs: 84, status: 200, problem: null, message: null, answer: "ok", location: null }
const requestHeaders = {
  "content-type": "application/json; charset=utf-8",
  "user-agent": "Tilinta",
  "webhook-id": delivery.eventId,
  "webhook-timestamp": "1795271400",
  "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
}
const body = `{"id":"${delivery.eventId}","type":"charge.paid","sequence":42,"createdAt":"${delivery.createdAt}","data":{}}`

export const webhooksExamples = [
  defineExample(createWebhookEndpoint, {
    body: { url: exampleUrl, types: ["charge.paid", "charge.refunded"], passwordCurrent: "senha-da-ana" },
    data: { secret, webhook: fresh },
    failures: ["too_many_webhooks", "idempotency_key_reused", "too_many_requests"],
  }),
  defineExample(listWebhooksEndpoint, { data: { webhooks: [webhook] }, failures: [] }),
  defineExample(getWebhookEndpoint, { params: { id: exampleId }, data: { webhook }, failures: ["webhook_not_found"] }),
  defineExample(changeWebhookEndpoint, {
    params: { id: exampleId },
    body: { types: [] },
    data: { webhook: { ...webhook, types: [] } },
    failures: ["webhook_not_found", "too_many_requests"],
  }),
  defineExample(deleteWebhookEndpoint, { params: { id: exampleId }, failures: ["webhook_not_found"] }),
  defineExample(rotateWebhookSecretEndpoint, {
    params: { id: exampleId },
    data: { secret, webhook: { ...webhook, formerSecretUntil: "2026-11-22T14:30:00.000Z" } },
    failures: ["webhook_not_found", "idempotency_key_reused"],
  }),
  defineExample(testWebhookEndpoint, {
    params: { id: exampleId },
    data: { test: { isDelivered: true, ...attempt } },
    failures: ["webhook_not_found"],
  }),
  defineExample(listDeliveriesEndpoint, {
    params: { id: exampleId },
    query: { limit: "50" },
    data: { deliveries: [delivery], next: null },
    failures: ["webhook_not_found"],
  }),
  defineExample(listDeliveryAttemptsEndpoint, {
    params: { id: deliveryId },
    data: {
      delivery,
      body,
      attempts: [{ attemptedAt: "2026-11-21T14:30:00.000Z", url: exampleUrl, headers: requestHeaders, ...attempt }],
    },
    failures: ["webhook_delivery_not_found"],
  }),
  defineExample(resendDeliveryEndpoint, {
    params: { id: deliveryId },
    data: { delivery: { ...delivery, state: "queued", nextAttemptAt: "2026-11-21T15:00:00.000Z" } },
    failures: ["webhook_delivery_not_found", "idempotency_key_reused"],
  }),
  defineExample(resendDeliveriesEndpoint, {
    params: { id: exampleId },
    body: { since: "2026-11-21T00:00:00.000Z" },
    data: { count: 1 },
    failures: ["webhook_not_found", "idempotency_key_reused"],
  }),
]
