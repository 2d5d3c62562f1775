import { afterAll, expect, test } from "vitest"
import { saoPauloDay, secondsAfter } from "#kit/clock"
import { bookPayments } from "#money/payments/book"
import { findPaymentDifferences } from "#money/payments/verify-reads"
import { asOwner } from "../../../test-support/as-owner.ts"
import { openSandbox, receiptOf } from "../../../test-support/sandbox.ts"
import { openTestApp } from "../../../test-support/test-app.ts"

const bank = await openSandbox()
const site = await openTestApp({ psp: bank.psp })
const owner = await site.signUp("padaria@loja.example")
const cashier = await site.signUp("bia@loja.example")
const idOf = async (token: string): Promise<string> =>
  (await site.call("GET", "/api/v1/users/me", { token })).json.data.user._id
const [shop, bia] = [await idOf(owner), await idOf(cashier)]
await site.db
  .insertInto("shop_members")
  .values({ shop_id: shop, user_id: bia, role: "cashier", joined_at: new Date() })
  .execute()

afterAll(async () => {
  expect(await findPaymentDifferences(site.db)).toEqual([])
  await site.close()
  await bank.close()
})

const call = (token: string, method: "GET" | "POST", path: string, body?: object, headers: object = {}) =>
  site.call(method, `/api/v1/${path}`, { token, ...(body && { body }), headers: { "x-shop": shop, ...headers } })
const sell = (token: string, body: object = {}, headers: object = {}) =>
  call(token, "POST", "charges", { amount: 12.5, counter: true, ...body }, headers)
const dayOf = async (token: string) => (await call(token, "GET", "counter/today")).json.data.counter

async function paid(id: string, payerName?: string): Promise<void> {
  const charge = await site.db
    .selectFrom("charges")
    .select(["txid", "amount_cents"])
    .where("id", "=", id)
    .executeTakeFirstOrThrow()
  const receipt = receiptOf(String(charge.txid), charge.amount_cents)
  await bookPayments({ ...bank, db: site.db }, [{ ...receipt, ...(payerName !== undefined && { payerName }) }])
}

test("a sale lasts ten minutes, and its page is in no list, total or event of pages", async () => {
  const { status, json } = await sell(owner, { description: "Dois pães" })
  expect(status).toBe(201)
  const { charge } = json.data
  expect(Date.parse(charge.expiresAt) - Date.parse(charge.createdAt)).toBe(600_000)
  await paid(charge._id)
  const pages = await call(owner, "GET", "checkout/pages")
  expect([pages.json.results, pages.json.data.summary.count, pages.json.data.checkoutPages]).toEqual([0, 0, []])
  const { rows } = await site.db
    .selectFrom("event_drafts")
    .select("type")
    .where("seller_id", "=", shop)
    .execute()
    .then((drafts) => ({ rows: drafts.filter(({ type }) => type.startsWith("page.")) }))
  expect(rows).toEqual([])
  const counter = await call(owner, "GET", "payments/transactions?kind=counter")
  expect(counter.json.data.transactions.map(({ _id }: { _id: string }) => _id)).toEqual([charge._id])
  expect(counter.json.data.summary.totalGross).toBe(12.5)
})

test("a cashier sells at the counter and sees today's sums by person, and makes no other charge", async () => {
  const before = await dayOf(owner)
  const { charge } = (await sell(cashier, { amount: 7 })).json.data
  await sell(cashier, { amount: 9 })
  await paid(charge._id)
  const today = await dayOf(cashier)
  expect([today.count, today.amount]).toEqual([before.count + 1, before.amount + 7])
  expect(today.people).toContainEqual({ person: { _id: bia, name: "Ana Souza" }, count: 1, amount: 7 })
  expect(
    today.sales.map(({ amount, status }: { amount: number; status: string }) => [amount, status]).slice(0, 2),
  ).toEqual([
    [9, "pendente"],
    [7, "pago"],
  ])
  for (const refused of [
    await call(cashier, "POST", "charges", { amount: 10 }),
    await call(cashier, "POST", "charges", { amount: "muito", counter: "sim" }),
    await call(cashier, "GET", "payments/transactions?kind=counter"),
  ]) {
    expect([refused.status, refused.json.code]).toEqual([403, "role_forbidden"])
  }
})

