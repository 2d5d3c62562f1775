import { webhookProblemLabels } from "@tilinta/contract/vocabulary/events"
import {
  changeWebhookEndpoint,
  createWebhookEndpoint,
  type DeliveryView,
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
} from "@tilinta/contract/webhooks"
import type { MayControl } from "@tilinta/simulator/open-to"
import type { FastifyInstance, FastifyRequest } from "fastify"
import { serveEndpoint } from "#http/serve-endpoint"
import { eventIdOf } from "#integrations/event-feed/feed"
import { eventWriter } from "#integrations/event-feed/routes"
import type { Clock } from "#kit/clock"
import { actorOf, idempotencyKeyOf, sellerOf } from "#people/sessions/caller"
import { limitSends, passwordProofOf } from "#people/users/routes"
import { headersOf } from "./deliver.ts"
import {
  type CountedWebhook,
  changeWebhook,
  createWebhook,
  deleteWebhook,
  getWebhook,
  listWebhooks,
  withCount,
} from "./manage.ts"
import { getDelivery, listDeliveries, resendDelivery, resendSince, testWebhook, type WebhookDeps } from "./resend.ts"
import { type Delivery, type Outcome, type OwnWebhook, stateOf } from "./rules.ts"
import { rotateWebhookSecret } from "./secrets.ts"

/** The calls that make us send requests, in a scope of its own, which has a rate limit of its own. */
export function webhookSendRoutes(app: FastifyInstance, deps: WebhookDeps & { mayControl: MayControl }): void {
  limitSends(app, deps)
  /** The caller may name this machine only where the sandbox's bank obeys them, too. */
  const reachOf = (request: FastifyRequest) => {
    const allowsLocal = deps.outside.allowsLocal && deps.mayControl(request)
    return { ...deps, outside: { ...deps.outside, allowsLocal } }
  }

  serveEndpoint(app, createWebhookEndpoint, async ({ body, request }) => {
    const input = { ...body, owner: actorOf(request), proof: passwordProofOf(request, body.passwordCurrent) }
    const { secret, webhook } = await createWebhook(reachOf(request), {
      ...input,
      idempotencyKey: idempotencyKeyOf(request),
    })
    return { secret, webhook: toWebhookView(await withCount(deps.db, webhook), deps.clock) }
  })

  serveEndpoint(app, changeWebhookEndpoint, async ({ params, body, request }) => {
    const { url, types, passwordCurrent } = body
    const input = {
      id: params.id,
      owner: actorOf(request),
      url,
      types,
      proof: passwordProofOf(request, passwordCurrent),
    }
    return {
      webhook: toWebhookView(await withCount(deps.db, await changeWebhook(reachOf(request), input)), deps.clock),
    }
  })

  serveEndpoint(app, resendDeliveryEndpoint, async ({ params, request }) => ({
    delivery: toDeliveryView(await resendDelivery(deps, ownOf(request, params.id), idempotencyKeyOf(request))),
  }))

  serveEndpoint(app, resendDeliveriesEndpoint, async ({ params, body, request }) => {
    const input = { since: new Date(body.since), idempotencyKey: idempotencyKeyOf(request) }
    return { count: await resendSince(deps, { ...ownOf(request, params.id), ...input }) }
  })

  serveEndpoint(app, testWebhookEndpoint, async ({ params, request }) => {
    const outcome = await testWebhook(deps, ownOf(request, params.id))
    return { test: { isDelivered: outcome.problem === null, ...toOutcomeView(outcome) } }
  })
}

