import { afterAll, beforeAll, expect, test } from "vitest"
import { findNobodysDebits } from "#bank/bank-statements/reads"
import type { SoleDb } from "#db/transaction"
import type { Day } from "#kit/clock"
import { readStatement } from "#money/statements/statement"
import { listUnmatchedPayments } from "#money/unmatched-payments/list-reads"
import { listAllWithdrawals } from "#money/withdrawals/admin-reads"
import { listSellersWithdrawals } from "#money/withdrawals/reads"
import { readAccountDay, readAccountStatement, readBooks } from "#overviews/accounts/accounts"
import { type NameUsers, userNamer } from "#people/users/user-names"
import { foldPlatformChanges } from "#platform/totals/totals"
import { foldChargeChanges, listAllCharges, listSellersCharges } from "#selling/charges/lists"
import { readAutomaticFigures } from "#selling/mandates/reads"
import { asOwner, tamper } from "../../../test-support/as-owner.ts"
import { insertCharges } from "../../../test-support/insert-charge.ts"
import { insertChargePages } from "../../../test-support/insert-charge-pages.ts"
import { insertSellers } from "../../../test-support/insert-sellers.ts"
import { insertWithdrawals } from "../../../test-support/insert-withdrawals.ts"
import { buffersOf } from "../../../test-support/query-plans.ts"
import { createTestDatabase, type TestDatabase } from "../../../test-support/test-database.ts"
import { vacuum } from "../../../test-support/vacuum.ts"
import { listTopSellers, readDashboard, readSellerReport } from "./reports.ts"

let database: TestDatabase
let sellerId: string
let chargeIds: string[]

const clock = { now: () => new Date("2026-02-20T12:00:00Z") }

