import { DEFAULT_EXPIRY_HOURS } from "@tilinta/contract/charge-pages"
import {
  type ChargeView,
  type CounterDayView,
  type CounterShiftView,
  closeCounterShiftEndpoint,
  createChargeEndpoint,
  type FavouriteView,
  getCounterDayEndpoint,
  saveFavouritesEndpoint,
} from "@tilinta/contract/charges"
import {
  exportTransactionsEndpoint,
  getTransactionEndpoint,
  listTransactionsEndpoint,
} from "@tilinta/contract/transactions"
import type { TransactionsChanged } from "@tilinta/contract/vocabulary/events"
import { addCents, centsFromReais, noMoney, reaisFromCents } from "@tilinta/contract/vocabulary/money"
import {
  listedStatusOf,
  type SellerStatusFilter,
  sellerStatusFilters,
  sellerStatusOf,
} from "@tilinta/contract/vocabulary/transactions"
import type { FastifyInstance, FastifyRequest } from "fastify"
import type { Db } from "#db/transaction"
import { type ListFilters, newestThousandIfBare, rangeOf, searchAndDays } from "#http/list-query"
import { serveEndpoint } from "#http/serve-endpoint"
import { type Clock, daysAfter, saoPauloDay } from "#kit/clock"
import { DomainError } from "#kit/errors"
import { actorOf, type Caller, delegateOf, idempotencyKeyOf, sellerOf } from "#people/sessions/caller"
import type { ExportDeps } from "#platform/audit/export"
import { orderFrom } from "#selling/charge-pages/routes"
import type { HttpDeps } from "#start/deps"
import { saveFavourites } from "./counter-favourites.ts"
import {
  type CounterShift,
  listClosedShifts,
  listCounterSales,
  listOpenShifts,
  readFavourites,
  sumCounterSales,
} from "./counter-reads.ts"
import { closeCounterShift } from "./counter-shifts.ts"
import { createSingleCharge, type SingleCharge } from "./create-single.ts"
import { findOwnCharges, getOwnCharge } from "./find.ts"
import { exportSellersCharges, listSellersCharges, listSellersRows, type SellersChargeSummary } from "./lists.ts"
import type { ChargeLimits } from "./payment-routes.ts"
import { chargeStatusAt, type Favourite } from "./rules.ts"
import { paymentPath, qrPath, toCountedTransactionView } from "./views.ts"

export function transactionRoutes(app: FastifyInstance, deps: ExportDeps & Pick<HttpDeps, "reportsDb">): void {
  serveEndpoint(app, listTransactionsEndpoint, async ({ query, request }) => {
    const range = rangeOf(newestThousandIfBare(request.url, query))
    const filter = filterOf(query, request)
    if (query.totals === "none") {
      const rows = await listSellersRows(deps, filter, range)
      return { data: { transactions: rows.map(toCountedTransactionView) } }
    }
    const { charges, summary } = await listSellersCharges(deps, filter, range)
    return {
      results: summary.count,
      data: { transactions: charges.map(toCountedTransactionView), summary: toSummaryView(summary) },
    }
  })

  serveEndpoint(app, exportTransactionsEndpoint, async ({ query, request }) => {
    const { format } = query
    const content = await exportSellersCharges(deps, filterOf(query, request), { format, actor: actorOf(request) })
    return { name: `transacoes_${saoPauloDay(deps.clock.now())}.${format}`, content }
  })

  serveEndpoint(app, getTransactionEndpoint, async ({ params, request }) => {
    const charge = await getOwnCharge(deps, { id: params.id, sellerId: sellerOf(request).id })
    const { name, email, cpf, cnpj, phone } = charge.payer
    return {
      transaction: {
        ...toCountedTransactionView(charge),
        expiresAt: charge.expiresAt.toISOString(),
        customerInfo: { name: name ?? "", email: email ?? "", cpf: cpf ?? "", cnpj: cnpj ?? "", phone: phone ?? "" },
      },
    }
  })
}

type Query = ListFilters & {
  status?: SellerStatusFilter | undefined
  externalReference?: string | undefined
  checkoutPage?: string | undefined
  kind?: "counter" | undefined
}

function filterOf(query: Query, request: FastifyRequest) {
  return {
    sellerId: sellerOf(request).id,
    externalReference: query.externalReference,
    pageId: query.checkoutPage,
    isCounter: query.kind === "counter",
    statuses: query.status === undefined ? undefined : sellerStatusFilters[query.status],
    ...searchAndDays(query),
  }
}

