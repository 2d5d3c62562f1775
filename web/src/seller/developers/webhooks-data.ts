import { queryOptions } from "@tanstack/react-query"
import type {
  ChangeWebhookBody,
  CreateWebhookBody,
  changeWebhookEndpoint,
  createWebhookEndpoint,
  DeliveryView,
  deleteWebhookEndpoint,
  listDeliveriesEndpoint,
  listDeliveryAttemptsEndpoint,
  listWebhooksEndpoint,
  resendDeliveriesEndpoint,
  resendDeliveryEndpoint,
  rotateWebhookSecretEndpoint,
  TestOutcomeView,
  testWebhookEndpoint,
  WebhookView,
} from "@tilinta/contract/api/webhooks-endpoints"
import { call, type ReplyOf } from "#api/client.ts"
import { leanEndpoint } from "#api/lean-endpoint.ts"

const path = "/api/v1/users/me/webhooks"
const list = leanEndpoint<typeof listWebhooksEndpoint>("GET", path)
const create = leanEndpoint<typeof createWebhookEndpoint>("POST", path)
const change = leanEndpoint<typeof changeWebhookEndpoint>("PATCH", `${path}/:id`)
const remove = leanEndpoint<typeof deleteWebhookEndpoint>("DELETE", `${path}/:id`)
const rotate = leanEndpoint<typeof rotateWebhookSecretEndpoint>("POST", `${path}/:id/rotate`)
const test = leanEndpoint<typeof testWebhookEndpoint>("POST", `${path}/:id/test`)
const resendAll = leanEndpoint<typeof resendDeliveriesEndpoint>("POST", `${path}/:id/resend`)
const deliveries = leanEndpoint<typeof listDeliveriesEndpoint>("GET", `${path}/:id/deliveries`)
const attempts = leanEndpoint<typeof listDeliveryAttemptsEndpoint>("GET", `${path}/deliveries/:id/attempts`)
const resend = leanEndpoint<typeof resendDeliveryEndpoint>("POST", `${path}/deliveries/:id/resend`)

export type Webhook = WebhookView
export type Delivery = DeliveryView
export type TestOutcome = TestOutcomeView
export type WebhookSecret = ReplyOf<typeof createWebhookEndpoint>["data"]
export type DeliveryAttempt = ReplyOf<typeof listDeliveryAttemptsEndpoint>["data"]["attempts"][number]

const refreshMs = 5_000

/** Asked again every few seconds, because health changes by itself. */
export const webhooksQuery = queryOptions({
  queryKey: ["seller", "webhooks"],
  queryFn: async ({ signal }) => (await call(list, { signal })).data.webhooks,
  refetchInterval: refreshMs,
})

export const deliveriesQuery = (id: string, after: string | undefined) =>
  queryOptions({
    queryKey: ["seller", "webhooks", id, "deliveries", after ?? "newest"],
    queryFn: async ({ signal }) =>
      (await call(deliveries, { params: { id }, query: { limit: "20", ...(after && { after }) }, signal })).data,
    refetchInterval: refreshMs,
  })

export const attemptsQuery = (id: string) =>
  queryOptions({
    queryKey: ["seller", "webhook-deliveries", id],
    queryFn: async ({ signal }) => (await call(attempts, { params: { id }, signal })).data,
    refetchInterval: refreshMs,
  })

export async function createWebhook(body: CreateWebhookBody, idempotencyKey: string): Promise<WebhookSecret> {
  return (await call(create, { body, headers: { "Idempotency-Key": idempotencyKey } })).data
}

export async function changeWebhook(id: string, body: ChangeWebhookBody): Promise<Webhook> {
  return (await call(change, { params: { id }, body })).data.webhook
}

export function deleteWebhook(id: string) {
  return call(remove, { params: { id } })
}

export async function rotateSecret(id: string, idempotencyKey: string): Promise<WebhookSecret> {
  return (await call(rotate, { params: { id }, headers: { "Idempotency-Key": idempotencyKey } })).data
}

export async function sendTest(id: string): Promise<TestOutcome> {
  return (await call(test, { params: { id } })).data.test
}

export async function resendSince(id: string, since: string, idempotencyKey: string): Promise<number> {
  const headers = { "Idempotency-Key": idempotencyKey }
  return (await call(resendAll, { params: { id }, body: { since }, headers })).data.count
}

export function resendDelivery(id: string) {
  return call(resend, { params: { id } })
}
