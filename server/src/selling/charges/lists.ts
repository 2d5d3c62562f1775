import type { Readable } from "node:stream"
import type { Cents } from "@tilinta/contract/vocabulary/money"
import { listedStatusOf, paidStatuses, type TransactionStatus } from "@tilinta/contract/vocabulary/transactions"
import { foldAll } from "#db/backup/backup-tables"
import { type ListRange, requireRowBefore, type SearchFor } from "#db/list-range"
import type { PastRow } from "#db/rows-of"
import type { Db, ReportsDb } from "#db/transaction"
import { addedUp, type KeptSums, keptOf } from "#kit/caches"
import type { Clock } from "#kit/clock"
import { isId } from "#kit/ids"
import { type NameUsers, nameIn } from "#people/users/user-names"
import { type ExportDeps, type ExportTo, startExport } from "#platform/audit/export"
import { readChargeTotalsOfPlatform } from "#platform/totals/totals"
import { findHolder } from "#selling/charge-pages/reads"
import { withOrders, withReceiptVerifications } from "./find.ts"
import {
  type ChargeFilter,
  type ChargeOfSeller,
  type ChargeTotals,
  countFoundCharges,
  type FoundTotals,
  hasFewCharges,
  listChargeRows,
  readPaidDayTotals,
  readSellerChargeTotals,
} from "./list-reads.ts"
import { foldChargeChangeRows } from "./new-charges-table.ts"
import { findPastChargeRows } from "./reads.ts"
import { asListed, chargeStatusAt, type OrderedCharge, type VerifiedCharge } from "./rules.ts"
import {
  chargesForAdmin,
  chargesForSeller,
  type FoundCharge,
  findChargesWithText,
  findNamedCharges,
} from "./search-reads.ts"

export type ListedChargeOfSeller = OrderedCharge & ChargeOfSeller

/** Amounts are those of what was paid, less what was given back: gross − fee = net. */
export interface ChargeSums extends KeptSums {
  /** Every charge, paid or not. */
  count: number
  /** False when a search finds more: all figures are then those of the newest matches. */
  isExact: boolean
  /** Given back to payers. */
  refundedCents: Cents
  /** Asked for and not yet paid. */
  pendingCents: Cents
  countOf(...statuses: TransactionStatus[]): number
}

export interface SellersChargeSummary extends Omit<ChargeSums, "countOf"> {
  paidCount: number
  pendingCount: number
  today: { count: number; netCents: Cents }
}

interface Deps {
  db: Db
  /** Searches have connections of their own, as one may read much of the table. */
  reportsDb: ReportsDb
  clock: Clock
}

type SellersFilter = Omit<ChargeFilter, "page"> & {
  sellerId: string
  /** Charges of the order that holds this reference. */
  externalReference?: string | undefined
  /** Charges of this page. */
  pageId?: string | undefined
}

/** The seller's charges that the filter finds, newest first, with totals of all of them, whatever the page. */
export async function listSellersCharges(
  deps: Deps,
  { externalReference, pageId, ...query }: SellersFilter,
  range: ListRange,
): Promise<{ charges: VerifiedCharge<OrderedCharge>[]; summary: SellersChargeSummary }> {
  const page = await findPage(deps.db, { sellerId: query.sellerId, externalReference, pageId })
  const now = deps.clock.now()
  const [{ charges, totals }, today] = await Promise.all([
    page === null ? { charges: [], totals: noTotals } : findOwn(deps, { ...query, page }, range),
    readPaidDayTotals(deps.db, query.sellerId, now),
  ])
  const { countOf, ...sums } = sumsOf(totals)
  const counts = { paidCount: countOf("paid"), pendingCount: countOf("pending") }
  const verified = await withReceiptVerifications(deps.db, charges)
  return { charges: verified, summary: { ...sums, ...counts, today } }
}

/** The same without totals: a search that finds many computes them, and its rows needn't wait for it. */
export async function listSellersRows(
  deps: Deps,
  { externalReference, pageId, ...query }: SellersFilter,
  range: ListRange,
): Promise<VerifiedCharge<OrderedCharge>[]> {
  const page = await findPage(deps.db, { sellerId: query.sellerId, externalReference, pageId })
  if (page === null) return []
  const filter = { ...query, page }
  const charges = await listRows(poolFor(deps, filter), filter, range, deps.clock.now())
  return withReceiptVerifications(deps.db, charges)
}

const noTotals: FoundTotals = { totals: [], isExact: true }

/** The page that was asked for, by its id or by its order's reference: undefined for any, null when there is none. */
async function findPage(
  db: Db,
  { sellerId, externalReference, pageId }: Pick<SellersFilter, "sellerId" | "externalReference" | "pageId">,
): Promise<ChargeFilter["page"] | null> {
  if (externalReference === undefined && pageId === undefined) return undefined
  const ofOrder = externalReference === undefined ? pageId : await findHolder(db, sellerId, externalReference)
  const id = ofOrder ?? null
  if (id === null || !isId(id) || (pageId !== undefined && pageId !== id)) return null
  return { id, hasFew: await hasFewCharges(db, id) }
}

