import { invariant } from "#kit/invariant"
import { bankTariffs, capital, corrections, feeRevenue, pspClearing, sellerAvailable } from "#ledger/accounts"
import type { LedgerTransaction, Posting } from "#ledger/post-transactions"
import type { ManualEntry } from "./manual-entry.ts"

type Booked = Pick<ManualEntry, "id" | "kind" | "direction" | "amountCents" | "provider" | "sellerId">

const kinds = {
  own_payout: "own-payout",
  bank_tariff: "bank-tariff",
  capital_in: "capital-in",
  yield: "bank-yield",
  correction: "correction",
} as const satisfies Record<ManualEntry["kind"], LedgerTransaction["kind"]>

/** A tariff lowers what the bank paid us for holding the money, a yield raises it. */
export function manualEntryPostings(entry: Booked, at: Date): LedgerTransaction {
  const { id, kind, sellerId } = entry
  return { kind: kinds[kind], reference: id, sellerId, occurredAt: at, postings: [postingOf(entry)] }
}

function postingOf({ id, kind, direction, amountCents, provider, sellerId }: Booked): Posting {
  const clearing = pspClearing(provider)
  switch (kind) {
    case "own_payout":
      return { debit: feeRevenue, credit: clearing, amountCents }
    case "bank_tariff":
      return { debit: bankTariffs, credit: clearing, amountCents }
    case "capital_in":
      return { debit: clearing, credit: capital, amountCents }
    case "yield":
      return { debit: clearing, credit: bankTariffs, amountCents }
    case "correction": {
      invariant(sellerId !== null && direction !== null, `correction ${id} has no seller or direction`)
      const available = sellerAvailable(sellerId)
      return direction === "credit"
        ? { debit: corrections, credit: available, amountCents }
        : { debit: available, credit: corrections, amountCents }
    }
  }
}
