import { connectEmbedded } from "#db/embedded-postgres"
import { createPool } from "#db/pool"
import { createDb, type Db } from "#db/transaction"
import { verifyDisputes } from "#domain/disputes/verify-disputes"
import { verifyPayments } from "#domain/payments/verify-payments"
import { verifyPlatformTotals } from "#domain/platform-totals/verify-platform-totals"
import { verifyRefunds } from "#domain/refunds/verify-refunds"
import { verifyUsers } from "#domain/users/verify-users"
import { verifyWithdrawals } from "#domain/withdrawals/verify-withdrawals"
import { createLog } from "#kit/log"
import { StartError } from "#kit/start-error"
import { countPostings, verifyLedger } from "#ledger/verify-ledger"
import { readEnv } from "./env.ts"

/** A check reads the whole history, and most of them wait for the others before they begin. */
const longestMs = 30 * 60_000
const patience = { connectionMs: longestMs, statementMs: longestMs, silenceMs: longestMs }

/** `npm run verify`: recomputes every balance and total from the postings and rows. Exit 1 when anything differs. */
async function verify(db: Db): Promise<number> {
  const checks = [
    verifyLedger,
    verifyPayments,
    verifyRefunds,
    verifyDisputes,
    verifyWithdrawals,
    verifyUsers,
    verifyPlatformTotals,
  ]
  const differences = (await Promise.all(checks.map((check) => check(db)))).flat()
  for (const { what, expected, found } of differences) {
    process.stdout.write(`DIFERENÇA: ${what}: esperado ${expected}, encontrado ${found}\n`)
  }
  if (differences.length === 0) {
    const count = await countPostings(db)
    process.stdout.write(`Tudo confere: ${count} lançamentos, saldos e totais sem nenhuma diferença.\n`)
  }
  return differences.length === 0 ? 0 : 1
}

async function main(): Promise<number> {
  const env = readEnv(process.env)
  const log = createLog("silent")
  const embedded = env.databaseUrl === null ? await connectEmbedded({ dataDir: env.dataDir, log }) : null
  const url = env.databaseUrl ?? embedded?.url ?? ""
  const pool = createPool({ url, max: 4, applicationName: "tilinta verify", ...patience })
  try {
    return await verify(createDb(pool))
  } finally {
    await pool.end()
    await embedded?.stop()
  }
}

main().then(
  (code) => {
    process.exitCode = code
  },
  (error: unknown) => {
    const line = error instanceof StartError ? error.message : `A verificação falhou: ${String(error)}`
    process.stderr.write(`${line}\n`)
    process.exitCode = 2
  },
)
