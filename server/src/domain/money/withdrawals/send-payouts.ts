import type { Logger } from "pino"
import type { Db, Tx } from "#db/transaction"
import { readWithdrawalsEnabled } from "#domain/platform/settings/read-setting"
import { type Clock, secondsAfter } from "#kit/clock"
import { inBatches } from "#kit/in-batches"
import { postTransactions } from "#ledger/post-transactions"
import type { Psp } from "#psp/psp"
import { LEASE_SECONDS, type SettleDeps, settlePayout } from "./settle-payout.ts"
import type { Withdrawal } from "./withdrawal.ts"
import { sentPostings } from "./withdrawal-postings.ts"
import {
  claimApproved,
  claimProcessingWithdrawals,
  findProcessingByPayout,
  leaveApprovedToPeople,
} from "./withdrawals-repository.ts"

interface PayoutDeps {
  db: Db
  psp: Psp
  clock: Clock
  log: Logger
}

const BATCH = 8

/** Books approved Pix withdrawals as under way first, then hands them to the provider. */
export async function sendPayouts({ psp, ...deps }: PayoutDeps): Promise<void> {
  const { payouts } = psp
  if (payouts === null) return deps.db.transaction().execute(leaveApprovedToPeople)
  const take = (now: Date) => deps.db.transaction().execute((tx) => takeApproved(tx, psp.name, now))
  await settleEach({ ...deps, payouts }, take)
}

/** Payouts that were, or may have been, handed over without a known outcome: queried until they have one. */
export async function settlePayouts({ psp, ...deps }: PayoutDeps): Promise<void> {
  const { payouts } = psp
  if (payouts === null) return
  const take = (now: Date) => deps.db.transaction().execute((tx) => takeProcessing(tx, psp.name, now))
  await settleEach({ ...deps, payouts }, take)
}

/** Settles payouts that a webhook or a list reported, without waiting for their next run. It sends nothing. */
export async function settleReportedPayouts({ psp, ...deps }: PayoutDeps, payoutIds: string[]): Promise<void> {
  const { name: provider, payouts } = psp
  if (payouts === null) return
  const reported = await findProcessingByPayout(deps.db, { provider, payoutIds })
  for (const withdrawal of reported) await settlePayout({ ...deps, payouts, onlyAsks: true }, withdrawal)
}

/** Nothing is taken while withdrawals are suspended, nor from inactive sellers: it waits as it is. */
async function takeApproved(tx: Tx, provider: string, now: Date): Promise<Withdrawal[]> {
  if (!(await readWithdrawalsEnabled(tx))) return []
  const taken = await claimApproved(tx, claimOf(provider, now))
  await postTransactions(
    tx,
    taken.map((withdrawal) => sentPostings(withdrawal, now)),
  )
  return taken
}

async function takeProcessing(tx: Tx, provider: string, now: Date): Promise<Withdrawal[]> {
  return claimProcessingWithdrawals(tx, claimOf(provider, now))
}

function claimOf(provider: string, now: Date) {
  return { provider, now, leaseUntil: secondsAfter(now, LEASE_SECONDS), limit: BATCH }
}

/** A batch takes no longer than its slowest payout, well within the lease. */
async function settleEach(deps: SettleDeps, take: (now: Date) => Promise<Withdrawal[]>): Promise<void> {
  await inBatches({
    size: BATCH,
    take: () => take(deps.clock.now()),
    work: (withdrawal) => settlePayout(deps, withdrawal),
  })
}
