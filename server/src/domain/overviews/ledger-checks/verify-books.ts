import type { Db } from "#db/transaction"
import { verifyDisputes } from "#domain/money/disputes/verify-disputes"
import { verifyPayments } from "#domain/money/payments/verify-payments"
import { verifyRefunds } from "#domain/money/refunds/verify-refunds"
import { verifyReserves } from "#domain/money/reserves/verify-reserves"
import { verifyStatements } from "#domain/money/statements/verify-statements"
import { verifyWithdrawals } from "#domain/money/withdrawals/verify-withdrawals"
import { verifyUsers } from "#domain/people/users/verify-users"
import { verifyPlatformTotals } from "#domain/platform/totals/verify-platform-totals"
import { countPostings, type LedgerDifference, verifyLedger } from "#ledger/verify-ledger"

/** A check reads the whole history, and most of them queue behind the others first. */
const longestMs = 30 * 60_000
export const verifyingPool = {
  max: 4,
  applicationName: "tilinta verify",
  connectionMs: longestMs,
  statementMs: longestMs,
  silenceMs: longestMs,
} as const

interface VerifiedBooks {
  postings: number
  differences: LedgerDifference[]
}

/** Recomputes every balance and total from the postings and rows, for the command, the nightly check and the button. */
export async function verifyBooks(db: Db): Promise<VerifiedBooks> {
  const checks = [
    verifyLedger,
    verifyPayments,
    verifyRefunds,
    verifyDisputes,
    verifyWithdrawals,
    verifyReserves,
    verifyStatements,
    verifyUsers,
    verifyPlatformTotals,
  ]
  const differences = (await Promise.all(checks.map((check) => check(db)))).flat()
  return { postings: await countPostings(db), differences }
}
