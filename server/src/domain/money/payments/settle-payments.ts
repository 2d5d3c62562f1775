import { closedStatusOf, isOpenCharge, isPaid } from "@tilinta/contract/vocabulary/transaction-status"
import type { UncreditedReason } from "@tilinta/contract/vocabulary/unmatched-payment-status"
import { afterPayment, type CountedPage, tookAllPayments } from "#domain/selling/charge-pages/count-payments"
import type { ChargeOutcome, PayableCharge } from "#domain/selling/charges/charges-of-payments"
import type { PaymentReceived } from "#psp/psp"

export type SettledPayment =
  | {
      received: PaymentReceived
      charge: PayableCharge
      reason: null
      /** The page that the fold counts it for; null where the booking does. */
      uncountedPageId: string | null
      /** The page that it completes. */
      completedPageId: string | null
    }
  | { received: PaymentReceived; charge: PayableCharge | null; reason: UncreditedReason }

interface Settlement {
  payments: SettledPayment[]
  outcomes: ChargeOutcome[]
  pages: CountedPage[]
}

/**
 * Decides the effect of each payment, in order of arrival. Pure: rows are locked before and written after. `charges`
 * contains the paid ones and the open ones of the same pages.
 */
export function settlePayments(
  payments: PaymentReceived[],
  charges: PayableCharge[],
  pages: ReadonlyMap<string, CountedPage>,
): Settlement {
  const byTxid = new Map(charges.map((charge) => [charge.txid, charge]))
  const outcomes = new Map<string, ChargeOutcome>()
  const touchedPages = new Map<string, CountedPage>()
  const settled = payments.map((received): SettledPayment => {
    const charge = received.txid === null ? undefined : byTxid.get(received.txid)
    if (charge === undefined) return { received, charge: null, reason: "unknown_txid" }
    const reason = reasonToWait(received, charge, outcomes)
    if (reason !== null) return { received, charge, reason }
    const page = touchedPages.get(charge.pageId) ?? pages.get(charge.pageId)
    const paid = { received, charge, reason: null } as const
    outcomes.set(charge.id, paidOutcome(received, charge, page !== undefined && tookAllPayments(page)))
    if (page === undefined) return { ...paid, uncountedPageId: charge.pageId, completedPageId: null }
    const after = afterPayment(page)
    touchedPages.set(charge.pageId, after)
    return { ...paid, uncountedPageId: null, completedPageId: after.status === page.status ? null : charge.pageId }
  })
  for (const outcome of cancelledByCompletion(charges, touchedPages, outcomes)) outcomes.set(outcome.id, outcome)
  return { payments: settled, outcomes: [...outcomes.values()], pages: [...touchedPages.values()] }
}

function reasonToWait(
  received: PaymentReceived,
  charge: PayableCharge,
  outcomes: ReadonlyMap<string, ChargeOutcome>,
): UncreditedReason | null {
  const wasPaid = isPaid(charge.status) || outcomes.has(charge.id)
  if (wasPaid) return "charge_already_paid"
  if (charge.provider !== received.provider) return "unknown_txid"
  return received.amountCents === charge.amountCents ? null : "wrong_amount"
}

/**
 * Late money is real money: expired and cancelled charges become paid and are flagged as late. A payment made in time
 * but reported late is not.
 */
function paidOutcome(received: PaymentReceived, charge: PayableCharge, isDuplicate: boolean): ChargeOutcome {
  return {
    id: charge.id,
    status: "paid",
    endToEndId: received.endToEndId,
    paidAt: received.paidAt,
    isLate: isLate(received, charge),
    isDuplicate,
    removal: "none",
  }
}

function isLate(received: PaymentReceived, charge: PayableCharge): boolean {
  if (charge.status === "expired") return received.paidAt > charge.expiresAt
  return !isOpenCharge(charge.status)
}

/** A completed page takes no more money, so its other open codes end. */
function cancelledByCompletion(
  charges: PayableCharge[],
  touchedPages: ReadonlyMap<string, CountedPage>,
  outcomes: ReadonlyMap<string, ChargeOutcome>,
): ChargeOutcome[] {
  const ended = charges.filter(
    ({ id, pageId }) => !outcomes.has(id) && touchedPages.get(pageId)?.status === "completed",
  )
  return ended.flatMap(({ id, status }): ChargeOutcome[] => {
    if (!isOpenCharge(status)) return []
    const nothing = { endToEndId: null, paidAt: null, isLate: false, isDuplicate: false } as const
    return [{ ...nothing, id, status: closedStatusOf[status], removal: "due" }]
  })
}