beforeAll(async () => {
  database = await createTestDatabase()
  const sellerIds = await insertSellers(database.db, 2_000)
  sellerId = sellerIds[0] ?? ""
  const pageIds = await insertChargePages(
    database.db,
    sellerIds.map((id) => ({ sellerId: id, at: "2026-01-01T12:00:00Z" })),
  )
  // A seller's sales are of pages that few pay, so a page of ten names several.
  const smallPages = await insertChargePages(
    database.db,
    Array.from({ length: 120 }, (_, number) => ({ sellerId, at: "2026-01-02T12:00:00Z", title: `Venda ${number}` })),
  )
  const rows = Array.from({ length: 6_000 }, (_, number) => {
    const seller = number % 10 === 0 ? 0 : (number * 7) % sellerIds.length
    const at = new Date(Date.UTC(2026, 0, 1) + number * 720_000)
    const pageId = seller === 0 ? smallPages[Math.floor(number / 50)] : pageIds[seller]
    return { sellerId: sellerIds[seller] ?? "", pageId: pageId ?? "", at }
  })
  chargeIds = await insertCharges(
    database.db,
    rows.map((row, number) => ({ ...row, at: row.at.toISOString(), status: number % 4 === 0 ? "paid" : "pending" })),
  )
  await insertWithdrawals(
    database.db,
    rows.map((row, number) => ({ ...row, status: number < 5_990 ? "completed" : "pending" })),
  )
  await asOwner(
    database,
    `insert into payments (end_to_end_id, provider, amount_cents, paid_at, disposition, reason)
     select 'E' || n, 'simulator', 100, now(), 'suspense', 'unknown_txid' from generate_series(1, 1500) n`,
    `insert into unmatched_payments (id, end_to_end_id, reason, received_at)
     select gen_random_uuid(), 'E' || n, 'unknown_txid', now() + n * interval '1 s' from generate_series(1, 1500) n`,
  )
  await tamper(
    database,
    `insert into debits (
       id, seller_id, mandate_id, invoice_id, provider, txid, amount_cents, due_day, created_at, is_sent,
       attempts, status, ended_at, ask_at, updated_at
     )
     select gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'simulator', 'T' || n, 1000,
       date '2026-02-01', timestamptz '2026-01-01Z' + n * interval '12 min', true, '[]',
       case when n % 500 = 0 then 'failed' else 'paid' end, now(), now(), now()
     from generate_series(1, 6000) n`,
    `insert into payments (
       end_to_end_id, provider, charge_id, seller_id, amount_cents, fee_cents, paid_at, received_at, xid, disposition
     )
     select 'P' || n, 'simulator', id, seller_id, amount_cents, fee_cents, created_at, created_at,
       (10 + n / 10)::text::xid8, 'credited'
     from (select *, row_number() over (order by created_at, id) as n from charges) charge`,
    `insert into journal (kind, reference, line, debit_account, credit_account, amount_cents, occurred_at, booked_at, xid)
     select movement.kind, 'J' || n, 1, debit, credit, 100, at, at, (10 + n / 10)::text::xid8
     from generate_series(1, 6000) n
     cross join lateral (select timestamptz '2026-01-01Z' + n * interval '12 min') moment (at)
     cross join (values
       ('withdrawal', 'seller-available:a', 'seller-held:a'), ('payout', 'seller-held:a', 'payouts-under-way:simulator'),
       ('payout-completed', 'payouts-under-way:simulator', 'psp-clearing:simulator'),
       ('dispute-blocked', 'seller-available:a', 'seller-blocked:a')
     ) movement (kind, debit, credit)
     where movement.kind <> 'dispute-blocked' or n % 10 = 0`,
  )
  await asOwner(
    database,
    `insert into bank_debits (id, key, day, amount_cents, text)
     select gen_random_uuid(), 'D' || n, date '2025-12-28' + n, 1000, 'Pix enviado' from generate_series(0, 60) n`,
    `insert into kept_paid_day_totals (seller_id, day, count, gross_cents, fee_cents, net_cents)
     select seller.id, date '2025-01-01' + n, 1, 1000, 0, 1000
     from generate_series(0, 330) n cross join (select id from users order by id desc limit 40) seller order by n, seller.id`,
    `insert into kept_charge_totals (seller_id, status, count, gross_cents, fee_cents, net_cents)
     select seller_id, 'paid', sum(count), sum(gross_cents), 0, sum(net_cents) from kept_paid_day_totals group by seller_id`,
    `insert into account_days (account, day, credits_cents, debits_cents, balance_cents)
     select account, date '2016-01-01' + n, 3, 1, 2 * (n + 1)
     from generate_series(0, 3700) n
     cross join unnest('{bank-tariffs,capital,corrections,fee-revenue,psp-clearing:simulator,seller-available,seller-blocked,seller-debt,
       seller-held,seller-reserved,suspense:simulator}'::text[]) account`,
    `insert into statement_lines (
       seller_id, at, number, amount_cents, fee_cents, balance_cents, charge_id, kind, reference
     )
     select
       seller_id, created_at, row_number() over own, amount_cents, fee_cents, sum(net_cents) over own, id, 'payment', 'E' || id
     from charges window own as (partition by seller_id order by created_at, id)`,
    `update account_days set first_xid = moved.first, last_xid = moved.last
     from (
       select (received_at at time zone 'America/Sao_Paulo')::date as day, min(xid) as first, max(xid) as last
       from payments where xid < '700' group by 1
     ) moved
     where moved.day = account_days.day`,
    "update entered_statements set below = pg_current_xact_id()",
  )
  await Promise.all([foldPlatformChanges(database), foldChargeChanges(database)])
  await vacuum(database)
})

afterAll(async () => {
  await database.drop()
})

/** Queries are read twice over the same pool: names are cached by the second time. */
let namer: { db: SoleDb; nameUsers: NameUsers } | undefined
function namerOf(db: SoleDb): NameUsers {
  if (namer?.db !== db) namer = { db, nameUsers: userNamer(db) }
  return namer.nameUsers
}

const all = { limit: 100, offset: 0 }
const own = { limit: 10, offset: 0 }
const days = { dayFrom: "2026-01-10", dayTo: "2026-01-25" }
const admins =
  (range: object, filter = {}) =>
  (db: SoleDb) =>
    listAllCharges({ db, reportsDb: db, nameUsers: namerOf(db), clock }, filter, { ...all, withTotals: true, ...range })
const sellers =
  (range: object, filter = {}) =>
  (db: SoleDb) =>
    listSellersCharges({ db, reportsDb: db, clock }, { sellerId, ...filter }, { ...own, ...range })

