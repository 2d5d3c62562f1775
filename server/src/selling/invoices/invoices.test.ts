import { type SentTerms } from "@tilinta/contract/vocabulary/invoices"
import { centsFromReais } from "@tilinta/contract/vocabulary/money"
import { afterAll, describe, expect, test } from "vitest"
import type { Tx } from "#db/transaction"
import { bookPayments } from "#money/payments/book"
import { markPageSuspended } from "#selling/charge-pages/change"
import { listChargePages } from "#selling/charge-pages/list-reads"
import { noOrder } from "#selling/charge-pages/rules"
import { cancelInvoice, expireInvoices, settleInvoiceOutside, updateInvoice } from "#selling/closings/invoices"
import { updateCustomer } from "#selling/customers/manage"
import { openInvoiceSandbox } from "../../../test-support/invoice-sandbox.ts"
import { codesOf, times } from "../../../test-support/races.ts"
import { receiptOf } from "../../../test-support/sandbox.ts"
import { getOwnInvoice } from "./create.ts"
import { listInvoices, searchInvoices, sumInvoices } from "./list-reads.ts"
import { findInvoiceDifferences } from "./reads.ts"

const { sandbox, at, sellerId, seller, own, now, changeSeller, create, ask, pay } = await openInvoiceSandbox()
afterAll(() => sandbox.close())

const read = ({ id }: { id: string }) => getOwnInvoice(sandbox.db, { id, sellerId: sellerId() })
const chargesOf = ({ pageId }: { pageId: string }) =>
  sandbox.db.selectFrom("charges").selectAll().where("page_id", "=", pageId).orderBy("created_at").execute()
const refusedAs = (code: string) => expect.objectContaining({ code })

