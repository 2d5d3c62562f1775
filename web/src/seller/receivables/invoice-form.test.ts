import { expect, test } from "vitest"
import { daysFor, emptyInvoice, formOf, hasMore, type InvoiceForm, invoiceSchema } from "./invoice-form.ts"

const today = "2026-12-01"
const schema = invoiceSchema({ today, since: today })
const customerId = "0193a4c0-7c1a-7d3e-9b52-4f0d6c8e1a27"
const filled: InvoiceForm = { ...emptyInvoice(customerId), amount: 100, dueDate: "2026-12-10" }

function problemsOf(changes: Partial<InvoiceForm>): string[] {
  const read = schema.safeParse({ ...filled, ...changes })
  return read.success ? [] : read.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`)
}

test("an invoice without more options is sent with the usual days and no fine", () => {
  expect(schema.parse(filled)).toMatchObject({
    customerId,
    ...{ amount: 100, dueDate: "2026-12-10", daysAfterDue: 30, fine: null, interest: null, discounts: [] },
  })
  expect(hasMore(filled)).toBe(false)
})

test("what is missing or wrong is said at its field, by the server's rules", () => {
  expect(problemsOf({ customerIds: [] })).toEqual(["customerId: Informe o cliente"])
  expect(problemsOf({ customerIds: [], amount: null, dueDate: "" }).toSorted()).toEqual([
    "amount: O valor da cobrança deve ser maior que zero",
    "customerId: Informe o cliente",
    "dueDate: Informe a data de vencimento",
  ])
  expect(problemsOf({ dueDate: "2026-11-30" })).toEqual(["dueDate: O vencimento não pode ser anterior a hoje"])
  expect(problemsOf({ fine: { type: "percent", value: 25 } })).toEqual([
    "fine.value: A multa deve ficar entre 0,01 % e 20 %",
  ])
  expect(problemsOf({ daysAfterDue: "mil" })).toEqual([
    "daysAfterDue: Informe de 0 a 365 dias para pagar depois do vencimento",
  ])
  expect(problemsOf({ discounts: [{ value: 5, until: "2026-12-11" }] })).toEqual([
    "discounts.0.until: O desconto vale no máximo até o vencimento",
  ])
})

test("a new customer is sent in the place of a chosen one", () => {
  const customer = { name: "Bruno Lima", document: "", email: "", phone: "" }
  const body = schema.parse({ ...filled, customerIds: [], isNew: true, customer })
  expect(body.customer).toMatchObject({ name: "Bruno Lima" })
  expect(problemsOf({ customerIds: [], isNew: true })).toEqual(["customer.name: Nome é obrigatório"])
})

test("an invoice to change fills the form as it was sent", () => {
  const terms = {
    fine: { type: "percent", value: 2 },
    interest: { type: "percentMonth", value: 1 },
    discounts: [{ type: "fixed", value: 5, until: "2026-12-05" }],
  } as const
  const form = formOf({
    ...terms,
    ...{ amount: 100, dueDate: "2026-12-10", daysAfterDue: 30, description: "", externalReference: null },
    customer: { _id: customerId },
  } as unknown as Parameters<typeof formOf>[0])
  expect(hasMore(form)).toBe(true)
  expect(schema.parse(form)).toMatchObject(terms)
})

test("an invoice made late in the evening keeps discounts from its own day on", () => {
  const late = { createdAt: "2026-12-01T02:30:00.000Z", dueDate: "2026-12-10" }
  expect(daysFor(late, "2026-12-03")).toEqual({ today: "2026-12-03", since: "2026-11-30" })
})
