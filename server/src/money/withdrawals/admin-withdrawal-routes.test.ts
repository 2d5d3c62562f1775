import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { giveBalance } from "../../../test-support/give-balance.ts"
import { openTestApp, type TestApp } from "../../../test-support/test-app.ts"

let site: TestApp
let admin: string
let seller: { token: string; id: string }
let number = 0

beforeAll(async () => {
  site = await openTestApp()
  admin = await site.signUp("chefe@tilinta.example")
  await site.db.updateTable("users").set({ role: "admin" }).where("email", "=", "chefe@tilinta.example").execute()
  seller = await newSeller()
})

afterAll(async () => {
  await site.close()
})

async function newSeller() {
  number += 1
  const token = await site.signUp(`vendedor${number}@loja.example`)
  const id: string = (await site.call("GET", "/api/v1/users/me", { token })).json.data.user._id
  await giveBalance(site.db, id, 100_000)
  return { token, id }
}

const pix = { amount: 10, paymentMethod: "pix", pixKey: "ana@loja.example" }
const bankTransfer = {
  amount: 20,
  paymentMethod: "bank_transfer",
  bankData: { bank: "Banco 1", agency: "0001", account: "12345-6" },
}

async function requested(body: object = pix, { token } = seller): Promise<string> {
  return (await site.call("POST", "/api/v1/withdrawals", { body, token })).json.data.withdrawal._id
}

const url = "/api/v1/admin/withdrawals"
const decide = (id: string, verb: string, body?: unknown, token = admin) =>
  site.call("PATCH", `${url}/${id}/${verb}`, { token, ...(body !== undefined && { body }) })
const list = async (query = "") => (await site.call("GET", `${url}${query}`, { token: admin })).json
const ofSeller = async (id: string, { token } = seller) =>
  (await site.call("GET", "/api/v1/withdrawals", { token })).json.data.withdrawals.find(
    (withdrawal: { _id: string }) => withdrawal._id === id,
  )

describe("access", () => {
  test.for([
    ["GET", url],
    ["GET", `${url}/x`],
    ["PATCH", `${url}/x/approve`],
    ["PATCH", `${url}/x/reject`],
    ["PATCH", `${url}/x/complete`],
    ["PATCH", `${url}/x/return`],
  ] as const)("%s %s: nobody without a session, no seller", async ([method, path]) => {
    expect((await site.call(method, path)).status).toBe(401)
    expect((await site.call(method, path, { token: seller.token })).status).toBe(403)
  })

  test("W15: an admin doesn't decide their own", async () => {
    const me = (await site.call("GET", "/api/v1/users/me", { token: admin })).json.data.user._id
    await giveBalance(site.db, me, 1_000)
    const id = await requested(pix, { token: admin, id: me })
    for (const verb of ["approve", "reject", "complete"]) {
      const reply = await decide(id, verb)
      expect([reply.status, reply.json.code]).toEqual([403, "own_withdrawal"])
    }
  })
})

test("an approved one is approved for the seller too, with the notes", async () => {
  const id = await requested()
  const reply = await decide(id, "approve", { adminNotes: "  conferido " })
  expect(reply.status).toBe(200)
  expect(reply.json).toMatchObject({
    status: "success",
    message: "Saque aprovado com sucesso!",
    data: { withdrawal: { _id: id, status: "approved", adminNotes: "conferido", user: { name: "Ana Souza" } } },
  })
  expect(await ofSeller(id)).toMatchObject({ status: "approved", adminNotes: "conferido" })
  const again = await decide(id, "approve")
  expect([again.status, again.json.message]).toEqual([409, "Este saque não está mais pendente."])
})

test("a single one reads like its row in the list, whatever became of it", async () => {
  const id = await requested()
  const rowOf = async () => (await list("?limit=1000")).data.withdrawals.find((row: { _id: string }) => row._id === id)
  const read = async () => (await site.call("GET", `${url}/${id}`, { token: admin })).json.data.withdrawal
  expect(await read()).toEqual(await rowOf())
  await decide(id, "reject", { adminNotes: "chave de outra pessoa" })
  expect(await read()).toEqual(await rowOf())
  expect(await read()).toMatchObject({ _id: id, status: "rejected", adminNotes: "chave de outra pessoa" })
})

test("what is being sent reads approved to the seller and processing to the admin", async () => {
  const id = await requested()
  await decide(id, "approve")
  await site.db
    .updateTable("withdrawals")
    .set({ status: "processing", provider: "simulator" })
    .where("id", "=", id)
    .execute()
  expect(await ofSeller(id)).toMatchObject({ status: "approved" })
  const found = (await list("?status=processing")).data.withdrawals
  expect(found).toMatchObject([{ _id: id, status: "processing" }])
})

test("a rejected one gives the balance back", async () => {
  const balance = async () =>
    (await site.call("GET", "/api/v1/users/myBalance", { token: seller.token })).json.data.balance
  const before = await balance()
  const id = await requested()
  const reply = await decide(id, "reject", { adminNotes: "chave de outra pessoa" })
  expect(reply.json.message).toBe("Saque rejeitado. O valor voltou ao saldo do vendedor.")
  expect(await balance()).toBe(before)
  expect(await ofSeller(id)).toMatchObject({ status: "rejected", adminNotes: "chave de outra pessoa" })
})

test("a bank transfer is approved, then marked as paid", async () => {
  const id = await requested(bankTransfer)
  expect((await decide(id, "complete")).status).toBe(409)
  await decide(id, "approve")
  const reply = await decide(id, "complete")
  expect(reply.json).toMatchObject({
    message: "Saque marcado como pago.",
    data: { withdrawal: { status: "completed" } },
  })
  expect((await decide(id, "complete")).json.code).toBe("withdrawal_not_completable")
})

