import { noMoney } from "#kit/money"
import { PspError } from "#psp/psp"
import { type BankBalance, unexplainedCents } from "./bank-balance.ts"
import { readOurMoney } from "./bank-balances-repository.ts"
import type { CloseDeps } from "./daily-close.ts"

/** Money that moves meanwhile makes a look worthless, and the next one sees it in both. */
const LOOKS = 3

/** Our account and the bank's, as of now; null where the provider does not tell its balance, or doesn't answer. */
export async function readBankBalance({ db, psp, clock, log }: CloseDeps): Promise<BankBalance | null> {
  if (psp.readBalance === null) return null
  let last: BankBalance | null = null
  for (let look = 0; look < LOOKS && (last === null || last.differenceCents !== noMoney); look += 1) {
    try {
      const before = await readOurMoney(db, psp.name)
      const bankCents = await psp.readBalance()
      const after = await readOurMoney(db, psp.name)
      const differenceCents = unexplainedCents(bankCents, [before, after])
      last = { at: clock.now(), bankCents, ourCents: after.clearingCents, differenceCents, typedBy: null }
    } catch (error) {
      if (!(error instanceof PspError)) throw error
      log.warn({ err: error }, "the bank did not tell its balance")
      return last
    }
  }
  return last
}
