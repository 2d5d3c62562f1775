import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Cents } from "@tilinta/contract/vocabulary/money"
import { closeDays } from "../server/src/bank/daily-closes/close.ts"
import { listDailyCloses } from "../server/src/bank/daily-closes/daily-close.ts"
import { boundsOf, comparableFrom } from "../server/src/bank/daily-closes/rules.ts"
import { ensurePspConnection } from "../server/src/bank/psp-inbox/connection.ts"
import { connectEmbedded } from "../server/src/db/embedded-postgres.ts"
import { migrate } from "../server/src/db/migrate.ts"
import { createPool } from "../server/src/db/pools.ts"
import { createDb } from "../server/src/db/transaction.ts"
import { saoPauloDay, secondsAfter, systemClock } from "../server/src/kit/clock.ts"
import { createLog } from "../server/src/kit/log.ts"
import { connectSimulator } from "../server/src/psp/connect-psp.ts"
import type { PaymentReceived, Psp } from "../server/src/psp/psp.ts"

/** `npm run bench:close [receipts]`: the duration of one day's close, and how much memory it needs. */
const receipts = Number(process.argv[2] ?? 100_000)
const page = 100

const day = saoPauloDay(new Date())
const { from } = boundsOf(day)
const log = createLog("silent")
const idOf = (index: number) => `E00000000${String(index).padStart(23, "0")}`
const paidAt = (index: number) => secondsAfter(from, (index * 80_000) / receipts)

/** A bank that lists as many receipts as requested, generated on the fly. */
function talkativeBank(onPage: () => void): Psp {
  const nowhere = { url: "http://127.0.0.1:9", clientId: "x", clientSecret: "x", receiverKey: "x" }
  async function* listReceipts(): AsyncGenerator<PaymentReceived[]> {
    for (let start = 0; start < receipts; start += page) {
      onPage()
      yield Array.from({ length: page }, (_, offset) => ({
        provider: "simulator",
        endToEndId: idOf(start + offset),
        txid: null,
        amountCents: 100 as Cents,
        paidAt: paidAt(start + offset),
        refunds: [],
      }))
    }
  }
  return { ...connectSimulator(nowhere, log), listReceipts, listRefundedReceipts: null, payouts: null }
}

const insertPayments = `
  insert into payments (end_to_end_id, provider, amount_cents, paid_at, received_at, disposition, reason)
  select 'E00000000' || lpad(index::text, 23, '0'), 'simulator', 100,
    $1::timestamptz + index * 80000.0 / $2::int * interval '1 second', now(), 'suspense', 'unknown_txid'
  from generate_series(0, $2::int - 1) index`

const dataDir = await mkdtemp(join(tmpdir(), "tilinta-close-"))
const postgres = await connectEmbedded({ dataDir, log })
try {
  await migrate({ ownerUrl: postgres.url, log })
  const pool = createPool({ url: postgres.url, max: 4, applicationName: "tilinta bench" })
  const db = createDb(pool)
  await ensurePspConnection({ db, clock: systemClock }, "simulator")
  await pool.query(insertPayments, [from, receipts])
  let mostMb = 0
  const megabytes = () => process.memoryUsage().rss / 1_048_576
  const psp = talkativeBank(() => {
    mostMb = Math.max(mostMb, megabytes())
  })
  const before = megabytes()
  const begin = performance.now()
  const tomorrow = secondsAfter(comparableFrom(day), 1)
  await closeDays({ db, psp, clock: { now: () => tomorrow }, log })
  const seconds = ((performance.now() - begin) / 1000).toFixed(1)
  const { closes } = await listDailyCloses(db, { offset: 0, limit: 1 })
  const totals = closes[0]?.totals.find(({ kind }) => kind === "receipt")
  console.log(`${receipts} receipts in ${seconds} s; memory grew by ${Math.round(mostMb - before)} MB`)
  console.log(`ours ${totals?.ours.count}, the bank's ${totals?.bank.count}, status ${closes[0]?.status}`)
  await pool.end()
} finally {
  await postgres.stop()
  await rm(dataDir, { recursive: true, force: true })
}