test("the counter reads the first name of who paid, where the bank told it, and only of a sale of its own", async () => {
  const { charge } = (await sell(cashier)).json.data
  const nameOf = async () =>
    (await dayOf(cashier)).sales.find(({ _id }: { _id: string }) => _id === charge._id).payerName
  expect(await nameOf()).toBeNull()
  await Promise.all([paid(charge._id, "BRUNO LIMA DIAS"), paid(charge._id, "BRUNO LIMA DIAS")])
  await paid(charge._id, "Outra Pessoa")
  expect(await nameOf()).toBe("Bruno")
  const unnamed = (await sell(owner)).json.data.charge
  await paid(unnamed._id)
  const ofPage = (await call(owner, "POST", "charges", { amount: 10 })).json.data.charge
  await paid(ofPage._id, "Carla Dias")
  const names = await site.db
    .selectFrom("charges")
    .select("payer_name")
    .where("id", "in", [unnamed._id, ofPage._id])
    .execute()
  expect(names.map(({ payer_name }) => payer_name)).toEqual([null, null])
})

test("the owner reads the sums of another day, a cashier today's alone", async () => {
  const { charge } = (await sell(cashier, { amount: 7 })).json.data
  await paid(charge._id)
  const today = await dayOf(owner)
  const asked = async (token: string, day: string) => call(token, "GET", `counter/today?day=${day}`)
  expect((await asked(owner, today.day)).json.data.counter).toEqual(today)
  expect((await asked(owner, "2026-01-02")).json.data.counter).toMatchObject({
    day: "2026-01-02",
    sales: [],
    amount: 0,
  })
  const yesterday = secondsAfter(site.clock.now(), -86_400)
  await asOwner(
    site.database,
    `update counter_sales set created_at = '${yesterday.toISOString()}' where charge_id = '${charge._id}'`,
  )
  const before = (await asked(owner, saoPauloDay(yesterday))).json.data.counter
  expect([before.amount, before.people, before.sales[0]._id]).toMatchObject([7, [{ count: 1 }], charge._id])
  expect((await dayOf(owner)).amount).toBe(today.amount - 7)
  expect((await asked(owner, "ontem")).status).toBe(400)
  for (const day of [today.day, "2026-01-02", "ontem"]) {
    expect((await asked(cashier, day)).json.code).toBe("role_forbidden")
  }
})

test("a shop's favourites are its managers' to name, and one list however often and by whomever they are saved", async () => {
  const save = (token: string, favourites: unknown) =>
    site.call("PUT", "/api/v1/counter/favourites", { token, body: { favourites }, headers: { "x-shop": shop } })
  expect((await dayOf(cashier)).favourites).toEqual([])
  const [pao, cafe] = [
    { name: "Pão na chapa", amount: 6.5 },
    { name: "Café", amount: 4 },
  ]
  expect((await save(cashier, [pao])).json.code).toBe("role_forbidden")
  for (const wrong of [[{ name: "", amount: 5 }], [{ name: "Bala", amount: 0.1 }], Array(13).fill(pao)]) {
    expect((await save(owner, wrong)).status).toBe(422)
  }
  for (const _ of [1, 2]) expect((await save(owner, [pao, cafe])).json.data.favourites).toEqual([pao, cafe])
  await Promise.all([save(owner, [pao]), save(owner, [pao])])
  expect((await dayOf(cashier)).favourites).toEqual([pao])
})

