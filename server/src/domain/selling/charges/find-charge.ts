import type { PayerStatus } from "@tilinta/contract/vocabulary/transaction-status"
import type { Db } from "#db/transaction"
import { noOrder, type Order } from "#domain/selling/charge-pages/order"
import { findOrderOfPage } from "#domain/selling/charge-pages/save-order"
import type { Clock } from "#kit/clock"
import { DomainError } from "#kit/domain-error"
import { isId } from "#kit/ids"
import { asListed, type Charge, type ListedCharge, type OrderedCharge, type VerifiedCharge } from "./charge.ts"
import { type ChargeOfSeller, findChargeOfSeller, readReceiptVerifications } from "./charge-lists-repository.ts"
import { findChargeRow, findChargeRows } from "./charges-repository.ts"
import type { PaymentStatuses } from "./payment-statuses.ts"

interface StatusDeps {
  paymentStatuses: PaymentStatuses
  clock: Clock
}

/** The payer's status word of a Pix. */
export async function getPaymentStatus({ paymentStatuses, clock }: StatusDeps, id: string): Promise<PayerStatus> {
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
