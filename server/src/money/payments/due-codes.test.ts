import { dueAmountOn } from "@tilinta/contract/vocabulary/due-amount"
import { dueTermsOf, type SentTerms } from "@tilinta/contract/vocabulary/invoices"
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest"
import { type Clock, daysAfter, dueToday, secondsAfter, systemClock } from "#kit/clock"
import { verifyLedger } from "#ledger/reads"
import type { PaymentReceived } from "#psp/psp"
import { noOrder } from "#selling/charge-pages/rules"
import { createCharge } from "#selling/charges/create"
import { failUnfinishedCharges } from "#selling/charges/end"
import { cancelInvoice, settleInvoiceOutside, updateInvoice } from "#selling/closings/invoices"
import { customerFieldsFrom } from "#selling/customers/rules"
import { createInvoice, getOwnInvoice } from "#selling/invoices/create"
import { findInvoiceDifferences } from "#selling/invoices/reads"
import type { Invoice } from "#selling/invoices/rules"
import { times } from "../../../test-support/races.ts"
import { createSeller, openSandbox } from "../../../test-support/sandbox.ts"
import { bookPayments, removeDueCharges } from "./book.ts"
import { sendTerms, sendTermsOf } from "./due-codes.ts"
import { findPaymentDifferences } from "./verify-reads.ts"

const sandbox = await openSandbox()
const sellerId = await createSeller(sandbox)
const dayMs = 86_400_000
let aheadDays = 0
let laterSeconds = 0
// Noon, so that no run of the test is near midnight.
const noon = new Date(`${dueToday(systemClock)}T12:00:00-03:00`)
const clock: Clock = { now: () => secondsAfter(noon, laterSeconds), aheadMs: () => aheadDays * dayMs }
const deps = { ...sandbox, clock }
const seller = { id: sellerId, address: "127.0.0.1" }

