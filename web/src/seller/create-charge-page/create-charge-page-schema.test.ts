import { expect, test } from "vitest"
import { createChargePageSchema, emptyChargePage, expiresAtOf, expiryHoursOf } from "./create-charge-page-schema.ts"

const filled = { ...emptyChargePage, title: "Mentoria", slug: "mentoria", amount: 349.9 }

function firstMessages(form: typeof filled): string[] {
  const result = createChargePageSchema.safeParse(form)
  return result.success ? [] : result.error.issues.map((issue) => issue.message)
}

test("missing fields are reported in the order of the form", () => {
  expect(firstMessages({ ...filled, title: " ", slug: "", amount: 0 })).toEqual([
    "O título da cobrança é obrigatório",
    "O slug é obrigatório",
    "O valor da cobrança deve ser maior que zero",
  ])
})

test("less than one real is refused with its own message", () => {
  expect(firstMessages({ ...filled, amount: 0.99 })).toEqual(["O valor mínimo da cobrança é R$ 1,00"])
})

test("a new charge is anonymous, takes one payment and lives a day", () => {
  expect(createChargePageSchema.parse(filled)).toMatchObject({
    requireCustomerData: false,
    pixConfig: { allowAnonymous: true, expiresInHours: 24 },
    maxPayments: 1,
  })
})

test("many payments without a limit are null, a limit is a number, nonsense is refused", () => {
  expect(createChargePageSchema.parse({ ...filled, acceptsMany: true }).maxPayments).toBeNull()
  expect(createChargePageSchema.parse({ ...filled, acceptsMany: true, maxPayments: "10" }).maxPayments).toBe(10)
  expect(firstMessages({ ...filled, acceptsMany: true, maxPayments: "dez" })).not.toEqual([])
  expect(firstMessages({ ...filled, acceptsMany: true, maxPayments: "0" })).toEqual(["Informe pelo menos 1 pagamento."])
})

test("hours fall back to 24, and 0 means never", () => {
  expect(expiryHoursOf("abc")).toBe(24)
  const now = new Date("2026-11-21T12:00:00Z")
  expect(expiresAtOf(0, now)).toBeNull()
  expect(expiresAtOf(6, now)).toBe("2026-11-21T18:00:00.000Z")
})
