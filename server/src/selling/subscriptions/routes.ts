import {
  type CreatePlanBody,
  type CreateSubscriptionBody,
  cancelSubscriptionEndpoint,
  createPlanEndpoint,
  createSubscriptionEndpoint,
  listPlansEndpoint,
  pauseSubscriptionEndpoint,
  resumeSubscriptionEndpoint,
  updatePlanEndpoint,
  updateSubscriptionEndpoint,
} from "@tilinta/contract/subscriptions"
import { DEFAULT_DAYS_AFTER_DUE, dueTermsOf } from "@tilinta/contract/vocabulary/invoices"
import { usualLeadDays } from "@tilinta/contract/vocabulary/subscriptions"
import type { FastifyInstance, FastifyRequest } from "fastify"
import { rangeOf } from "#http/list-query"
import { serveEndpoint } from "#http/serve-endpoint"
import { actorOf, idempotencyKeyOf, sellerOf } from "#people/sessions/caller"
import { customerFieldsFrom } from "#selling/customers/rules"
import type { HttpDeps } from "#start/deps"
import {
  cancelSubscription,
  createSubscription,
  pauseSubscription,
  resumeSubscription,
  type SubscriptionDraft,
  updateSubscription,
} from "./manage.ts"
import { listPlans } from "./plan-reads.ts"
import { createPlan, type PlanDraft, updatePlan } from "./plans.ts"
import type { Subscription } from "./rules.ts"
import { toPlanView, toSubscriptionView } from "./views.ts"

type Deps = Pick<HttpDeps, "db" | "clock" | "protection" | "payersUrl">

/** `selling/mandates` serves what shows subscriptions with their authorisations. */
export function subscriptionRoutes(app: FastifyInstance, deps: Deps): void {
  const { payersUrl } = deps
  const view = (subscription: Subscription) => toSubscriptionView(subscription, payersUrl)
  const callOf = (request: FastifyRequest, id: string) => ({ id, seller: actorOf(request) })

  serveEndpoint(app, createSubscriptionEndpoint, async ({ body, request }) => {
    const call = { seller: actorOf(request), idempotencyKey: idempotencyKeyOf(request) }
    return { subscription: view(await createSubscription(deps, { ...call, ...draftFrom(body) })) }
  })

  serveEndpoint(app, updateSubscriptionEndpoint, async ({ params, body, request }) => ({
    subscription: view(await updateSubscription(deps, callOf(request, params.id), body)),
  }))

  serveEndpoint(app, pauseSubscriptionEndpoint, async ({ params, body, request }) => ({
    subscription: view(await pauseSubscription(deps, { ...callOf(request, params.id), ...body })),
  }))

  serveEndpoint(app, resumeSubscriptionEndpoint, async ({ params, request }) => ({
    subscription: view(await resumeSubscription(deps, callOf(request, params.id))),
  }))

  serveEndpoint(app, cancelSubscriptionEndpoint, async ({ params, body, request }) => ({
    subscription: view(await cancelSubscription(deps, { ...callOf(request, params.id), ...body })),
  }))
}

export function planRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, payersUrl } = deps

  serveEndpoint(app, createPlanEndpoint, async ({ body, request }) => {
    const call = { seller: actorOf(request), idempotencyKey: idempotencyKeyOf(request) }
    return { plan: toPlanView(await createPlan(deps, call, planFrom(body)), payersUrl) }
  })

  serveEndpoint(app, listPlansEndpoint, async ({ query, request }) => {
    const filter = { sellerId: sellerOf(request).id, status: query.status }
    const { plans, results } = await listPlans(db, filter, rangeOf(query))
    return { results, data: { plans: plans.map((plan) => toPlanView(plan, payersUrl)) } }
  })

  serveEndpoint(app, updatePlanEndpoint, async ({ params: { id }, body, request }) => {
    const own = { id, seller: actorOf(request) }
    return { plan: toPlanView(await updatePlan(deps, own, body), payersUrl) }
  })
}

/** The contract asks for one customer. */
function draftFrom(body: CreateSubscriptionBody): SubscriptionDraft {
  const { customerId, customer, method, title, amount, period, firstDueDate, fine, interest, discounts } = body
  return {
    customer: customer ? customerFieldsFrom(customer) : { id: customerId ?? "" },
    method,
    title,
    period,
    terms: dueTermsOf({
      amount,
      dueDate: firstDueDate,
      daysAfterDue: body.daysAfterDue ?? DEFAULT_DAYS_AFTER_DUE,
      fine,
      interest,
      discounts,
    }),
    endsOn: body.endsOn ?? null,
    cycles: body.cycles ?? null,
    leadDays: body.leadDays ?? usualLeadDays(period),
  }
}

function planFrom(body: CreatePlanBody): PlanDraft {
  const { title, description, slug, amount, period, cycles, daysAfterDue, leadDays, fine, interest } = body
  return {
    ...{ title, description, amount, period, fine, interest },
    slug: slug ?? null,
    cycles: cycles ?? null,
    daysAfterDue: daysAfterDue ?? DEFAULT_DAYS_AFTER_DUE,
    leadDays: leadDays ?? usualLeadDays(period),
  }
}