export function webhookRoutes(app: FastifyInstance, deps: WebhookDeps & { payersUrl: string }): void {
  serveEndpoint(app, listWebhooksEndpoint, async ({ request }) => {
    const webhooks = await listWebhooks(deps.db, sellerOf(request).id)
    return { webhooks: webhooks.map((webhook) => toWebhookView(webhook, deps.clock)) }
  })

  serveEndpoint(app, getWebhookEndpoint, async ({ params, request }) => ({
    webhook: toWebhookView(await getWebhook(deps.db, ownOf(request, params.id)), deps.clock),
  }))

  serveEndpoint(app, deleteWebhookEndpoint, async ({ params, request }) => {
    await deleteWebhook(deps, { id: params.id, owner: actorOf(request) })
  })

  serveEndpoint(app, rotateWebhookSecretEndpoint, async ({ params, request }) => {
    const input = { id: params.id, owner: actorOf(request), idempotencyKey: idempotencyKeyOf(request) }
    const { secret, webhook } = await rotateWebhookSecret(deps, input)
    return { secret, webhook: toWebhookView(await withCount(deps.db, webhook), deps.clock) }
  })

  deliveryRoutes(app, deps)
}

function ownOf(request: FastifyRequest, id: string): OwnWebhook {
  return { id, sellerId: sellerOf(request).id }
}

function deliveryRoutes(app: FastifyInstance, deps: WebhookDeps & { payersUrl: string }): void {
  serveEndpoint(app, listDeliveriesEndpoint, async ({ params, query, request }) => {
    const { deliveries, next } = await listDeliveries(deps.db, ownOf(request, params.id), query)
    return { deliveries: deliveries.map(toDeliveryView), next }
  })

  serveEndpoint(app, listDeliveryAttemptsEndpoint, async ({ params, request }) => {
    const own = ownOf(request, params.id)
    const { delivery, message, attempts } = await getDelivery({ ...deps, writeEvent: eventWriter(deps.payersUrl) }, own)
    const toAttemptView = (attempt: Outcome) => ({
      attemptedAt: attempt.attemptedAt.toISOString(),
      url: attempt.url,
      headers: headersOf(eventIdOf(delivery), attempt),
      ...toOutcomeView(attempt),
    })
    return { delivery: toDeliveryView(delivery), body: message.body, attempts: attempts.map(toAttemptView) }
  })
}

function toWebhookView(webhook: CountedWebhook, clock: Clock): WebhookView {
  const { id, url, types, failingSince, lastProblem, lastDeliveredAt, undelivered, formerSecretUntil } = webhook
  const health = failingSince !== null ? "failing" : lastDeliveredAt === null ? "unused" : "healthy"
  const isFormerValid = formerSecretUntil !== null && formerSecretUntil > clock.now()
  return {
    _id: id,
    url,
    types,
    lastProblem,
    undelivered,
    createdAt: webhook.createdAt.toISOString(),
    health: webhook.confirmedAt === null ? "unconfirmed" : health,
    failingSince: failingSince?.toISOString() ?? null,
    lastDeliveredAt: lastDeliveredAt?.toISOString() ?? null,
    formerSecretUntil: isFormerValid ? formerSecretUntil.toISOString() : null,
  }
}

function toDeliveryView(delivery: Delivery): DeliveryView {
  const { id, webhookId, type, sequence, lastStatus, lastProblem } = delivery
  return {
    _id: id,
    webhookId,
    eventId: eventIdOf(delivery),
    type,
    sequence,
    state: stateOf(delivery),
    lastStatus,
    lastProblem,
    createdAt: delivery.occurredAt.toISOString(),
    nextAttemptAt: delivery.nextAttemptAt?.toISOString() ?? null,
    deliveredAt: delivery.deliveredAt?.toISOString() ?? null,
  }
}

function toOutcomeView({ durationMs, status, problem, answer, location }: Outcome) {
  const words = problem === null ? null : webhookProblemLabels[problem]
  const message =
    problem === "bad_status"
      ? `Respondeu com o status ${status}; só 2xx conta como entregue`
      : problem === "redirected" && location !== null
        ? `Respondeu com um redirecionamento (${status}) para ${location}, que não é seguido`
        : words
  return { durationMs, status, problem, message, answer, location }
}
