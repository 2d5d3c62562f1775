import { noMoney } from "@tilinta/contract/vocabulary/money"
import type { Db, Tx } from "#db/transaction"
import { secondsAfter } from "#kit/clock"
import { provenTime } from "#psp/psp"
import { type BankBalance, compareAgain } from "./bank-balance.ts"
import { findBankBalances, listOpenBalances, readOurMoney, saveBankBalance } from "./bank-balances-repository.ts"
import { type CloseDeps, type DailyClose, isComparedAgain, RECHECK_SECONDS } from "./daily-close.ts"
import { findClose, lockClose, updateClose } from "./daily-closes-repository.ts"
import { alarmOfBalance, notifyAdminsOfBalance } from "./notify-admins-of-close.ts"
import { readBankBalance } from "./read-bank-balance.ts"

interface Look {
  closeId: string
  /** The bank's figure of now; null to keep the one that we have. */
  fresh: BankBalance | null
  providerLabel: string
  now: Date
}

/**
 * Compares a bank's figure that differed again at each run, for a minute: the job waits for nothing meanwhile. Money
 * that the bank has and we haven't is waited for, as payments are booked after the bank credited them, and under steady
 * traffic each new figure would have some of it. Money that we have and the bank hasn't is asked about anew.
 */
export async function settleBankBalances(deps: CloseDeps): Promise<void> {
  const { db, psp, log } = deps
  for (const [closeId, { differenceCents }] of await listOpenBalances(db)) {
    const provider = (await findClose(db, closeId))?.provider
    const isAsked = provider === psp.name && differenceCents < noMoney
    const fresh = isAsked ? await readBankBalance(deps) : null
    const look = { closeId, fresh, providerLabel: labelOf(deps, provider ?? ""), now: provenTime(deps) }
    const settled = await db.transaction().execute((tx) => settle(tx, look))
    if (settled !== null) alarmOfBalance(log, settled)
  }
}

function labelOf({ psp }: CloseDeps, provider: string): string {
  return provider === psp.name ? psp.label : provider
}

/** The day whose balance differs for good; null while that is open, or once both agree. */
async function settle(
  tx: Tx,
  { closeId, fresh, providerLabel, now }: Look,
): Promise<{ close: DailyClose; balance: BankBalance } | null> {
  const close = await lockClose(tx, closeId)
  const before = (await findBankBalances(tx, [closeId])).get(closeId)
  if (close === null || before === undefined || before.readAgainUntil === null) return null
  const after = fresh ?? (await lookAgain(tx, before, close.provider))
  const isFinal = after.differenceCents === noMoney || before.readAgainUntil <= now
  const balance = { ...after, readAgainUntil: isFinal ? null : before.readAgainUntil }
  await saveBankBalance(tx, closeId, balance)
  if (balance.readAgainUntil !== null || balance.differenceCents === noMoney) return null
  if (close.nextAttemptAt === null && isComparedAgain(close)) {
    await updateClose(tx, closeId, { next_attempt_at: secondsAfter(now, RECHECK_SECONDS) })
  }
  await notifyAdminsOfBalance(tx, { close, balance }, { providerLabel, now })
  return { close, balance }
}

/** More money of ours than the bank's can't be explained by what leaves later. */
async function lookAgain(db: Db, balance: BankBalance, provider: string): Promise<BankBalance> {
  return balance.differenceCents < noMoney ? balance : compareAgain(balance, await readOurMoney(db, provider))
}
