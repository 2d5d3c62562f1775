import type { Db } from "#db/transaction"
import { readSigned } from "#domain/money/chain/read-signed"
import { type SignedSize, type VerifiedChain, verifyChain } from "#domain/money/chain/verify-chain"
import { verifyDisputes } from "#domain/money/disputes/verify-disputes"
import { verifyEntries } from "#domain/money/manual-entries/verify-entries"
import { verifyPayments } from "#domain/money/payments/verify-payments"
import { verifyRefunds } from "#domain/money/refunds/verify-refunds"
import { verifyStatements } from "#domain/money/statements/verify-statements"
import { verifyUsers } from "#domain/people/users/verify-users"
import type { SigningKeys } from "#domain/platform/signing-keys/open-signing-keys"
import { verifyPlatformTotals } from "#domain/platform/totals/verify-platform-totals"
import { countPostings, type LedgerDifference, verifyLedger } from "#ledger/verify-ledger"
import { verifyReserves } from "#money/reserves/reads"
import { verifyWithdrawals } from "#money/withdrawals/operator-reads"

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
  chain: Pick<VerifiedChain, "blocks" | "rows">
  differences: LedgerDifference[]
}

interface Wish {
  /** Null where SECRETS_KEY isn't at hand: then the signatures of checkpoints are not checked. */
  signingKeys?: SigningKeys | null
  /** A checkpoint that was kept elsewhere. */
  kept?: readonly SignedSize[]
  onProgress?: (done: number, all: number) => void
  /** Called when one of the checks has ended, with its name and the number of differences that it found. */
  onChecked?: (check: string, differences: number) => void
}

/** In the words of operators. */
const checks = {
  "saldos e lançamentos": verifyLedger,
  "pagamentos e cobranças": verifyPayments,
  estornos: verifyRefunds,
  contestações: verifyDisputes,
  saques: verifyWithdrawals,
  reservas: verifyReserves,
  "lançamentos manuais": verifyEntries,
  extratos: verifyStatements,
  usuários: verifyUsers,
  "totais da plataforma": verifyPlatformTotals,
} as const satisfies Record<string, (db: Db) => Promise<LedgerDifference[]>>

/**
 * Recomputes every balance and total from the postings and rows, and compares these with the chain that sealed them: for the
 * command, the nightly check and the button.
 */
export async function verifyBooks(db: Db, wish: Wish = {}): Promise<VerifiedBooks> {
  const [chain, ...found] = await Promise.all([
    verifySealed(db, wish),
    ...Object.entries(checks).map(async ([name, check]) => told(wish, name, await check(db))),
  ])
  const { differences, blocks, rows } = chain
  return { postings: await countPostings(db), chain: { blocks, rows }, differences: [...differences, ...found.flat()] }
}

function told({ onChecked }: Wish, name: string, differences: LedgerDifference[]): LedgerDifference[] {
  onChecked?.(name, differences.length)
  return differences
}

async function verifySealed(db: Db, wish: Wish): Promise<VerifiedChain> {
  const { signingKeys = null, kept = [], onProgress } = wish
  const signed = await readSigned(db, signingKeys)
  const checkpoints = [...signed.checkpoints, ...kept]
  const chain = await verifyChain(db, { checkpoints, ...(onProgress !== undefined && { onProgress }) })
  return { ...chain, differences: told(wish, "corrente", [...signed.differences, ...chain.differences]) }
}
