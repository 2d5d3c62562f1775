import type { TransactionStatus } from "@tilinta/contract/vocabulary/transaction-status"
import type { Db } from "#db/transaction"
import type { Clock } from "#kit/clock"
import { addCents, type Cents, noMoney } from "#kit/money"
import { asListed, type ListedCharge } from "./charge.ts"
import {
  type ChargeFilter,
  type ChargeTotals,
  listChargeRows,
  readChargeTotals,
  readPaidDayTotals,
} from "./charge-lists-repository.ts"

export interface ChargeSummary {
  count: number
  paidCount: number
  pendingCount: number
  grossCents: Cents
  feeCents: Cents
  /** Net of what was paid. */
  receivedCents: Cents
  today: { count: number; netCents: Cents }
}

/** The charges that the filter finds, newest first, and exact totals of all of them, whatever the page. */
export async function listCharges(
  { db, clock }: { db: Db; clock: Clock },
  filter: ChargeFilter,
  range: { offset: number; limit: number },
): Promise<{ charges: ListedCharge[]; summary: ChargeSummary }> {
  const now = clock.now()
  const [charges, totals, today] = await Promise.all([
    listChargeRows(db, filter, range),
    readChargeTotals(db, filter),
    readPaidDayTotals(db, filter.sellerId, now),
  ])
  return { charges: charges.map((charge) => asListed(charge, now)), summary: { ...summaryOf(totals), today } }
}

function summaryOf(totals: ChargeTotals[]): Omit<ChargeSummary, "today"> {
  const countOf = (status: TransactionStatus) => totals.find((total) => total.status === status)?.count ?? 0
  return {
    count: totals.reduce((sum, total) => sum + total.count, 0),
    paidCount: countOf("paid"),
    pendingCount: countOf("pending"),
    grossCents: totals.reduce((sum, total) => addCents(sum, total.grossCents), noMoney),
    feeCents: totals.reduce((sum, total) => addCents(sum, total.feeCents), noMoney),
    receivedCents: totals.find((total) => total.status === "paid")?.netCents ?? noMoney,
  }
}
