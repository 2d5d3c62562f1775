import { connectEmbedded } from "#db/embedded-postgres"
import { createPool } from "#db/pool"
import { createDb, type Db } from "#db/transaction"
import { verifyBooks, verifyingPool } from "#domain/overviews/ledger-checks/verify-books"
import { createLog } from "#kit/log"
import { StartError } from "#kit/start-error"
import { readEnv } from "./env.ts"

/** `npm run verify`: recomputes every balance and total from the postings and rows. Exit 1 on any difference. */
async function verify(db: Db): Promise<number> {
  const { postings, differences } = await verifyBooks(db)
  for (const { what, expected, found } of differences) {
    process.stdout.write(`DIFERENÇA: ${what}: esperado ${expected}, encontrado ${found}\n`)
  }
  if (differences.length === 0) {
    process.stdout.write(`Tudo confere: ${postings} lançamentos, saldos e totais sem nenhuma diferença.\n`)
  }
  return differences.length === 0 ? 0 : 1
}

async function main(): Promise<number> {
  const env = readEnv(process.env)
  const log = createLog("silent")
  const embedded = env.databaseUrl === null ? await connectEmbedded({ dataDir: env.dataDir, log }) : null
  const url = env.databaseUrl ?? embedded?.url ?? ""
  const pool = createPool({ url, ...verifyingPool })
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
