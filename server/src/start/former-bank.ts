import type { Logger } from "pino"
import { closeDays } from "#bank/daily-closes/close"
import { reconcilePayouts } from "#bank/daily-closes/compare"
import type { InboxWorker } from "#bank/psp-inbox/process"
import { reconcileRefunds } from "#bank/reconciliation/reconcile"
import type { JobsDb } from "#db/transaction"
import type { Clock } from "#kit/clock"
import { sendDefences } from "#money/disputes/defend"
import { reconcileDisputes } from "#money/disputes/record"
import { removeDueCharges } from "#money/payments/book"
import { settleRefunds } from "#money/refunds/settle"
import { settlePayouts } from "#money/withdrawals/pay"
import type { ConnectedBank } from "./deps.ts"

interface Deps {
  db: JobsDb
  clock: Clock
  log: Logger
  formerBank: (Pick<ConnectedBank, "psp" | "reconcileReceipts"> & { inbox: Pick<InboxWorker, "workOff"> }) | null
}

interface Chore {
  everySeconds: number
  run: () => Promise<void>
}

/**
 * Its codes are still removed and paid, its payments refunded and disputed, its days closed. It gets no new charge and
 * no new payout. One chore's failure stops no other.
 */
export function formerBankRun({ formerBank, ...shared }: Deps): () => Promise<void> {
  if (formerBank === null) return async () => undefined
  const { psp, inbox } = formerBank
  const deps = { ...shared, psp }
  const chores = [
    { everySeconds: 0, run: () => removeDueCharges(deps) },
    { everySeconds: 0, run: () => inbox.workOff() },
    { everySeconds: 15, run: () => formerBank.reconcileReceipts() },
    { everySeconds: 0, run: () => settleRefunds(deps) },
    { everySeconds: 0, run: () => settlePayouts(deps) },
    { everySeconds: 0, run: () => sendDefences(deps) },
    { everySeconds: 60, run: () => reconcilePayouts(deps) },
    { everySeconds: 60, run: () => reconcileDisputes(deps) },
    { everySeconds: 120, run: () => reconcileRefunds(deps) },
    { everySeconds: 15, run: () => closeDays({ ...deps, isFormer: true }) },
  ].map(atItsTime)
  return async () => {
    const failures: unknown[] = []
    for (const chore of chores) await chore().catch((error: unknown) => failures.push(error))
    if (failures.length > 0) throw failures[0]
  }
}

function atItsTime({ everySeconds, run }: Chore): () => Promise<void> {
  let dueAtMs = Number.NEGATIVE_INFINITY
  return async () => {
    if (performance.now() < dueAtMs) return
    dueAtMs = performance.now() + everySeconds * 1000
    await run()
  }
}
