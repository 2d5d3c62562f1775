import { dueTermsOf, type SentTerms } from "@tilinta/contract/vocabulary/invoices"
import type { MandateJourney, RetryPolicy } from "@tilinta/contract/vocabulary/mandates"
import { afterAll, beforeEach, describe, expect, test } from "vitest"
import { secondsAfter } from "#kit/clock"
import { verifyLedger } from "#ledger/reads"
import { bookPayments } from "#money/payments/book"
import { findPaymentDifferences } from "#money/payments/verify-reads"
import { createCharge } from "#selling/charges/create"
import { updateInvoice } from "#selling/closings/invoices"
import { eraseOwnData } from "#selling/customers/own-data"
import { customerFieldsFrom } from "#selling/customers/rules"
import { findInvoiceDifferences } from "#selling/invoices/reads"
import { issueCycles, settleSubscriptions } from "#selling/subscriptions/issue"
import {
  cancelSubscription,
  createSubscription,
  pauseSubscription,
  updateSubscription,
} from "#selling/subscriptions/manage"
import { listCycles } from "#selling/subscriptions/reads"
import { openAutomaticBank } from "../../../test-support/automatic-bank.ts"
import { codesOf, times } from "../../../test-support/races.ts"
import { createSeller, openSandbox, receiptOf } from "../../../test-support/sandbox.ts"
import { saveSetting } from "../../../test-support/save-setting.ts"
import { withSharedClock } from "../../../test-support/shared-clock.ts"
import { askAboutMandates, hurryMandate } from "./ask.ts"
import { cancelDebit, requestRetry } from "./debits.ts"
import { cancelMandate, requestMandate, restMandateOfTxid, resumeMandate } from "./manage.ts"
import { findDebitsOfInvoices, getDebit, getMandate, listMandatesOf } from "./reads.ts"
import { runDebits } from "./run.ts"

let now = new Date("2026-12-01T12:00:00-03:00")
const shared = Object.assign(withSharedClock(await openSandbox(), { now: () => now }), { alarms: new Array<string>() })
const bank = openAutomaticBank(shared.psp.name, () => now)
const log = {
  ...shared.log,
  warn: () => undefined,
  error: (facts: { alarm?: string }) => void shared.alarms.push(facts.alarm ?? "?"),
} as unknown as typeof shared.log
const sandbox = { ...shared, log, psp: { ...shared.psp, automatic: bank.automatic } }
const { alarms } = sandbox
const deps = { ...sandbox, book: (payments: Parameters<typeof bookPayments>[1]) => bookPayments(sandbox, payments) }
let sellerId: string

beforeEach(async () => {
  now = new Date("2026-12-01T12:00:00-03:00")
  sellerId = await createSeller(sandbox)
  alarms.length = 0
  bank.calls.length = 0
  await saveSetting(sandbox.db, "AUTOMATIC_PIX", true)
  await saveSetting(sandbox.db, "LEGAL_NAME", "Tilinta Pagamentos Ltda")
  await saveSetting(sandbox.db, "LEGAL_CNPJ", "11222333000181")
  await sandbox.db
    .insertInto("automatic_sellers")
    .values({ seller_id: sellerId, reason: "x", enabled_by: sellerId, enabled_at: now })
    .execute()
})
afterAll(async () => {
  expect(await findInvoiceDifferences(sandbox.db)).toEqual([])
  expect(await findPaymentDifferences(sandbox.db)).toEqual([])
  expect(await verifyLedger(sandbox.db)).toEqual([])
  await sandbox.close()
})

const at = (day: string, hour = "12:00") => {
  now = new Date(`${day}T${hour}:00-03:00`)
}
const seller = () => ({ id: sellerId, address: "127.0.0.1" })
const own = ({ id }: { id: string }) => ({ id, seller: seller() })
const refusedAs = (code: string) => expect.objectContaining({ code })

interface Given {
  terms?: Partial<SentTerms>
  cycles?: number
  period?: "monthly" | "weekly"
  leadDays?: number
}

