import type { Logger } from "pino"
import type { Db, Tx } from "#db/transaction"
import { type Clock, secondsAfter } from "#kit/clock"
import { inBatches } from "#kit/in-batches"
import { type Psp, PspError } from "#psp/psp"
import type { Dispute } from "./dispute.ts"
import { claimDefences, lockDisputeRow, updateDispute } from "./disputes-repository.ts"

interface Deps {
  db: Db
  psp: Psp
  clock: Clock
  log: Logger
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
