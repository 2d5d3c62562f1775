import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { giveBalance } from "../../../test-support/give-balance.ts"
import { openTestApp, type TestApp } from "../../../test-support/test-app.ts"

let site: TestApp
let emails = 0

beforeAll(async () => {
  site = await openTestApp()
})

afterAll(async () => {
  await site.close()
})

interface Seller {
  id: string
  token: string
}

async function sellerWith(reais: number): Promise<Seller> {
  emails += 1
  const token = await site.signUp(`ana${emails}@loja.example`)
  const id = (await site.call("GET", "/api/v1/users/me", { token })).json.data.user._id
  if (reais > 0) await giveBalance(site.db, id, Math.round(reais * 100))
  return { id, token }
}

const url = "/api/v1/withdrawals"
const pix = { amount: 40, paymentMethod: "pix", pixKey: "Ana@Loja.Example" }
const bankData = { bank: "Banco 1", agency: "0001", account: "12345-6" }

const request = ({ token }: Seller, body: unknown, headers?: Record<string, string>) =>
  site.call("POST", url, { body, token, ...(headers && { headers }) })
const list = async ({ token }: Seller, query = "") => (await site.call("GET", `${url}${query}`, { token })).json
const cancel = ({ token }: Seller, id: string) => site.call("PATCH", `${url}/${id}/cancel`, { token })

async function setSetting(key: string, value: unknown, type: "number" | "boolean"): Promise<void> {
  await site.db
    .insertInto("settings")
    .values({
      key,
      value: JSON.stringify(value),
      type,
      category: "general",
      description: "",
      is_public: true,
      updated_by: null,
    })
    .onConflict((conflict) => conflict.column("key").doUpdateSet({ value: JSON.stringify(value) }))
    .execute()
}

test("a Pix withdrawal answers 201 with what was asked for, and the balance falls at once", async () => {
  const seller = await sellerWith(100)
  const reply = await request(seller, pix)
  expect(reply.status).toBe(201)
  expect(reply.json.data.withdrawal).toEqual({
    _id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    amount: 40,
    paymentMethod: "pix",
    pixKey: "ana@loja.example",
    pixKeyType: "email",
    bankData: null,
    bankAccount: { bank: "", agency: "", account: "", accountType: "", pixKey: "ana@loja.example" },
    status: "pending",
    adminNotes: "",
    endToEndId: null,
    createdAt: "2026-11-21T12:00:00.000Z",
    approvedAt: null,
    processedAt: null,
    returnedAmount: 0,
    returnedAt: null,
    heldUntil: null,
    holdReasons: [],
    sentAt: null,
  })
  const me = (await site.call("GET", "/api/v1/users/me", { token: seller.token })).json
  expect(me.data.user.balance).toBe(60)
  expect((await list(seller)).data.summary).toEqual({
    available: 60,
    inProgress: 40,
    withdrawn: 0,
    blocked: 0,
    toCome: 0,
  })
})

test("a bank transfer keeps the bank's data; the account type is corrente unless said otherwise", async () => {
  const seller = await sellerWith(100)
  const reply = await request(seller, { amount: 0.01, paymentMethod: "bank_transfer", bankData, pixKey: "" })
  expect(reply.json.data.withdrawal).toMatchObject({
    bankData: { ...bankData, accountType: "corrente" },
    bankAccount: { ...bankData, accountType: "corrente", pixKey: "" },
    pixKey: null,
  })
})