function subscribe({ terms = {}, ...given }: Given = {}) {
  return createSubscription(sandbox, {
    seller: seller(),
    idempotencyKey: null,
    customer: customerFieldsFrom({ name: "Bruno Lima", document: "52998224725", email: "bruno@exemplo.com.br" }),
    title: "Mensalidade",
    method: "automatic",
    period: given.period ?? "monthly",
    terms: dueTermsOf({ amount: 100, dueDate: "2026-12-31", daysAfterDue: 30, ...terms }),
    endsOn: null,
    cycles: given.cycles ?? null,
    leadDays: given.leadDays ?? 10,
  })
}

interface Asked {
  journey?: MandateJourney
  retryPolicy?: RetryPolicy
  startsOn?: string
}

const request = (subscription: { id: string }, asked: Asked = {}) =>
  requestMandate(sandbox, {
    subscriptionId: subscription.id,
    seller: seller(),
    journey: asked.journey ?? 2,
    startsOn: asked.startsOn ?? null,
    retryPolicy: asked.retryPolicy ?? "three_in_seven_days",
    idempotencyKey: null,
  })

const mandateOf = ({ id }: { id: string }) => getMandate(sandbox.db, id)

async function approve(mandate: { id: string; contract: string }) {
  bank.approve(mandate.contract)
  await askSoon()
  return mandateOf(mandate)
}

async function askSoon() {
  await sandbox.db.updateTable("mandates").set({ ask_at: now }).execute()
  await askAboutMandates(sandbox)
}

/** As the jobs do it: cycles are charged, debits made, the bank asked. */
async function run() {
  await issueCycles(sandbox)
  await sandbox.db.updateTable("debits").set({ ask_at: now }).execute()
  await runDebits(deps)
}

async function debitOf(subscription: { id: string }, number = 1) {
  const cycles = await listCycles(sandbox.db, subscription.id, { before: 1000, limit: 100 })
  const invoice = cycles.find((cycle) => cycle.number === number)?.invoice
  if (invoice === undefined) throw new Error("this cycle is not charged yet")
  const debit = (await findDebitsOfInvoices(sandbox.db, [invoice.id])).get(invoice.id) ?? null
  return { invoice, debit }
}

/** A subscription whose first cycle, of 31/12, is with the bank. */
async function withDebit(given: Given & Asked = {}) {
  const subscription = await subscribe(given)
  const mandate = await approve(await request(subscription, given))
  at("2026-12-24")
  await run()
  const { invoice, debit } = await debitOf(subscription)
  if (debit === null) throw new Error("no debit was made")
  return { subscription, mandate, invoice, debit }
}

const codeOf = ({ pageId }: { pageId: string }) =>
  createCharge(sandbox, { pageId, customerInfo: null, idempotencyKey: null })

async function payByLink(invoice: { pageId: string }) {
  const code = await codeOf(invoice)
  await bookPayments(sandbox, [{ ...receiptOf(code.txid, code.amountCents), paidAt: now }])
  return code
}

const eventsOf = async (subjectId: string) =>
  (
    await sandbox.db
      .selectFrom("event_drafts")
      .select("type")
      .where("subject_id", "=", subjectId)
      .orderBy("id")
      .execute()
  ).map(({ type }) => type)

