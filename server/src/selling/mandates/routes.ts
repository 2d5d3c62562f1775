import {
  cancelDebitEndpoint,
  cancelMandateEndpoint,
  createMandateEndpoint,
  getMandateEndpoint,
  resumeMandateEndpoint,
  retryDebitEndpoint,
} from "@tilinta/contract/mandates"
import { getSubscriptionEndpoint, listCyclesEndpoint, listSubscriptionsEndpoint } from "@tilinta/contract/subscriptions"
import type { FastifyInstance, FastifyRequest } from "fastify"
import { rangeOf } from "#http/list-query"
import { serveEndpoint } from "#http/serve-endpoint"
import { dueToday, firstDayOf, monthOf, saoPauloDay, timesOf } from "#kit/clock"
import { actorOf, idempotencyKeyOf, sellerOf } from "#people/sessions/caller"
import { getOwnSubscription, listCycles, listSubscriptions, sumSubscriptions } from "#selling/subscriptions/reads"
import type { Subscription } from "#selling/subscriptions/rules"
import { toCycleView, toSubscriptionView, toSummaryView } from "#selling/subscriptions/views"
import type { HttpDeps } from "#start/deps"
import { cancelDebit, type LockedDebit, requestRetry, retryableOf } from "./debits.ts"
import { cancelMandate, findNextDebits, requestMandate, resumeMandate } from "./manage.ts"
import {
  findCountingMandates,
  findDebitsOfInvoices,
  findPaidCharges,
  findPendingMandates,
  getMandate,
  getOwnMandate,
  mayUseAutomatic,
} from "./reads.ts"
import type { Mandate } from "./rules.ts"
import { toAutomaticView, toMandateView, toOwnDebitView } from "./views.ts"

type Deps = Pick<HttpDeps, "db" | "clock" | "psp" | "log" | "chargeSteps" | "payersUrl">

/** The subscriptions are shown with their authorisations, which stand on them. */
export function mandateRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, clock, psp, payersUrl } = deps
  const today = () => dueToday(clock)
  const callOf = (request: FastifyRequest, id: string) => ({ id, seller: actorOf(request) })
  const view = (mandate: Mandate) => ({ mandate: toMandateView(mandate, payersUrl) })
  const debitView = async (locked: LockedDebit) => ({
    debit: toOwnDebitView(await retryableOf(db, locked, timesOf(clock))),
  })

  async function automaticOf(subscriptions: readonly Subscription[]) {
    const ids = subscriptions.flatMap(({ id, method }) => (method === "automatic" ? [id] : []))
    const [mandates, pending] = await Promise.all([findCountingMandates(db, ids), findPendingMandates(db, ids)])
    const byId = new Map(subscriptions.map((each) => [each.id, each]))
    const shown = mandates.flatMap((mandate) => {
      const subscription = byId.get(mandate.subscriptionId)
      return subscription === undefined ? [] : [{ mandate, subscription }]
    })
    const [debits, paid] = await Promise.all([
      findNextDebits(deps, shown, timesOf(clock).due),
      findPaidCharges(
        db,
        mandates.flatMap(({ firstTxid }) => firstTxid ?? []),
      ),
    ])
    return shown.map(({ mandate, subscription }) => {
      const { lastDebit = null, nextDay = null } = debits.get(mandate.id) ?? {}
      const firstChargeId = paid.get(mandate.firstTxid ?? "") ?? null
      const waiting = pending.get(subscription.id) ?? null
      const newer = waiting?.id === mandate.id ? null : waiting
      return toAutomaticView({ mandate, nextDay, firstChargeId, lastDebit, newer }, payersUrl)
    })
  }

  serveEndpoint(app, listSubscriptionsEndpoint, async ({ query, request }) => {
    const { status, customerId, planId, search } = query
    const sellerId = sellerOf(request).id
    const [{ subscriptions, results }, sums, automaticPix] = await Promise.all([
      listSubscriptions(db, { sellerId, status, customerId, planId, search }, rangeOf(query)),
      sumSubscriptions(db, sellerId, { today: today(), monthStart: firstDayOf(monthOf(saoPauloDay(clock.now()))) }),
      mayUseAutomatic(db, psp, sellerId),
    ])
    const views = subscriptions.map((subscription) => toSubscriptionView(subscription, payersUrl))
    const automatic = await automaticOf(subscriptions)
    return { results, data: { subscriptions: views, automatic, automaticPix, summary: toSummaryView(sums) } }
  })

  serveEndpoint(app, getSubscriptionEndpoint, async ({ params: { id }, request }) => {
    const sellerId = sellerOf(request).id
    const subscription = await getOwnSubscription(db, { id, sellerId })
    const [[automatic], automaticPix] = await Promise.all([
      automaticOf([subscription]),
      mayUseAutomatic(db, psp, sellerId),
    ])
    return {
      subscription: toSubscriptionView(subscription, payersUrl),
      automatic: automatic ?? null,
      automaticPix,
    }
  })

  serveEndpoint(app, listCyclesEndpoint, async ({ params, query, request }) => {
    const { id } = await getOwnSubscription(db, { id: params.id, sellerId: sellerOf(request).id })
    const cycles = await listCycles(db, id, query)
    const debits = await findDebitsOfInvoices(
      db,
      cycles.map(({ invoice }) => invoice.id),
    )
    const times = timesOf(clock)
    const views = cycles.map(async (cycle) => {
      const debit = debits.get(cycle.invoice.id)
      const mandate = debit && (await getMandate(db, debit.mandateId))
      const own = debit && mandate && (await retryableOf(db, { debit, mandate, invoice: cycle.invoice }, times))
      return { ...toCycleView(cycle, today(), payersUrl), debit: own ? toOwnDebitView(own) : null }
    })
    return { cycles: await Promise.all(views) }
  })

  serveEndpoint(app, createMandateEndpoint, async ({ params, body, request }) => {
    const { journey, startsOn, retryPolicy } = body
    return view(
      await requestMandate(deps, {
        subscriptionId: params.id,
        seller: actorOf(request),
        journey,
        startsOn: startsOn ?? null,
        retryPolicy,
        idempotencyKey: idempotencyKeyOf(request),
      }),
    )
  })

  serveEndpoint(app, getMandateEndpoint, async ({ params: { id }, request }) =>
    view(await getOwnMandate(db, { id, sellerId: sellerOf(request).id })),
  )

  serveEndpoint(app, cancelMandateEndpoint, async ({ params, request }) =>
    view(await cancelMandate(deps, callOf(request, params.id))),
  )

  serveEndpoint(app, resumeMandateEndpoint, async ({ params, request }) =>
    view(await resumeMandate(deps, callOf(request, params.id))),
  )

  serveEndpoint(app, retryDebitEndpoint, async ({ params, body, request }) =>
    debitView(await requestRetry(deps, { ...callOf(request, params.id), day: body.date })),
  )

  serveEndpoint(app, cancelDebitEndpoint, async ({ params, request }) =>
    debitView(await cancelDebit(deps, callOf(request, params.id))),
  )
}