function toSummaryView(summary: SellersChargeSummary) {
  return {
    count: summary.count,
    exact: summary.isExact,
    totalGross: reaisFromCents(summary.grossCents),
    totalFee: reaisFromCents(summary.feeCents),
    totalReceived: reaisFromCents(summary.netCents),
    totalRefunded: reaisFromCents(summary.refundedCents),
    paidCount: summary.paidCount,
    pendingCount: summary.pendingCount,
    pendingGross: reaisFromCents(summary.pendingCents),
    todayReceived: reaisFromCents(summary.today.netCents),
    todayPaidCount: summary.today.count,
  }
}

type Deps = Pick<
  HttpDeps,
  "db" | "chargeSteps" | "psp" | "clock" | "protection" | "payerTokens" | "log" | "publicUrl" | "payersUrl"
> & {
  chargeLimits: ChargeLimits
}

/** In a scope of its own: a cashier who charges elsewhere than at the counter, or reads another day, is refused before anything is validated. */
export async function singleChargeRoutes(app: FastifyInstance, deps: Deps): Promise<void> {
  app.addHook("preValidation", async (request) => {
    const { counter } = (request.body ?? {}) as { counter?: unknown }
    const isCharging = request.routeOptions.url === createChargeEndpoint.path && counter !== true
    const namesDay = (request.query as { day?: unknown }).day !== undefined
    if ((isCharging || namesDay) && sellerOf(request).shopRole === "cashier") throw new DomainError("role_forbidden")
  })
  serveEndpoint(app, createChargeEndpoint, async ({ body, request }) => {
    const { id: sellerId, person, apiKeyId } = sellerOf(request)
    // A sale at the counter names the person who made it.
    const isNamed = body.counter && apiKeyId === null
    const single = await createSingleCharge(deps, {
      sellerId,
      description: body.description,
      amountCents: centsFromReais(body.amount),
      order: orderFrom(body),
      expiresInHours: body.expiresInHours ?? DEFAULT_EXPIRY_HOURS,
      expiresAt: body.expiresAt ? new Date(body.expiresAt) : null,
      soldBy: body.counter ? person.id : null,
      payer: body.payer ?? {},
      idempotencyKey: idempotencyKeyOf(request),
      delegate: isNamed ? null : delegateOf(request),
      refuseNew: deps.chargeLimits.ofSeller(sellerId),
    })
    return { charge: toChargeView(single, deps) }
  })

  serveEndpoint(app, saveFavouritesEndpoint, async ({ body, request }) => {
    const favourites = body.favourites.map(({ name, amount }) => ({ name, amountCents: centsFromReais(amount) }))
    await saveFavourites(deps, { by: actorOf(request), favourites })
    return { favourites: favourites.map(toFavouriteView) }
  })

  serveEndpoint(app, getCounterDayEndpoint, async ({ query, request }) => {
    const now = deps.clock.now()
    return { counter: await counterDay(deps.db, sellerOf(request), { day: query.day ?? saoPauloDay(now), now }) }
  })

  serveEndpoint(app, closeCounterShiftEndpoint, async ({ request }) => {
    const shift = await closeCounterShift(deps, actorOf(request))
    return { shift: shift && toShiftView(shift) }
  })
}

function toShiftView({ id: _id, name, firstSaleAt, closedAt, count, amountCents }: CounterShift): CounterShiftView {
  return {
    person: { _id, name },
    firstSaleAt: firstSaleAt.toISOString(),
    closedAt: closedAt?.toISOString() ?? null,
    count,
    amount: reaisFromCents(amountCents),
  }
}

function toFavouriteView({ name, amountCents }: Favourite): FavouriteView {
  return { name, amount: reaisFromCents(amountCents) }
}

