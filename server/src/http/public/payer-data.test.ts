import { afterAll, expect, test } from "vitest"
import { secondsAfter } from "#kit/clock"
import { eraseOldPayerData } from "#selling/charges/payer-data"
import { insertCharge } from "../../../test-support/insert-charge.ts"
import { insertChargePages } from "../../../test-support/insert-charge-pages.ts"
import { openTestApp } from "../../../test-support/test-app.ts"

const at = "2026-11-20T12:00:00Z"

const site = await openTestApp()
const token = await site.signUp("ana@loja.example")
const sellerId: string = (await site.call("GET", "/api/v1/users/me", { token })).json.data.user._id
const pageId: string = (await insertChargePages(site.db, [{ sellerId, at }]))[0] ?? ""

afterAll(() => site.close())

const payer = { payerName: "Bruno Lima Dias", payerEmail: "bruno@cliente.example", payerDocument: "52998224725" }
const newCharge = (status: "paid" | "expired" | "pending" = "expired") =>
  insertCharge(site.db, { sellerId, pageId, status, at, ...payer })
const pathOf = (id: string, verb = "", k = site.payerTokens.of(id)) => `/payment/data/${id}${verb}?k=${k}`

function post(id: string, verb: "/correct" | "/erase", fields: Record<string, string> = {}, headers = {}) {
  return site.app.inject({
    method: "POST",
    url: pathOf(id, verb),
    headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
    payload: new URLSearchParams(fields).toString(),
  })
}

const stored = (id: string) =>
  site.db
    .selectFrom("charges")
    .select(["payer_name", "payer_email", "payer_document", "payer_phone", "payer_erased_at"])
    .where("id", "=", id)
    .executeTakeFirstOrThrow()

test("the holder of the token sees which data are held, masked; nobody else sees the page, in relaxed protection, too", async () => {
  const id = await newCharge()
  const page = await site.call("GET", pathOf(id))
  expect(page.status).toBe(200)
  expect(page.text).toContain("Bruno L••• D•••")
  expect(page.text).toContain("br•••@cliente.example")
  for (const whole of ["Bruno Lima", "bruno@cliente.example", "52998224725"]) expect(page.text).not.toContain(whole)
  expect(page.headers).toMatchObject({ "cache-control": "no-store", "x-robots-tag": "noindex" })
  expect(page.text).not.toContain("<script")

  const other = await newCharge()
  for (const url of [`/payment/data/${id}`, pathOf(id, "", site.payerTokens.of(other)), pathOf(id, "", "x")]) {
    expect((await site.call("GET", url)).status).toBe(404)
  }
})

test("a payer corrects what is held, and only that; the seller is told, and the audit keeps no value", async () => {
  const id = await newCharge()
  const done = await post(id, "/correct", { name: " Bruna Lima ", email: "", phone: "11987654321" })
  expect(done.statusCode).toBe(303)
  expect(await stored(id)).toMatchObject({ payer_name: "Bruna Lima", payer_email: payer.payerEmail, payer_phone: null })
  const found = await site.call("GET", `/api/v1/payments/transactions?page=1&search=bruna`, { token })
  expect(found.json.results).toBe(1)

  const wrong = await post(id, "/correct", { email: "isto não é" })
  expect(wrong.statusCode).toBe(422)
  expect(wrong.body).toContain("aria-invalid")

  const records = await site.db.selectFrom("audit_records").selectAll().where("entity_id", "=", id).execute()
  expect(records).toMatchObject([{ action: "payer_data.corrected", after: { fields: "name", chargeId: id } }])
  expect(JSON.stringify(records)).not.toMatch(/Brun/)
  const { json } = await site.call("GET", "/api/v1/users/me/notices", { token })
  expect(json.data.notices[0].title).toBe("Um pagador corrigiu os dados dele")
})

test("a company sees, corrects and erases its CNPJ", async () => {
  const id = await insertCharge(site.db, { sellerId, pageId, status: "expired", at, payerDocument: "12ABC34501DE35" })
  const { text } = await site.call("GET", pathOf(id))
  expect(text).toContain("CNPJ")
  expect(text).not.toMatch(/12ABC345|CPF/)
  expect((await post(id, "/correct", { cnpj: "11222333000180" })).body).toContain("CNPJ inválido")
  expect((await post(id, "/correct", { cnpj: "11.222.333/0001-81" })).statusCode).toBe(303)
  expect((await stored(id)).payer_document).toBe("11222333000181")
  expect((await post(id, "/erase")).statusCode).toBe(303)
  expect((await stored(id)).payer_document).toBeNull()
})

test("a payer's data are erased at once, once also when asked twice at once, and the seller sees that they were", async () => {
  const id = await newCharge()
  const replies = await Promise.all([post(id, "/erase"), post(id, "/erase")])
  expect(replies.map(({ statusCode }) => statusCode)).toEqual([303, 303])
  expect(await stored(id)).toMatchObject({ payer_name: null, payer_email: null, payer_erased_at: expect.any(Date) })
  const records = await site.db.selectFrom("audit_records").select("action").where("entity_id", "=", id).execute()
  expect(records).toEqual([{ action: "payer_data.erased" }])
  const { json } = await site.call("GET", `/api/v1/payments/transactions/${id}`, { token })
  expect(json.data.transaction).toMatchObject({ customerInfo: { name: "" }, customerDataErasedAt: expect.any(String) })
  expect((await site.call("GET", pathOf(id))).text).toContain("Não guardamos dados seus")
})

test("while a code is open the request is recorded, and a job erases once it is over", async () => {
  const id = await newCharge("pending")
  expect(String((await post(id, "/erase")).headers.location)).toContain("done=noted")
  expect((await stored(id)).payer_name).not.toBeNull()
  expect((await site.call("GET", pathOf(id))).text).toContain("Você pediu em")
  await site.db.updateTable("charges").set({ status: "expired" }).where("id", "=", id).execute()
  await eraseOldPayerData({ db: site.db, clock: { now: () => secondsAfter(site.clock.now(), 7_200) } })
  expect((await stored(id)).payer_name).toBeNull()
})

test("however often a payer corrected their data, they may erase them, twice and two at once", async () => {
  const [closed, open] = [await newCharge(), await newCharge("pending")]
  for (const id of [closed, open]) {
    for (let n = 0; n < 5; n += 1) expect((await post(id, "/correct", { name: `Bruno ${n}` })).statusCode).toBe(303)
    const replies = await Promise.all([post(id, "/erase"), post(id, "/erase")])
    expect([...replies, await post(id, "/erase")].map(({ statusCode }) => statusCode)).toEqual([303, 303, 303])
  }
  expect(await stored(closed)).toMatchObject({ payer_name: null, payer_email: null })
  const erasures = site.db.selectFrom("audit_records").select("action").where("entity_id", "in", [closed, open])
  const actions = (await erasures.execute()).map(({ action }) => action)
  expect(actions.filter((action) => action !== "payer_data.corrected").sort()).toEqual([
    "payer_data.erased",
    "payer_data.erasure_asked",
  ])
})

test("six changes of one payment in a day are too many, and another site's form does nothing", async () => {
  const id = await newCharge()
  for (let n = 0; n < 5; n += 1) expect((await post(id, "/correct", { name: `Bruno ${n}` })).statusCode).toBe(303)
  expect((await post(id, "/correct", { name: "Outro" })).statusCode).toBe(429)
  const foreign = await post(await newCharge(), "/erase", {}, { "sec-fetch-site": "cross-site" })
  expect(foreign.statusCode).toBe(403)
})
