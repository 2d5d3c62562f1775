import { describe, expect, test } from "vitest"
import { signupStep1, updateMyPasswordBody } from "./auth.ts"
import { createChargePageBody, updateChargePageBody } from "./charge-pages.ts"
import { customerInfoBody } from "./payments.ts"
import { listTransactionsEndpoint } from "./transactions.ts"

interface Result {
  success: boolean
  error?: { issues: { message: string }[] }
}

const firstMessage = ({ error }: Result) => error?.issues[0]?.message

describe("a charge page's rules", () => {
  const page = { title: "Curso", slug: "curso", amount: 10 }

  test.for([
    [{ title: "" }, "O título da cobrança é obrigatório"],
    [{ title: "   " }, "O título da cobrança é obrigatório"],
    [{ title: undefined }, "O título da cobrança é obrigatório"],
    [{ title: "a".repeat(101) }, "O título deve ter no máximo 100 caracteres"],
    [{ title: "a\0b" }, "O texto contém caracteres inválidos."],
    [{ title: "\ud800" }, "O texto contém caracteres inválidos."],
    [{ title: 7 }, "Deve ser um texto."],
    [{ slug: "" }, "O slug é obrigatório"],
    [{ amount: undefined }, "O valor da cobrança deve ser maior que zero"],
    [{ amount: 0 }, "O valor da cobrança deve ser maior que zero"],
    [{ amount: -0 }, "O valor da cobrança deve ser maior que zero"],
    [{ amount: -1 }, "O valor da cobrança deve ser maior que zero"],
    [{ amount: 0.99 }, "O valor mínimo da cobrança é R$ 1,00"],
    [{ amount: 10.005 }, "Informe o valor com no máximo duas casas decimais."],
    [{ amount: 10_000_000 }, "O valor máximo é R$ 9.999.999,99."],
    [{ amount: "100" }, "O valor deve ser um número."],
    [{ amount: { $gt: 0 } }, "O valor deve ser um número."],
    [{ amount: Number.POSITIVE_INFINITY }, "O valor deve ser um número."],
    [{ description: "a".repeat(501) }, "A descrição deve ter no máximo 500 caracteres"],
    [{ pixConfig: { expiresInHours: 169 } }, "A expiração deve ficar entre 1 e 168 horas"],
    [{ pixConfig: { expiresInHours: -5 } }, "A expiração deve ficar entre 1 e 168 horas"],
    [{ maxPayments: 0 }, "Informe pelo menos 1 pagamento."],
    [{ maxPayments: 1.5 }, "Informe um número inteiro de pagamentos."],
  ] as const)("%j is refused: %s", ([changes, message]) => {
    expect(firstMessage(createChargePageBody.safeParse({ ...page, ...changes }))).toBe(message)
  })

  test.for([
    { title: `  ${"á".repeat(100)}  ` },
    { title: "💸".repeat(100) },
    { amount: 1 },
    { amount: 9_999_999.99 },
    { amount: 10.1 },
    { description: "a".repeat(500) },
    { pixConfig: { expiresInHours: 168 } },
    { pixConfig: { expiresInHours: 0 } },
    { maxPayments: null },
    { customerInfo: null, pixConfig: null },
  ])("%j is taken", (changes) => {
    expect(createChargePageBody.safeParse({ ...page, ...changes }).success).toBe(true)
  })

  test.for([
    ["abc", 24],
    ["12", 12],
    [{}, 24],
    [0, 0],
  ] as const)("P17: the expiry %j is read as %d hours", ([expiresInHours, hours]) => {
    const { pixConfig } = createChargePageBody.parse({ ...page, pixConfig: { expiresInHours } })
    expect(pixConfig?.expiresInHours).toBe(hours)
  })

  test("an edit takes a part and says its own words", () => {
    expect(updateChargePageBody.safeParse({ amount: 0.01 }).success).toBe(true)
    expect(firstMessage(updateChargePageBody.safeParse({ amount: 0 }))).toBe("Valor deve ser maior que zero")
    expect(firstMessage(updateChargePageBody.safeParse({ title: " " }))).toBe("Título é obrigatório")
  })
})

describe("a list's query", () => {
  const { query } = listTransactionsEndpoint

  test("has its defaults, and cuts the limit", () => {
    expect(query.parse({})).toEqual({ page: 1, limit: 100 })
    expect(query.parse({ limit: "999999" })).toMatchObject({ limit: 1000 })
  })

  test.for([
    [{ page: "0" }, "Parâmetro inválido."],
    [{ page: "1e3" }, "Parâmetro inválido."],
    [{ limit: ["1", "2"] }, "Parâmetro inválido."],
    [{ status: "approved" }, "Status desconhecido."],
    [{ dateFrom: "2026-02-31" }, "Data inválida."],
    [{ dateFrom: "ontem" }, "Data inválida."],
    [{ dateFrom: "2026-03-01", dateTo: "2026-02-01" }, "A data inicial deve vir antes da final."],
    [{ startDate: "2026-03-01", dateTo: "2026-02-01" }, "A data inicial deve vir antes da final."],
  ] as const)("%j is refused: %s", ([given, message]) => {
    expect(firstMessage(query.safeParse(given))).toBe(message)
  })
})

describe("a letter that comes in pieces", () => {
  const [pieces, whole] = ["Sa\u0303o Joa\u0303o", "São João"]

  test("is put together wherever people read it, before its limit", () => {
    const title = "a\u0303".repeat(100)
    const page = createChargePageBody.parse({
      title,
      slug: "x",
      amount: 10,
      metadata: { cidade: pieces },
      externalReference: pieces,
    })
    expect(page).toMatchObject({ title: "ã".repeat(100), metadata: { cidade: whole }, externalReference: whole })
    expect(customerInfoBody.parse({ name: pieces })).toEqual({ name: whole })
    expect(listTransactionsEndpoint.query.parse({ search: pieces })).toMatchObject({ search: whole })
  })

  test("stays as it is in passwords, which are kept as typed", () => {
    const account = { name: pieces, email: "ana@exemplo.com", password: pieces, passwordConfirm: pieces }
    expect(signupStep1.parse(account)).toMatchObject({ name: whole, password: pieces, passwordConfirm: pieces })
    const change = { passwordCurrent: pieces, password: pieces, passwordConfirm: pieces }
    expect(updateMyPasswordBody.parse(change)).toEqual(change)
  })
})
