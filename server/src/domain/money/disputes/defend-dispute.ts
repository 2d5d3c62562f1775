import { mayBeDefended } from "@tilinta/contract/vocabulary/dispute-status"
import type { Db, Tx } from "#db/transaction"
import type { Actor } from "#domain/platform/audit/audit-entry"
import { recordAudit } from "#domain/platform/audit/record-audit"
import type { Clock } from "#kit/clock"
import { DomainError } from "#kit/domain-error"
import { isId } from "#kit/ids"
import type { Psp } from "#psp/psp"
import { type Dispute, isOpen } from "./dispute.ts"
import { disputeAuditOf } from "./dispute-audit.ts"
import { lockDisputeRow, updateDispute } from "./disputes-repository.ts"

interface Deps {
  db: Db
  psp: Psp
  clock: Clock
}

interface Defence {
  disputeId: string
  actor: Actor
  /** A seller may defend only their own payments. */
  origin: "seller" | "admin"
  text: string
}

/**
 * Stores the one text that the bank accepts per dispute. A job submits it; where the provider takes no texts, an admin
 * does.
 */
export async function defendDispute({ db, psp, clock }: Deps, defence: Defence): Promise<Dispute> {
  const [now, takenBy] = [clock.now(), psp.disputes?.defend ? psp.name : null]
  return db.transaction().execute((tx) => record(tx, defence, { takenBy, now }))
}

interface Circumstances {
  /** The provider that accepts texts; null when it doesn't. */
  takenBy: string | null
  now: Date
}

async function record(tx: Tx, defence: Defence, { takenBy, now }: Circumstances): Promise<Dispute> {
  const { disputeId, actor, origin, text } = defence
  const dispute = isId(disputeId) ? await lockDisputeRow(tx, disputeId) : null
  if (dispute === null) throw new DomainError("dispute_not_found")
  if (origin === "seller" && dispute.sellerId !== actor.id) throw new DomainError("dispute_not_found")
  if (!isOpen(dispute)) throw new DomainError("dispute_closed")
  if (!mayBeDefended(dispute.defenceState)) throw new DomainError("dispute_defended")
  if (dispute.respondUntil !== null && dispute.respondUntil < now) throw new DomainError("dispute_overdue")
  const isTaken = dispute.pspDisputeId !== null && dispute.provider === takenBy
  const defended = await updateDispute(tx, dispute.id, {
    defence: text,
    defence_state: isTaken ? "waiting" : "kept",
    defended_by: actor.id,
    defended_at: now,
    next_attempt_at: isTaken ? now : null,
    attempts: 0,
    updated_at: now,
  })
  await recordAudit(tx, disputeAuditOf("dispute.defended", dispute, defended, actor, now))
  return defended
}