describe("an invoice", () => {
  test("asks the amount of its day, and its payment says the parts", async () => {
    at("2026-12-10T12:00:00")
    const invoice = await create()
    expect(invoice).toMatchObject({ status: "open", lastDay: "2027-01-11", customer: { name: "Bruno Lima" } })
    expect((await ask(invoice)).amountCents).toBe(10_000)

    at("2026-12-11T09:00:00")
    const charge = await ask(invoice)
    expect(charge).toMatchObject({
      amountCents: 10_203,
      feeCents: 1_530,
      payer: { name: "Bruno Lima", cpf: "52998224725" },
    })
    expect(charge.expiresAt.toISOString()).toBe("2026-12-12T02:59:59.000Z")
    await pay(charge)
    expect(await read(invoice)).toMatchObject({
      ...{ status: "paid", chargeId: charge.id, paidAt: now() },
      paid: {
        paidCents: 10_203,
        originalCents: 10_000,
        discountCents: 0,
        fineCents: 200,
        interestCents: 3,
        differenceCents: 0,
      },
    })
    const [, paid] = await chargesOf(invoice)
    expect(paid).toMatchObject({ status: "paid", is_late: false, is_duplicate: false })
    await expect(ask(invoice)).rejects.toEqual(refusedAs("charge_page_already_paid"))
  })

  test("is in no list and no count of pages, and no page's call changes it", async () => {
    at("2026-12-10T12:00:00")
    await create()
    const { pages, results } = await listChargePages(sandbox, { sellerId: sellerId(), limit: 100, offset: 0 })
    expect({ pages, results }).toEqual({ pages: [], results: 0 })
  })

  test("twice with one key is one invoice", async () => {
    at("2026-12-10T12:00:00")
    const [first, again] = [await create({ idempotencyKey: "a" }), await create({ idempotencyKey: "a" })]
    expect(again.id).toBe(first.id)
    await expect(create({ idempotencyKey: "a", description: "Outra" })).rejects.toEqual(
      refusedAs("idempotency_key_reused"),
    )
  })

  test("at once with one key is one invoice, of one customer", async () => {
    const made = await times(5, () => create({ idempotencyKey: "b" }))
    expect(codesOf(made)).toEqual({ ok: 5 })
    expect(new Set(made.map((one) => (one.status === "fulfilled" ? one.value.id : "")))).toHaveLength(1)
    const customers = await sandbox.db
      .selectFrom("customers")
      .select("id")
      .where("seller_id", "=", sellerId())
      .execute()
    expect(customers).toHaveLength(1)
  })

  test("has one code a day, whoever asks for it, and however many at once", async () => {
    at("2026-12-10T12:00:00")
    const invoice = await create()
    const made = await times(6, () => ask(invoice))
    expect(codesOf(made)).toEqual({ ok: 6 })
    expect(await chargesOf(invoice)).toHaveLength(1)
  })

  test("removes yesterday's code before it makes today's, and takes its money all the same", async () => {
    at("2026-12-10T23:00:00")
    const invoice = await create()
    const yesterday = await ask(invoice)
    at("2026-12-11T00:00:01")
    const today = await ask(invoice)
    expect((await chargesOf(invoice)).map(({ status, removal }) => ({ status, removal }))).toEqual([
      { status: "cancelled", removal: "due" },
      { status: "pending", removal: "none" },
    ])
    await pay(yesterday)
    expect(await read(invoice)).toMatchObject({
      status: "paid",
      chargeId: yesterday.id,
      paid: { paidCents: 10_000, fineCents: 0 },
    })
    const [first, second] = await chargesOf(invoice)
    expect(first).toMatchObject({ status: "paid", is_late: false })
    expect(second).toMatchObject({ id: today.id, status: "cancelled", removal: "due" })
  })

  test("keeps a code of late in the evening for a quarter of an hour, which then pays its own amount", async () => {
    at("2026-12-10T23:50:00")
    const invoice = await create()
    const charge = await ask(invoice)
    expect(charge.expiresAt.toISOString()).toBe("2026-12-11T03:05:00.000Z")
    at("2026-12-11T00:04:00")
    await pay(charge)
    expect(await read(invoice)).toMatchObject({ status: "paid", paid: { paidCents: 10_000 } })
  })

  test("paid twice, by codes of two days, is paid once, and the second is a duplicate to be checked", async () => {
    at("2026-12-10T23:00:00")
    const invoice = await create()
    const yesterday = await ask(invoice)
    at("2026-12-11T00:00:01")
    const today = await ask(invoice)
    await bookPayments(
      sandbox,
      [receiptOf(today.txid, 10_203), receiptOf(yesterday.txid, 10_000)].map((one) => ({ ...one, paidAt: now() })),
    )
    expect(await read(invoice)).toMatchObject({ status: "paid", chargeId: today.id, paid: { paidCents: 10_203 } })
    const parts = await sandbox.db
      .selectFrom("invoice_payments")
      .selectAll()
      .where("invoice_id", "=", invoice.id)
      .execute()
    expect(parts).toHaveLength(1)
    expect(await chargesOf(invoice)).toEqual([
      expect.objectContaining({ status: "paid", is_duplicate: true }),
      expect.objectContaining({ status: "paid", is_duplicate: false }),
    ])
  })

  test("changed keeps its link, ends the code of the day, and asks by the new terms", async () => {
    at("2026-12-10T12:00:00")
    const invoice = await create()
    await ask(invoice)
    const changes = { terms: { amount: 80, dueDate: "2026-12-15" }, order: {} }
    const changed = await updateInvoice(sandbox, own(invoice), changes)
    expect(changed).toMatchObject({ revision: 2, uniqueLink: invoice.uniqueLink, terms: { amountCents: 8_000 } })
    expect((await ask(invoice)).amountCents).toBe(8_000)
    expect((await chargesOf(invoice)).map(({ status }) => status)).toEqual(["cancelled", "pending"])
    const again = await updateInvoice(sandbox, own(invoice), changes)
    expect(again.revision).toBe(2)
  })

  test("isn't changed while its page is suspended, and may be cancelled", async () => {
    at("2026-12-10T12:00:00")
    const invoice = await create()
    const suspend = (tx: Tx) => markPageSuspended(tx, invoice.pageId, "scam", now())
    await sandbox.db.transaction().execute(suspend)
    await expect(updateInvoice(sandbox, own(invoice), { terms: {}, description: "Outra", order: {} })).rejects.toEqual(
      refusedAs("charge_page_not_editable"),
    )
    expect(await cancelInvoice(sandbox, own(invoice))).toMatchObject({
      status: "cancelled",
      description: "Mensalidade",
    })
  })

  test("cancelled takes no code; money that was faster pays it, late", async () => {
    at("2026-12-10T12:00:00")
    const invoice = await create()
    const charge = await ask(invoice)
    await cancelInvoice(sandbox, own(invoice))
    await expect(cancelInvoice(sandbox, own(invoice))).rejects.toEqual(refusedAs("invoice_not_open"))
    await expect(ask(invoice)).rejects.toEqual(refusedAs("public_charge_page_not_found"))
    await pay(charge)
    expect(await read(invoice)).toMatchObject({ status: "paid", chargeId: charge.id })
    expect(await chargesOf(invoice)).toEqual([expect.objectContaining({ is_late: true })])
  })

  test("settled outside moves no money", async () => {
    at("2026-12-10T12:00:00")
    const invoice = await create()
    const settled = await settleInvoiceOutside(sandbox, own(invoice), "Pagou em dinheiro")
    expect(settled).toMatchObject({ status: "settled_outside", settledFor: "Pagou em dinheiro", paid: null })
    await expect(updateInvoice(sandbox, own(invoice), { terms: {}, order: {} })).rejects.toEqual(
      refusedAs("invoice_not_open"),
    )
  })

  test("is over from the midnight after its last day, whenever the job marks it, and open again with a later due day", async () => {
    at("2026-12-10T12:00:00")
    const invoice = await create({ terms: { daysAfterDue: 0 } })
    const charge = await ask(invoice)
    at("2026-12-11T00:00:00")
    await expect(ask(invoice)).rejects.toEqual(refusedAs("public_charge_page_not_found"))
    const { results } = await listInvoices(sandbox.db, {
      ...{ sellerId: sellerId(), today: "2026-12-11", status: "expired", limit: 10, offset: 0 },
    })
    expect(results).toBe(1)
    await Promise.all([expireInvoices(sandbox), expireInvoices(sandbox)])
    expect(await read(invoice)).toMatchObject({ status: "expired" })
    expect(await chargesOf(invoice)).toEqual([expect.objectContaining({ id: charge.id, status: "cancelled" })])
    const again = await updateInvoice(sandbox, own(invoice), { terms: { dueDate: "2026-12-14" }, order: {} })
    expect(again).toMatchObject({ status: "open", lastDay: "2026-12-14" })
    expect((await ask(invoice)).amountCents).toBe(10_000)
  })

  test("edited, cancelled, paid and asked for at once has one outcome and is never paid twice", async () => {
    for (let round = 0; round < 5; round += 1) {
      at("2026-12-10T12:00:00")
      const invoice = await create()
      const charge = await ask(invoice)
      at("2026-12-11T00:00:01")
      await Promise.allSettled([
        updateInvoice(sandbox, own(invoice), { terms: { amount: 90 }, order: {} }),
        cancelInvoice(sandbox, own(invoice)),
        pay(charge),
        ask(invoice),
        pay(charge),
      ])
      await pay(charge)
      expect(await read(invoice)).toMatchObject({ status: "paid", chargeId: charge.id, paid: { paidCents: 10_000 } })
      const charges = await chargesOf(invoice)
      expect(charges.filter(({ status }) => status === "paid")).toHaveLength(1)
      expect(charges.filter(({ status }) => status === "pending" || status === "creating")).toEqual([])
    }
  })

  test("asks for nothing on no day, or terms would", async () => {
    at("2026-12-10T12:00:00")
    const broken = (terms: Partial<SentTerms>) =>
      expect(create({ terms })).rejects.toMatchObject({ code: "validation_failed" })
    await broken({ dueDate: "2026-12-09" })
    await broken({ amount: 1, discounts: [{ type: "percent", value: 99.99, until: "2026-12-10" }] })
    await broken({ amount: 9_999_999, interest: { type: "percentDay", value: 1 } })
    const bankless = { ...sandbox, psp: { dueCharges: null } }
    await expect(create({ mode: "bank" }, bankless)).rejects.toEqual(refusedAs("due_charges_unsupported"))
    await expect(create({ customer: { id: sellerId() } })).rejects.toEqual(refusedAs("customer_not_found"))
  })
})

