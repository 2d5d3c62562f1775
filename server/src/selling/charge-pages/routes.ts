import {
  type CreateChargePageBody,
  cancelChargePageEndpoint,
  createChargePageEndpoint,
  DEFAULT_EXPIRY_HOURS,
  deleteChargePageEndpoint,
  getChargePageEndpoint,
  getSlugEndpoint,
  listChargePagesEndpoint,
  type SentOrder,
  type UpdateChargePageBody,
  updateChargePageEndpoint,
} from "@tilinta/contract/charge-pages"
import { centsFromReais } from "@tilinta/contract/vocabulary/money"
import type { FastifyInstance, FastifyRequest } from "fastify"
import type { Db } from "#db/transaction"
import { rangeOf, searchAndDays } from "#http/list-query"
import { serveEndpoint } from "#http/serve-endpoint"
import type { Clock } from "#kit/clock"
import { DomainError } from "#kit/errors"
import { isId } from "#kit/ids"
import type { Protection } from "#kit/request-scope"
import { type AdmitKey, callerOf } from "#people/api-keys/gate"
import { delegateOf, idempotencyKeyOf, sellerOf } from "#people/sessions/caller"
import { toPublicShop } from "#people/shops/views"
import { cancelChargePage, deleteChargePage, updateChargePage } from "#selling/closings/closings"
import { withInvoice } from "#selling/invoices/public-invoice"
import { type ChargePageChanges, getOwnChargePage, type OwnPage } from "./change.ts"
import { createChargePage, suggestSlug } from "./create.ts"
import { listChargePages } from "./list-reads.ts"
import { checkPublicPage } from "./public-page.ts"
import { type Order, type OrderChanges, type PayerDataInput, type PriceChanges, priceOf } from "./rules.ts"
import { isStorableLink, toChargePageView, toPublicChargePageView } from "./views.ts"

export function chargePageRoutes(app: FastifyInstance, deps: { db: Db; clock: Clock; protection: Protection }): void {
  serveEndpoint(app, createChargePageEndpoint, async ({ body, request }) => {
    const page = await createChargePage(deps, {
      sellerId: sellerOf(request).id,
      title: body.title,
      slug: body.slug,
      description: body.description,
      ...priceOf(priceChangesOf(body), null),
      payerData: payerDataOf(body),
      expiresInHours: body.pixConfig?.expiresInHours ?? DEFAULT_EXPIRY_HOURS,
      maxPayments: body.maxPayments === undefined ? 1 : body.maxPayments,
      order: orderFrom(body),
      idempotencyKey: idempotencyKeyOf(request),
      delegate: delegateOf(request),
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
  return { id, sellerId: sellerOf(request).id, delegate: delegateOf(request) }
}

function payerDataOf(body: CreateChargePageBody | UpdateChargePageBody): PayerDataInput {
  return {
    requireCustomerData: body.requireCustomerData,
    allowAnonymous: body.pixConfig?.allowAnonymous,
    ...body.customerInfo,
  }
}

function priceChangesOf(
  body: Pick<UpdateChargePageBody, "amount" | "minAmount" | "maxAmount" | "suggestions">,
): PriceChanges {
  const { amount, minAmount, maxAmount, suggestions } = body
  return {
    amountCents: centsOf(amount),
    minCents: centsOf(minAmount),
    maxCents: centsOf(maxAmount),
    suggestedCents: suggestions === null ? [] : suggestions?.map(centsFromReais),
  }
}

function centsOf(reais: number | null | undefined) {
  return typeof reais === "number" ? centsFromReais(reais) : reais
}

function changesOf(body: UpdateChargePageBody): ChargePageChanges {
  return {
    title: body.title,
    slug: body.slug,
    description: body.description,
    ...priceChangesOf(body),
    payerData: payerDataOf(body),
    expiresInHours: body.pixConfig?.expiresInHours,
    maxPayments: body.maxPayments,
    order: orderChangesFrom(body),
  }
}

interface Deps {
  db: Db
  clock: Clock
  admitKey: AdmitKey
  payersUrl: string
}

/** The parameter's shape decides the view, never the header: an `_id` is the owner's. */
export function publicChargePageRoutes(app: FastifyInstance, deps: Deps): void {
  serveEndpoint(app, getChargePageEndpoint, async ({ params, request, reply }) => {
    if (!isId(params.id)) return { checkoutPage: await publicView(deps, params.id) }
    const { id: sellerId } = await callerOf(deps, request, reply)
    return { checkoutPage: toChargePageView(await getOwnChargePage(deps, { id: params.id, sellerId })) }
  })
}

async function publicView({ db, clock, payersUrl }: Omit<Deps, "admitKey">, link: string) {
  if (!isStorableLink(link)) throw new DomainError("public_charge_page_not_found")
  const { found, hiddenBy, closedShop } = await withInvoice({ db, clock }, await checkPublicPage(db, clock, link))
  if (hiddenBy !== null) {
    throw new DomainError(hiddenBy, closedShop === null ? {} : { data: { shop: toPublicShop(closedShop, payersUrl) } })
  }
  return toPublicChargePageView(found, payersUrl)
}

/** A creation has nothing that it doesn't send. */
export function orderFrom({ externalReference, metadata, returnUrl }: SentOrder): Order {
  return { externalReference: externalReference ?? null, metadata: metadata ?? {}, returnUrl: returnUrl ?? null }
}

/** An update leaves alone what it doesn't send; null removes. */
export function orderChangesFrom({ externalReference, metadata, returnUrl }: SentOrder): OrderChanges {
  return { externalReference, returnUrl, metadata: metadata === null ? {} : metadata }
}
