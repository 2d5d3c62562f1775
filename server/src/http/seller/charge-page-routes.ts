import {
  type CreateChargePageBody,
  cancelChargePageEndpoint,
  createChargePageEndpoint,
  DEFAULT_EXPIRY_HOURS,
  deleteChargePageEndpoint,
  getSlugEndpoint,
  listChargePagesEndpoint,
  type UpdateChargePageBody,
  updateChargePageEndpoint,
} from "@tilinta/contract/api/charge-pages-endpoints"
import { centsFromReais } from "@tilinta/contract/vocabulary/money"
import type { FastifyInstance, FastifyRequest } from "fastify"
import type { Db } from "#db/transaction"
import type { ChargePageChanges } from "#domain/selling/charge-pages/change-charge-page"
import type { PayerDataWishes } from "#domain/selling/charge-pages/charge-page"
import { createChargePage } from "#domain/selling/charge-pages/create-charge-page"
import type { OwnPage } from "#domain/selling/charge-pages/end-charge-page"
import { listChargePages } from "#domain/selling/charge-pages/list-charge-pages"
import { suggestSlug } from "#domain/selling/charge-pages/suggest-slug"
import { cancelChargePage, deleteChargePage } from "#domain/selling/closings/cancel-charge-page"
import { updateChargePage } from "#domain/selling/closings/update-charge-page"
import { toChargePageView } from "#http/charge-page-view"
import { idempotencyKeyOf } from "#http/idempotency-key"
import { searchAndDays } from "#http/list-filters"
import { rangeOf } from "#http/requested-range"
import { orderChangesFrom, orderFrom } from "#http/sent-order"
import { serveEndpoint } from "#http/serve-endpoint"
import type { Clock } from "#kit/clock"
import type { Protection } from "#kit/protection"
import { programOf, sellerOf } from "./session-of.ts"

export function chargePageRoutes(app: FastifyInstance, deps: { db: Db; clock: Clock; protection: Protection }): void {
  serveEndpoint(app, createChargePageEndpoint, async ({ body, request }) => {
    const page = await createChargePage(deps, {
      sellerId: sellerOf(request).id,
      title: body.title,
      slug: body.slug,
      description: body.description,
      amountCents: centsFromReais(body.amount),
      payerData: payerDataWishes(body),
      expiresInHours: body.pixConfig?.expiresInHours ?? DEFAULT_EXPIRY_HOURS,
      maxPayments: body.maxPayments === undefined ? 1 : body.maxPayments,
      order: orderFrom(body),
      idempotencyKey: idempotencyKeyOf(request),
      program: programOf(request),
    })
    return { checkoutPage: toChargePageView(page) }
  })

  serveEndpoint(app, listChargePagesEndpoint, async ({ query, request }) => {
    const list = await listChargePages(deps, {
      sellerId: sellerOf(request).id,
      status: query.status,
      isSingle: query.kind && query.kind === "single",
      externalReference: query.externalReference,
      ...searchAndDays(query),
      ...rangeOf(query),
    })
    const all = [...list.counts.values()].reduce((sum, count) => sum + count, 0)
    return {
      results: list.results,
      data: {
        checkoutPages: list.pages.map(toChargePageView),
        summary: { count: all, activeCount: list.counts.get("active") ?? 0 },
      },
    }
  })

  serveEndpoint(app, updateChargePageEndpoint, async ({ params, body, request }) => {
    const page = await updateChargePage(deps, { ...ownOf(request, params.id), changes: changesOf(body) })
    return { checkoutPage: toChargePageView(page) }
  })

  serveEndpoint(app, cancelChargePageEndpoint, async ({ params, request }) => {
    const page = await cancelChargePage(deps, ownOf(request, params.id))
    return { checkoutPage: toChargePageView(page) }
  })

  serveEndpoint(app, deleteChargePageEndpoint, async ({ params, request }) => {
    await deleteChargePage(deps, ownOf(request, params.id))
  })

  serveEndpoint(app, getSlugEndpoint, async ({ params }) => suggestSlug(deps.db, params.slug))
}

function ownOf(request: FastifyRequest, id: string): OwnPage {
  return { id, sellerId: sellerOf(request).id, program: programOf(request) }
}

function payerDataWishes(body: CreateChargePageBody | UpdateChargePageBody): PayerDataWishes {
  return {
    requireCustomerData: body.requireCustomerData,
    allowAnonymous: body.pixConfig?.allowAnonymous,
    ...body.customerInfo,
  }
}

function changesOf(body: UpdateChargePageBody): ChargePageChanges {
  return {
    title: body.title,
    slug: body.slug,
    description: body.description,
    amountCents: body.amount === undefined ? undefined : centsFromReais(body.amount),
    payerData: payerDataWishes(body),
    expiresInHours: body.pixConfig?.expiresInHours,
    maxPayments: body.maxPayments,
    order: orderChangesFrom(body),
  }
}