test.for(["nada", "0190a000-0000-7000-8000-000000000000", "..%2f..", "%27"])("W18: %s isn't found", async (id) => {
  const unknown = [404, "Saque não encontrado."]
  const read = await site.call("GET", `${url}/${id}`, { token: admin })
  expect([read.status, read.json.message]).toEqual(unknown)
  for (const verb of ["approve", "reject", "complete"]) {
    const reply = await decide(id, verb)
    expect([reply.status, reply.json.message]).toEqual(unknown)
  }
})

test("notes are optional, at most 500 characters, and text", async () => {
  const id = await requested()
  expect((await decide(id, "reject", { adminNotes: "x".repeat(501) })).status).toBe(422)
  expect((await decide(id, "reject", { adminNotes: 7 })).status).toBe(400)
  expect((await decide(id, "reject", [])).status).toBe(400)
  expect((await decide(id, "reject", { adminNotes: null, status: "completed" })).json.data.withdrawal.status).toBe(
    "rejected",
  )
})

describe("the list", () => {
  test("filters by status, day and search, each with exact sums of what it selects", async () => {
    const other = await newSeller()
    const id = await requested({ ...pix, amount: 33.33, pixKey: "52998224725" }, other)
    await requested({ ...bankTransfer, amount: 66.67 }, other)
    await decide(id, "reject")
    const searched = await list(`?search=vendedor${number}@`)
    expect(searched).toMatchObject({
      results: 2,
      data: {
        summary: {
          count: 2,
          totalAmount: 100,
          pending: { count: 1, amount: 66.67 },
          rejected: { count: 1, amount: 33.33 },
          completed: { count: 0, amount: 0 },
        },
      },
    })
    expect(searched.data.withdrawals[0].user).toEqual({
      _id: other.id,
      name: "Ana Souza",
      email: `vendedor${number}@loja.example`,
    })
    expect((await list("?search=5299822")).data.withdrawals).toMatchObject([{ _id: id }])
    expect((await list("?search=5299822&status=pending")).results).toBe(0)
    expect((await list("?search=100%25")).results).toBe(0)
  })

  test("the sums without a search are those of the rows", async () => {
    const { withdrawals, summary } = (await list("?limit=1000")).data
    const sum = withdrawals.reduce(
      (total: number, { amount }: { amount: number }) => total + Math.round(amount * 100),
      0,
    )
    expect([summary.count, summary.totalAmount]).toEqual([withdrawals.length, sum / 100])
    const pending = withdrawals.filter(({ status }: { status: string }) => status === "pending")
    expect(summary.pending.count).toBe(pending.length)
    const today = await list("?dateFrom=2026-11-21&dateTo=2026-11-21&status=pending")
    expect(today.data.summary).toMatchObject({ count: pending.length, rejected: { count: 0 } })
    expect((await list("?dateTo=2026-11-20")).data.summary.count).toBe(0)
  })

  test("pages: no row twice, none missing", async () => {
    const all = await list("?limit=1000")
    const ids: string[] = []
    for (let page = 1; ids.length < all.results; page += 1) {
      const { withdrawals } = (await list(`?limit=3&page=${page}`)).data
      expect(withdrawals.length).toBeGreaterThan(0)
      ids.push(...withdrawals.map(({ _id }: { _id: string }) => _id))
    }
    expect(ids).toEqual(all.data.withdrawals.map(({ _id }: { _id: string }) => _id))
  })

  test("by key: what follows a row, in the same order, with the same sums", async () => {
    const all = await list("?limit=1000")
    const ids = all.data.withdrawals.map(({ _id }: { _id: string }) => _id)
    const page = await list(`?limit=2&after=${ids[1]}`)
    expect(page.data.withdrawals.map(({ _id }: { _id: string }) => _id)).toEqual(ids.slice(2, 4))
    expect([page.results, page.data.summary]).toEqual([all.results, all.data.summary])
  })

  test.for(["?status=nada", "?after=1", "?dateFrom=ontem", "?dateFrom=2026-11-22&dateTo=2026-11-21", "?page=0"])(
    "%s is refused",
    async (query) => {
      expect((await site.call("GET", url + query, { token: admin })).status).toBe(400)
    },
  )
})

describe("what can't be paid, or came back", () => {
  const reason = "A conta informada não existe"

  test("an approved transfer is returned with a reason, which the seller reads", async () => {
    const id = await requested(bankTransfer)
    expect((await decide(id, "return", { reason })).json.code).toBe("withdrawal_not_returnable")
    const approved = await decide(id, "approve")
    expect(approved.json.data.withdrawal).toMatchObject({ paidByHand: true, returnable: true })
    for (const body of [{}, { reason: "  " }]) {
      const refused = await decide(id, "return", body)
      expect([refused.status, refused.json.code]).toEqual([422, "validation_failed"])
    }
    const reply = await decide(id, "return", { reason })
    expect(reply).toMatchObject({
      status: 200,
      json: {
        message: "Saque devolvido: o valor voltou ao saldo do vendedor.",
        data: { withdrawal: { status: "rejected", adminNotes: reason, returnedAmount: 0, returnable: false } },
      },
    })
    expect(await ofSeller(id)).toMatchObject({
      status: "rejected",
      adminNotes: reason,
      returnedAt: site.clock.now().toISOString(),
    })
    const again = await decide(id, "return", { reason })
    expect([again.status, again.json.code]).toEqual([409, "withdrawal_not_returnable"])
  })

  test("a paid transfer that came back reads as such", async () => {
    const id = await requested(bankTransfer)
    await decide(id, "approve")
    await decide(id, "complete")
    await decide(id, "return", { reason })
    expect(await ofSeller(id)).toMatchObject({ status: "rejected", returnedAmount: 20, adminNotes: reason })
  })
})
