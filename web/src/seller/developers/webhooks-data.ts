import { queryOptions } from "@tanstack/react-query"
import type {
  ChangeWebhookBody,
  CreateWebhookBody,
  createWebhookEndpoint,
  DeliveryView,
  listDeliveryAttemptsEndpoint,
  TestOutcomeView,
  WebhookView,
} from "@tilinta/contract/api/webhooks-endpoints"
import * as heads from "@tilinta/contract/heads"
import { call, type ReplyOf } from "#api/client.ts"

export type Webhook = WebhookView
export type Delivery = DeliveryView
export type TestOutcome = TestOutcomeView
export type WebhookSecret = ReplyOf<typeof createWebhookEndpoint>["data"]
export type DeliveryAttempt = ReplyOf<typeof listDeliveryAttemptsEndpoint>["data"]["attempts"][number]

const refreshMs = 5_000

/** Asked again every few seconds, because health changes by itself. */
export const webhooksQuery = queryOptions({
  queryKey: ["seller", "webhooks"],
  queryFn: async ({ signal }) => (await call(heads.listWebhooks, { signal })).data.webhooks,
  refetchInterval: refreshMs,
})

export const deliveriesQuery = (id: string, after: string | undefined) =>
  queryOptions({
    queryKey: ["seller", "webhooks", id, "deliveries", after ?? "newest"],
    queryFn: async ({ signal }) =>
      (await call(heads.listDeliveries, { params: { id }, query: { limit: "20", ...(after && { after }) }, signal }))
        .data,
    refetchInterval: refreshMs,
  })

export const attemptsQuery = (id: string) =>
  queryOptions({
    queryKey: ["seller", "webhook-deliveries", id],
    queryFn: async ({ signal }) => (await call(heads.listDeliveryAttempts, { params: { id }, signal })).data,
    refetchInterval: refreshMs,
  })

export async function createWebhook(body: CreateWebhookBody, idempotencyKey: string): Promise<WebhookSecret> {
  return (await call(heads.createWebhook, { body, headers: { "Idempotency-Key": idempotencyKey } })).data
}

export async function changeWebhook(id: string, body: ChangeWebhookBody): Promise<Webhook> {
  return (await call(heads.changeWebhook, { params: { id }, body })).data.webhook
}

export function deleteWebhook(id: string) {
  return call(heads.deleteWebhook, { params: { id } })
}

export async function rotateSecret(id: string, idempotencyKey: string): Promise<WebhookSecret> {
  return (await call(heads.rotateWebhookSecret, { params: { id }, headers: { "Idempotency-Key": idempotencyKey } }))
    .data
}

export async function sendTest(id: string): Promise<TestOutcome> {
  return (await call(heads.testWebhook, { params: { id } })).data.test
}

export async function resendSince(id: string, since: string, idempotencyKey: string): Promise<number> {
  const headers = { "Idempotency-Key": idempotencyKey }
  return (await call(heads.resendDeliveries, { params: { id }, body: { since }, headers })).data.count
}

export function resendDelivery(id: string) {
  return call(heads.resendDelivery, { params: { id } })
}
