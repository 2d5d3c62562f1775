import type { Tx } from "#db/transaction"
import { secondsAfter } from "#kit/clock"
import { inBatches } from "#kit/in-batches"
import { postTransactions } from "#ledger/post-transactions"
import { LEASE_SECONDS, type PayoutDeps, settlePayout } from "./settle-payout.ts"
import type { Withdrawal } from "./withdrawal.ts"
import { sentPostings } from "./withdrawal-postings.ts"
import { claimApproved, claimProcessing } from "./withdrawals-repository.ts"

const BATCH = 8

/** Approved Pix withdrawals: on their way in the books first, then at the provider. */
export async function sendPayouts(deps: PayoutDeps): Promise<void> {
  await settleEach(deps, (now) => deps.db.transaction().execute((tx) => takeApproved(tx, deps.psp.name, now)))
}

/** What was handed over, or perhaps was not, and has no known outcome yet: asked about until it has one. */
export async function settlePayouts(deps: PayoutDeps): Promise<void> {
  await settleEach(deps, (now) => deps.db.transaction().execute((tx) => takeProcessing(tx, deps.psp.name, now)))
}

async function takeApproved(tx: Tx, provider: string, now: Date): Promise<Withdrawal[]> {
  const taken = await claimApproved(tx, claimOf(provider, now))
  await postTransactions(
    tx,
    taken.map((withdrawal) => sentPostings(withdrawal, now)),
  )
  return taken
}

async function takeProcessing(tx: Tx, provider: string, now: Date): Promise<Withdrawal[]> {
  return claimProcessing(tx, claimOf(provider, now))
}

function claimOf(provider: string, now: Date) {
  return { provider, now, leaseUntil: secondsAfter(now, LEASE_SECONDS), limit: BATCH }
}

/** A batch's turn lasts no longer than its slowest payout, well within the lease. */
async function settleEach(deps: PayoutDeps, take: (now: Date) => Promise<Withdrawal[]>): Promise<void> {
  await inBatches({
    size: BATCH,
    take: () => take(deps.clock.now()),
    work: (withdrawal) => settlePayout(deps, withdrawal),
  })
}