describe("an authorisation", () => {
  test("is asked for, given and debits the cycle as an ordinary payment", async () => {
    const { subscription, mandate, invoice, debit } = await withDebit()
    expect(mandate).toMatchObject({ status: "approved", startsOn: "2026-12-31" })
    expect(debit).toMatchObject({ status: "created", isSent: true, dueDay: "2026-12-31", amountCents: 10_000 })
    bank.schedule(debit.txid)
    await run()
    expect(await getDebit(sandbox.db, debit.id)).toMatchObject({ status: "scheduled" })
    at("2026-12-31", "06:00")
    bank.pay(debit.txid)
    await run()
    await run()
    expect((await debitOf(subscription)).debit).toMatchObject({ status: "paid", attempts: [{ outcome: "paid" }] })
    const paid = (await debitOf(subscription)).invoice
    expect(paid).toMatchObject({ status: "paid", paid: { paidCents: 10_000 }, debitFrom: null })
    expect(await sandbox.db.selectFrom("payments").selectAll().where("txid", "=", debit.txid).execute()).toMatchObject([
      { disposition: "credited", seller_id: sellerId, page_id: null },
    ])
    expect(await eventsOf(debit.id)).toEqual(["debit.scheduled", "debit.paid"])
    expect(invoice.id).toBe(paid.id)
  })

  test("is one at a time for a subscription, however many ask at once", async () => {
    const subscription = await subscribe()
    const outcomes = await times(4, () => request(subscription))
    expect(codesOf(outcomes)).toEqual({ ok: 1, mandate_waiting: 3 })
    expect(bank.calls.filter((call) => call.startsWith("createRecurrence"))).toHaveLength(1)
  })

  test("is refused while Pix Automático is off, or the seller isn't enabled, or terms depend on the day", async () => {
    const subscription = await subscribe()
    await sandbox.db.deleteFrom("automatic_sellers").where("seller_id", "=", sellerId).execute()
    await expect(request(subscription)).rejects.toEqual(refusedAs("automatic_pix_unavailable"))
    await sandbox.db
      .insertInto("automatic_sellers")
      .values({ seller_id: sellerId, reason: "x", enabled_by: sellerId, enabled_at: now })
      .execute()
    await saveSetting(sandbox.db, "AUTOMATIC_PIX", false)
    await expect(request(subscription)).rejects.toEqual(refusedAs("automatic_pix_unavailable"))
    await saveSetting(sandbox.db, "AUTOMATIC_PIX", true)
    await saveSetting(sandbox.db, "LEGAL_CNPJ", "")
    await expect(request(subscription)).rejects.toEqual(refusedAs("automatic_pix_unavailable"))
    await saveSetting(sandbox.db, "LEGAL_CNPJ", "11222333000181")
    const fined = await subscribe({ terms: { fine: { type: "percent", value: 2 } } })
    await expect(request(fined)).rejects.toEqual(refusedAs("validation_failed"))
  })

  test("in journey 3 shows one code that pays the open cycle and authorises the next ones", async () => {
    at("2026-12-28")
    const subscription = await subscribe()
    const mandate = await request(subscription, { journey: 3 })
    expect(mandate.firstTxid).not.toBeNull()
    expect(mandate).toMatchObject({
      status: "waiting",
      startsOn: "2027-01-31",
      pixCode: `000201code${mandate.firstTxid}`,
    })
  })

  test("a new price is a new authorisation: the old one lives until the new one is given, then it ends", async () => {
    const { subscription, mandate } = await withDebit()
    await updateSubscription(sandbox, own(subscription), { amount: 120 })
    const newer = await request(subscription)
    expect(newer.amountCents).toBe(12_000)
    expect(await mandateOf(mandate)).toMatchObject({ status: "approved", cancelSince: null })
    await approve(newer)
    await askSoon()
    expect(await mandateOf(newer)).toMatchObject({ status: "approved" })
    expect(await mandateOf(mandate)).toMatchObject({ status: "cancelled_by_us" })
  })
})