async function counterDay(
  db: Db,
  { id: sellerId, person }: Pick<Caller, "id" | "person">,
  { day, now }: { day: string; now: Date },
): Promise<CounterDayView> {
  const isToday = day === saoPauloDay(now)
  const [sales, people, closed, open, favourites] = await Promise.all([
    listCounterSales(db, sellerId, { day, withShiftOf: isToday ? person.id : null }),
    sumCounterSales(db, sellerId, day),
    listClosedShifts(db, sellerId, day),
    isToday ? listOpenShifts(db, sellerId, daysAfter(day, -1)) : [],
    readFavourites(db, sellerId),
  ])
  return {
    day,
    count: people.reduce((count, one) => count + one.count, 0),
    amount: reaisFromCents(people.reduce((sum, one) => addCents(sum, one.amountCents), noMoney)),
    people: people.map(({ id: _id, name, count, amountCents }) => ({
      person: { _id, name },
      count,
      amount: reaisFromCents(amountCents),
    })),
    shifts: [...closed, ...open].map(toShiftView),
    sales: sales.map((sale) => ({
      _id: sale.id,
      amount: reaisFromCents(sale.amountCents),
      refundedAmount: reaisFromCents(sale.refundedCents),
      description: sale.description,
      status: sellerStatusOf[listedStatusOf(chargeStatusAt(sale, now))],
      soldBy: { _id: sale.soldById, name: sale.soldByName },
      createdAt: sale.createdAt.toISOString(),
      paidAt: sale.paidAt?.toISOString() ?? null,
      payerName: sale.paidAt === null ? null : firstName(sale.payerName),
      refundRequest: sale.refundRequest,
    })),
    favourites: favourites.map(toFavouriteView),
  }
}

/** Banks write names in capitals. Enough for a thank-you: cashiers read no more of who paid. */
function firstName(name: string | null): string | null {
  const [first = ""] = (name ?? "").trim().split(/\s+/)
  return first === "" ? null : first.charAt(0) + first.slice(1).toLowerCase()
}

function toChargeView(
  { charge, uniqueLink, order }: SingleCharge,
  { publicUrl, payersUrl, clock, payerTokens }: Deps,
): ChargeView {
  const payerToken = payerTokens.of(charge.id)
  return {
    _id: charge.id,
    ...order,
    amount: reaisFromCents(charge.amountCents),
    description: charge.description,
    status: sellerStatusOf[listedStatusOf(chargeStatusAt(charge, clock.now()))],
    pixCode: charge.pixCode,
    payerToken,
    imageUrl: publicUrl + qrPath(charge.id, payerToken),
    statusUrl: `${publicUrl}/api/v1/checkout/payment-status/${charge.id}?k=${payerToken}`,
    checkoutUrl: payersUrl + paymentPath(uniqueLink, charge.id, payerToken),
    expiresAt: charge.expiresAt.toISOString(),
    createdAt: charge.createdAt.toISOString(),
    checkoutPage: { _id: charge.pageId, title: charge.pageTitle },
  }
}

interface FeedDeps {
  db: Db
  clock: Clock
}

interface Options {
  sellerId: string
  send(changed: TransactionsChanged): Promise<void>
  onFailure(error: unknown): void
}

const CHANGES_AT_ONCE = 50
const GATHER_MS = 100

/**
 * Collects changes while the previous message is still being sent: a thousand payments a second cost one read per
 * round, and memory stays bounded by one message.
 */
export function createChangeFeed(deps: FeedDeps, { sellerId, send, onFailure }: Options) {
  const changed = new Set<string>()
  let isMore = false
  let round: NodeJS.Timeout | null = null
  let isStopped = false

  async function notify(): Promise<void> {
    const ids = [...changed]
    const more = isMore
    changed.clear()
    isMore = false
    const charges = ids.length === 0 ? [] : await findOwnCharges(deps, { ids, sellerId })
    const transactions = charges.map((charge) => ({
      _id: charge.id,
      status: sellerStatusOf[charge.status],
      grossAmount: reaisFromCents(charge.amountCents),
      refundedAmount: reaisFromCents(charge.refundedCents),
      checkoutPage: { _id: charge.pageId, title: charge.pageTitle },
      payerName: charge.payer.name ?? "",
    }))
    if (!isStopped) await send({ transactions, more })
  }

  function sendSoon(): void {
    if (round !== null || isStopped) return
    round = setTimeout(() => {
      void notify()
        .catch(onFailure)
        .finally(() => {
          round = null
          if (changed.size > 0 || isMore) sendSoon()
        })
    }, GATHER_MS)
  }

  return {
    /** Null means that anything may have changed. */
    add(chargeId: string | null): void {
      if (chargeId !== null && (changed.size < CHANGES_AT_ONCE || changed.has(chargeId))) changed.add(chargeId)
      else isMore = true
      sendSoon()
    },
    stop(): void {
      isStopped = true
      if (round !== null) clearTimeout(round)
    },
  }
}