test("the same key is one sale, also twice at once", async () => {
  const headers = { "idempotency-key": "venda-0001" }
  const sent = await Promise.all([sell(cashier, {}, headers), sell(cashier, {}, headers)])
  const again = await sell(cashier, {}, headers)
  const ids = [...sent, again].map(({ json }) => json.data.charge._id)
  expect(new Set(ids).size).toBe(1)
  const sales = await site.db.selectFrom("counter_sales").select("charge_id").where("charge_id", "in", ids).execute()
  expect(sales).toHaveLength(1)
})

const shiftOf = async (token: string) => (await call(token, "POST", "counter/shifts")).json.data.shift
async function soldBy(token: string, amount: number): Promise<string> {
  const { _id } = (await sell(token, { amount })).json.data.charge
  await paid(_id)
  return _id
}
/** The counter of a shop of its own. */
async function newShift(): Promise<void> {
  for (const token of [owner, cashier]) await shiftOf(token)
}

test("a shift holds what was paid since the one before it, and a sale belongs to the shift in which it is paid", async () => {
  await newShift()
  const late = (await sell(cashier, { amount: 9 })).json.data.charge
  await soldBy(cashier, 7)
  await soldBy(cashier, 5)
  await soldBy(owner, 30)
  const open = (await dayOf(cashier)).shifts.filter(({ closedAt }: { closedAt: unknown }) => closedAt === null)
  expect(open).toMatchObject([
    { person: { _id: shop }, count: 1, amount: 30 },
    { person: { _id: bia }, count: 2, amount: 12 },
  ])
  const morning = await shiftOf(cashier)
  expect(morning).toMatchObject({ person: { _id: bia, name: "Ana Souza" }, count: 2, amount: 12 })
  await paid(late._id)
  const evening = await shiftOf(cashier)
  expect(evening).toMatchObject({ firstSaleAt: late.createdAt, count: 1, amount: 9 })
  const { shifts } = await dayOf(owner)
  expect(shifts.slice(-3)).toEqual([morning, evening, open[0]])
  const audited = await site.db
    .selectFrom("audit_records")
    .select(["entity_id", "after"])
    .where("action", "=", "counter.shift_closed")
    .orderBy("id", "desc")
    .executeTakeFirst()
  expect(audited).toMatchObject({ entity_id: shop, after: { sales: 1, amountCents: 900 } })
})

test("a shift without new sales is not closed, and two closings at once make one", async () => {
  await newShift()
  await soldBy(cashier, 7)
  const count = async () =>
    (await site.db.selectFrom("counter_shifts").select("id").where("person_id", "=", bia).execute()).length
  const before = await count()
  const [one, other] = await Promise.all([shiftOf(cashier), shiftOf(cashier)])
  expect(other).toEqual(one)
  expect(await shiftOf(cashier)).toEqual(one)
  expect(await count()).toBe(before + 1)
  expect((await call(await site.signUp("nova@loja.example"), "POST", "counter/shifts")).status).toBe(403)
})

test("after midnight a cashier still sees and closes what the open shift sold yesterday", async () => {
  await newShift()
  const [yesterdays, olds] = [await soldBy(cashier, 7), await soldBy(cashier, 8)]
  const now = site.clock.now()
  for (const [id, seconds] of [
    [yesterdays, 86_400],
    [olds, 2 * 86_400],
  ] as const) {
    const at = secondsAfter(now, -seconds).toISOString()
    await asOwner(site.database, `update counter_sales set created_at = '${at}' where charge_id = '${id}'`)
  }
  const listed = async (token: string) => (await dayOf(token)).sales.map(({ _id }: { _id: string }) => _id)
  expect(await listed(cashier)).toContain(yesterdays)
  expect(await listed(cashier)).not.toContain(olds)
  expect(await listed(owner)).not.toContain(yesterdays)
  expect(await shiftOf(cashier)).toMatchObject({ count: 1, amount: 7 })
  expect(await listed(cashier)).not.toContain(yesterdays)
  const earlier = (await call(owner, "GET", `counter/today?day=${saoPauloDay(secondsAfter(now, -86_400))}`)).json.data
  expect(earlier.counter.shifts).toEqual([])
})