describe("W11: what is refused", () => {
  test.for([
    [{ amount: 0 }, 422, "Valor deve ser maior que zero"],
    [{ amount: -5 }, 422, "Valor deve ser maior que zero"],
    [{ amount: undefined }, 422, "Valor deve ser maior que zero"],
    [{ amount: "40" }, 400, "O valor deve ser um número."],
    [{ amount: 1.001 }, 400, "Informe o valor com no máximo duas casas decimais."],
    [{ amount: 100.01 }, 422, "Saldo insuficiente"],
    [{ amount: 1e15 }, 400, "O valor máximo é R$ 9.999.999,99."],
    [{ pixKey: "" }, 422, "Chave PIX é obrigatória"],
    [{ pixKey: "  " }, 422, "Chave PIX é obrigatória"],
    [{ pixKey: undefined }, 422, "Chave PIX é obrigatória"],
    [{ pixKey: null }, 422, "Chave PIX é obrigatória"],
    [
      { pixKey: "11900000083" },
      422,
      "Esta chave pode ser CPF ou telefone. Escreva o CPF com pontos (000.000.000-00) ou o telefone com +55.",
    ],
    [{ pixKey: "11111111111" }, 422, "Chave Pix inválida. Use CPF, CNPJ, e-mail, celular com DDD ou chave aleatória."],
    [{ pixKey: "a\u0000b" }, 400, "O texto contém caracteres inválidos."],
    [{ pixKey: 52_998_224_725 }, 400, "Deve ser um texto."],
    [{ paymentMethod: "ted" }, 400, "Escolha o método: pix ou bank_transfer."],
    [{ paymentMethod: undefined }, 400, "Escolha o método: pix ou bank_transfer."],
    [{ paymentMethod: "bank_transfer" }, 422, "Dados bancários são obrigatórios"],
    [{ paymentMethod: "bank_transfer", bankData: {} }, 422, "Dados bancários são obrigatórios"],
    [
      { paymentMethod: "bank_transfer", bankData: { ...bankData, agency: " " } },
      422,
      "Dados bancários são obrigatórios",
    ],
    [{ paymentMethod: "bank_transfer", bankData: "x" }, 400, "Deve ser um objeto JSON."],
    [
      { paymentMethod: "bank_transfer", bankData: { ...bankData, accountType: "x" } },
      400,
      "Tipo de conta desconhecido.",
    ],
  ] as const)("%j is refused with %d: %s", async ([wrong, status, message]) => {
    const seller = await sellerWith(100)
    const reply = await request(seller, { ...pix, ...wrong })
    expect([reply.status, reply.json.message]).toEqual([status, message])
    expect((await list(seller)).data).toMatchObject({ withdrawals: [], summary: { available: 100 } })
  })

  test("no body, a list, text", async () => {
    const { token } = await sellerWith(1)
    for (const rawBody of ["", "[]", '"x"', "{", "null"]) {
      expect((await site.call("POST", url, { rawBody, token })).status).toBe(400)
    }
  })

  test("a balance of zero", async () => {
    const reply = await request(await sellerWith(0), { ...pix, amount: 0.01 })
    expect([reply.status, reply.json.code, reply.json.message]).toEqual([
      ...[422, "insufficient_balance", "Saldo insuficiente"],
    ])
  })
})

describe("the settings hold from the next request on", () => {
  test("a minimum", async () => {
    const seller = await sellerWith(100)
    await setSetting("MIN_WITHDRAWAL_AMOUNT", 50, "number")
    const reply = await request(seller, { ...pix, amount: 49.99 })
    expect([reply.status, reply.json.message.replace(/\s/g, " ")]).toEqual([422, "O valor mínimo do saque é R$ 50,00"])
    await setSetting("MIN_WITHDRAWAL_AMOUNT", 0.01, "number")
    expect((await request(seller, { ...pix, amount: 49.99 })).status).toBe(201)
  })

  test("withdrawals switched off; what was asked for before answers again", async () => {
    const seller = await sellerWith(100)
    const headers = { "idempotency-key": "antes" }
    const first = await request(seller, pix, headers)
    await setSetting("WITHDRAWALS_ENABLED", false, "boolean")
    const off = await request(seller, pix)
    expect([off.status, off.json.code]).toEqual([409, "withdrawals_disabled"])
    expect((await request(seller, pix, headers)).json).toEqual(first.json)
    await setSetting("WITHDRAWALS_ENABLED", true, "boolean")
    expect((await request(seller, pix)).status).toBe(201)
  })
})

test("W19: ten at once with one key are one withdrawal and one answer; another body is refused", async () => {
  const seller = await sellerWith(100)
  const headers = { "idempotency-key": "k1" }
  const replies = await Promise.all(Array.from({ length: 10 }, () => request(seller, pix, headers)))
  expect(new Set(replies.map((reply) => reply.text)).size).toBe(1)
  expect((await list(seller)).results).toBe(1)
  expect((await request(seller, { ...pix, amount: 41 }, headers)).json.code).toBe("idempotency_key_reused")
})

