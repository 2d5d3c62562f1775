import { signupStep1, signupStep2 } from "@tilinta/contract/auth"
import { expect, test } from "vitest"
import { digitsOfCpf, emptyAccount, emptyPerson, isAccountField, isPersonField } from "./register-form.ts"

function messages(result: { error?: { issues: { path: PropertyKey[]; message: string }[] } | undefined }) {
  return result.error?.issues.map(({ path, message }) => `${path.join(".")}: ${message}`) ?? []
}

test("an empty first step asks for all four fields with one text", () => {
  const all = messages(signupStep1.safeParse(emptyAccount))
  expect(all.map((line) => line.split(": ")[0])).toEqual(["name", "email", "password", "passwordConfirm"])
  expect(new Set(all.map((line) => line.split(": ")[1]))).toEqual(new Set(["Preencha todos os campos obrigatórios"]))
})

test("a short password and a different confirmation are reported beside their fields", () => {
  const account = { name: "Ana", email: "ana@exemplo.com", password: "123", passwordConfirm: "1234" }
  expect(messages(signupStep1.safeParse(account))).toEqual([
    "password: A senha deve ter pelo menos 8 caracteres",
    "passwordConfirm: As senhas não coincidem",
  ])
})

test("the second step needs only the CPF", () => {
  expect(messages(signupStep2.safeParse(emptyPerson))).toEqual(["cpf: CPF deve conter 11 dígitos numéricos"])
  expect(signupStep2.safeParse({ ...emptyPerson, cpf: "52998224725" }).success).toBe(true)
})

test("the CPF takes digits only, at most eleven", () => {
  expect(digitsOfCpf("529.982.247-25")).toBe("52998224725")
  expect(digitsOfCpf("5299822472599")).toBe("52998224725")
})

test("a field of the server's complaint belongs to one of the two steps", () => {
  expect(isAccountField("email")).toBe(true)
  expect(isPersonField("email")).toBe(false)
  expect(isPersonField("address.zipCode")).toBe(true)
  expect(isAccountField("role")).toBe(false)
})
