import { afterAll, beforeAll, expect, test } from "vitest"
import { createLog } from "#kit/log"
import { readEnv } from "../src/env.ts"
import { fillDemoOnce } from "../src/start-demo.ts"
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
  union all select 'mails that wait', count(*)::int from mails where sent_at is null and given_up_at is null`

const states = [
  ...["pending", "paid", "expired", "cancelled", "failed", "refunded"].map((status) => `charge ${status}`),
  ...["active", "completed", "expired", "cancelled"].map((status) => `page ${status}`),
  ...["pending", "approved", "processing", "completed", "rejected", "cancelled"].map((each) => `withdrawal ${each}`),
  ...["withdrawal by pix", "withdrawal by bank_transfer"],
  ...["late", "duplicate", "wrong_amount", "unknown_txid", "charge_already_paid"].map((each) => `unmatched ${each}`),
  ...["refund completed", "refund processing", "refund refused", "refund by seller", "refund by bank"],
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

  const booked = await readBooked(databaseUrl)
  demo.kill("SIGTERM")
  expect(await demo.exited).toEqual({ code: 0, signal: null })
  expect(
    readBankPayments(dataDir)
      .map(({ endToEndId, amountCents }) => `${endToEndId} ${amountCents}`)
      .toSorted(),
  ).toEqual(booked)
})

async function readBooked(databaseUrl: string): Promise<string[]> {
  const text = "select end_to_end_id || ' ' || amount_cents as payment from payments"
  const rows = await query<{ payment: string }>(databaseUrl, text)
  return rows.map(({ payment }) => payment).toSorted()
}