describe("a seller's invoices", () => {
  test("are summed to the centavo by what they ask today, and paged by their due day", async () => {
    await changeSeller()
    at("2026-12-10T12:00:00")
    const due = await create({ terms: { dueDate: "2026-12-20", amount: 50 } })
    const late = await create()
    const paid = await create()
    await pay(await ask(paid))
    at("2026-12-11T12:00:00")
    const today = "2026-12-11"
    expect(await sumInvoices(sandbox.db, sellerId(), today)).toEqual({
      openCents: centsFromReais(152.03),
      overdueCents: centsFromReais(102.03),
      receivedCents: centsFromReais(100),
    })
    const list = (part: object) =>
      listInvoices(sandbox.db, { sellerId: sellerId(), today, limit: 1, offset: 0, ...part })
    const first = await list({})
    expect(first).toMatchObject({ results: 3, invoices: [{ id: due.id }] })
    const others = await list({ limit: 5, after: due.id })
    expect(others.invoices.map(({ id }) => id)).toEqual([paid.id, late.id])
    expect(await list({ status: "overdue" })).toMatchObject({ results: 1, invoices: [{ id: late.id }] })
    expect(await list({ status: "due" })).toMatchObject({ results: 1, invoices: [{ id: due.id }] })
    expect(await list({ status: "paid" })).toMatchObject({ results: 1, invoices: [{ id: paid.id }] })
    expect(await list({ search: "bruno", status: "open" })).toMatchObject({ results: 2 })
    expect(await list({ search: "alguém" })).toMatchObject({ results: 0 })
  })
})