const ask = (method: string, path: string, body?: object) =>
  fetch(`${sandbox.simulatorUrl}/simulador/api/controle${path}`, {
    method,
    ...(body && { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
  })
const fault = async (rule: object) => expect((await ask("POST", "/falhas", rule)).status).toBe(201)
const move = async (days: number) => {
  aheadDays = days
  await ask("PUT", "/relogio", { adiantadoMs: days * dayMs })
}
beforeEach(() => move(0))
afterEach(async () => {
  expect((await ask("DELETE", "/falhas")).status).toBe(204)
  await sandbox.control({ falhaApi: null })
  await sendTerms(deps)
})
afterAll(async () => {
  expect(await findInvoiceDifferences(sandbox.db)).toEqual([])
  expect(await findPaymentDifferences(sandbox.db)).toEqual([])
  expect(await verifyLedger(sandbox.db)).toEqual([])
  await sandbox.close()
})

const usual: Omit<SentTerms, "dueDate"> = {
  amount: 100,
  daysAfterDue: 60,
  fine: { type: "percent", value: 2 },
  interest: { type: "percentMonth", value: 1 },
}
async function create(terms: Partial<SentTerms> = {}) {
  const invoice = await createInvoice(deps, {
    seller,
    customer: customerFieldsFrom({ name: "Bruno Lima", document: "52998224725" }),
    terms: dueTermsOf({ ...usual, dueDate: dueToday(clock), ...terms }),
    description: "Mensalidade",
    order: noOrder,
    mode: "bank",
    idempotencyKey: null,
  })
  await sendTermsOf(deps, invoice)
  return read(invoice)
}
const own = ({ id }: { id: string }) => ({ id, seller })
const read = ({ id }: { id: string }) => getOwnInvoice(sandbox.db, { id, sellerId })
const codesOf = ({ pageId }: Invoice) =>
  sandbox.db.selectFrom("charges").selectAll().where("page_id", "=", pageId).orderBy("created_at").execute()
async function txidOf(invoice: Invoice): Promise<string> {
  return (await codesOf(invoice)).at(-1)?.txid ?? ""
}
async function received(invoice: Invoice): Promise<PaymentReceived[]> {
  return sandbox.psp.findReceiptsOfCharge(await txidOf(invoice))
}
async function pay(invoice: Invoice) {
  expect((await sandbox.pay(invoice.pixCode ?? "")).status).toBe(201)
  const receipts = await received(invoice)
  await bookPayments(deps, receipts)
  return receipts
}
const edit = async (invoice: Invoice, terms: Partial<SentTerms>) => {
  const edited = await updateInvoice(deps, own(invoice), { terms, order: {} })
  await sendTermsOf(deps, edited)
  return read(invoice)
}
const waitingFor = (receipts: PaymentReceived[]) =>
  sandbox.db
    .selectFrom("unmatched_payments")
    .select(["reason", "named_charge_id"])
    .where(
      "end_to_end_id",
      "in",
      receipts.map(({ endToEndId }) => endToEndId),
    )
    .execute()
const asked = (invoice: Invoice) => dueAmountOn(invoice.terms, dueToday(clock)).amount

describe("one code for an invoice's whole life", () => {
  test("is paid with the bank's amount of the day, in the bank's parts, and the fee is of what was paid", async () => {
    const invoice = await create()
    expect(invoice).toMatchObject({ mode: "bank", status: "open", pixCode: expect.stringContaining("br.gov.bcb.pix") })
    await move(40)
    const [receipt] = await pay(invoice)
    const amount = asked(invoice)
    expect(amount).toBeGreaterThan(10_200)
    expect(receipt).toMatchObject({ amountCents: amount, parts: { originalCents: 10_000, fineCents: 200 } })
    expect(await read(invoice)).toMatchObject({
      status: "paid",
      paid: { paidCents: amount, originalCents: 10_000, fineCents: 200, differenceCents: 0, ourCents: amount },
    })
    const [charge] = await codesOf(invoice)
    expect(charge).toMatchObject({
      amount_cents: amount,
      fee_cents: Math.floor((amount * 1500 + 5000) / 10_000),
      is_late: false,
      asked_for: { amount_cents: 10_000 },
    })
    const kept = await sandbox.db
      .selectFrom("due_payments")
      .selectAll()
      .where("charge_id", "=", charge?.id ?? "")
      .execute()
    expect(kept).toMatchObject([{ computed_by: "bank", our_cents: amount }])
    expect(await waitingFor(receipt === undefined ? [] : [receipt])).toEqual([])
  })

  test("its payment is booked once, however often and by however many it is reported", async () => {
    const invoice = await create()
    await move(40)
    await sandbox.pay(invoice.pixCode ?? "")
    const receipts = await received(invoice)
    await times(5, () => bookPayments(deps, receipts))
    await bookPayments(deps, receipts)
    const booked = await sandbox.db
      .selectFrom("payments")
      .selectAll()
      .where("txid", "=", await txidOf(invoice))
      .execute()
    expect(booked).toMatchObject([{ disposition: "credited", amount_cents: asked(invoice) }])
  })

  test("a second Pix of it waits for a person", async () => {
    const invoice = await create()
    await fault({ tipo: "paga-duas-vezes", alvo: await txidOf(invoice) })
    const receipts = await pay(invoice)
    expect(receipts).toHaveLength(2)
    expect(await waitingFor(receipts)).toMatchObject([{ reason: "charge_already_paid" }])
    expect(await read(invoice)).toMatchObject({ status: "paid" })
  })

  test("is made while a discount lasts, or after the due day, of the original amount", async () => {
    const today = dueToday(clock)
    const discounts = [{ type: "fixed" as const, value: 10, until: today }]
    const invoice = await create({ dueDate: daysAfter(today, 9), discounts })
    expect(invoice).toMatchObject({ mode: "bank", pixCode: expect.any(String) })
    const [receipt] = await pay(invoice)
    expect(receipt).toMatchObject({ amountCents: 9_000, parts: { originalCents: 10_000, discountCents: 1_000 } })
    expect(await read(invoice)).toMatchObject({ status: "paid", paid: { paidCents: 9_000, discountCents: 1_000 } })
  })

  test("whoever asks for it, and whenever, gets the same one, with the amount of the day", async () => {
    const invoice = await create()
    const open = () => createCharge(deps, { pageId: invoice.pageId, customerInfo: null, idempotencyKey: null })
    const first = await open()
    await move(40)
    const later = await open()
    expect(later.pixCode).toBe(first.pixCode)
    expect([first.amountCents, later.amountCents]).toEqual([10_000, asked(invoice)])
    expect(later.expiresAt.getTime() - clock.now().getTime()).toBeLessThan(dayMs)
    expect(await codesOf(invoice)).toHaveLength(1)
  })

  test.each([
    ["arredonda-para-baixo", 40],
    ["nao-prorroga-vencimento", 3],
    ["feriado-municipal", 3],
    ["sem-componentes", 40],
    ["componentes-como-numero", 40],
    ["componentes-nao-somam", 40],
  ])("a bank that reads the rules otherwise is credited: %s", async (tipo, days) => {
    const invoice = await create()
    await move(days)
    await fault({ tipo, alvo: await txidOf(invoice) })
    const receipts = await pay(invoice)
    expect(await waitingFor(receipts)).toEqual([])
    expect(await read(invoice)).toMatchObject({ status: "paid", paid: { paidCents: receipts[0]?.amountCents } })
  })

  test("an amount that no terms ask for waits for a person", async () => {
    const invoice = await create()
    await fault({ tipo: "paga-outro-valor", valor: 9_000, alvo: await txidOf(invoice) })
    const receipts = await pay(invoice)
    expect(await waitingFor(receipts)).toMatchObject([{ reason: "wrong_amount" }])
    expect(await read(invoice)).toMatchObject({ status: "open" })
  })

  test("money after the last day is credited late", async () => {
    const invoice = await create({ daysAfterDue: 1 })
    await move(20)
    await fault({ tipo: "aceita-depois-da-validade", alvo: await txidOf(invoice) })
    await cancelInvoice(deps, own(await create()))
    const receipts = await pay(invoice)
    expect(await read(invoice)).toMatchObject({ status: "paid" })
    expect(receipts).toHaveLength(1)
  })
})

describe("an edit", () => {
  test("keeps the code, and the bank asks the new terms", async () => {
    const invoice = await create()
    const edited = await edit(invoice, { amount: 80, fine: null })
    expect(edited).toMatchObject({ pixCode: invoice.pixCode, revision: 2 })
    const [receipt] = await pay(edited)
    expect(receipt).toMatchObject({ amountCents: 8_000 })
    expect(await read(invoice)).toMatchObject({ status: "paid", paid: { paidCents: 8_000, originalCents: 8_000 } })
  })

  const soon = daysAfter(dueToday(clock), 9)
  const discount = (type: "fixed" | "percent") => [{ type, value: 5, until: soon }]
  const percent = { type: "percent" as const, value: 2 }
  test.each<[string, Partial<SentTerms>, Partial<SentTerms>, number]>([
    ["adds a fine", { fine: null }, { fine: percent }, 40],
    ["adds interest", { interest: null }, { interest: { type: "percentDay", value: 1 } }, 40],
    ["adds a discount", { dueDate: soon }, { discounts: discount("fixed") }, 0],
    ["makes a fixed fine one in percent", { fine: { type: "fixed", value: 2 } }, { fine: percent }, 40],
    ["makes interest a month one a day", {}, { interest: { type: "percentDay", value: 1 } }, 40],
    [
      "makes a fixed discount one in percent",
      { dueDate: soon, discounts: discount("fixed") },
      { discounts: discount("percent") },
      0,
    ],
    ["removes a fine", {}, { fine: null }, 40],
    ["removes interest", {}, { interest: null }, 40],
    ["removes a discount", { dueDate: soon, discounts: discount("fixed") }, { discounts: [] }, 0],
    ["lets it be paid for longer", { daysAfterDue: 1 }, { daysAfterDue: 60 }, 40],
  ])("that %s reaches the bank", async (_name, before, changes, days) => {
    const invoice = await create({ amount: 200, ...before })
    const edited = await edit(invoice, changes)
    expect(edited).toMatchObject({ mode: "bank", pixCode: invoice.pixCode, revision: 2 })
    await move(days)
    const [receipt] = await pay(edited)
    expect(receipt).toMatchObject({ amountCents: asked(edited) })
    expect(await read(invoice)).toMatchObject({ status: "paid", paid: { differenceCents: 0 } })
  })

  test("a payer who read the former terms has paid", async () => {
    const invoice = await create()
    await edit(invoice, { amount: 80 })
    await fault({ tipo: "paga-valor-da-revisao-anterior", alvo: await txidOf(invoice) })
    const receipts = await pay(invoice)
    expect(receipts).toMatchObject([{ amountCents: 10_000 }])
    expect(await waitingFor(receipts)).toEqual([])
    expect(await read(invoice)).toMatchObject({ status: "paid", paid: { originalCents: 10_000 } })
  })

  test("that a payment was faster than is the payment's", async () => {
    const invoice = await create()
    await sandbox.pay(invoice.pixCode ?? "")
    const edited = await edit(invoice, { amount: 80 })
    expect(edited).toMatchObject({ status: "paid", paid: { paidCents: 10_000 } })
    expect(await codesOf(invoice)).toHaveLength(1)
  })

  test("whose answer is lost is told again, with the same code", async () => {
    const invoice = await create()
    await fault({ tipo: "timeout-apos-aceitar", operacoes: ["cobv"], metodo: "PATCH", vezes: 1 })
    await edit(invoice, { amount: 80 })
    laterSeconds += 60
    await sendTerms(deps)
    const row = await sandbox.db.selectFrom("invoices").selectAll().where("id", "=", invoice.id).executeTakeFirst()
    expect(row).toMatchObject({ bank_revision: 2, revision: 2, pix_code: invoice.pixCode })
    expect(await codesOf(invoice)).toHaveLength(1)
  })
})

describe("a bank in trouble", () => {
  test("that doesn't answer is asked again, and one code can be paid", async () => {
    await sandbox.control({ falhaApi: "timeout-apos-aceitar" })
    const invoice = await create()
    expect(invoice).toMatchObject({ mode: "bank", pixCode: null })
    await sandbox.control({ falhaApi: null })
    laterSeconds += 60
    await failUnfinishedCharges(deps)
    await sendTerms(deps)
    const open = await read(invoice)
    expect(open.pixCode).not.toBeNull()
    laterSeconds += 60
    await removeDueCharges(deps)
    const removed = (await codesOf(invoice)).filter(({ pix_code }) => pix_code === null)
    for (const { txid } of removed) expect(["removed", "absent"]).toContain(await sandbox.psp.removeCharge(txid ?? ""))
    await pay(open)
    expect(await read(invoice)).toMatchObject({ status: "paid" })
  })

  test("that refuses leaves a code for each day, and a warning", async () => {
    await fault({ tipo: "codigo-crc-errado" })
    const invoice = await create()
    expect(invoice).toMatchObject({ mode: "daily", pixCode: null, status: "open" })
    expect(invoice.bankRefusal).not.toBeNull()
  })
})

describe("the end", () => {
  test.each(["cancelled", "settled_outside"] as const)("%s: the bank removes the code", async (how) => {
    const invoice = await create()
    if (how === "cancelled") await cancelInvoice(deps, own(invoice))
    else await settleInvoiceOutside(deps, own(invoice), "Em dinheiro")
    await removeDueCharges(deps)
    expect((await sandbox.pay(invoice.pixCode ?? "")).status).toBe(422)
  })

  test("money that was faster than a cancellation pays it, late", async () => {
    const invoice = await create()
    await sandbox.pay(invoice.pixCode ?? "")
    await cancelInvoice(deps, own(invoice))
    await removeDueCharges(deps)
    const receipts = await received(invoice)
    expect(await read(invoice)).toMatchObject({ status: "paid" })
    expect(await waitingFor(receipts)).toMatchObject([{ reason: "late" }])
  })

  test("edit, cancellation and payment at once have one outcome", async () => {
    for (let round = 0; round < 5; round += 1) {
      const invoice = await create()
      await sandbox.pay(invoice.pixCode ?? "")
      const receipts = await received(invoice)
      await Promise.allSettled([
        bookPayments(deps, receipts),
        edit(invoice, { amount: 70 }),
        cancelInvoice(deps, own(invoice)),
        bookPayments(deps, receipts),
      ])
      expect(await read(invoice)).toMatchObject({ status: "paid", paid: { paidCents: 10_000 } })
      const paid = (await codesOf(invoice)).filter(({ paid_at }) => paid_at !== null)
      expect(paid).toHaveLength(1)
    }
  })
})

test("an expired one lives on under another code", async () => {
  const invoice = await create({ daysAfterDue: 1 })
  await move(30)
  const again = await edit(invoice, { dueDate: daysAfter(dueToday(clock), 5) })
  expect(again).toMatchObject({ status: "open", mode: "bank" })
  expect(again.pixCode).not.toBe(invoice.pixCode)
})
