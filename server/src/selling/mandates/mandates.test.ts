import { sql } from "kysely"
import { afterAll, beforeEach, describe, expect, test } from "vitest"
import { secondsAfter } from "#kit/clock"
import { bookPayments } from "#money/payments/book"
import { settleSubscriptions } from "#selling/subscriptions/issue"
import { updateSubscription } from "#selling/subscriptions/manage"
import { openAutomaticSandbox, refusedAs } from "../../../test-support/automatic-sandbox.ts"
import { codesOf, times } from "../../../test-support/races.ts"
import { receiptOf } from "../../../test-support/sandbox.ts"
import { saveSetting } from "../../../test-support/save-setting.ts"
import { askAboutMandates, askBankOf, hurryMandate } from "./ask.ts"
import { cancelDebit } from "./debits.ts"
import { cancelMandate, requestMandate } from "./manage.ts"
import { getDebit } from "./reads.ts"

const world = await openAutomaticSandbox()
const {
  sandbox,
  bank,
  alarms,
  at,
  later,
  own,
  subscribe,
  request,
  mandateOf,
  approve,
  askSoon,
  run,
  debitOf,
  withDebit,
  codeOf,
  payByLink,
  eventsOf,
  now,
  sellerId,
} = world

beforeEach(() => world.begin())
afterAll(() => world.end())

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
      { disposition: "credited", seller_id: sellerId(), page_id: null },
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

  test("needs invoices that leave before a debit must be at the bank, also later", async () => {
    const refused = { code: "validation_failed", errors: [expect.objectContaining({ path: "leadDays" })] }
    await expect(request(await subscribe({ leadDays: 3 }))).rejects.toMatchObject(refused)
    const subscription = await subscribe({ leadDays: 4 })
    await request(subscription)
    await expect(updateSubscription(sandbox, own(subscription), { leadDays: 3 })).rejects.toMatchObject(refused)
  })

  test("is made once, however many ask for what was just stored", async () => {
    const { id } = await request(await subscribe())
    const creations = () => bank.calls.filter((call) => call.startsWith("createRecurrence")).length
    const before = creations()
    const untried = {
      status: "draft",
      recurrence_id: null,
      approved_at: null,
      updated_at: sql<Date>`created_at`,
    } as const
    await sandbox.db.updateTable("mandates").set(untried).where("id", "=", id).execute()
    await times(4, () => askBankOf(sandbox, id))
    expect(creations()).toBe(before + 1)
  })

  test("is asked for by its request alone while the job runs", async () => {
    const subscription = await subscribe()
    const creations = () => bank.calls.filter((call) => call.startsWith("createRecurrence")).length
    const jobSees: number[] = []
    const transaction = () => ({
      execute: async (work: Parameters<ReturnType<typeof sandbox.db.transaction>["execute"]>[0]) => {
        const result = await sandbox.db.transaction().execute(work)
        await askAboutMandates(sandbox)
        jobSees.push(creations())
        return result
      },
    })
    const db = new Proxy(sandbox.db, {
      get(target, name) {
        if (name === "transaction") return transaction
        const part: unknown = Reflect.get(target, name, target)
        return typeof part === "function" ? part.bind(target) : part
      },
    })
    const wanted = { subscriptionId: subscription.id, seller: own(subscription).seller, journey: 2 } as const
    const usual = { startsOn: null, retryPolicy: "none", idempotencyKey: null } as const
    const mandate = await requestMandate({ ...sandbox, db }, { ...wanted, ...usual })
    expect(mandate).toMatchObject({ status: "waiting" })
    expect(jobSees.length).toBeGreaterThan(2)
    expect(creations()).toBe(1)
    expect(jobSees[1]).toBe(0)
  })

  test("is refused while Pix Automático is off, or the seller isn't enabled, or terms depend on the day", async () => {
    const subscription = await subscribe()
    await sandbox.db.deleteFrom("automatic_sellers").where("seller_id", "=", sellerId()).execute()
    await expect(request(subscription)).rejects.toEqual(refusedAs("automatic_pix_unavailable"))
    await sandbox.db
      .insertInto("automatic_sellers")
      .values({ seller_id: sellerId(), reason: "x", enabled_by: sellerId(), enabled_at: now() })
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

  test("in journey 3 debits from the next cycle on, also where the open one could still be debited", async () => {
    at("2026-12-22")
    const subscription = await subscribe()
    await expect(request(subscription, { journey: 3, startsOn: "2026-12-31" })).rejects.toEqual(
      refusedAs("validation_failed"),
    )
    const mandate = await request(subscription, { journey: 3 })
    expect(mandate.startsOn).toBe("2027-01-31")
    await approve(mandate)
    at("2026-12-24")
    await run()
    const { invoice, debit } = await debitOf(subscription)
    expect(debit).toBeNull()
    await payByLink(invoice)
    at("2027-01-25")
    await run()
    expect((await debitOf(subscription)).invoice).toMatchObject({ id: invoice.id, status: "paid" })
    expect((await debitOf(subscription, 2)).debit).toMatchObject({ dueDay: "2027-01-31", isSent: true })
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
    later(61)
    await askAboutMandates(sandbox)
    expect(await mandateOf(draft)).toMatchObject({ status: "waiting" })
    expect(bank.calls.filter((call) => call.startsWith("createRecurrence"))).toHaveLength(1)
  })

  test("2: one that timed out and doesn't exist is asked for again after two empty searches, a minute apart", async () => {
    const subscription = await subscribe()
    bank.fault("createRecurrence", "unknown")
    const draft = await request(subscription)
    const creations = () => bank.calls.filter((call) => call.startsWith("createRecurrence")).length
    later(61)
    await askAboutMandates(sandbox)
    await askAboutMandates(sandbox)
    expect(creations()).toBe(1)
    later(30)
    await askAboutMandates(sandbox)
    expect(creations()).toBe(1)
    later(31)
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
    Object.assign(second ?? {}, { state: "approved", approvedAt: secondsAfter(now(), -60) })
    bank.approve(mandate.contract)
    await askSoon()
    await askSoon()
    expect(await mandateOf(mandate)).toMatchObject({ status: "approved", recurrenceId: second?.recurrenceId })
    expect(bank.recurrences.find(({ recurrenceId }) => recurrenceId === mandate.recurrenceId)?.state).toBe("cancelled")
    expect(alarms).toContain("mandate_twice")
  })

  test.each([0, 1])("3: of two that nobody gave one lives, whichever is known here (%i)", async (known) => {
    const subscription = await subscribe()
    const mandate = await request(subscription)
    await bank.automatic.createRecurrence({
      ...{ contract: mandate.contract, object: "", debtor: { name: "", document: "" } },
      ...{ amountCents: mandate.amountCents, period: "monthly", firstDay: "", lastDay: null },
      ...{ retryPolicy: "none", firstTxid: null },
    })
    const both = bank.recurrences.filter(({ contract }) => contract === mandate.contract)
    const knows = (recurrenceId: string | undefined) =>
      sandbox.db.updateTable("mandates").set({ recurrence_id: recurrenceId }).where("id", "=", mandate.id).execute()
    await knows(both[known]?.recurrenceId)
    await askSoon()
    // As a run does that read the row before, and made the other one.
    await knows(both[1 - known]?.recurrenceId)
    await askSoon()
    await askSoon()
    expect(both.map(({ state }) => state)).toEqual(["created", "cancelled"])
    expect(await mandateOf(mandate)).toMatchObject({ status: "waiting", recurrenceId: both[0]?.recurrenceId })
  })

  test("4: a message that it was given proves nothing", async () => {
    const mandate = await request(await subscribe())
    await hurryMandate(sandbox, mandate.recurrenceId ?? "")
    await askAboutMandates(sandbox)
    expect(await mandateOf(mandate)).toMatchObject({ status: "waiting" })
  })

  test("5: paid, but not authorised: the seller is told once, ten minutes later, and a new invitation needs no payment", async () => {
    at("2026-12-28")
    const subscription = await subscribe()
    const mandate = await request(subscription, { journey: 3 })
    const { invoice } = await debitOf(subscription)
    await bookPayments(sandbox, [{ ...receiptOf(mandate.firstTxid, 10_000), paidAt: now() }])
    const told = async () =>
      (await sandbox.db.selectFrom("notices").select("content").where("user_id", "=", sellerId()).execute())
        .map(({ content }) => JSON.stringify(content))
        .filter((content) => content.includes("autorização não concluída"))
    later(599)
    await askSoon()
    expect(await told()).toEqual([])
    later(1)
    await times(4, askSoon)
    await askSoon()
    expect(await told()).toEqual([expect.stringContaining("Envie um novo convite")])
    expect(await mandateOf(mandate)).toMatchObject({ status: "waiting", pixCode: "000201code" })
    expect((await debitOf(subscription)).invoice).toMatchObject({ id: invoice.id, status: "paid" })
    expect(await approve(mandate)).toMatchObject({ status: "approved" })
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
