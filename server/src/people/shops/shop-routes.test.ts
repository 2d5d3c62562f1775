import sharp from "sharp"
import { afterAll, beforeEach, expect, test } from "vitest"
import { openEdgeWorld, type WorldUser } from "../../../test-support/edge-world.ts"
import { insertApiKey } from "../../../test-support/insert-api-key.ts"
import { readZip } from "../../../test-support/read-zip.ts"

const world = await openEdgeWorld()
let seller: WorldUser

beforeEach(async () => {
  seller = await world.user()
})

afterAll(() => world.close())

const path = "/api/v1/users/me/shop"
const read = async () => (await world.call("GET", path, { token: seller.token })).json.data.shop
const change = (body: object, token = seller.token) => world.call("PATCH", path, { token, body })
const png = (colour: string) =>
  sharp({ create: { width: 30, height: 20, channels: 3, background: colour } })
    .png()
    .toBuffer()
const putLogo = (file: Buffer, headers = {}, token = seller.token) =>
  world.call("PUT", `${path}/logo`, { token, body: file, headers })
const admin = async () => (await world.user("admin")).token

const cakes = {
  name: "Doces da Ana",
  document: "12.ABC.345/01DE-35",
  color: "amber",
  whatsapp: "(11) 98765-4321",
  email: "Loja@docesdaana.example",
  closedText: "Volte em janeiro.",
}
const kept = { ...cakes, document: "12ABC34501DE35", whatsapp: "11987654321", logoUrl: null }
const shown = { ...kept, logoUrl: undefined }

async function makePage(): Promise<{ _id: string; uniqueLink: string }> {
  const body = { title: "Bolo", slug: "bolo", amount: 50, pixConfig: { allowAnonymous: true } }
  return (await world.call("POST", "/api/v1/checkout/pages", { token: seller.token, body })).json.data.checkoutPage
}
const lookup = (link: string) => world.call("GET", `/api/v1/checkout/pages/${link}`)

test("a seller without a shop is as before: an empty form, and a page that says nothing of one", async () => {
  expect(await read()).toEqual({
    ...{ name: "", document: "", logoUrl: null, color: "mint", whatsapp: "", email: "", closedText: "" },
  })
  const { uniqueLink } = await makePage()
  const { checkoutPage } = (await lookup(uniqueLink)).json.data
  expect(checkoutPage).not.toHaveProperty("shop")
})

test("what is saved is kept in its one form, read again, and shown to payers; a part changes only that part", async () => {
  expect((await change(cakes)).json.data.shop).toEqual(kept)
  expect(await read()).toEqual(kept)
  const { uniqueLink } = await makePage()
  expect((await lookup(uniqueLink)).json.data.checkoutPage.shop).toEqual(JSON.parse(JSON.stringify(shown)))
  expect((await change({ color: "violet", whatsapp: "" })).json.data.shop).toEqual({
    ...kept,
    color: "violet",
    whatsapp: "",
  })
  expect((await lookup(uniqueLink)).json.data.checkoutPage.shop).not.toHaveProperty("whatsapp")
})

test("without its name payers see the seller's own again", async () => {
  await change(cakes)
  const { uniqueLink } = await makePage()
  expect((await change({ name: "" })).status).toBe(200)
  expect((await lookup(uniqueLink)).json.data.checkoutPage).not.toHaveProperty("shop")
})

