import { type Cents, noMoney, subtractCents } from "@tilinta/contract/vocabulary/money"
import { invariant } from "#kit/invariant"
import { sellerAvailable, sellerBlocked } from "#ledger/accounts"
import type { LedgerTransaction, Posting } from "#ledger/post-transactions"
import type { Dispute } from "./dispute.ts"
import { movementName } from "./dispute-movements.ts"

/** Moves the difference between the blocked and the wanted amount; null when there is none. */
export function blockPostings(dispute: Dispute, blockedCents: Cents, at: Date): LedgerTransaction | null {
  const { id, sellerId, movements } = dispute
  const change = subtractCents(blockedCents, dispute.blockedCents)
  if (change === noMoney) return null
  invariant(sellerId !== null, `dispute ${id} has no seller whose money it could block`)
  const [available, blocked] = [sellerAvailable(sellerId), sellerBlocked(sellerId)]
  const head = { reference: movementName(dispute, movements + 1), sellerId, occurredAt: at }
  if (change > noMoney) {
    const posting: Posting = { debit: available, credit: blocked, amountCents: change, mayOverdraw: true }
    return { ...head, kind: "dispute-blocked", postings: [posting] }
  }
  const amountCents = subtractCents(noMoney, change)
  return { ...head, kind: "dispute-released", postings: [{ debit: blocked, credit: available, amountCents }] }
}
