import { afterAll, expect, test } from "vitest"
import { createLog } from "#kit/log"
import { bookPayments } from "#money/payments/book"
import { verifyBooks } from "#overviews/ledger-checks/check"
import { newPerson, type Person } from "../../../test-support/admins.ts"
import { insertCharge } from "../../../test-support/insert-charge.ts"
import { receiptOf } from "../../../test-support/sandbox.ts"
import { openTestApp } from "../../../test-support/test-app.ts"

let second: Person
const url = "/api/v1/admin/journal"

const site = await openTestApp()
const first = await newPerson(site, "chefe@loja.example", "admin")
const seller = await newPerson(site, "ana@loja.example")
// A sale of R$ 100.00 with a fee of R$ 15.00.
const { token } = seller
const page = { title: "Mentoria", slug: "mentoria", amount: 100 }
const { json } = await site.call("POST", "/api/v1/checkout/pages", { token, body: page })
const pageId: string = json.data.checkoutPage._id
const pending = { status: "pending", at: "2026-11-21T11:00:00Z", amountCents: 10_000 } as const
const id = await insertCharge(site.db, { sellerId: seller.id, pageId, ...pending })
const { txid } = await site.db.selectFrom("charges").select("txid").where("id", "=", id).executeTakeFirstOrThrow()
await bookPayments({ ...site, log: createLog("silent") }, [receiptOf(txid, 10_000)])

afterAll(async () => {
  expect((await verifyBooks(site.db)).differences).toEqual([])
  await site.close()
})

interface Entry {
  _id: string
  bookedAt: string | null
  alone: boolean
  approvedBy: { name: string } | null
}

const propose = (body: object, by = first, key?: string) =>
  site.call("POST", url, {
    token: by.token,
    body: { reason: "Conforme o extrato do banco", ...body },
    ...(key !== undefined && { headers: { "idempotency-key": key } }),
  })
const approve = (id: string, by: Person) => site.call("PATCH", `${url}/${id}/approve`, { token: by.token })
const entryOf = (answer: { json: { data: { entry: Entry } } }) => answer.json.data.entry

async function balances(): Promise<Record<string, number>> {
  const { data } = (await site.call("GET", "/api/v1/admin/accounts", { token: first.token })).json
  expect(data.equation.difference).toBe(0)
  const accounts: { id: string; balance: number }[] = data.accounts
  return Object.fromEntries(accounts.map(({ id, balance }) => [id, balance]))
}

test("an administrator alone books at once, and the entry says so", async () => {
  const before = await balances()
  const answer = await propose({ kind: "bank_tariff", amount: 0.5, reference: "EXT-1" })
  expect(answer.status).toBe(201)
  expect(entryOf(answer)).toMatchObject({ alone: true, approvedBy: null, bookedAt: expect.any(String) })
  await propose({ kind: "capital_in", amount: 10 })
  await propose({ kind: "yield", amount: 0.2 })
  const after = await balances()
  expect(after).toMatchObject({ "bank-tariffs": -0.3, capital: 10 })
  expect(after["psp-clearing:simulator"]).toBeCloseTo((before["psp-clearing:simulator"] ?? 0) - 9.7)
})

test("the same key books once", async () => {
  const body = { kind: "yield", amount: 0.01 }
  const answers = await Promise.all([propose(body, first, "k-1"), propose(body, first, "k-1")])
  expect(new Set(answers.map((answer) => entryOf(answer)._id)).size).toBe(1)
  expect((await balances())["bank-tariffs"]).toBe(-0.29)
})

test("the fees can be taken out, and not a centavo more than the fees less the sellers' debts", async () => {
  expect(await propose({ kind: "own_payout", amount: 15.01 })).toMatchObject({
    status: 409,
    json: { code: "own_payout_above_fees" },
  })
  expect((await propose({ kind: "own_payout", amount: 5 })).status).toBe(201)
  expect((await balances())["fee-revenue"]).toBe(10)
})

test("where there are two administrators it waits for the other one, who books it once", async () => {
  second = await newPerson(site, "socia@loja.example", "admin")
  const waiting = entryOf(await propose({ kind: "own_payout", amount: 4, reference: "E1" }))
  expect(waiting).toMatchObject({ bookedAt: null, alone: false })
  expect((await balances())["fee-revenue"]).toBe(10)
  expect(await approve(waiting._id, first)).toMatchObject({ status: 409, json: { code: "second_approver_needed" } })
  const answers = await Promise.all([approve(waiting._id, second), approve(waiting._id, second)])
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
  expect((await balances())["fee-revenue"]).toBe(6)
  const { entries } = (await site.call("GET", url, { token: second.token })).json.data
  expect(entries[0]).toMatchObject({ _id: waiting._id, alone: false, approvedBy: { _id: second.id } })
})

test("of two payouts that together exceed the fees one is booked", async () => {
  const both = await Promise.all([
    propose({ kind: "own_payout", amount: 4 }),
    propose({ kind: "own_payout", amount: 4 }),
  ])
  const answers = await Promise.all(both.map((answer) => approve(entryOf(answer)._id, second)))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
  expect((await balances())["fee-revenue"]).toBe(2)
})

test("a correction moves a seller's balance, stands in the statement, and never below zero", async () => {
  const correct = async (direction: string, amount: number) => {
    const entry = entryOf(await propose({ kind: "correction", sellerId: seller.id, direction, amount }))
    return approve(entry._id, second)
  }
  expect((await correct("credit", 5)).status).toBe(200)
  expect((await correct("debit", 90.01)).status).toBe(422)
  expect((await correct("debit", 90)).status).toBe(200)
  const { rows, closing } = (await site.call("GET", "/api/v1/users/me/statement", { token: seller.token })).json.data
  expect(closing).toBe(0)
  expect(rows.slice(-2)).toMatchObject([
    { kind: "correction", amount: 5, balance: 90 },
    { kind: "correction", amount: -90, balance: 0 },
  ])
})

