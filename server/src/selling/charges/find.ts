import type { PayerStatus } from "@tilinta/contract/vocabulary/transactions"
import type { Db, Tx } from "#db/transaction"
import { type Clock, timesOf } from "#kit/clock"
import { DomainError } from "#kit/errors"
import { isDueTxid, isId } from "#kit/ids"
import { readReceiver } from "#people/shops/reads"
import type { ShopName } from "#people/shops/rules"
import { findOrderOfPage } from "#selling/charge-pages/create"
import { findOrders } from "#selling/charge-pages/reads"
import { noOrder, type Order } from "#selling/charge-pages/rules"
import { findInvoiceOfPage } from "#selling/invoices/reads"
import { shownToday } from "#selling/invoices/rules"
import { type ChargeOfSeller, findChargeOfSeller, readReceiptVerifications } from "./list-reads.ts"
import { findChargeRow, findChargeRows } from "./reads.ts"
import {
  asListed,
  type Charge,
  chargeStatusAt,
  type ListedCharge,
  type OrderedCharge,
  type VerifiedCharge,
} from "./rules.ts"
import type { PaymentStatuses } from "./statuses.ts"
import { lockChargeRow } from "./table.ts"

interface Deps {
  paymentStatuses: PaymentStatuses
  clock: Clock
}

/** The payer's status word of a Pix. */
export async function getPaymentStatus({ paymentStatuses, clock }: Deps, id: string): Promise<PayerStatus> {
  const status = isId(id) ? await paymentStatuses(id, clock) : null
  if (status === null) throw new DomainError("payment_not_found")
  return status
}

/** The seller's own charge with its order; another seller's counts as unknown. */
export async function getOwnCharge(
  { db, clock }: { db: Db; clock: Clock },
  { id, sellerId }: { id: string; sellerId: string },
): Promise<VerifiedCharge<OrderedCharge>> {
  const charge = isId(id) ? await findChargeRow(db, id) : null
  const isKnown = charge !== null && charge.sellerId === sellerId && charge.status !== "creating"
  if (!isKnown) throw new DomainError("transaction_not_found")
  const [order, counts] = await Promise.all([orderOf(db, charge), readReceiptVerifications(db, [id])])
  return { ...asListed(charge, clock.now()), order, receiptVerifications: counts.get(id) ?? 0 }
}

async function orderOf(db: Db, { pageId }: Charge): Promise<Order> {
  return (pageId === null ? null : await findOrderOfPage(db, pageId)) ?? noOrder
}

/** Those of the ids that belong to the seller and were shown to somebody. */
export async function findOwnCharges(
  { db, clock }: { db: Db; clock: Clock },
  { ids, sellerId }: { ids: string[]; sellerId: string },
): Promise<ListedCharge[]> {
  const charges = await findChargeRows(db, ids)
  const own = charges.filter((charge) => charge.sellerId === sellerId && charge.status !== "creating")
  return own.map((charge) => asListed(charge, clock.now()))
}

/** Any seller's charge, with its order, its seller and how often its receipt was verified. */
export async function getAnyCharge(
  { db, clock }: { db: Db; clock: Clock },
  id: string,
): Promise<VerifiedCharge<OrderedCharge & ChargeOfSeller>> {
  const charge = isId(id) ? await findChargeOfSeller(db, id) : null
  if (charge === null) throw new DomainError("transaction_not_found")
  const [order, counts] = await Promise.all([orderOf(db, charge), readReceiptVerifications(db, [id])])
  return { ...asListed(charge, clock.now()), order, receiptVerifications: counts.get(id) ?? 0 }
}

export async function findCharge(db: Db, id: string): Promise<Charge | null> {
  return isId(id) ? findChargeRow(db, id) : null
}

export async function getCharge(db: Db, id: string): Promise<Charge> {
  const charge = await findCharge(db, id)
  if (charge === null) throw new DomainError("transaction_not_found")
  return charge
}

/** The seller's own charge; another seller's is forbidden. */
export async function getSellersCharge(db: Db, id: string, sellerId: string): Promise<Charge> {
  const charge = await getCharge(db, id)
  if (charge.sellerId !== sellerId) throw new DomainError("transaction_forbidden")
  return charge
}

interface ShownCharge {
  charge: Charge & { pixCode: string }
  receiver: ShopName
}

/** The code of a Pix that may still be paid, for holders of the unguessable id. */
export async function payableCodeOf(db: Db, id: string, now: Date): Promise<string | null> {
  const charge = isId(id) ? await findChargeRow(db, id) : null
  return charge !== null && chargeStatusAt(charge, now) === "pending" ? charge.pixCode : null
}

/** A Pix with its code, for holders of the unguessable id. Null when there is none to show. */
export async function findShownCharge(
  { db, clock }: { db: Db; clock: Clock },
  id: string,
): Promise<ShownCharge | null> {
  const charge = isId(id) ? await findChargeRow(db, id) : null
  if (charge === null || charge.pixCode === null) return null
  // The bank computes what such a code asks: it is shown with today's amount.
  const asksByDay = charge.status === "pending" && isDueTxid(charge.txid) && charge.pageId !== null
  const invoice = asksByDay ? await findInvoiceOfPage(db, charge.pageId ?? "") : null
  const today = invoice === null ? {} : shownToday(invoice.terms, timesOf(clock))
  return { charge: { ...charge, ...today, pixCode: charge.pixCode }, receiver: await readReceiver(db, charge) }
}

/** Each charge with the order of its page, found by one lookup: payments, which need no order, read none. */
export async function withOrders<C extends { pageId: string | null }>(
  db: Db,
  charges: readonly C[],
): Promise<(C & { order: Order })[]> {
  const pageIds = new Set(charges.flatMap(({ pageId }) => (pageId === null ? [] : [pageId])))
  const orders = await findOrders(db, [...pageIds])
  return charges.map((charge) => ({ ...charge, order: orders.get(charge.pageId ?? "") ?? noOrder }))
}

/** By one lookup for all of them. */
export async function withReceiptVerifications<C extends { id: string }>(
  db: Db,
  charges: readonly C[],
): Promise<VerifiedCharge<C>[]> {
  const counts = await readReceiptVerifications(
    db,
    charges.map(({ id }) => id),
  )
  return charges.map((charge) => ({ ...charge, receiptVerifications: counts.get(charge.id) ?? 0 }))
}

/** Lock order: after the payment's unmatched payment and before its refunds. */
export async function lockCharge(tx: Tx, id: string): Promise<Charge | null> {
  return lockChargeRow(tx, id)
}
