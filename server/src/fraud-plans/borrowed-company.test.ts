import { documentText } from "@tilinta/contract/vocabulary/typed-data"
import { afterAll, afterEach, beforeEach, expect, test } from "vitest"
import { newId } from "#kit/ids"
import { openFraudPlan, type Victim } from "../../test-support/fraud-plan.ts"
import { insertApiKey } from "../../test-support/insert-api-key.ts"

const plan = await openFraudPlan()
const admin = await plan.administrator()
let victim: Victim
let fresh: string

beforeEach(async () => {
  plan.clock.pass(3 * 86_400)
  victim = await plan.victim()
  fresh = await plan.freshSessionOf(victim)
})

afterEach(async () => {
  expect(await plan.left()).toEqual([])
})

afterAll(() => plan.close())

const cnpj = "11222333000181"
const changed = "Os dados da sua loja foram alterados"
const newPlace = "Um destino novo para os seus saques"

const call = (method: "GET" | "POST" | "PATCH", path: string, body?: object, token = fresh) =>
  plan.call(method, `/api/v1/${path}`, { token, ...(body && { body }) })
const change = (body: object, token = fresh) => call("PATCH", "users/me/shop", body, token)
const withdraw = (token = fresh) =>
  call("POST", "withdrawals", { amount: 10, paymentMethod: "pix", pixKey: cnpj }, token)
const hours = (count: number) => new Date(plan.clock.now().getTime() + count * 3_600_000).toISOString()

async function holderOf(id: string): Promise<string> {
  const token = await plan.sessionOf(admin, "admin")
  return (await call("GET", `admin/withdrawals/${id}`, undefined, token)).json.data.withdrawal.owner
}

test("a stolen session changes neither name, document nor contact, but the colour it may", async () => {
  for (const body of [
    { name: "Doces" },
    { document: cnpj },
    { whatsapp: "11987654321" },
    { email: "x@loja.example" },
  ]) {
    expect((await change(body, victim.token)).json.code).toBe("step_up_required")
  }
  expect((await call("GET", "users/me/shop")).json.data.shop).toMatchObject({ name: "", document: "" })
  expect((await change({ color: "sky", closedText: "Até já." }, victim.token)).status).toBe(200)
  expect(await plan.mailsTo(victim)).toEqual([])
})

test("nor does a stolen key", async () => {
  const { key } = await insertApiKey(plan.db, victim.id, { scopes: ["shop:write"] })
  expect((await change({ document: cnpj }, key)).json.code).toBe("step_up_required")
  expect((await change({ color: "sky" }, key)).status).toBe(200)
})

test("whoever proves themselves may, and the owner hears of it, with a way to stop it; frozen, nobody changes it", async () => {
  expect((await change({ name: "Doces da Ana", document: cnpj })).status).toBe(200)
  await plan.expectTold(victim, changed, { says: ["/not-me/", documentText(cnpj), "127.0.0.1"] })
  await plan.press(await plan.newNotMePath(victim))
  fresh = await plan.freshSessionOf(victim)
  expect((await change({ color: "sky" })).json.code).toBe("account_frozen")
  const logo = await plan.call("PUT", "/api/v1/users/me/shop/logo", { token: fresh, body: Buffer.from("x") })
  expect(logo.json.code).toBe("account_frozen")
  expect((await call("GET", "users/me/shop")).status).toBe(200)
})

test("a misleading name, and an address in the text of closed pages, are refused", async () => {
  for (const body of [
    { name: "Nubank Atendimento" },
    { name: "evil.com" },
    { closedText: "Pague em https://evil.com" },
  ]) {
    expect((await change(body)).status).toBe(422)
  }
})

test("the shop's CNPJ is the seller's own: a withdrawal to it waits as to any new place", async () => {
  expect((await withdraw()).json.code).toBe("pix_key_not_yours")
  await change({ document: cnpj })
  await plan.expectTold(victim, changed)
  const { status, json } = await withdraw()
  expect({ status, heldUntil: json.data.withdrawal.heldUntil }).toEqual({ status: 201, heldUntil: hours(24) })
  expect(await holderOf(json.data.withdrawal._id)).toBe("own")
  await plan.expectTold(victim, newPlace, { says: ["/not-me/"] })
  await change({ document: "" })
  expect((await withdraw()).json.code).toBe("pix_key_not_yours")
  await plan.expectTold(victim, changed)
})

test("a place that was used before it was the shop's own is new again from then on", async () => {
  await change({ document: cnpj })
  await withdraw()
  plan.clock.pass(3 * 86_400)
  fresh = await plan.freshSessionOf(victim)
  await change({ document: "" })
  await change({ document: cnpj, name: "Doces da Ana" })
  const { json } = await withdraw()
  expect(json.data.withdrawal).toMatchObject({ heldUntil: hours(24), holdReasons: ["new_destination"] })
  plan.clock.pass(25 * 3_600)
  fresh = await plan.freshSessionOf(victim)
  await change({ name: "Doces da Ana e Bia" })
  expect((await withdraw()).json.data.withdrawal.heldUntil).toBeNull()
})

test("a row that only the database tells of makes no CNPJ the seller's own, whoever wrote it", async () => {
  const row = { seller_id: victim.id, name: "Doces", document: cnpj, since: plan.clock.now() }
  await plan.db
    .insertInto("shops")
    .values({ seller_id: victim.id, color: "mint", updated_at: plan.clock.now() })
    .execute()
  await plan.db
    .insertInto("shop_names")
    .values({ ...row, id: newId(), mac: "x" })
    .execute()
  expect((await withdraw()).json.code).toBe("pix_key_not_yours")
  await change({ document: "" })
  await change({ document: "60746948000112" })
  const [real] = await plan.db
    .selectFrom("shop_names")
    .selectAll()
    .where("seller_id", "=", victim.id)
    .orderBy("id", "desc")
    .execute()
  const { mac = "" } = real ?? {}
  await plan.db
    .insertInto("shop_names")
    .values({ ...row, id: newId(), mac })
    .execute()
  expect((await withdraw()).json.code).toBe("pix_key_not_yours")
  await plan.expectTold(victim, changed)
})
