import { afterAll, beforeEach, describe, expect, test } from "vitest"
import { bookPayments } from "#money/payments/book"
import { findByLink } from "#selling/charge-pages/checkout-pages"
import { updateInvoice } from "#selling/closings/invoices"
import { eraseOwnData } from "#selling/customers/own-data"
import { findEndedInvoice } from "#selling/invoices/public-invoice"
import { issueCycles } from "#selling/subscriptions/issue"
import { cancelSubscription, pauseSubscription } from "#selling/subscriptions/manage"
import {
  type MandateInput,
  openAutomaticSandbox,
  refusedAs,
  type SubscriptionInput,
  workOnDebits,
} from "../../../test-support/automatic-sandbox.ts"
import { times } from "../../../test-support/races.ts"
import { saveSetting } from "../../../test-support/save-setting.ts"
import { askAboutMandates } from "./ask.ts"
import { cancelDebit, requestRetry } from "./debits.ts"
import { resumeMandate } from "./manage.ts"
import { getDebit, listMandatesOf } from "./reads.ts"

const world = await openAutomaticSandbox()
const {
  sandbox,
  deps,
  bank,
  alarms,
  at,
  own,
  subscribe,
  request,
  mandateOf,
  approve,
  run,
  debitOf,
  withDebit,
  codeOf,
  payByLink,
  now,
  sellerId,
} = world

beforeEach(() => world.begin())
afterAll(() => world.end())

