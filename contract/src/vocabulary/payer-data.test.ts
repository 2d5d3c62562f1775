import { expect, test } from "vitest"
import { fieldsOf, type PayerData, payerDataProblem, payerFields, requiredFields } from "./payer-data.ts"

const complete = { name: "Ana", email: "ana@exemplo.com", cpf: "529.982.247-25", phone: "(11) 98765-4321" }

test("the checks run in the specification's order", () => {
  const data: PayerData = { name: " ", email: "", cpf: "111.111.111-11", phone: null }
  const messages: (string | undefined)[] = []
  for (const [field, value] of Object.entries({
    name: "Ana",
    email: "ana@exemplo.com",
    phone: "11987654321",
    cpf: complete.cpf,
  })) {
    messages.push(payerDataProblem(data, payerFields)?.message)
    data[field as keyof PayerData] = value
  }
  expect(messages).toEqual(["Nome é obrigatório", "E-mail é obrigatório", "Telefone é obrigatório", "CPF inválido"])
  expect(payerDataProblem(data, payerFields)).toBeNull()
})

test("an empty CPF is missing before the telephone is, and a wrong one is found after it", () => {
  expect(payerDataProblem({ ...complete, cpf: "", phone: "" }, payerFields)?.message).toBe("CPF é obrigatório")
  expect(payerDataProblem({ ...complete, cpf: "1", phone: "" }, payerFields)?.message).toBe("Telefone é obrigatório")
})

test("what isn't required may be missing, but a CPF that is sent must be right", () => {
  expect(payerDataProblem({}, [])).toBeNull()
  expect(payerDataProblem({ cpf: "529.982.247-24" }, [])).toEqual({ field: "cpf", message: "CPF inválido" })
})

test("a page's rules name the fields that it requires, in the specification's order", () => {
  const rules = { requirePhone: true, requireCpf: false, requireEmail: true, requireName: false }
  expect(requiredFields(rules)).toEqual(["email", "phone"])
  expect(payerDataProblem({ email: "ana@exemplo.com" }, requiredFields(rules))?.message).toBe("Telefone é obrigatório")
})

test.each(["11.222.333/0001-81", "12.ABC.345/01DE-35", "1A2B3C52998224725"])("%s is no CPF", (cpf) => {
  expect(payerDataProblem({ ...complete, cpf }, payerFields)?.message).toBe("CPF inválido")
})

test("a company gives its CNPJ in the place of a CPF", () => {
  const { cpf: _, ...company } = { ...complete, cnpj: "11.222.333/0001-81" }
  expect(fieldsOf(company, payerFields)).toEqual(["name", "email", "cnpj", "phone"])
  expect(fieldsOf({ ...complete, cnpj: "" }, payerFields)).toEqual(payerFields)
  expect(fieldsOf({ ...complete, cnpj: null }, payerFields)).toEqual(payerFields)
  expect(payerDataProblem(company, fieldsOf(company, payerFields))).toBeNull()
  const empty = { ...company, cnpj: "" }
  expect(payerDataProblem(empty, fieldsOf(empty, payerFields))).toEqual({
    field: "cnpj",
    message: "CNPJ é obrigatório",
  })
})
