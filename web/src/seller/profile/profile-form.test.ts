import type { UserView } from "@tilinta/contract/users"
import { expect, test } from "vitest"
import { profileFormOf, profileSchema } from "./profile-form.ts"

const user = {
  name: "Ana Souza",
  phone: "11987654321",
  address: {
    street: "Rua A",
    number: "10",
    complement: "",
    neighborhood: "Centro",
    city: "São Paulo",
    state: "SP",
    zipCode: "01310100",
  },
  bankAccount: { bank: "Banco 1", agency: "0001", account: "123-4", accountType: "", pixKey: "" },
} as UserView

function problemsOf(form: unknown): string[] {
  return profileSchema.safeParse(form).error?.issues.map(({ path, message }) => `${path.join(".")}: ${message}`) ?? []
}

test("what is stored is shown in its masks, and an account without a type is a checking account", () => {
  const form = profileFormOf(user)
  expect(form.phone).toBe("(11) 98765-4321")
  expect(form.address.zipCode).toBe("01310-100")
  expect(form.bankAccount.accountType).toBe("corrente")
  expect(problemsOf(form)).toEqual([])
})

test("everything but complement and Pix key is required", () => {
  const blank = (fields: object) => Object.fromEntries(Object.keys(fields).map((name) => [name, " "]))
  const form = profileFormOf(user)
  const empty = { name: "", phone: "", address: blank(form.address), bankAccount: blank(form.bankAccount) }
  const missing = problemsOf({ ...empty, bankAccount: { ...empty.bankAccount, accountType: "" } })
  expect(missing.map((problem) => problem.split(":")[0])).toEqual([
    "name",
    "phone",
    "address.street",
    "address.number",
    "address.neighborhood",
    "address.city",
    "address.state",
    "address.zipCode",
    "bankAccount.bank",
    "bankAccount.agency",
    "bankAccount.account",
    "bankAccount.accountType",
  ])
  expect(new Set(missing.map((problem) => problem.split(": ")[1]))).toEqual(
    new Set(["Preencha todos os campos obrigatórios"]),
  )
})

test("a mask that is not full is no phone, postal code or state", () => {
  const form = profileFormOf(user)
  const address = { ...form.address, zipCode: "01310-1", state: "S" }
  expect(problemsOf({ ...form, phone: "(11) 9876", address })).toEqual([
    "phone: Informe o telefone com DDD.",
    "address.state: O estado deve ter 2 letras.",
    "address.zipCode: O CEP deve ter 8 dígitos.",
  ])
})

test("the form sends what the server stores", () => {
  const form = profileFormOf(user)
  const typed = {
    ...form,
    phone: "+55 11 98765-4321",
    address: { ...form.address, state: "São Paulo", zipCode: "01310 100" },
  }
  const { phone, address } = profileSchema.parse(typed)
  expect([phone, address?.state, address?.zipCode]).toEqual(["11987654321", "SP", "01310100"])
})