test.each([
  [{ name: "A" }, "O nome da loja deve ter de 2 a 60 caracteres."],
  [{ name: "a".repeat(61) }, "O nome da loja deve ter de 2 a 60 caracteres."],
  [{ name: "Doces\u202eda Ana" }, "Apague os caracteres invisíveis ou de controle deste texto."],
  [{ document: "11222333000182" }, "CNPJ inválido"],
  [{ document: "12.ABC.345/01DE-36" }, "CNPJ inválido"],
  [{ document: "111.111.111-11" }, "CPF inválido"],
  [{ document: "12" }, "CPF inválido"],
  [{ document: "111.444.777-35" }, "Este CPF não é o do seu cadastro. Informe o seu CPF ou um CNPJ."],
  [{ color: "black" }, "Cor desconhecida."],
  [{ whatsapp: "0800 123 4567" }, "Informe o telefone com DDD."],
  [{ email: "loja@" }, "E-mail inválido"],
  [{ closedText: "a".repeat(301) }, "O texto deve ter no máximo 300 caracteres."],
])("%j is refused, and nothing of it stays", async (body, message) => {
  const { status, json } = await change({ ...cakes, ...body })
  expect({ isRefused: status === 400 || status === 422, message: json.message }).toEqual({ isRefused: true, message })
  expect(await read()).toMatchObject({ name: "", document: "", closedText: "" })
})

test("the seller's own CPF is a document of the shop", async () => {
  expect((await change({ name: "Ana Doces", document: "529.982.247-25" })).json.data.shop.document).toBe("52998224725")
})

test("each change is in the audit with its difference, and saving the same again is no change", async () => {
  await change(cakes)
  await change(cakes)
  await change({ color: "sky" })
  const records = await world.db
    .selectFrom("audit_records")
    .select(["action", "before", "after"])
    .where("entity_id", "=", seller.id)
    .where("action", "=", "shop.changed")
    .orderBy("id")
    .execute()
  expect(records.map(({ before, after }) => ({ before, after }))).toEqual([
    { before: expect.objectContaining({ name: "" }), after: expect.objectContaining({ document: kept.document }) },
    { before: { color: "amber" }, after: { color: "sky" } },
  ])
  const names = await world.db.selectFrom("shop_names").select("name").where("seller_id", "=", seller.id).execute()
  expect(names).toHaveLength(1)
})

test("two changes at once both count", async () => {
  const replies = await Promise.all([change({ name: "Doces da Ana" }), change({ color: "coral" })])
  expect(replies.map(({ status }) => status)).toEqual([200, 200])
  expect(await read()).toMatchObject({ name: "Doces da Ana", color: "coral" })
})

test("a page that is over or suspended keeps its 404 and adds the shop; unknown and deleted ones stay bare", async () => {
  await change(cakes)
  const token = seller.token
  const shop = JSON.parse(JSON.stringify(shown))
  const cancelled = await makePage()
  await world.call("PATCH", `/api/v1/checkout/pages/${cancelled._id}/cancel`, { token })
  const expired = await makePage()
  await world.db.updateTable("charge_pages").set({ status: "expired" }).where("id", "=", expired._id).execute()
  const suspended = await makePage()
  await world.db
    .updateTable("charge_pages")
    .set({ suspended_at: world.clock.now(), suspended_for: "other" })
    .where("id", "=", suspended._id)
    .execute()
  const gone = { status: "fail", message: "Página de cobrança não encontrada ou expirada" }
  for (const { uniqueLink } of [cancelled, expired]) {
    expect(await lookup(uniqueLink)).toMatchObject({ status: 404, json: { ...gone, data: { shop } } })
  }
  expect(await lookup(suspended.uniqueLink)).toMatchObject({
    status: 404,
    json: { message: "Página suspensa", data: { shop } },
  })
  const deleted = await makePage()
  await world.call("DELETE", `/api/v1/checkout/pages/${deleted._id}`, { token })
  for (const link of [deleted.uniqueLink, "nunca-existiu"]) {
    const { status, json } = await lookup(link)
    expect({ status, json }).toEqual({ status: 404, json: { ...gone, code: "public_charge_page_not_found" } })
  }
  await world.db.updateTable("users").set({ active: false }).where("id", "=", seller.id).execute()
  expect((await lookup(cancelled.uniqueLink)).json).not.toHaveProperty("data")
})