describe("case", () => {
  test("12: a window that was missed is never a debit on another day", async () => {
    const subscription = await subscribe()
    await approve(await request(subscription))
    at("2026-12-28", "12:00")
    await run()
    const { invoice, debit } = await debitOf(subscription)
    expect(debit).toBeNull()
    expect(
      bank.debits.size === 0 || ![...bank.debits.values()].some(({ recurrenceId }) => recurrenceId === "none"),
    ).toBe(true)
    await payByLink(invoice)
  })

  test("12: one that could not be sent before noon of D−3 goes by link, with an alarm", async () => {
    const subscription = await subscribe()
    await approve(await request(subscription))
    at("2026-12-28", "11:59")
    bank.fault("createDebit", "unknown")
    await run()
    at("2026-12-28", "12:30")
    await run()
    const { invoice, debit } = await debitOf(subscription)
    expect(debit).toMatchObject({ status: "cancelled", isSent: false })
    expect(invoice.debitFrom).toBeNull()
    expect(alarms).toContain("debit_window_missed")
  })

  test.each([
    ["13", "DTED", "alarm"],
    ["14", "AM09", "alarm"],
  ])("%s: %s is a mistake of ours: alarm, and the link", async (_number, code) => {
    const { subscription, debit } = await withDebit()
    bank.set(debit.txid, { state: "rejected", endedCode: code })
    await run()
    expect((await debitOf(subscription)).debit).toMatchObject({ status: "failed", endedCode: code })
    expect((await getDebit(sandbox.db, debit.id)).endedAt).not.toBeNull()
    expect(alarms).toContain("debit_failed_by_us")
    await payByLink((await debitOf(subscription)).invoice)
  })

  test("14: never another amount than the authorised one: an invoice that was changed isn't debited", async () => {
    const { subscription, invoice, debit } = await withDebit()
    await updateInvoice(sandbox, own(invoice), { terms: { amount: 150 }, order: {} })
    await run()
    expect(await getDebit(sandbox.db, debit.id)).toMatchObject({ status: "cancelled" })
    await run()
    expect([...bank.debits.values()].filter(({ txid }) => txid === debit.txid)).toHaveLength(1)
    expect((await debitOf(subscription)).invoice.status).toBe("open")
  })

  async function failOnDay(code: string | null, given: SubscriptionInput & MandateInput = {}) {
    const made = await withDebit(given)
    bank.schedule(made.debit.txid)
    at("2026-12-31", "21:31")
    bank.fail(made.debit.txid, code === null ? "expired" : "rejected", code)
    await run()
    return { ...made, debit: await getDebit(sandbox.db, made.debit.id) }
  }

  test("15: above the customer's ceiling: the link for this cycle, the authorisation stays", async () => {
    const { mandate, debit, subscription } = await failOnDay("AM02")
    expect(debit).toMatchObject({ status: "failed", retryDay: null })
    expect(debit.endedAt).not.toBeNull()
    expect(await mandateOf(mandate)).toMatchObject({ status: "approved", restsFor: null })
    await payByLink((await debitOf(subscription)).invoice)
  })

  test.each(["AC06", "BLCK"])("16 and 18: an account that is blocked (%s) may be tried again", async (code) => {
    const { debit } = await failOnDay(code)
    expect(debit).toMatchObject({ status: "failed", retryDay: "2027-01-02", endedAt: null })
  })

  test.each([
    ["17", "AC05", "account_closed"],
    ["17", "ACCT", "account_closed"],
    ["24", "DENC", "debtor_differs"],
    ["24", "UDEI", "debtor_differs"],
    ["25", "CRNC", "receiver_differs"],
    ["26", "AG12", "same_bank"],
  ])("%s: after %s the authorisation rests, and cycles go by link", async (_number, code, restsFor) => {
    const { mandate, debit } = await failOnDay(code)
    expect(debit.endedAt).not.toBeNull()
    expect(await mandateOf(mandate)).toMatchObject({ status: "approved", restsFor })
    expect((await resumeMandate(sandbox, own(mandate))).restsFor).toBeNull()
  })

  test("19: no funds: tried again by the policy, told the day before between 8 and 20, and paid", async () => {
    const { subscription, debit } = await failOnDay(null)
    expect(debit).toMatchObject({ status: "failed", retryDay: "2027-01-02" })
    const asked = () => bank.calls.filter((call) => call === `retryDebit ${debit.txid}`).length
    at("2027-01-01", "07:59")
    await run()
    expect(asked()).toBe(0)
    at("2027-01-01", "08:00")
    await run()
    await run()
    expect(asked()).toBe(1)
    const { invoice } = await debitOf(subscription)
    await expect(codeOf(invoice)).rejects.toEqual(refusedAs("debit_under_way"))
    at("2027-01-02", "09:00")
    bank.pay(debit.txid)
    await run()
    expect(await getDebit(sandbox.db, debit.id)).toMatchObject({ status: "paid" })
    expect((await debitOf(subscription)).invoice.status).toBe("paid")
  })

  test("20: without further attempts in the authorisation there is only the link", async () => {
    const { debit } = await failOnDay(null, { retryPolicy: "none" })
    expect(debit).toMatchObject({ status: "failed", retryDay: null })
    expect(debit.endedAt).not.toBeNull()
    await expect(requestRetry(sandbox, { ...own(debit), day: "2027-01-03" })).rejects.toEqual(
      refusedAs("debit_not_retryable"),
    )
  })

  test("21: not on D+8, not a fourth time, not while one lives, not after it was paid", async () => {
    const { debit } = await failOnDay(null)
    const retry = (day: string) => requestRetry(sandbox, { ...own(debit), day })
    await expect(retry("2027-01-08")).rejects.toMatchObject({ shownMessage: expect.stringContaining("07/01/2027") })
    await expect(retry("2026-12-31")).rejects.toEqual(refusedAs("debit_not_retryable"))
    expect((await retry("2027-01-02")).debit.retryDay).toBe("2027-01-02")
    at("2027-01-01", "10:00")
    await run()
    await expect(retry("2027-01-04")).rejects.toMatchObject({ shownMessage: "Ainda há uma tentativa em andamento." })
    at("2027-01-02", "21:31")
    bank.fail(debit.txid, "expired", null)
    await run()
    await expect(retry("2027-01-03")).rejects.toMatchObject({ shownMessage: expect.stringContaining("20h") })
    await retry("2027-01-04")
    at("2027-01-03", "09:00")
    await run()
    at("2027-01-04", "21:31")
    bank.fail(debit.txid, "expired", null)
    await run()
    await retry("2027-01-06")
    at("2027-01-05", "09:00")
    await run()
    at("2027-01-06", "19:00")
    bank.fail(debit.txid, "expired", null)
    await run()
    expect((await getDebit(sandbox.db, debit.id)).attempts).toHaveLength(4)
    at("2027-01-06", "21:31")
    await run()
    await expect(retry("2027-01-07")).rejects.toEqual(refusedAs("debit_not_retryable"))
    bank.pay(debit.txid)
    await run()
    await bookPayments(
      sandbox,
      (await getDebit(sandbox.db, debit.id)).status === "paid" ? [] : bank.receiptsOf(debit.txid),
    )
    await expect(retry("2027-01-07")).rejects.toMatchObject({ shownMessage: "Este débito já foi pago." })
  })

  test("22: never on the day of the next cycle or after it, also where that is charged already", async () => {
    const given = { period: "weekly", leadDays: 6, terms: { dueDate: "2026-12-30" } } as const
    const { debit } = await failOnDay(null, given)
    for (const day of ["2027-01-06", "2027-01-07"]) {
      await expect(requestRetry(sandbox, { ...own(debit), day })).rejects.toEqual(refusedAs("debit_not_retryable"))
    }
    expect((await requestRetry(sandbox, { ...own(debit), day: "2027-01-05" })).debit.retryDay).toBe("2027-01-05")
  })

  test("23: an authorisation that the bank doesn't confirm is asked about again", async () => {
    const { mandate } = await failOnDay("MSUC")
    bank.end(mandate.contract, "cancelled", { by: "payer_bank", code: "ACCL" })
    await askAboutMandates(sandbox)
    expect(await mandateOf(mandate)).toMatchObject({ status: "cancelled_by_bank" })
  })

  test("27: early payment by the link cancels the debit; one that comes all the same is a duplicate", async () => {
    const { subscription, invoice, debit } = await withDebit()
    await payByLink(invoice)
    await run()
    expect(await getDebit(sandbox.db, debit.id)).toMatchObject({ status: "cancelled" })
    const receipt = bank.pay(debit.txid)
    await bookPayments(sandbox, [receipt])
    await bookPayments(sandbox, [receipt])
    const rows = await sandbox.db
      .selectFrom("unmatched_payments")
      .selectAll()
      .where("end_to_end_id", "=", receipt.endToEndId)
      .execute()
    expect(rows).toMatchObject([{ reason: "duplicate" }])
    expect((await debitOf(subscription)).invoice.status).toBe("paid")
  })

  test("28: a debit that the bank calls paid without a receipt is an alarm, not money", async () => {
    const { debit } = await withDebit()
    at("2026-12-31", "09:00")
    bank.set(debit.txid, { state: "paid" })
    await run()
    expect(alarms).toContain("debit_without_receipt")
    expect((await getDebit(sandbox.db, debit.id)).status).not.toBe("paid")
  })

  test("29: a receipt that comes while the bank calls the debit scheduled is booked, once, however many tell it", async () => {
    const { subscription, debit } = await withDebit()
    bank.schedule(debit.txid)
    at("2026-12-31", "06:00")
    const receipt = bank.pay(debit.txid)
    bank.set(debit.txid, { state: "scheduled" })
    await times(4, () => bookPayments(sandbox, [receipt]))
    expect((await debitOf(subscription)).invoice.status).toBe("paid")
    expect(await getDebit(sandbox.db, debit.id)).toMatchObject({ status: "paid" })
    expect(
      await sandbox.db.selectFrom("payments").select("txid").where("txid", "=", debit.txid).execute(),
    ).toHaveLength(1)
  })

  test("30: a debit after our own cancellation is booked as late", async () => {
    const { debit } = await withDebit()
    await cancelDebit(sandbox, own(debit))
    await run()
    const receipt = bank.pay(debit.txid)
    await bookPayments(sandbox, [receipt])
    const rows = await sandbox.db
      .selectFrom("unmatched_payments")
      .selectAll()
      .where("end_to_end_id", "=", receipt.endToEndId)
      .execute()
    expect(rows).toMatchObject([{ reason: "late" }])
  })

  test.each(["seller", "page", "platform", "pause"])("32: stopped by %s: debits are cancelled in time", async (by) => {
    const { subscription, mandate, invoice, debit } = await withDebit()
    if (by === "seller")
      await sandbox.db.updateTable("users").set({ active: false }).where("id", "=", sellerId()).execute()
    if (by === "platform") await saveSetting(sandbox.db, "AUTOMATIC_PIX", false)
    if (by === "pause") await pauseSubscription(sandbox, { ...own(subscription), cancelOpenInvoices: false })
    if (by === "page") {
      await sandbox.db
        .updateTable("charge_pages")
        .set({ suspended_at: now(), suspended_for: "scam" })
        .where("id", "=", invoice.pageId)
        .execute()
    }
    await run()
    expect(await getDebit(sandbox.db, debit.id)).toMatchObject({ status: "cancelled" })
    expect(await mandateOf(mandate)).toMatchObject({ status: "approved" })
  })

  test("33: a customer with an authorisation is not erased before it has ended", async () => {
    const subscription = await subscribe()
    const mandate = await approve(await request(subscription))
    await cancelSubscription(sandbox, { ...own(subscription), cancelOpenInvoices: true })
    const customer = { id: subscription.customer.id, sellerId: sellerId() }
    expect(await eraseOwnData(sandbox, { customer, address: "127.0.0.1" })).toBe(false)
    await run()
    await askAboutMandates(sandbox)
    expect(await mandateOf(mandate)).toMatchObject({ status: "cancelled_by_us" })
    expect(await eraseOwnData(sandbox, { customer, address: "127.0.0.1" })).toBe(true)
  })

  test("34: nothing is sent on a day that one of both clocks doesn't know yet", async () => {
    const subscription = await subscribe()
    await approve(await request(subscription))
    at("2026-12-24")
    await issueCycles(sandbox)
    const behind = { ...deps, psp: { ...deps.psp, bankTime: () => new Date("2026-12-22T12:00:00-03:00") } }
    await workOnDebits(behind)
    expect((await debitOf(subscription)).debit).toBeNull()
    const ahead = { ...deps, psp: { ...deps.psp, bankTime: () => new Date("2026-12-29T12:00:00-03:00") } }
    await workOnDebits(ahead)
    expect((await debitOf(subscription)).debit).toBeNull()
  })
})

