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
import { limitSends } from "#people/users/routes"
import type { HttpDeps } from "#start/deps"
import { readPublicKey } from "./keys.ts"
import { type ListedSubscription, listSubscriptions } from "./reads.ts"
import { testSubscription } from "./send.ts"
import { endSubscription, saveOwnSubscription } from "./subscribe.ts"

type Deps = Pick<HttpDeps, "db" | "clock" | "secretKeys" | "outside" | "mayControl">

export function publicPushRoutes(app: FastifyInstance, { db }: Pick<Deps, "db">): void {
  serveEndpoint(app, getPushKeyEndpoint, async () => ({ key: await readPublicKey(db) }))
}

export function pushRoutes(app: FastifyInstance, deps: Pick<Deps, "db" | "clock">): void {
  serveEndpoint(app, listPushSubscriptionsEndpoint, async ({ request }) => {
    const subscriptions = await listSubscriptions(deps.db, sellerOf(request).id, hashOf(request))
    return { subscriptions: subscriptions.map(toView) }
  })

  serveEndpoint(app, endPushSubscriptionEndpoint, async ({ params, request }) => {
    await endSubscription(deps, { id: params.id, person: actorOf(request) })
  })
}

/** The calls that make us send requests, in a scope of its own, which has a rate limit of its own. */
export function pushSendRoutes(app: FastifyInstance, deps: Deps): void {
  limitSends(app, deps)

  serveEndpoint(app, savePushSubscriptionEndpoint, async ({ body, request }) => {
    const { endpoint, keys, hideAmounts } = body
    const person = actorOf(request)
    const tokenHash = hashOf(request)
    const allowsLocal = deps.outside.allowsLocal && deps.mayControl(request)
    const browser = { endpoint, allowsLocal, ...keys, hideAmounts }
    const id = await saveOwnSubscription(deps, { person, tokenHash, ...browser })
    const saved = (await listSubscriptions(deps.db, person.id, tokenHash)).find((each) => each.id === id)
    invariant(saved !== undefined, "a subscription ended while it was saved")
    return { subscription: toView(saved) }
  })

  serveEndpoint(app, testPushSubscriptionEndpoint, async ({ params, request }) => {
    return { isSent: await testSubscription(deps, { id: params.id, userId: sellerOf(request).id }) }
  })
}

function hashOf(request: FastifyRequest): Buffer {
  return hashOfToken(tokenOf(request))
}

function toView({ id, device, hideAmounts, createdAt, isCurrent }: ListedSubscription): PushSubscriptionView {
  return { _id: id, device: deviceName(device), hideAmounts, createdAt: createdAt.toISOString(), isCurrent }
}
