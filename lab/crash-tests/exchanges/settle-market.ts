import { closeDays } from "../../../server/src/bank/daily-closes/close.ts"
import { listDailyCloses } from "../../../server/src/bank/daily-closes/daily-close.ts"
import { createPool } from "../../../server/src/db/pools.ts"
import { createDb, type Db } from "../../../server/src/db/transaction.ts"
import type { Clock } from "../../../server/src/kit/clock.ts"
import { createLog } from "../../../server/src/kit/log.ts"
import { connectSimulator } from "../../../server/src/psp/connect-psp.ts"
import type { Psp } from "../../../server/src/psp/psp.ts"
import { afterToday } from "../../../server/test-support/after-today.ts"
import { query } from "../embedded-books.ts"
import { eventually } from "../eventually.ts"
import { bankClient } from "../installation.ts"
import { type Market, refusingReceiver } from "./market.ts"

const settledWithinMs = 240_000

const waiting = `select
  (select count(*)::int from psp_inbox where processed_at is null) as inbox,
  (select count(*)::int from withdrawals where method = 'pix' and status in ('approved', 'processing')) as withdrawals,
  (select count(*)::int from withdrawals where status = 'completed' and pix_key = '${refusingReceiver}') as returns,
  (select count(*)::int from refunds where status = 'processing') as refunds,
  (select count(*)::int from charges where removal = 'due') as removals`

/** Retries waiting for their back-off run now, since half the pauses last a minute. */
const hurry = [
  "update psp_inbox set next_attempt_at = now() where processed_at is null",
  "update withdrawals set next_attempt_at = now() where status = 'processing'",
  "update refunds set next_attempt_at = now() where status = 'processing'",
  "update charges set removal_not_before = now() where removal = 'due'",
]

const differences = `select format(
    'the daily close %s %s %s: %s, ours %s %s, the bank''s %s %s',
    case when is_mended then 'had to mend' else 'differs by' end,
    kind, reference, problem, our_cents, our_state, bank_cents, bank_state
  ) as sentence
  from daily_close_differences`

/** Waits until nothing is under way and everything at the bank is booked, by the server's own jobs alone. */
export async function untilSettled({ installation }: Market): Promise<void> {
  const { databaseUrl } = installation
  for (const statement of hurry) await query(databaseUrl, statement)
  await eventually(
    () => query<Record<string, number>>(databaseUrl, waiting),
    ([left]) => Object.values(left ?? {}).every((count) => count === 0),
    settledWithinMs,
  )
  const bank = connectBank(installation.bankUrl)
  const wanted = await countAtBank(bank)
  await eventually(
    () =>
      query<{ payments: number; refunds: number }>(
        databaseUrl,
        `select (select count(*)::int from payments) as payments,
           (select count(*)::int from refunds where status = 'completed') as refunds`,
      ),
    ([ours]) => ours?.payments === wanted.payments && ours.refunds === wanted.refunds,
    settledWithinMs,
  )
}

function connectBank(url: string): Psp {
  const { id, secret, receiverKey } = bankClient
  return connectSimulator({ url, clientId: id, clientSecret: secret, receiverKey }, createLog("silent"))
}

async function countAtBank(psp: Psp): Promise<{ payments: number; refunds: number }> {
  const counts = { payments: 0, refunds: 0 }
  const now = Date.now()
  const window = { from: new Date(now - 86_400_000), to: new Date(now + 60_000) }
  for await (const receipts of psp.listReceipts(window)) {
    counts.payments += receipts.length
    counts.refunds += receipts.flatMap(({ refunds }) => refunds).filter(({ state }) => state === "completed").length
  }
  return counts
}

/** Runs the daily close of these days as tomorrow's job would; one sentence per difference, mended ones included. */
export async function closeTheDay(
  { installation }: Pick<Market, "installation">,
  clock: Clock = afterToday(),
): Promise<string[]> {
  const pool = createPool({ url: installation.databaseUrl, max: 4, applicationName: "tilinta-test" })
  try {
    const db: Db = createDb(pool)
    const psp = { ...connectBank(installation.bankUrl), bankTime: clock.now }
    await closeDays({ db, psp, clock, log: createLog("silent") })
    const { closes } = await listDailyCloses(db, { offset: 0, limit: 50 })
    if (closes.length === 0 || closes.some(({ closedAt }) => closedAt === null)) throw new Error("a day was not closed")
    const found = await query<{ sentence: string }>(installation.databaseUrl, differences)
    return found.map(({ sentence }) => sentence)
  } finally {
    await pool.end()
  }
}
