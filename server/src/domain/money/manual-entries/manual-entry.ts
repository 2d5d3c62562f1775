import type { CorrectionDirection, ManualEntryKind } from "@tilinta/contract/vocabulary/manual-entries"
import type { Cents } from "@tilinta/contract/vocabulary/money"

/** A person's booking: the bank's own lists can't tell of it. */
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
}