test("ended ones are those that the job has marked and those that it will, in one order of days", async () => {
  await changeSeller()
  at("2026-12-10T12:00:00")
  const [early, cancelled, open] = [await create(), await create({ terms: { dueDate: "2026-12-11" } }), await create()]
  const later = await create({ terms: { dueDate: "2026-12-12", daysAfterDue: 0 } })
  await settleInvoiceOutside(sandbox, own(early), "dinheiro")
  await cancelInvoice(sandbox, own(cancelled))
  const list = (today: string, part: object = {}) =>
    listInvoices(sandbox.db, { sellerId: sellerId(), today, status: "ended", limit: 2, offset: 0, ...part })
  const idsOf = ({ invoices, results }: Awaited<ReturnType<typeof list>>) => [results, invoices.map(({ id }) => id)]
  expect(idsOf(await list("2026-12-14"))).toEqual([2, [cancelled.id, early.id]])
  expect(idsOf(await list("2026-12-15"))).toEqual([3, [later.id, cancelled.id]])
  expect(idsOf(await list("2026-12-15", { after: later.id }))).toEqual([3, [cancelled.id, early.id]])
  expect(idsOf(await list("2026-12-15", { offset: 2 }))).toEqual([3, [early.id]])
  expect(idsOf(await list("2026-12-15", { customerId: later.customer.id }))[0]).toBe(3)
  expect(idsOf(await list("2027-02-01", { order: "oldest" }))).toEqual([4, [early.id, open.id].toSorted()])
})

describe("what an invoice repeats", () => {
  const readOwn = (id: string) => sandbox.db.selectFrom("customers").selectAll().where("id", "=", id)

  test("follows its customer's correction, and charging them keeps their data for longer", async () => {
    await changeSeller()
    at("2026-12-10T12:00:00")
    const { id: invoiceId, customer } = await create()
    at("2026-12-10T13:00:00")
    const again = await create({ customer: { id: customer.id } })
    expect(again.customer).toEqual(customer)
    expect(await readOwn(customer.id).executeTakeFirstOrThrow()).toMatchObject({ last_used_at: now() })
    await updateCustomer(sandbox, { seller: seller(), id: customer.id, changes: { name: "Bruno Reis", email: "" } })
    expect(await read({ id: invoiceId })).toMatchObject({ customer: { name: "Bruno Reis", email: null } })
    const found = await searchInvoices(sandbox.db, { words: "reis", sellerId: sellerId(), atMost: 5 })
    expect(found.map(({ id }) => id).toSorted()).toEqual([invoiceId, again.id].toSorted())
    expect(await searchInvoices(sandbox.db, { words: "529.982.247-25", sellerId: sellerId(), atMost: 1 })).toHaveLength(
      1,
    )
  })

  test("is right however a customer's corrections and new invoices meet", async () => {
    const { customer } = await create()
    await times<unknown>(12, (index) =>
      index % 2 === 0
        ? updateCustomer(sandbox, { seller: seller(), id: customer.id, changes: { name: `Bruno ${index}` } })
        : create({ customer: { id: customer.id } }),
    )
    expect(await findInvoiceDifferences(sandbox.db)).toEqual([])
  })

  test("is its order as it was changed", async () => {
    at("2026-12-10T12:00:00")
    const invoice = await create({ order: { ...noOrder, externalReference: "aluno-17" } })
    const changed = await updateInvoice(sandbox, own(invoice), { terms: {}, order: { metadata: { turma: "A" } } })
    expect(changed.order).toEqual({ externalReference: "aluno-17", metadata: { turma: "A" }, returnUrl: null })
    expect(changed.revision).toBe(1)
    const [page] = await sandbox.db.selectFrom("orders").selectAll().where("page_id", "=", invoice.pageId).execute()
    expect(page).toMatchObject({ external_reference: "aluno-17", metadata: { turma: "A" } })
  })

  test("agrees with charges, customers and sums, whatever happened above", async () => {
    expect(await findInvoiceDifferences(sandbox.db)).toEqual([])
  })
})
