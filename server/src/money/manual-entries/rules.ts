import type { CorrectionDirection, ManualEntryKind } from "@tilinta/contract/vocabulary/books"
import type { Cents } from "@tilinta/contract/vocabulary/money"
import type { Tx } from "#db/transaction"
import { invariant } from "#kit/errors"
import { bankTariffs, capital, corrections, feeRevenue, pspClearing, sellerAvailable } from "#ledger/accounts"
import type { LedgerTransaction, Posting } from "#ledger/post-transactions"
import { recordAudit } from "#platform/audit/record"
import type { Actor } from "#platform/audit/rules"
import type { Order } from "#platform/order-macs/macs"

/** A person's booking: the bank's own lists don't have it. */
export interface ManualEntry {
  id: string
  kind: ManualEntryKind
  /** Null unless it is a correction. */
  direction: CorrectionDirection | null
  amountCents: Cents
  provider: string
  sellerId: string | null
  reason: string
  reference: string | null
  reverses: string | null
  createdBy: string
  createdAt: Date
  approvedBy: string | null
  /** Null while it waits for another administrator. */
  bookedAt: Date | null
  /** The author withdrew it, or another administrator refused it. */
  refusedBy: string | null
  refusedAt: Date | null
  mac: string | null
}

export function proposalOrder(entry: ManualEntry): Order {
  const { id, kind, direction, amountCents, provider, sellerId, reason, reference, reverses, createdBy, createdAt } =
    entry
  const facts = [kind, direction, amountCents, provider, sellerId, reason, reference, reverses, createdBy, createdAt]
  return { act: "manual_entry.proposal", id, facts }
}

type Action = "manual_entry.proposed" | "manual_entry.booked" | "manual_entry.refused"

export async function recordEntry(
  tx: Tx,
  action: Action,
  entry: ManualEntry,
  { by, now }: { by: Actor | null; now: Date },
): Promise<void> {
  const { id, kind, direction, amountCents, sellerId, reason, reference, reverses, createdBy, approvedBy } = entry
  const after = { kind, direction, amountCents, sellerId, reason, reference, reverses, createdBy, approvedBy }
  await recordAudit(tx, {
    actor: by,
    happenedAt: now,
    action,
    entity: "manual_entry",
    entityId: id,
    before: null,
    after,
  })
}

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