const statement = (page: { month?: string; after?: string }) => (db: SoleDb) =>
  readStatement({ db, clock }, { sellerId, month: page.month, after: page.after, limit: 10 })

const psp = { name: "simulator", label: "Simulador" }
const accountDays = (id: string, after?: Day) => (db: SoleDb) =>
  readAccountStatement({ db, clock, psp }, { id, after, limit: 31 })

const accountDay = (id: string, after?: string) => (db: SoleDb) =>
  readAccountDay({ db, clock, psp }, { id, day: "2026-02-10", after, limit: 10 })

const guarded = { clock, protection: "relaxed" } as const

// Upper bounds in buffers, which one more lookup per row, or per row's seller, would exceed.
test.for<[string, number, (db: SoleDb) => Promise<unknown>]>([
  ["a seller's transactions", 25, sellers({})],
  ["a seller's transactions of some days", 60, sellers({}, days)],
  ["a seller's transactions of one status", 25, sellers({}, { statuses: ["pending"] })],
  ["a seller's statement", 25, statement({})],
  ["a seller's statement of a month that has ended", 25, statement({ month: "2026-01" })],
  ["the account book", 120, (db) => readBooks({ db, clock, psp }, undefined)],
  ["the account book of a day long ago", 120, (db) => readBooks({ db, clock, psp }, "2016-02-01")],
  ["the days of an account", 25, accountDays("psp-clearing:simulator")],
  ["the days of an account, long ago", 25, accountDays("psp-clearing:simulator", "2016-03-01")],
  ["the days of what sellers have", 25, accountDays("seller-available", "2020-03-01")],
  ["a day of the bank's account", 25, accountDay("psp-clearing:simulator")],
  ["a day of what sellers have", 25, accountDay("seller-available")],
  ["a day of the fees", 25, accountDay("fee-revenue")],
  ["a day of what waits at the bank", 25, accountDay("suspense:simulator")],
  ["a day of what is blocked", 25, accountDay("seller-blocked")],
  ["a day of what sellers withdraw", 25, accountDay("seller-held")],
  ["a seller's withdrawals", 25, (db) => listSellersWithdrawals(db, { sellerId }, own)],
  ["everybody's transactions", 25, admins({})],
  ["everybody's transactions of some days", 25, admins({}, days)],
  [
    "everybody's withdrawals",
    30 + 10 * 33,
    (db) => listAllWithdrawals({ ...guarded, db, nameUsers: namerOf(db) }, {}, all),
  ],
  ["the bank's debits that nothing of ours explains", 150, (db) => findNobodysDebits(db, "2025-12-29")],
  ["why debits of Pix Automático failed", 25, (db) => readAutomaticFigures(db, new Date("2025-11-22Z"), clock.now())],
  ["payments to look at", 25, (db) => listUnmatchedPayments(db, { statuses: ["open"] }, all)],
  ["the dashboard", 30, (db) => readDashboard({ db, clock })],
  [
    "the best sellers of a year",
    500,
    (db) => listTopSellers({ db, clock }, { dayFrom: "2025-02-11", dayTo: "2026-02-10" }, 5),
  ],
  ["the best sellers of the month", 50, (db) => listTopSellers({ db, clock }, null, 5)],
  ["a seller's report", 100, (db) => readSellerReport({ db, clock }, { sellerId, days: 30 })],
])("%s: at most %d buffers are read", async ([, most, read]) => {
  expect(await buffersOf(database, read)).toBeLessThanOrEqual(most)
})

test("the same from the middle of the list", async () => {
  const after = chargeIds[3_000] ?? ""
  expect(await buffersOf(database, sellers({ after }))).toBeLessThanOrEqual(25)
  expect(await buffersOf(database, admins({ after }))).toBeLessThanOrEqual(25)
  const { next } = await statement({ month: "2026-01" })(database.db)
  // The balance before the month is a lookup more: the first page's first line tells it.
  expect(await buffersOf(database, statement({ month: "2026-01", after: next ?? "" }))).toBeLessThanOrEqual(28)
  const page = await accountDay("psp-clearing:simulator")(database.db)
  expect(page.postings).toHaveLength(10)
  expect(await buffersOf(database, accountDay("psp-clearing:simulator", page.next ?? ""))).toBeLessThanOrEqual(25)
})