const refuse = (id: string, by: Person) => site.call("PATCH", `${url}/${id}/refuse`, { token: by.token })

test("a waiting entry is withdrawn by its author or refused by another, once, and then never booked", async () => {
  const before = await balances()
  const withdrawn = entryOf(await propose({ kind: "yield", amount: 0.11 }))
  expect((await refuse(withdrawn._id, first)).json.data.entry).toMatchObject({
    bookedAt: null,
    refusedBy: { _id: first.id },
  })
  const refused = entryOf(await propose({ kind: "yield", amount: 0.12 }))
  const both = await Promise.all([
    refuse(refused._id, second),
    refuse(refused._id, second),
    approve(refused._id, second),
  ])
  const wasBooked = both[2]?.status === 200
  expect(both.slice(0, 2).map(({ status }) => status)).toEqual(wasBooked ? [409, 409] : [200, 200])
  expect((await approve(withdrawn._id, second)).json.code).toBe("manual_entry_refused")
  const booked = entryOf(await propose({ kind: "yield", amount: 0.13 }))
  await approve(booked._id, second)
  expect((await refuse(booked._id, first)).json.code).toBe("manual_entry_booked")
  const moved = (wasBooked ? 25 : 13) / 100
  expect((await balances())["bank-tariffs"]).toBeCloseTo((before["bank-tariffs"] ?? 0) + moved, 2)
})

test("an entry reverses only what was booked, of its seller, and never more of it than its amount", async () => {
  const { end_to_end_id: payment, id: charge } = await site.db
    .selectFrom("charges")
    .select(["end_to_end_id", "id"])
    .where("seller_id", "=", seller.id)
    .where("end_to_end_id", "is not", null)
    .executeTakeFirstOrThrow()
  const correct = (amount: number, reverses: unknown, sellerId = seller.id) =>
    propose({ kind: "correction", sellerId, direction: "credit", amount, reverses })
  for (const name of ["E-nada", "019aa6d1-5d3c-7c1f-8f0e-0b5a7c9d1e2f"]) {
    expect(await correct(1, name)).toMatchObject({ status: 422, json: { errors: [{ path: "reverses" }] } })
  }
  const other = await newPerson(site, "outra@loja.example")
  expect((await correct(1, payment, other.id)).status).toBe(422)

  // The payment was R$ 100.00; its charge's id is another name of it.
  const { _id } = entryOf(await correct(40, payment))
  const many = await Promise.all([correct(35, charge), correct(35, payment), correct(35, charge)])
  expect(many.map(({ status }) => status).toSorted()).toEqual([201, 409, 409])
  expect(many.find(({ status }) => status === 409)?.json.code).toBe("event_corrected")
  expect((await refuse(_id, first)).status).toBe(200)
  expect((await correct(65, payment)).status).toBe(201)
  expect((await correct(0.01, payment)).status).toBe(409)
})

test("all administrators hear of a proposal and of its booking, and the corrected seller of the correction", async () => {
  const noticesOf = async ({ token }: Person): Promise<string[]> => {
    const { data } = (await site.call("GET", "/api/v1/users/me/notices", { token })).json
    return data.notices.map(({ title }: { title: string }) => title)
  }
  const body = { kind: "correction", sellerId: seller.id, direction: "credit", amount: 1.23 }
  const { _id } = entryOf(await propose(body))
  await approve(_id, second)
  const subjects = ["Lançamento feito", "Espera a sua aprovação"].map((words) => {
    return `${words}: correção do saldo de um vendedor, R$ 1,23`
  })
  expect((await noticesOf(first)).slice(0, 2)).toEqual(subjects)
  expect((await noticesOf(second)).slice(0, 2)).toEqual(subjects)
  expect(await noticesOf(seller)).toContain("Correção do seu saldo: +R$ 1,23")
  const mails = await site.db.selectFrom("mails").select("id").where("dedupe_key", "like", `%${_id}%`).execute()
  expect(mails).toHaveLength(5)
})

test("the word of one who is no administrator any more, or whose rights haven't begun, doesn't count", async () => {
  const set = (id: string, change: object) => site.db.updateTable("users").set(change).where("id", "=", id).execute()
  const body = { kind: "yield", amount: 0.07 }
  const { _id } = entryOf(await propose(body, second))
  await set(second.id, { role: "user" })
  expect(await approve(_id, first)).toMatchObject({ status: 409, json: { code: "manual_entry_orphaned" } })
  await set(second.id, { role: "admin", admin_rights_from: new Date(site.clock.now().getTime() + 3_600_000) })
  expect(await propose(body, second)).toMatchObject({ json: { code: "admin_rights_pending" } })
  await set(second.id, { admin_rights_from: null })
  expect((await approve(_id, first)).status).toBe(200)
})

test.each([
  [{ kind: "bank_tariff", amount: 0 }, "amount"],
  [{ kind: "correction", amount: 1, direction: "credit" }, "sellerId"],
  [{ kind: "correction", amount: 1, sellerId: "x", direction: "credit" }, "sellerId"],
  [{ kind: "yield", amount: 1, sellerId: "x" }, "sellerId"],
  [{ kind: "yield", amount: 1, reason: " " }, "reason"],
])("refused at its field: %o", async (body, path) => {
  const answer = await propose(body)
  expect(answer.status).toBe(422)
  expect(answer.json.errors.map((each: { path: string }) => each.path)).toContain(path)
})