test("the logo is stored whatever its header says, and served to everybody for ever under its content's name", async () => {
  await change(cakes)
  const file = await png("#c04080")
  const urls = new Set<string>()
  for (const headers of [{}, { "content-type": "image/jpeg" }, { "content-type": "text/html" }]) {
    const { status, json } = await putLogo(file, headers)
    expect(status).toBe(200)
    urls.add(json.data.shop.logoUrl)
  }
  const [url = "", ...others] = urls
  expect(others).toEqual([])
  expect(new URL(url).pathname).toMatch(/^\/logos\/[\da-f]{32}\.png$/)
  const reply = await world.app.inject(new URL(url).pathname)
  expect(reply.statusCode).toBe(200)
  expect(reply.headers).toMatchObject({
    "content-type": "image/png",
    "cache-control": "public, max-age=31536000, immutable",
    "x-content-type-options": "nosniff",
    "content-security-policy": expect.stringContaining("default-src 'none'"),
    "cross-origin-resource-policy": "cross-origin",
  })
  expect(await sharp(reply.rawPayload).metadata()).toMatchObject({ format: "png", width: 256, height: 256 })
  const { uniqueLink } = await makePage()
  expect((await lookup(uniqueLink)).json.data.checkoutPage.shop.logoUrl).toBe(url)
})

test("another logo has another address, and the former one leads nowhere; nor does that of a removed one", async () => {
  const addressOf = async (colour: string) =>
    new URL((await putLogo(await png(colour))).json.data.shop.logoUrl).pathname
  const first = await addressOf("#112233")
  const second = await addressOf("#332211")
  expect(second).not.toBe(first)
  expect((await world.app.inject(first)).statusCode).toBe(404)
  expect((await world.call("DELETE", `${path}/logo`, { token: seller.token })).status).toBe(204)
  expect((await world.app.inject(second)).statusCode).toBe(404)
  expect((await world.call("DELETE", `${path}/logo`, { token: seller.token })).status).toBe(204)
  for (const other of ["/logos/x.png", "/logos/..%2f", `${first}x`]) {
    expect((await world.app.inject(other)).statusCode).toBe(404)
  }
})

test("a file that is no picture, too large, or nothing at all is refused in words, and the logo stays", async () => {
  const { json } = await putLogo(await png("#445566"))
  for (const [file, status] of [
    [Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 422],
    [Buffer.alloc(0), 422],
    [Buffer.alloc(600 * 1024), 413],
    [Buffer.alloc(2 * 1024 * 1024), 413],
  ] as const) {
    const reply = await putLogo(file, { "content-type": "image/png" })
    expect({ status: reply.status, says: reply.json.message !== "" }).toEqual({ status, says: true })
  }
  expect((await read()).logoUrl).toBe(json.data.shop.logoUrl)
})

test("an API key may change how the shop looks; who it is, only where its owner needn't prove it either", async () => {
  const { key } = await insertApiKey(world.db, seller.id, { scopes: ["shop:read", "shop:write"] })
  expect((await world.call("GET", path, { token: key })).status).toBe(200)
  expect((await change({ color: "slate", closedText: "Até já." }, key)).status).toBe(200)
  expect((await putLogo(await png("#123456"), {}, key)).status).toBe(200)
  const reader = await insertApiKey(world.db, seller.id, { scopes: ["shop:read"] })
  expect((await change({ color: "mint" }, reader.key)).json.code).toBe("api_key_scope_missing")
})

