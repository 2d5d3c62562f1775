import { expect, test } from "vitest"
import { checkRequest, type RequestForm, requestFormOf } from "./request-form.ts"

const account = {
  bank: "Banco 1",
  agency: "0001",
  account: "123-4",
  accountType: "poupanca",
  pixKey: "ana@exemplo.com",
}
const form: RequestForm = { ...requestFormOf(account), amount: 50 }
const nobody = { bank: "", agency: "", account: "", accountType: "", pixKey: "" }

function problemsOf(changes: Partial<RequestForm>, { available = 100, minimum = 0, maxPix = 0 } = {}) {
  const checked = checkRequest({ ...form, ...changes }, { available, minimum, maxPix })
  return "problems" in checked ? checked.problems.map(({ path, message }) => `${path}: ${message}`) : []
}

test("a request is filled in from the profile, by Pix and from a checking account unless it says otherwise", () => {
  expect(requestFormOf(account)).toEqual({
    amount: null,
    paymentMethod: "pix",
    pixKey: "ana@exemplo.com",
    bankData: { bank: "Banco 1", agency: "0001", account: "123-4", accountType: "poupanca" },
  })
  expect(requestFormOf(nobody).bankData.accountType).toBe("corrente")
})

test("only the chosen destination is sent", () => {
  expect(checkRequest(form, { available: 50, minimum: 0, maxPix: 0 })).toEqual({
    body: { amount: 50, paymentMethod: "pix", pixKey: "ana@exemplo.com" },
  })
  expect(checkRequest({ ...form, paymentMethod: "bank_transfer" }, { available: 50, minimum: 0, maxPix: 0 })).toEqual({
    body: { amount: 50, paymentMethod: "bank_transfer", bankData: form.bankData },
  })
})

test("the amount is more than nothing and no more than the balance", () => {
  expect(problemsOf({ amount: null })).toEqual(["amount: Valor deve ser maior que zero"])
  expect(problemsOf({ amount: 0 })).toEqual(["amount: Valor deve ser maior que zero"])
  expect(problemsOf({ amount: 100.01 })).toEqual(["amount: Saldo insuficiente"])
  expect(problemsOf({ amount: 100 })).toEqual([])
  expect(problemsOf({ amount: 0.01 })).toEqual([])
})

test("what is above the largest Pix goes to a bank account", () => {
  expect(problemsOf({ amount: 20.01 }, { maxPix: 20 })).toEqual([
    "amount: Acima de R$\u00a020,00 o saque vai por TED: informe uma conta bancária.",
  ])
  expect(problemsOf({ amount: 20 }, { maxPix: 20 })).toEqual([])
})

test("the platform's minimum is checked before anything is sent, once it is known", () => {
  const minimum = 20
  expect(problemsOf({ amount: 19.99 }, { minimum })).toEqual(["amount: O valor mínimo do saque é R$\u00a020,00"])
  expect(problemsOf({ amount: 20 }, { minimum })).toEqual([])
  expect(problemsOf({ amount: 15 }, { minimum, available: 10 })).toEqual(["amount: Saldo insuficiente"])
})

test("a Pix key is required, and must be one", () => {
  expect(problemsOf({ pixKey: " " })).toEqual(["pixKey: Chave PIX é obrigatória"])
  expect(problemsOf({ pixKey: "11 98765" })).toEqual([
    "pixKey: Chave Pix inválida. Use CPF, CNPJ, e-mail, celular com DDD ou chave aleatória.",
  ])
  expect(problemsOf({ pixKey: " ", amount: 0 })).toEqual([
    "amount: Valor deve ser maior que zero",
    "pixKey: Chave PIX é obrigatória",
  ])
})

test("what is missing of a bank account is marked where it is missing", () => {
  const { bankData } = requestFormOf(nobody)
  expect(problemsOf({ paymentMethod: "bank_transfer", bankData: { ...bankData, bank: "Banco 1" } })).toEqual([
    "bankData.agency: Dados bancários são obrigatórios",
    "bankData.account: Dados bancários são obrigatórios",
  ])
})