test("a sandbox whose days are ahead as its bank's clock is counts them once", async () => {
  const subscription = await subscribe()
  await approve(await request(subscription))
  const aheadMs = 23 * 86_400_000
  const inDays = () => new Date(sandbox.clock.now().getTime() + aheadMs)
  const clock = { ...sandbox.clock, aheadMs: () => aheadMs }
  const moved = { ...deps, clock, psp: { ...deps.psp, bankTime: inDays } }
  await issueCycles(moved)
  await workOnDebits(moved)
  expect((await debitOf(subscription)).debit).toMatchObject({ dueDay: "2026-12-31" })
})

test("after the cut-off the link shows no code, and codes end with it", async () => {
  const { invoice } = await withDebit()
  at("2026-12-30", "20:00")
  expect((await codeOf(invoice)).expiresAt).toEqual(new Date("2026-12-30T21:00:00-03:00"))
  at("2026-12-30", "20:58")
  await expect(codeOf(invoice)).rejects.toEqual(refusedAs("debit_under_way"))
})

test("after the cut-off the payer's page says when it is debited; once that failed it shows the amount again", async () => {
  const { invoice, debit } = await withDebit({ retryPolicy: "none" })
  const page = async () => (await findByLink(sandbox, invoice.uniqueLink)).hiddenBy
  const ended = () => findEndedInvoice(sandbox, invoice.uniqueLink)
  at("2026-12-30", "20:00")
  expect([await page(), await ended()]).toEqual([null, null])
  at("2026-12-30", "21:00")
  expect([await page(), await ended()]).toMatchObject(["debit_under_way", { state: "debiting", debited: "amanhã" }])
  at("2026-12-31", "21:31")
  expect(await ended()).toMatchObject({ state: "debiting", debited: "hoje" })
  bank.fail(debit.txid, "expired", null)
  await run()
  expect([await page(), await ended()]).toEqual([null, null])
})

