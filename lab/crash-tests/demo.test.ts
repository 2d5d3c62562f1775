import { afterAll, beforeAll, expect, test } from "vitest"
import { createLog } from "../../server/src/kit/log.ts"
import { fillDemoOnce } from "../../server/src/start/demo.ts"
import { readEnv } from "../../server/src/start/env.ts"
import { embeddedUrl, query, readBankPayments } from "./embedded-books.ts"
import { openWorkshop, type Workshop } from "./server-process.ts"
import { sendJson } from "./shop.ts"

let workshop: Workshop
let dataDir: string

beforeAll(async () => {
  workshop = await openWorkshop()
  dataDir = await workshop.newFolder()
})

afterAll(() => workshop.close())

const inEveryState = `
  select 'charge ' || status as state, count(*)::int from charges group by 1
  union all select 'page ' || status, count(*)::int from charge_pages group by 1
  union all select 'withdrawal ' || status, count(*)::int from withdrawals group by 1
  union all select 'withdrawal by ' || method, count(*)::int from withdrawals group by 1
  union all select 'unmatched ' || reason, count(*)::int from unmatched_payments where status = 'open' group by 1
  union all select 'refund ' || status, count(*)::int from refunds group by 1
  union all select 'refund by ' || origin, count(*)::int from refunds group by 1
  union all select 'partly refunded', count(*)::int from charges where status = 'paid' and refunded_cents > 0
  union all select 'late', count(*)::int from charges where is_late
  union all select 'duplicate', count(*)::int from charges where is_duplicate
  union all select 'pages for several payments', count(*)::int from charge_pages where max_payments is null
  union all select 'inactive', count(*)::int from users where not active
  union all select 'invited', count(*)::int from users where active and password_hash is null
  union all select 'changed settings', count(*)::int from audit_records where action = 'setting.update'
  union all select 'dispute ' || state, count(*)::int from disputes group by 1
  union all select 'day ' || case when difference_count > 0 then 'that differs' when mended_count > 0 then 'that was mended'
    else 'without a difference' end, count(*)::int from daily_closes where closed_at is not null group by 1
  union all select 'withdrawal returned by a person', count(*)::int from withdrawals
    where status = 'rejected' and returned_at is not null and method = 'bank_transfer'
  union all select 'withdrawal returned by its receiver', count(*)::int from withdrawals
    where status = 'rejected' and returned_cents = amount_cents and method = 'pix'
  union all select 'withdrawal of an inactive seller', count(*)::int from withdrawals join users on users.id = seller_id
    where status = 'approved' and not active
  union all select 'withdrawal without an answer', count(*)::int from withdrawals
    where status = 'processing' and approved_at < now() - interval '1 day'
  union all select 'mandate ' || status, count(*)::int from mandates group by 1
  union all select 'unreadable ' || kind, count(*)::int from unreadable_entries group by 1
  union all select 'balance below zero', count(*)::int from ledger_accounts where balance_cents < 0 and kind = 'seller-available'
  union all select 'mails that wait', count(*)::int from mails where sent_at is null and given_up_at is null`

const states = [
  ...["pending", "paid", "expired", "cancelled", "failed", "refunded"].map((status) => `charge ${status}`),
  ...["active", "completed", "expired", "cancelled"].map((status) => `page ${status}`),
  ...["pending", "approved", "processing", "completed", "rejected", "cancelled"].map((each) => `withdrawal ${each}`),
  ...["withdrawal by pix", "withdrawal by bank_transfer"],
  ...["late", "duplicate", "wrong_amount", "unknown_txid", "charge_already_paid"].map((each) => `unmatched ${each}`),
  ...["refund completed", "refund processing", "refund refused", "refund by seller", "refund by bank"],
  ...["waiting", "approved", "cancelled_by_payer"].map((status) => `mandate ${status}`),
  ...["open", "defended", "accepted", "rejected", "cancelled"].map((state) => `dispute ${state}`),
  ...[
    "day that differs",
    "day that was mended",
    "day without a difference",
    "unreadable receipt",
    "balance below zero",
  ],
  ...["returned by a person", "returned by its receiver", "of an inactive seller", "without an answer"].map(
    (how) => `withdrawal ${how}`,
  ),
  ...["partly refunded", "late", "duplicate", "pages for several payments", "inactive", "invited", "changed settings"],
]

test("a demonstration is filled once, with everything in every state, and its books are right", async () => {
  // One month has the same events as three, and keeps this test short.
  const env = readEnv({ DATA_DIR: dataDir, PORT: "0" })
  let fillings = 0
  const logins = await fillDemoOnce(env, {
    log: createLog("fatal"),
    signal: new AbortController().signal,
    onFilling: () => (fillings += 1),
    days: 20,
  })
  expect(fillings).toBe(1)

  const demo = await workshop.startServer({ dataDir, script: "server/src/demo.ts" })
  const databaseUrl = await embeddedUrl(dataDir)
  const count = async () => {
    const rows = await query<{ state: string; count: number }>(databaseUrl, inEveryState)
    return new Map(rows.map((row) => [row.state, row.count]))
  }
  const counts = await count()
  expect(states.filter((state) => !counts.get(state))).toEqual([])
  expect(counts.get("mails that wait")).toBe(0)
  expect(await workshop.verify({ dataDir })).toMatchObject({ code: 0 })

  expect(demo.stdout()).not.toContain("Preenchendo")
  for (const login of [logins.admin, logins.seller]) {
    expect(demo.stdout()).toContain(`${login.email}, senha ${login.password}`)
    expect(await sendJson(`${demo.url}/api/v1/auth/login`, "POST", login)).toMatchObject({ status: 200 })
  }

  const known = [...(await readBooked(databaseUrl)), ...(await readUnreadable(databaseUrl))].toSorted()
  demo.kill("SIGTERM")
  expect(await demo.exited).toEqual({ code: 0, signal: null })
  expect(
    readBankPayments(dataDir)
      .map(({ endToEndId, amountCents }) => `${endToEndId} ${amountCents}`)
      .toSorted(),
  ).toEqual(known)
})

async function readBooked(databaseUrl: string): Promise<string[]> {
  const text = "select end_to_end_id || ' ' || amount_cents as payment from payments"
  const rows = await query<{ payment: string }>(databaseUrl, text)
  return rows.map(({ payment }) => payment).toSorted()
}

/** Its amount, as the bank writes it: R$ 132,50. */
async function readUnreadable(databaseUrl: string): Promise<string[]> {
  const text =
    "select reference || ' ' || regexp_replace(amount_text, '\\D', '', 'g') as payment from unreadable_entries"
  const rows = await query<{ payment: string }>(databaseUrl, text)
  return rows.map(({ payment }) => payment)
}
