import { queryOptions } from "@tanstack/react-query"
import type { CreateApiKeyBody, createApiKeyEndpoint, listApiKeysEndpoint } from "@tilinta/contract/api-keys"
import type { EventView, listEventsEndpoint } from "@tilinta/contract/events"
import * as heads from "@tilinta/contract/heads"
import type { rotateReturnKeyEndpoint } from "@tilinta/contract/return-origins"
import type {
  ChangeWebhookBody,
  CreateWebhookBody,
  createWebhookEndpoint,
  DeliveryView,
  listDeliveryAttemptsEndpoint,
  TestOutcomeView,
  WebhookView,
} from "@tilinta/contract/webhooks"
import { call, type ReplyOf } from "#api/client.ts"

export type ApiKey = ReplyOf<typeof listApiKeysEndpoint>["data"]["apiKeys"][number]
export type CreatedApiKey = ReplyOf<typeof createApiKeyEndpoint>["data"]

export const apiKeysQuery = queryOptions({
  queryKey: ["seller", "api-keys"],
  queryFn: async ({ signal }) => (await call(heads.listApiKeys, { signal })).data.apiKeys,
})

export async function createApiKey(body: CreateApiKeyBody, idempotencyKey: string): Promise<CreatedApiKey> {
  return (await call(heads.createApiKey, { body, headers: { "Idempotency-Key": idempotencyKey } })).data
}

export function revokeApiKey(id: string) {
  return call(heads.revokeApiKey, { params: { id } })
}

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

export type EventPage = ReplyOf<typeof listEventsEndpoint>["data"]

const shownFirst = "20"
const waitSeconds = 20
/** A connection that died silently ends here, and is opened again. */
const longestMs = (waitSeconds + 10) * 1000

export async function readNewestEvents(signal: AbortSignal): Promise<EventPage> {
  return (await call(heads.listEvents, { query: { last: shownFirst }, signal })).data
}

/** Waits for the next event, for a while. */
export async function waitForEvents(after: number, signal: AbortSignal): Promise<EventPage> {
  const query = { after: String(after), wait: String(waitSeconds) }
  return (await call(heads.listEvents, { query, signal: AbortSignal.any([signal, AbortSignal.timeout(longestMs)]) }))
    .data
}

/** Those right before the oldest that is shown. */
export async function readEventsBefore(sequence: number): Promise<EventView[]> {
  const after = Math.max(0, sequence - 1 - Number(shownFirst))
  const query = { after: String(after), limit: String(sequence - 1 - after) }
  return (await call(heads.listEvents, { query })).data.events
}

export type ReturnOriginsWithKey = ReplyOf<typeof rotateReturnKeyEndpoint>["data"]

export const returnOriginsQuery = queryOptions({
  queryKey: ["seller", "return-origins"],
  queryFn: async ({ signal }) => (await call(heads.getReturnOrigins, { signal })).data,
})

/** Empty where a step-up is the proof. */
export interface Proof {
  passwordCurrent?: string
}

export async function changeReturnOrigins(origins: string[], proof: Proof): Promise<ReturnOriginsWithKey> {
  return (await call(heads.changeReturnOrigins, { body: { origins, ...proof } })).data
}

export async function rotateReturnKey(proof: Proof): Promise<ReturnOriginsWithKey> {
  return (await call(heads.rotateReturnKey, { body: { ...proof } })).data
}