test("'failed' is told only after 21:30 of the day", async () => {
  const { debit } = await withDebit()
  bank.schedule(debit.txid)
  at("2026-12-31", "09:00")
  bank.fail(debit.txid, "rejected", "AM04")
  await run()
  expect(await getDebit(sandbox.db, debit.id)).toMatchObject({ status: "scheduled" })
  at("2026-12-31", "21:30")
  await run()
  expect(await getDebit(sandbox.db, debit.id)).toMatchObject({ status: "failed" })
})

test("each cycle is debited once, however many runs there are at once, and its unknown answer is sent again under its own txid", async () => {
  const subscription = await subscribe()
  await approve(await request(subscription))
  at("2026-12-24")
  await issueCycles(sandbox)
  bank.fault("createDebit", "lost-answer")
  await times(4, () => workOnDebits(deps))
  await run()
  const { debit } = await debitOf(subscription)
  expect(debit).toMatchObject({ isSent: true })
  const ofMandate = [...bank.debits.values()].filter(({ txid }) => txid === debit?.txid)
  expect(ofMandate).toHaveLength(1)
  const { mandates } = { mandates: await listMandatesOf(sandbox.db, subscription.id) }
  expect(
    [...bank.debits.values()].filter(({ recurrenceId }) => recurrenceId === mandates[0]?.recurrenceId),
  ).toHaveLength(1)
})

