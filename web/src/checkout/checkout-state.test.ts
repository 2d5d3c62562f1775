import { expect, test } from "vitest"
import { noValues, testPage, testPix } from "../../test-support/checkout-page.ts"
import {
  type CheckoutState,
  copied,
  documentSwapped,
  failed,
  followedId,
  paidBefore,
  qrBroken,
  refused,
  remainingMs,
  requested,
  restarted,
  restored,
  type Step,
  shown,
  startCheckout,
  statusRead,
  ticked,
  typed,
} from "./checkout-state.ts"
import { payablePage } from "./payable-page.ts"

const at = "2026-11-21T17:20:00.000Z"
const id = testPix.transactionId

function after(page: Partial<typeof testPage>, ...steps: Step[]): CheckoutState {
  const start = startCheckout(payablePage({ ...testPage, ...page }), noValues)
  return steps.reduce((state, step) => step(state), start)
}

test("the form displays what the page requires, in the specification's order", () => {
  expect(after({}).displayed).toEqual(["name", "email", "cpf", "phone"])
  const customerInfo = { requireName: false, requireEmail: true, requirePhone: true, requireCpf: false }
  expect(after({ customerInfo }).displayed).toEqual(["email", "phone"])
  expect(after({ pixConfig: { allowAnonymous: true, expiresInHours: 24 } }).displayed).toEqual([])
})

test("fields filled in at once don't overwrite each other", () => {
  const { values } = after({}, typed("name", "Ana"), typed("email", "ana@exemplo.com"), typed("cpf", "529"))
  expect(values).toEqual({ name: "Ana", email: "ana@exemplo.com", cpf: "529", phone: "" })
})

test("a problem in a hidden field reveals every field, one in a displayed field reveals none", () => {
  const customerInfo = { requireName: true, requireEmail: false, requirePhone: false, requireCpf: false }
  const displayed = (field: "name" | "email") =>
    after({ customerInfo }, refused({ field, message: "obrigatório" })).displayed
  expect(displayed("name")).toEqual(["name"])
  expect(displayed("email")).toEqual(["name", "email", "cpf", "phone"])
})

test("a company is asked for its CNPJ and goes back, each time with an empty field that takes the focus", () => {
  const company = after({}, typed("name", "Sol"), typed("cpf", "529"), documentSwapped("cnpj"))
  expect(company).toMatchObject({ values: { name: "Sol", cpf: "", cnpj: "" }, problem: { field: "cnpj", message: "" } })
  const refusedCnpj = refused({ field: "cnpj", message: "CNPJ inválido" })(typed("cnpj", "1")(company))
  expect(refusedCnpj.displayed).toEqual(["name", "email", "cpf", "phone"])
  const person = documentSwapped("cpf")(refusedCnpj)
  expect(person.values).toEqual({ name: "Sol", email: "", cpf: "", phone: "" })
  expect(person.problem).toEqual({ field: "cpf", message: "" })
})

test("a CNPJ that is refused reveals no field of a page that asks for the document alone", () => {
  const customerInfo = { requireName: false, requireEmail: false, requirePhone: false, requireCpf: true }
  const refusal = refused({ field: "cnpj", message: "CNPJ inválido" })
  expect(after({ customerInfo }, documentSwapped("cnpj"), refusal).displayed).toEqual(["cpf"])
})

test("typing into the refused field takes its message away, typing into another leaves it", () => {
  const problem = { field: "cpf", message: "CPF inválido" } as const
  expect(after({}, refused(problem), typed("name", "Ana")).problem).toEqual(problem)
  expect(after({}, refused(problem), typed("cpf", "5")).problem).toBeNull()
})

test("a failed request can be repeated, and asking again clears the message", () => {
  const state = after({}, requested(), failed("Erro ao processar pagamento PIX"))
  expect(state).toMatchObject({ screen: "start", isBusy: false, failure: "Erro ao processar pagamento PIX" })
  expect(requested()(state)).toMatchObject({ isBusy: true, failure: null })
})

