import {
  changeWebhookEndpoint,
  createWebhookEndpoint,
  deleteWebhookEndpoint,
  getWebhookEndpoint,
  listDeliveriesEndpoint,
  listDeliveryAttemptsEndpoint,
  listWebhooksEndpoint,
  resendDeliveriesEndpoint,
  resendDeliveryEndpoint,
  rotateWebhookSecretEndpoint,
  testWebhookEndpoint,
  type WebhookView,
} from "../api/webhooks-endpoints.ts"
import { defineExample } from "./define-example.ts"

const id = "0193a4c0-7c1a-7d3e-9b52-4f0d6c8e1a28"
const deliveryId = "0193a4c0-7c1a-7d3e-9b52-4f0d6c8e1a29"
// An address that documents may name never resolves, and this machine always does in the sandbox.
const url = "http://localhost:4242/webhooks"
const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo="

const webhook: WebhookView = {
  _id: id,
  url,
  types: ["charge.paid", "charge.refunded"],
  createdAt: "2026-11-21T12:00:00.000Z",
  health: "healthy",
  failingSince: null,
  lastProblem: null,
  lastDeliveredAt: "2026-11-21T14:30:00.000Z",
  undelivered: 0,
  formerSecretUntil: null,
}
const fresh: WebhookView = { ...webhook, health: "unused", lastDeliveredAt: null }

const delivery = {
  _id: deliveryId,
  webhookId: id,
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

const attempt = { durationMs: 84, status: 200, problem: null, message: null, answer: "ok" }
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
    body: { url, types: ["charge.paid", "charge.refunded"], passwordCurrent: "senha-da-ana" },
    reply: { status: "success", data: { secret, webhook: fresh } },
    failures: ["too_many_webhooks", "idempotency_key_reused", "too_many_requests"],
  }),
  defineExample(listWebhooksEndpoint, {
    reply: { status: "success", data: { webhooks: [webhook] } },
    failures: [],
  }),
  defineExample(getWebhookEndpoint, {
    params: { id },
    reply: { status: "success", data: { webhook } },
    failures: ["webhook_not_found"],
  }),
  defineExample(changeWebhookEndpoint, {
    params: { id },
    body: { types: [] },
    reply: { status: "success", data: { webhook: { ...webhook, types: [] } } },
    failures: ["webhook_not_found", "too_many_requests"],
  }),
  defineExample(deleteWebhookEndpoint, { params: { id }, failures: ["webhook_not_found"] }),
  defineExample(rotateWebhookSecretEndpoint, {
    params: { id },
    reply: {
      status: "success",
      data: { secret, webhook: { ...webhook, formerSecretUntil: "2026-11-22T14:30:00.000Z" } },
    },
    failures: ["webhook_not_found", "idempotency_key_reused"],
  }),
  defineExample(testWebhookEndpoint, {
    params: { id },
    reply: { status: "success", data: { test: { isDelivered: true, ...attempt } } },
    failures: ["webhook_not_found"],
  }),
  defineExample(listDeliveriesEndpoint, {
    params: { id },
    query: { limit: "50" },
    reply: { status: "success", data: { deliveries: [delivery], next: null } },
    failures: ["webhook_not_found"],
  }),
  defineExample(listDeliveryAttemptsEndpoint, {
    params: { id: deliveryId },
    reply: {
      status: "success",
      data: {
        delivery,
        body,
        attempts: [{ attemptedAt: "2026-11-21T14:30:00.000Z", url, headers: requestHeaders, ...attempt }],
      },
    },
    failures: ["webhook_delivery_not_found"],
  }),
  defineExample(resendDeliveryEndpoint, {
    params: { id: deliveryId },
    reply: {
      status: "success",
      data: { delivery: { ...delivery, state: "queued", nextAttemptAt: "2026-11-21T15:00:00.000Z" } },
    },
    failures: ["webhook_delivery_not_found", "idempotency_key_reused"],
  }),
  defineExample(resendDeliveriesEndpoint, {
    params: { id },
    body: { since: "2026-11-21T00:00:00.000Z" },
    reply: { status: "success", data: { count: 1 } },
    failures: ["webhook_not_found", "idempotency_key_reused"],
  }),
]