test("money of another amount than the debit's waits for a person", async () => {
  const { debit, subscription } = await withDebit()
  const receipt = bank.pay(debit.txid, 9_000 as never)
  await bookPayments(sandbox, [receipt])
  expect(
    await sandbox.db.selectFrom("payments").select("reason").where("end_to_end_id", "=", receipt.endToEndId).execute(),
  ).toEqual([{ reason: "unknown_txid" }])
  expect((await debitOf(subscription)).invoice.status).toBe("open")
})

test("days that the sandbox has moved are the bank's days, too", async () => {
  const subscription = await subscribe()
  await approve(await request(subscription))
  const dayMs = 86_400_000
  const clock = { now, aheadMs: () => 23 * dayMs }
  const bankTime = () => new Date(now().getTime() + 23 * dayMs)
  const moved = { ...deps, clock, psp: { ...deps.psp, bankTime } }
  await issueCycles(moved)
  await workOnDebits(moved)
  expect((await debitOf(subscription)).debit).toMatchObject({ isSent: true })
})

test.each(["refused", "missed"])("a debit that was announced, and is %s, is told as failed once", async (how) => {
  const subscription = await subscribe()
  await approve(await request(subscription))
  at(how === "missed" ? "2026-12-28" : "2026-12-24", "11:59")
  bank.fault("createDebit", how === "missed" ? "unknown" : "rejected")
  await run()
  at(how === "missed" ? "2026-12-28" : "2026-12-24", "12:30")
  await run()
  await run()
  const { debit, invoice } = await debitOf(subscription)
  expect(debit?.endedAt).not.toBeNull()
  expect(invoice.debitFrom).toBeNull()
  const notices = await sandbox.db
    .selectFrom("notices")
    .select("dedupe_key")
    .where("dedupe_key", "like", `%${debit?.id}%`)
    .execute()
  expect(notices).toHaveLength(1)
})
