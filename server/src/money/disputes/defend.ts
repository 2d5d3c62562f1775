import { mayBeDefended } from "@tilinta/contract/vocabulary/dispute-status"
import type { Logger } from "pino"
import type { Db, Tx } from "#db/transaction"
import { type Clock, secondsAfter } from "#kit/clock"
import { DomainError } from "#kit/errors"
import { isId } from "#kit/ids"
import { inBatches } from "#kit/micro-batch"
import { recordAudit } from "#platform/audit/record"
import { type Actor, personOf } from "#platform/audit/rules"
import { type Psp, PspError } from "#psp/psp"
import { disputeAuditOf } from "./list.ts"
import { type Dispute, isOpen } from "./rules.ts"
import { claimDefences, lockDisputeRow, updateDispute } from "./table.ts"

interface Deps {
  db: Db
  psp: Psp
  clock: Clock
  log: Logger
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
export async function defendDispute({ db, psp, clock }: Omit<Deps, "log">, defence: Defence): Promise<Dispute> {
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
    defended_by: personOf(actor),
    defended_at: now,
    next_attempt_at: isTaken ? now : null,
    attempts: 0,
    updated_at: now,
  })
  await recordAudit(tx, disputeAuditOf("dispute.defended", dispute, defended, actor, now))
  return defended
}

const BATCH = 8
const LEASE_SECONDS = 60
const LONGEST_PAUSE_SECONDS = 600

/** The bank accepts one text per dispute, so submitting it again after a crash is safe. */
export async function sendDefences(deps: Deps): Promise<void> {
  const defend = deps.psp.disputes?.defend ?? null
  if (defend === null) return
  await inBatches({
    size: BATCH,
    take: () => deps.db.transaction().execute((tx) => take(tx, deps.psp.name, deps.clock.now())),
    work: (dispute) => send(deps, defend, dispute),
  })
}

async function take(tx: Tx, provider: string, now: Date): Promise<Dispute[]> {
  return claimDefences(tx, { provider, now, leaseUntil: secondsAfter(now, LEASE_SECONDS), limit: BATCH })
}

type Defend = (disputeId: string, text: string) => Promise<"taken" | "refused">

async function send({ db, clock, log }: Deps, defend: Defend, dispute: Dispute): Promise<void> {
  const { id, pspDisputeId, defence, attempts } = dispute
  try {
    const answer = await defend(pspDisputeId ?? "", defence ?? "")
    await db.transaction().execute((tx) => finish(tx, id, answer === "taken" ? "sent" : "refused", clock.now()))
  } catch (error) {
    if (!(error instanceof PspError)) throw error
    log.warn({ err: error, disputeId: id, attempts }, "a defence isn't at the bank yet")
    const until = secondsAfter(clock.now(), Math.min(2 ** attempts, LONGEST_PAUSE_SECONDS))
    await db.transaction().execute((tx) => postpone(tx, id, until))
  }
}

async function finish(tx: Tx, id: string, state: "sent" | "refused", now: Date): Promise<void> {
  const dispute = await lockDisputeRow(tx, id)
  if (dispute?.defenceState !== "waiting") return
  await updateDispute(tx, id, { defence_state: state, next_attempt_at: null, updated_at: now })
}

async function postpone(tx: Tx, id: string, until: Date): Promise<void> {
  const dispute = await lockDisputeRow(tx, id)
  if (dispute?.defenceState === "waiting") await updateDispute(tx, id, { next_attempt_at: until })
}
