import { type Cents, subtractCents } from "@tilinta/contract/vocabulary/money"
import type { Tx } from "#db/transaction"
import type { Actor } from "#domain/platform/audit/audit-entry"
import { recordAudit } from "#domain/platform/audit/record-audit"
import { appendEvents } from "#domain/platform/event-log/append-events"
import { tellOwner } from "#domain/platform/mails/tell-owner"
import { invariant } from "#kit/invariant"
import { type LedgerTransaction, postTransactions } from "#ledger/post-transactions"
import { holdForReturn } from "./hold-for-return.ts"
import type { Withdrawal } from "./withdrawal.ts"
import { withdrawalAuditOf } from "./withdrawal-audit.ts"
import { cameBackPostings } from "./withdrawal-postings.ts"
import { updateWithdrawal } from "./withdrawals-repository.ts"

interface CameBack {
  /** All that has come back so far: the same figure again moves nothing. */
  returnedCents: Cents
  reason: string
  /** Null for the platform, acting on the provider's report. */
  actor: Actor | null
}

/** Credits what came back of a paid withdrawal. The caller holds the row's lock. */
export async function creditCameBack(
  tx: Tx,
  paid: Withdrawal,
  { returnedCents, reason, actor }: CameBack,
  now: Date,
): Promise<Withdrawal> {
  if (returnedCents <= paid.returnedCents) return paid
  invariant(returnedCents <= paid.amountCents, `more came back of withdrawal ${paid.id} than was paid`)
  const amountCents = subtractCents(returnedCents, paid.returnedCents)
  return putBack(tx, paid, {
    returnedCents,
    reason,
    actor,
    status: returnedCents === paid.amountCents ? "rejected" : "completed",
    postings: cameBackPostings(paid, { amountCents, returnedCents }, now),
    now,
  })
}

interface PutBack extends CameBack {
  status: "rejected" | "completed"
  postings: LedgerTransaction
  now: Date
}

/** The one way by which an approved withdrawal goes back to the balance: mail, audit and ledger. */
export async function putBack(tx: Tx, before: Withdrawal, back: PutBack): Promise<Withdrawal> {
  const { returnedCents, reason, actor, status, postings, now } = back
  await holdForReturn(tx, before)
  const after = await updateWithdrawal(tx, before.id, {
    status,
    returned_cents: returnedCents,
    returned_at: now,
    return_reason: reason,
    processed_at: before.processedAt ?? now,
    next_attempt_at: null,
  })
  const wasPaid = before.status === "completed"
  const notice = {
    kind: "withdrawal_returned",
    amountCents: before.amountCents,
    returnedCents: wasPaid ? subtractCents(returnedCents, before.returnedCents) : before.amountCents,
    method: before.destination.method,
    reason,
    wasPaid,
    returnedAt: now.toISOString(),
  } as const
  const dedupeKey = `withdrawal-returned:${before.id}:${returnedCents}`
  await tellOwner(tx, { userId: before.sellerId, notice, dedupeKey }, now)
  await postTransactions(tx, [postings])
  await recordAudit(tx, withdrawalAuditOf("withdrawal.returned", before, after, actor, now))
  await appendEvents(tx, "withdrawal.returned", [after.id], now)
  return after
}