test("W14: the list holds the seller's own, newest first, whatever else is asked for", async () => {
  const [seller, other] = [await sellerWith(100), await sellerWith(100)]
  await request(other, pix)
  for (const amount of [1, 2, 3]) {
    site.clock.pass(1)
    await request(seller, { ...pix, amount })
  }
  const all = await list(seller, `?user=${other.id}&userId=${other.id}&limit=999999`)
  expect(all.results).toBe(3)
  expect(all.data.withdrawals.map(({ amount }: { amount: number }) => amount)).toEqual([3, 2, 1])
  const second = await list(seller, "?page=2&limit=2")
  expect([second.results, second.data.withdrawals.length]).toEqual([3, 1])
})

test("one withdrawal is read by its id, by its seller alone", async () => {
  const [seller, other] = [await sellerWith(100), await sellerWith(0)]
  const { withdrawal } = (await request(seller, pix)).json.data
  const read = (id: string, { token }: Seller) => site.call("GET", `${url}/${id}`, { token })
  expect((await read(withdrawal._id, seller)).json.data).toEqual({ withdrawal })
  expect((await read(withdrawal._id, other)).json.code).toBe("withdrawal_forbidden")
  for (const id of ["nada", "0193a4c5-7c1a-7d3e-9b52-4f0d6c8e1a27"]) {
    expect((await read(id, seller)).json.code).toBe("withdrawal_not_found")
  }
})

test("the list filters by status, search and São Paulo's days; the summary stays the whole", async () => {
  const seller = await sellerWith(100)
  const { _id } = (await request(seller, { ...pix, amount: 1 })).json.data.withdrawal
  await request(seller, { ...pix, amount: 2, pixKey: "52998224725" })
  await cancel(seller, _id)
  const amounts = async (query: string) =>
    (await list(seller, query)).data.withdrawals.map(({ amount }: { amount: number }) => amount)
  expect(await amounts("?status=cancelled")).toEqual([1])
  expect(await amounts("?status=approved")).toEqual([])
  expect(await amounts("?search=5299")).toEqual([2])
  expect(await amounts("?dateFrom=2026-11-21&dateTo=2026-11-21&status=pending")).toEqual([2])
  expect(await amounts("?dateFrom=2026-11-22")).toEqual([])
  const filtered = await list(seller, "?dateFrom=2026-11-21&status=pending")
  expect(filtered.results).toBe(1)
  expect(filtered.data.summary).toEqual({ available: 98, inProgress: 2, withdrawn: 0, blocked: 0, toCome: 0 })
  expect((await site.call("GET", `${url}?status=nada`, { token: seller.token })).status).toBe(400)
})

describe("cancelling", () => {
  test("gives the balance back and says so; a second time is a conflict", async () => {
    const seller = await sellerWith(100)
    const { _id } = (await request(seller, pix)).json.data.withdrawal
    const reply = await cancel(seller, _id)
    expect(reply.json).toMatchObject({
      status: "success",
      message: "Saque cancelado. O valor voltou ao seu saldo.",
      data: { withdrawal: { _id, status: "cancelled" } },
    })
    expect((await list(seller)).data.summary.available).toBe(100)
    const again = await cancel(seller, _id)
    expect([again.status, again.json.message]).toEqual([409, "Apenas saques pendentes podem ser cancelados."])
  })

  test("another seller's is forbidden, an unknown one isn't found", async () => {
    const [seller, other] = [await sellerWith(100), await sellerWith(0)]
    const { _id } = (await request(seller, pix)).json.data.withdrawal
    expect((await cancel(other, _id)).status).toBe(403)
    for (const id of ["nada", "0190a000-0000-7000-8000-000000000000", "..%2f..", "%27"]) {
      expect((await cancel(seller, id)).status).toBe(404)
    }
  })
})

test("nobody without a session", async () => {
  expect((await site.call("GET", url)).status).toBe(401)
  expect((await site.call("POST", url, { body: pix })).status).toBe(401)
  expect((await site.call("PATCH", `${url}/x/cancel`)).status).toBe(401)
})