test("what was paid keeps the name and document of its moment, in the proof and in the receipt", async () => {
  const { _id, uniqueLink } = await makePage()
  await change(cakes)
  const made = await world.call("POST", "/api/v1/checkout/process-modern-pix-payment", {
    body: { checkoutPageId: _id },
  })
  const id = made.json.data.transactionId
  await world.db
    .updateTable("charges")
    .set({ status: "paid", paid_at: world.clock.now(), end_to_end_id: "E0000000020261121120000000000001" })
    .where("id", "=", id)
    .execute()
  world.clock.pass(60)
  await change({ name: "Ana Confeitaria", document: "", color: "sky" })
  const { proof } = (await world.call("GET", `/api/v1/checkout/payment-proofs/${id}`)).json.data
  expect(proof).toMatchObject({
    ...{ receiver: cakes.name, receiverDocument: kept.document },
    shop: { name: "Ana Confeitaria", color: "sky" },
  })
  const { data } = (await world.call("GET", `/api/v1/checkout/payment-proofs/${id}/receipt`)).json
  expect(data).toMatchObject({ receiver: cakes.name, receiverDocument: kept.document })
  const verified = await world.call("POST", "/api/v1/receipts/verify", { body: { receipt: data.receipt } })
  expect(verified.json.data).toMatchObject({ verdict: "valid", receiverDocument: kept.document })
  expect(uniqueLink).not.toBe("")
})

test("administrators find a seller by the shop's name and CNPJ, as typed, and read the shop with the user", async () => {
  await change({ ...cakes, name: "Confeitaria Única do Bairro" })
  const token = await admin()
  for (const search of ["unica do bairro", "12ABC34501DE35", "12.abc.345/01DE-35"]) {
    const { json } = await world.call("GET", `/api/v1/admin/users?search=${encodeURIComponent(search)}`, { token })
    expect(json.data.users.map(({ _id }: { _id: string }) => _id)).toContain(seller.id)
    const all = await world.call("GET", `/api/v1/admin/search?q=${encodeURIComponent(search)}`, { token })
    expect(JSON.stringify(all.json)).toContain(seller.id)
  }
  const { json } = await world.call("GET", `/api/v1/admin/users/${seller.id}`, { token })
  expect(json.data.shop).toMatchObject({ name: "Confeitaria Única do Bairro", document: kept.document })
})

test("the shop is in the data export", async () => {
  await change(cakes)
  const exported = await world.app.inject({
    url: "/api/v1/users/me/export",
    headers: { authorization: `Bearer ${seller.token}` },
  })
  const files = readZip(exported.rawPayload)
  expect(files.get("csv/loja.csv")).toContain("Volte em janeiro.")
  expect(files.get("csv/nomes_da_loja.csv")).toContain(kept.document)
})

test("a page that is over never stands as the head of another seller's code, and still shows its own", async () => {
  await change(cakes)
  const own = await makePage()
  const start = (checkoutPageId: string) =>
    world.call("POST", "/api/v1/checkout/process-modern-pix-payment", { body: { checkoutPageId } })
  const ownPix = (await start(own._id)).json.data
  const other = await world.user()
  const body = { title: "Outra venda", slug: "outra-venda", amount: 50, pixConfig: { allowAnonymous: true } }
  const theirs = (await world.call("POST", "/api/v1/checkout/pages", { token: other.token, body })).json.data
  const theirPix = (await start(theirs.checkoutPage._id)).json.data
  const open = (pix: { transactionId: string; payerToken: string }) =>
    world.call("GET", `/checkout/${own.uniqueLink}?pix=${pix.transactionId}&k=${pix.payerToken}`)
  expect((await open(theirPix)).status).toBe(404)
  await world.call("PATCH", `/api/v1/checkout/pages/${own._id}/cancel`, { token: seller.token })
  const shown = await open(theirPix)
  expect([shown.status, shown.text.includes(theirPix.pixCode)]).toEqual([404, false])
  const kept = await open(ownPix)
  expect([kept.status, kept.text.includes(cakes.name)]).toEqual([200, true])
})

test("who reports a page reads the shop that they see, not the person behind it", async () => {
  await change(cakes)
  const { uniqueLink } = await makePage()
  const { text } = await world.call("GET", `/checkout/${uniqueLink}/denunciar`)
  expect(text).toContain(`cobrança de ${cakes.name}`)
})
