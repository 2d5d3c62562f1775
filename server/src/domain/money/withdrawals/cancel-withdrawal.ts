import { isDecidable } from "@tilinta/contract/vocabulary/withdrawal-status"
import type { Db, Tx } from "#db/transaction"
import type { Actor } from "#domain/platform/audit/audit-entry"
import { recordAudit } from "#domain/platform/audit/record-audit"
import { appendEvents } from "#domain/platform/event-log/append-events"
import type { Clock } from "#kit/clock"
import { DomainError } from "#kit/domain-error"
import { isId } from "#kit/ids"
import { postTransactions } from "#ledger/post-transactions"
import { holdForReturn } from "./hold-for-return.ts"
import { type Withdrawal, withdrawalOwnedBy } from "./withdrawal.ts"
import { withdrawalAuditOf } from "./withdrawal-audit.ts"
import { returnPostings } from "./withdrawal-postings.ts"
import { lockWithdrawal, updateWithdrawal } from "./withdrawals-repository.ts"

interface Cancellation {
  id: string
  seller: Actor
}

/** Lets the seller withdraw the request while it is undecided. */
export async function cancelWithdrawal(
  { db, clock }: { db: Db; clock: Clock },
  cancellation: Cancellation,
): Promise<Withdrawal> {
  if (!isId(cancellation.id)) throw new DomainError("withdrawal_not_found")
  const now = clock.now()
  return db.transaction().execute((tx) => returnToSeller(tx, cancellation, now))
}

async function returnToSeller(tx: Tx, { id, seller }: Cancellation, now: Date): Promise<Withdrawal> {
  const pending = withdrawalOwnedBy(await lockWithdrawal(tx, id), seller.id)
  if (!isDecidable(pending.status)) {
    throw new DomainError("withdrawal_not_pending", { message: "Apenas saques pendentes podem ser cancelados." })
  }
  return returnUndecided(tx, pending, seller, now)
}

/** Its row must be locked, and nothing of it sent. */
export async function returnUndecided(tx: Tx, unsent: Withdrawal, owner: Actor, now: Date): Promise<Withdrawal> {
  const { id } = unsent
  await holdForReturn(tx, unsent)
  const cancelled = await updateWithdrawal(tx, id, { status: "cancelled", processed_at: now, next_attempt_at: null })
  await postTransactions(tx, [returnPostings(unsent, now)])
  await recordAudit(tx, withdrawalAuditOf("withdrawal.cancelled", unsent, cancelled, owner, now))
  await appendEvents(tx, "withdrawal.cancelled", [id], now)
  return cancelled
}
