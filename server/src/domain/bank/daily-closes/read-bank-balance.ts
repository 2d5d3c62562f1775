import { noMoney } from "@tilinta/contract/vocabulary/money"
import { secondsAfter } from "#kit/clock"
import { PspError, provenTime } from "#psp/psp"
import { type BankBalance, unexplainedCents } from "./bank-balance.ts"
import { readOurMoney } from "./bank-balances-repository.ts"
import type { CloseDeps } from "./daily-close.ts"

/** A payment whose webhook was lost is booked half a minute after the bank credited it. */
const BOOKED_WITHIN_SECONDS = 60

/** Our account and the bank's, as of now; null where the provider does not tell its balance, or doesn't answer. */
export async function readBankBalance(deps: CloseDeps): Promise<BankBalance | null> {
  const { db, psp, log } = deps
  if (psp.readBalance === null) return null
  try {
    const before = await readOurMoney(db, psp.name)
    const bankCents = await psp.readBalance()
    const after = await readOurMoney(db, psp.name)
    const at = provenTime(deps)
    const differenceCents = unexplainedCents(bankCents, [before, after])
    const readAgainUntil = differenceCents === noMoney ? null : secondsAfter(at, BOOKED_WITHIN_SECONDS)
    return { at, bankCents, ourCents: after.clearingCents, differenceCents, typedBy: null, readAgainUntil }
  } catch (error) {
    if (!(error instanceof PspError)) throw error
    log.warn({ err: error }, "the bank did not tell its balance")
    return null
  }
}
