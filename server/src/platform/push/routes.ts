import {
  endPushSubscriptionEndpoint,
  getPushKeyEndpoint,
  listPushSubscriptionsEndpoint,
  type PushSubscriptionView,
  savePushSubscriptionEndpoint,
  testPushSubscriptionEndpoint,
} from "@tilinta/contract/push"
import { deviceName } from "@tilinta/contract/vocabulary/people"
import type { FastifyInstance, FastifyRequest } from "fastify"
import { serveEndpoint } from "#http/serve-endpoint"
import { invariant } from "#kit/errors"
import { hashOfToken } from "#kit/secrets"
import { actorOf, sellerOf, tokenOf } from "#people/sessions/caller"
import type { HttpDeps } from "#start/deps"
import { readPublicKey } from "./keys.ts"
import { type ListedSubscription, listSubscriptions } from "./reads.ts"
import { testSubscription } from "./send.ts"
import { endSubscription, saveOwnSubscription } from "./subscribe.ts"

type Deps = Pick<HttpDeps, "db" | "clock" | "secretKeys" | "outside">

export function publicPushRoutes(app: FastifyInstance, { db }: Pick<Deps, "db">): void {
  serveEndpoint(app, getPushKeyEndpoint, async () => ({ key: await readPublicKey(db) }))
}

export function pushRoutes(app: FastifyInstance, deps: Deps): void {
  const { db } = deps
  const hashOf = (request: FastifyRequest) => hashOfToken(tokenOf(request))

  serveEndpoint(app, listPushSubscriptionsEndpoint, async ({ request }) => {
    const subscriptions = await listSubscriptions(db, sellerOf(request).id, hashOf(request))
    return { subscriptions: subscriptions.map(toView) }
  })

  serveEndpoint(app, savePushSubscriptionEndpoint, async ({ body, request }) => {
    const { endpoint, keys, hideAmounts } = body
    const person = actorOf(request)
    const tokenHash = hashOf(request)
    const id = await saveOwnSubscription(deps, { person, tokenHash, endpoint, ...keys, hideAmounts })
    const saved = (await listSubscriptions(db, person.id, tokenHash)).find((each) => each.id === id)
    invariant(saved !== undefined, "a subscription ended while it was saved")
    return { subscription: toView(saved) }
  })

  serveEndpoint(app, endPushSubscriptionEndpoint, async ({ params, request }) => {
    await endSubscription(deps, { id: params.id, person: actorOf(request) })
  })

  serveEndpoint(app, testPushSubscriptionEndpoint, async ({ params, request }) => {
    return { isSent: await testSubscription(deps, { id: params.id, userId: sellerOf(request).id }) }
  })
}

function toView({ id, device, hideAmounts, createdAt, isCurrent }: ListedSubscription): PushSubscriptionView {
  return { _id: id, device: deviceName(device), hideAmounts, createdAt: createdAt.toISOString(), isCurrent }
}