test("a shown Pix is followed until it is paid, expired or cancelled", () => {
  const awaiting = after({}, requested(), shown(testPix))
  expect(awaiting).toMatchObject({ screen: "awaiting", isBusy: false })
  expect(followedId(awaiting)).toBe(id)
  expect(statusRead(id, "pendente", at)(awaiting)).toBe(awaiting)
  for (const status of ["pago", "expirado", "cancelado"] as const) {
    const next = statusRead(id, status, at)(awaiting)
    expect(next.screen).toBe("ended")
    expect(followedId(next)).toBeNull()
  }
})

test("the receipt keeps the time of the confirmation", () => {
  expect(after({}, shown(testPix), statusRead(id, "pago", at)).pix?.confirmedAt).toBe(at)
})

test("a late answer about an older Pix changes nothing", () => {
  const awaiting = after({}, shown(testPix))
  expect(statusRead("another", "pago", at)(awaiting)).toBe(awaiting)
})

test("an approved payment never goes back", () => {
  const approved = after({}, shown(testPix), statusRead(id, "pago", at))
  expect(statusRead(id, "expirado", at)(approved)).toBe(approved)
})

test("a reload shows the same Pix, or the receipt when it was paid", () => {
  expect(after({}, restored(testPix, testPix.shownAtMs))).toMatchObject({ screen: "awaiting", isRestored: true })
  const paid = { ...testPix, confirmedAt: at }
  expect(after({ status: "completed" }, restored(paid, testPix.shownAtMs)).screen).toBe("ended")
})

test("on a page that was paid, only the payer whose Pix reads pago sees the approval", () => {
  const back = after({ status: "completed" }, restored(testPix, testPix.shownAtMs))
  expect(back.screen).toBe("paid-before")
  expect(followedId(back)).toBe(id)
  expect(statusRead(id, "pago", at)(back)).toMatchObject({ screen: "ended", pix: { confirmedAt: at } })
  const other = statusRead(id, "cancelado", at)(back)
  expect(other).toMatchObject({ screen: "paid-before", pix: null })
})

test("a page that another payer paid meanwhile leaves nothing to pay", () => {
  expect(after({}, requested(), paidBefore()).screen).toBe("paid-before")
})

test("a new code starts clean but keeps what the payer typed", () => {
  const state = after({}, typed("name", "Ana"), shown(testPix), statusRead(id, "expirado", at), restarted())
  expect(state).toMatchObject({ screen: "start", pix: null, isRestored: false, values: { name: "Ana" } })
})

test("what changes is said aloud", () => {
  expect(after({}, shown(testPix), copied("copied")).spoken).toBe("Copiado!")
  const minuteLeft = Date.parse(testPix.expiresAt) - 60_000
  expect(after({}, shown(testPix), ticked(minuteLeft - 1000)).spoken).toContain("5 minutos")
  expect(after({}, shown(testPix), ticked(minuteLeft - 1000), ticked(minuteLeft)).spoken).toContain("1 minuto")
})

test("the time left is that of the server's clock, whatever the device believes", () => {
  const hourMs = 3_600_000
  const pix = { ...testPix, clockSkewMs: -5 * hourMs, shownAtMs: testPix.shownAtMs + 5 * hourMs }
  expect(remainingMs(pix, pix.shownAtMs)).toBe(15 * 60_000)
})

test("a broken image is forgotten, and the code stays", () => {
  expect(after({}, shown(testPix), qrBroken()).pix).toEqual({ ...testPix, pixQrCodeBase64: "" })
})

test("a payment that is confirmed before the payer's eyes takes the focus, also after a reload", () => {
  const paid = after({}, restored(testPix, testPix.shownAtMs), statusRead(id, "pago", at))
  expect(paid).toMatchObject({ screen: "ended", isRestored: false })
})