describe("case", () => {
  test("1: a creation that timed out and exists is found by its contract", async () => {
    const subscription = await subscribe()
    bank.fault("createRecurrence", "lost-answer")
    const draft = await request(subscription)
    expect(draft).toMatchObject({ status: "draft", recurrenceId: null })
    now = secondsAfter(now, 61)
    await askAboutMandates(sandbox)
    expect(await mandateOf(draft)).toMatchObject({ status: "waiting" })
    expect(bank.calls.filter((call) => call.startsWith("createRecurrence"))).toHaveLength(1)
  })

  test("2: one that timed out and doesn't exist is asked for again after two empty searches, a minute apart", async () => {
    const subscription = await subscribe()
    bank.fault("createRecurrence", "unknown")
    const draft = await request(subscription)
    const creations = () => bank.calls.filter((call) => call.startsWith("createRecurrence")).length
    now = secondsAfter(now, 61)
    await askAboutMandates(sandbox)
    await askAboutMandates(sandbox)
    expect(creations()).toBe(1)
    now = secondsAfter(now, 30)
    await askAboutMandates(sandbox)
    expect(creations()).toBe(1)
    now = secondsAfter(now, 31)
    await askAboutMandates(sandbox)
    expect(creations()).toBe(2)
    expect(await mandateOf(draft)).toMatchObject({ status: "waiting" })
  })

  test("3: of two that are given for one subscription the older lives, with an alarm", async () => {
    const subscription = await subscribe()
    const mandate = await request(subscription)
    await bank.automatic.createRecurrence({
      ...{
        contract: mandate.contract,
        object: "",
        debtor: { name: "", document: "" },
        amountCents: mandate.amountCents,
      },
      ...{ period: "monthly", firstDay: "", lastDay: null, retryPolicy: "none", firstTxid: null },
    })
    const [, second] = bank.recurrences.filter(({ contract }) => contract === mandate.contract)
    Object.assign(second ?? {}, { state: "approved", approvedAt: secondsAfter(now, -60) })
    bank.approve(mandate.contract)
    await askSoon()
    await askSoon()
    expect(await mandateOf(mandate)).toMatchObject({ status: "approved", recurrenceId: second?.recurrenceId })
    expect(bank.recurrences.find(({ recurrenceId }) => recurrenceId === mandate.recurrenceId)?.state).toBe("cancelled")
    expect(alarms).toContain("mandate_twice")
  })

  test("4: a message that it was given proves nothing", async () => {
    const mandate = await request(await subscribe())
    await hurryMandate(sandbox, mandate.recurrenceId ?? "")
    await askAboutMandates(sandbox)
    expect(await mandateOf(mandate)).toMatchObject({ status: "waiting" })
  })

  test("6: given, but the first code was not paid: the authorisation stays, the cycle is paid by link", async () => {
    at("2026-12-28")
    const subscription = await subscribe()
    const mandate = await approve(await request(subscription, { journey: 3 }))
    expect(mandate.status).toBe("approved")
    at("2026-12-30")
    await run()
    const { invoice, debit } = await debitOf(subscription)
    expect(debit).toBeNull()
    await payByLink(invoice)
    expect((await debitOf(subscription)).invoice.status).toBe("paid")
  })

  test("7: the customer refuses: the cycles are paid by link", async () => {
    const subscription = await subscribe()
    const mandate = await request(subscription)
    bank.end(mandate.contract, "rejected", { by: "payer", code: "AP13" })
    await askSoon()
    expect(await mandateOf(mandate)).toMatchObject({ status: "rejected", endedCode: "AP13" })
    expect(await eventsOf(mandate.id)).toEqual(["mandate.rejected"])
    at("2026-12-24")
    await run()
    const { invoice, debit } = await debitOf(subscription)
    expect(debit).toBeNull()
    expect((await codeOf(invoice)).pixCode).not.toBe("")
  })

  test("8: a code that nobody reads is cancelled at the bank after 72 hours", async () => {
    const mandate = await request(await subscribe())
    at("2026-12-04", "11:00")
    await askSoon()
    expect(await mandateOf(mandate)).toMatchObject({ status: "waiting" })
    at("2026-12-04", "12:01")
    await askSoon()
    expect(await mandateOf(mandate)).toMatchObject({ status: "expired" })
    expect(bank.recurrences.find(({ contract }) => contract === mandate.contract)?.state).toBe("cancelled")
  })

  test("9: the customer cancels while a debit is scheduled: it is cancelled, and the cycle goes by link", async () => {
    const { subscription, mandate, debit } = await withDebit()
    bank.schedule(debit.txid)
    bank.end(mandate.contract, "cancelled", { by: "payer", code: "SLDB" })
    bank.set(debit.txid, { state: "cancelled", endedCode: "CCLD" })
    await askSoon()
    await run()
    expect(await mandateOf(mandate)).toMatchObject({ status: "cancelled_by_payer" })
    const { invoice, debit: ended } = await debitOf(subscription)
    expect(ended).toMatchObject({ status: "cancelled" })
    expect(invoice.debitFrom).toBeNull()
    at("2026-12-30", "22:00")
    expect((await codeOf(invoice)).pixCode).not.toBe("")
  })

  test("10: at 22:30 of the day before a seller can't cancel any more", async () => {
    const { debit } = await withDebit()
    at("2026-12-30", "22:30")
    await expect(cancelDebit(sandbox, own(debit))).rejects.toEqual(refusedAs("debit_too_late"))
    at("2026-12-30", "20:59")
    await cancelDebit(sandbox, own(debit))
    await run()
    expect(await getDebit(sandbox.db, debit.id)).toMatchObject({ status: "cancelled" })
  })

  test("11: a cancellation that the bank doesn't answer is repeated until it is known", async () => {
    const { debit } = await withDebit()
    bank.fault("cancelDebit", "lost-answer")
    await cancelDebit(sandbox, own(debit))
    await run()
    expect(await getDebit(sandbox.db, debit.id)).toMatchObject({ status: "created", endedAt: null })
    await run()
    expect(await getDebit(sandbox.db, debit.id)).toMatchObject({ status: "cancelled" })
  })

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

  async function failOnDay(code: string | null, given: Given & Asked = {}) {
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
    expect(debit).toMatchObject({ status: "failed", retryDay: "2027-01-03", endedAt: null })
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
    expect(debit).toMatchObject({ status: "failed", retryDay: "2027-01-03" })
    const asked = () => bank.calls.filter((call) => call === `retryDebit ${debit.txid}`).length
    at("2027-01-02", "07:59")
    await run()
    expect(asked()).toBe(0)
    at("2027-01-02", "08:00")
    await run()
    await run()
    expect(asked()).toBe(1)
    const { invoice } = await debitOf(subscription)
    await expect(codeOf(invoice)).rejects.toEqual(refusedAs("debit_under_way"))
    at("2027-01-03", "09:00")
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

  test("31: a debit that is disputed rests the authorisation until the seller looks", async () => {
    const { mandate, debit } = await withDebit()
    await sandbox.db.transaction().execute((tx) => restMandateOfTxid(tx, debit.txid, "disputed", now))
    await run()
    expect(await getDebit(sandbox.db, debit.id)).toMatchObject({ status: "cancelled" })
    expect(await mandateOf(mandate)).toMatchObject({ status: "approved", restsFor: "disputed" })
  })

  test.each(["seller", "page", "platform", "pause"])("32: stopped by %s: debits are cancelled in time", async (by) => {
    const { subscription, mandate, invoice, debit } = await withDebit()
    if (by === "seller")
      await sandbox.db.updateTable("users").set({ active: false }).where("id", "=", sellerId).execute()
    if (by === "platform") await saveSetting(sandbox.db, "AUTOMATIC_PIX", false)
    if (by === "pause") await pauseSubscription(sandbox, { ...own(subscription), cancelOpenInvoices: false })
    if (by === "page") {
      await sandbox.db
        .updateTable("charge_pages")
        .set({ suspended_at: now, suspended_for: "scam" })
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
    const customer = { id: subscription.customer.id, sellerId }
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
    await runDebits(behind)
    expect((await debitOf(subscription)).debit).toBeNull()
    const ahead = { ...deps, psp: { ...deps.psp, bankTime: () => new Date("2026-12-29T12:00:00-03:00") } }
    await runDebits(ahead)
    expect((await debitOf(subscription)).debit).toBeNull()
  })
})

test("after the cut-off the link shows no code, and codes end with it", async () => {
  const { invoice } = await withDebit()
  at("2026-12-30", "20:00")
  expect((await codeOf(invoice)).expiresAt).toEqual(new Date("2026-12-30T21:00:00-03:00"))
  at("2026-12-30", "20:58")
  await expect(codeOf(invoice)).rejects.toEqual(refusedAs("debit_under_way"))
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
  await times(4, () => runDebits(deps))
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

test("a completed subscription ends its authorisation", async () => {
  const { mandate, debit } = await withDebit({ cycles: 1 })
  at("2026-12-31", "06:00")
  bank.pay(debit.txid)
  await run()
  await settleSubscriptions(sandbox)
  await run()
  await askAboutMandates(sandbox)
  expect(await mandateOf(mandate)).toMatchObject({ status: "cancelled_by_us" })
})

test("the seller cancels an authorisation, with what can still be called off", async () => {
  const { mandate, debit } = await withDebit()
  expect(await cancelMandate(sandbox, own(mandate))).toMatchObject({ status: "cancelled_by_us" })
  await expect(cancelMandate(sandbox, own(mandate))).rejects.toEqual(refusedAs("mandate_ended"))
  await run()
  expect(await getDebit(sandbox.db, debit.id)).toMatchObject({ status: "cancelled" })
})