async function findOwn(
  deps: Deps,
  filter: ChargeFilter & { sellerId: string },
  range: ListRange,
): Promise<{ charges: OrderedCharge[]; totals: FoundTotals }> {
  const db = poolFor(deps, filter)
  const hasKeptTotals = !filter.search && !filter.isCounter && filter.page === undefined
  const [charges, totals] = await Promise.all([
    listRows(db, filter, range, deps.clock.now()),
    hasKeptTotals ? exactly(readSellerChargeTotals(db, filter.sellerId, filter)) : countFoundCharges(db, filter),
  ])
  return { charges, totals }
}

function poolFor({ db, reportsDb }: Deps, { search, page }: ChargeFilter): Db {
  return search || page?.hasFew === false ? reportsDb : db
}

/** Charges of all sellers, for admins. Without totals there is no count to wait for, which a search has to compute. */
export async function listAllCharges(
  { nameUsers, clock, ...pools }: Deps & { nameUsers: NameUsers },
  filter: Omit<ChargeFilter, "sellerId">,
  { withTotals, ...range }: ListRange & { withTotals: boolean },
): Promise<{ charges: ListedChargeOfSeller[]; summary: ChargeSums | null }> {
  const db = filter.search ? pools.reportsDb : pools.db
  const [charges, summary] = await Promise.all([
    listRows(db, filter, range, clock.now()),
    withTotals ? sumAllCharges(db, filter) : null,
  ])
  const names = await nameUsers(charges.map(({ sellerId }) => sellerId))
  return { charges: charges.map((charge) => ({ ...charge, seller: nameIn(names, charge.sellerId) })), summary }
}

async function sumAllCharges(db: Db, filter: Omit<ChargeFilter, "sellerId">): Promise<ChargeSums> {
  return sumsOf(await (filter.search ? countFoundCharges(db, filter) : exactly(readChargeTotalsOfPlatform(db, filter))))
}

/** Kept totals are always exact. */
async function exactly(reading: Promise<ChargeTotals[]>): Promise<FoundTotals> {
  return { totals: await reading, isExact: true }
}

async function listRows(db: Db, filter: ChargeFilter, range: ListRange, now: Date): Promise<OrderedCharge[]> {
  const charges = await listChargeRows(db, filter, range)
  await requireRowBefore(db, "charges", range, charges)
  return withOrders(
    db,
    charges.map((charge) => asListed(charge, now)),
  )
}

function sumsOf({ totals, isExact }: FoundTotals): ChargeSums {
  const paid = addedUp(totals.filter(({ status }) => paidStatuses.some((word) => word === status)))
  return {
    count: totals.reduce((count, total) => count + total.count, 0),
    isExact,
    ...keptOf(paid),
    refundedCents: paid.refundedCents,
    pendingCents: addedUp(totals.filter(({ status }) => status === "pending")).grossCents,
    countOf: (...statuses) =>
      totals.filter(({ status }) => statuses.includes(status)).reduce((count, total) => count + total.count, 0),
  }
}

/** The rows that the list finds by the same filter. */
export async function exportSellersCharges(
  deps: ExportDeps,
  filter: SellersFilter,
  { format, actor }: ExportTo,
): Promise<Readable> {
  const page = await findPage(deps.db, filter)
  const found: ChargeFilter = page === null ? { ...filter, statuses: [] } : { ...filter, page }
  const table = chargesForSeller(found, deps.clock.now())
  return startExport(deps, { action: "charges.exported", audience: "seller", actor, filter, format, table })
}

/** Charges of all sellers, for admins. */
export function exportAllCharges(
  deps: ExportDeps,
  filter: ChargeFilter,
  { format, actor }: ExportTo,
): Promise<Readable> {
  const table = chargesForAdmin(filter, deps.clock.now())
  return startExport(deps, { action: "charges.exported", audience: "admin", actor, filter, format, table })
}

type ChargeHit = FoundCharge & { status: TransactionStatus }

/** An exact identifier is returned alone: a person pasting a txid wants no similar texts. */
export async function searchCharges({ db, clock }: { db: Db; clock: Clock }, search: SearchFor): Promise<ChargeHit[]> {
  const named = await findNamedCharges(db, search)
  const found = named.length > 0 ? named : await findChargesWithText(db, search)
  const now = clock.now()
  return found.map((charge) => {
    const status = chargeStatusAt(charge, now)
    return { ...charge, status: listedStatusOf(status) }
  })
}

/** Charges as the API showed them, by the sequence of the event, with the order that their page has now. */
export async function findPastCharges(db: Db, past: readonly PastRow[]): Promise<Map<number, OrderedCharge>> {
  const charges = await findPastChargeRows(db, past)
  const shown = [...charges].map(([sequence, charge]) => ({ ...asListed(charge, charge.createdAt), sequence }))
  return new Map((await withOrders(db, shown)).map((charge) => [charge.sequence, charge]))
}

/** Counts of one seller's charges, from totals kept by triggers. */
export async function countCharges(db: Db, sellerId: string): Promise<{ all: number; paid: number }> {
  const totals = await readSellerChargeTotals(db, sellerId, {})
  return {
    all: totals.reduce((sum, { count }) => sum + count, 0),
    paid: totals.find(({ status }) => status === "paid")?.count ?? 0,
  }
}

/** Keeps the number of changes small that make up a seller's totals. They are exact without it. */
export function foldChargeChanges({ db }: { db: Db }): Promise<void> {
  return foldAll(db, foldChargeChangeRows)
}
