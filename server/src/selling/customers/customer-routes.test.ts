import { afterAll, describe, expect, test } from "vitest"
import { saoPauloDay, secondsAfter } from "#kit/clock"
import { insertApiKey } from "../../../test-support/insert-api-key.ts"
import { saveSetting } from "../../../test-support/save-setting.ts"
import { openTestApp } from "../../../test-support/test-app.ts"
import { createCustomer, eraseOldCustomers } from "./manage.ts"
import { customerFieldsFrom } from "./rules.ts"

const site = await openTestApp()
let number = 0

afterAll(() => site.close())

async function newSeller() {
  number += 1
  const token = await site.signUp(`dona${number}@loja.example`)
  const id: string = (await site.call("GET", "/api/v1/users/me", { token })).json.data.user._id
  const call = (method: "GET" | "POST" | "PATCH" | "DELETE", path: string, body?: unknown, headers = {}) =>
    site.call(method, `/api/v1/customers${path}`, { token, headers, ...(body !== undefined && { body }) })
  const create = (body: object, headers = {}) => call("POST", "", body, headers)
  const idOf = async (body: object): Promise<string> => (await create(body)).json.data.customer._id
  const names = async (query = ""): Promise<string[]> =>
    (await call("GET", query)).json.data.customers.map(({ name }: { name: string }) => name)
  return { id, token, call, create, idOf, names }
}

const bruno = {
  name: " Bruno Lima ",
  document: "529.982.247-25",
  email: "bruno@exemplo.com.br",
  phone: "+55 (11) 98765-4321",
  address: { street: "Rua A", number: "10", city: "Recife", state: "Pernambuco", zipCode: "50000-000" },
  notes: "Prefere WhatsApp",
  externalReference: "aluno-17",
}

describe("a customer", () => {
  test("is stored in the one form of each field, read, changed in part, archived and restored", async () => {
    const { call, create } = await newSeller()
    const made = await create(bruno)
    expect(made).toMatchObject({
      status: 201,
      json: {
        data: {
          customer: {
            ...{ name: "Bruno Lima", document: "52998224725", email: "bruno@exemplo.com.br", phone: "11987654321" },
            address: { street: "Rua A", complement: "", city: "Recife", state: "PE", zipCode: "50000000" },
            ...{ notes: "Prefere WhatsApp", externalReference: "aluno-17", status: "active" },
          },
        },
      },
    })
    const { _id } = made.json.data.customer
    expect((await call("GET", `/${_id}`)).json).toEqual(made.json)
    site.clock.pass(60)
    const changed = await call("PATCH", `/${_id}`, { phone: null, notes: "", address: { city: "Olinda", state: "PE" } })
    expect(changed.json.data.customer).toMatchObject({
      ...{ name: "Bruno Lima", phone: "", notes: "", document: "52998224725", externalReference: "aluno-17" },
      address: { street: "", city: "Olinda" },
    })
    expect(changed.json.data.customer.updatedAt).not.toBe(made.json.data.customer.updatedAt)
    expect((await call("DELETE", `/${_id}`)).status).toBe(204)
    expect((await call("DELETE", `/${_id}`)).status).toBe(204)
    expect((await call("GET", `/${_id}`)).json.data.customer.status).toBe("archived")
    const restored = await call("PATCH", `/${_id}`, { status: "active" })
    expect(restored.json.data.customer.status).toBe("active")
  })

  test("needs no more than a name: a company has a CNPJ, also one with letters", async () => {
    const { create } = await newSeller()
    expect(await create({ name: "Carla" })).toMatchObject({
      status: 201,
      json: { data: { customer: { document: "", email: "", phone: "", externalReference: null } } },
    })
    const company = await create({ name: "Academia", document: "12.abc.345/01de-35" })
    expect(company.json.data.customer.document).toBe("12ABC34501DE35")
  })

  test.for([
    [{}, "name", "Nome é obrigatório"],
    [{ name: "  " }, "name", "Nome é obrigatório"],
    [{ name: "B".repeat(141) }, "name", "O nome deve ter no máximo 140 caracteres"],
    [{ name: "B", document: "111.111.111-11" }, "document", "CPF inválido"],
    [{ name: "B", document: "12.345.678/0001-00" }, "document", "CNPJ inválido"],
    [{ name: "B", email: "bruno@" }, "email", "E-mail inválido"],
    [{ name: "B", phone: "98765" }, "phone", "Informe o telefone com DDD."],
    [{ name: "B", address: { state: "XX" } }, "address.state", "Informe a sigla de um estado, como SP."],
    [{ name: "B", address: { zipCode: "123" } }, "address.zipCode", "O CEP deve ter 8 dígitos."],
  ] as const)("%j is refused at %s", async ([body, path, message]) => {
    const { create, names } = await newSeller()
    expect(await create(body)).toMatchObject({ status: 422, json: { message, errors: [{ path, message }] } })
    expect(await names()).toEqual([])
  })

  test("has a document and a reference that no other active one of the seller has", async () => {
    const [ana, other] = [await newSeller(), await newSeller()]
    const first = await ana.idOf(bruno)
    const taken = (code: string, path: string) => ({ status: 409, json: { code, errors: [{ path }] } })
    expect(await ana.create({ name: "Outro", document: bruno.document })).toMatchObject(
      taken("customer_document_taken", "document"),
    )
    expect(await ana.create({ name: "Outro", externalReference: "aluno-17" })).toMatchObject(
      taken("external_reference_taken", "externalReference"),
    )
    const second = await ana.idOf({ name: "Outro", email: bruno.email })
    expect(await ana.call("PATCH", `/${second}`, { document: bruno.document })).toMatchObject(
      taken("customer_document_taken", "document"),
    )
    expect((await other.create(bruno)).status).toBe(201)

    await ana.call("DELETE", `/${first}`)
    expect((await ana.create(bruno)).status).toBe(201)
    expect(await ana.call("PATCH", `/${first}`, { status: "active" })).toMatchObject(
      taken("customer_document_taken", "document"),
    )
  })

  test("two at once with one document are one, and so are two with one Idempotency-Key", async () => {
    const { create, names } = await newSeller()
    const twice = await Promise.all([create(bruno), create(bruno)])
    expect(twice.map(({ status }) => status).sort()).toEqual([201, 409])
    const key = { "idempotency-key": "uma-vez" }
    const [one, same] = await Promise.all([create({ name: "Dora" }, key), create({ name: "Dora" }, key)])
    expect([one?.status, same?.json]).toEqual([201, one?.json])
    expect(await create({ name: "Eva" }, key)).toMatchObject({ status: 422, json: { code: "idempotency_key_reused" } })
    expect(await names()).toEqual(["Bruno Lima", "Dora"])
  })

  test("of another seller is not found", async () => {
    const [ana, rival] = [await newSeller(), await newSeller()]
    const id = await ana.idOf(bruno)
    for (const [method, body] of [["GET"], ["PATCH", { name: "X" }], ["DELETE"]] as const) {
      expect(await rival.call(method, `/${id}`, body)).toMatchObject({
        status: 404,
        json: { code: "customer_not_found" },
      })
    }
    expect(await ana.names()).toEqual(["Bruno Lima"])
  })

  test("is changed on record, by field names alone", async () => {
    const { call, idOf } = await newSeller()
    const id = await idOf(bruno)
    await call("PATCH", `/${id}`, { name: "Bruno L.", phone: "" })
    await call("PATCH", `/${id}`, { name: "Bruno L." })
    await call("DELETE", `/${id}`)
    const records = await site.db
      .selectFrom("audit_records")
      .select(["action", "before", "after"])
      .where("entity_id", "=", id)
      .orderBy("id")
      .execute()
    expect(records).toEqual([
      { action: "customer.created", before: null, after: null },
      { action: "customer.changed", before: null, after: { fields: "name, phone" } },
      { action: "customer.archived", before: null, after: null },
    ])
  })

  test("is for keys with the scope", async () => {
    const seller = await newSeller()
    const { key } = await insertApiKey(site.db, seller.id, { scopes: ["customers:read"] })
    expect((await site.call("GET", "/api/v1/customers", { token: key })).status).toBe(200)
    const refused = await site.call("POST", "/api/v1/customers", { token: key, body: { name: "Bruno" } })
    expect(refused).toMatchObject({ status: 403, json: { code: "api_key_scope_missing" } })
  })
})

describe("the list", () => {
  test("is in the order of names, page by page, also after a row", async () => {
    const { call, idOf, names } = await newSeller()
    const ids: string[] = []
    for (const name of ["Zélia", "Álvaro", "bruno", "Ana", "Bruno"]) ids.push(await idOf({ name }))
    expect(await names()).toEqual(["Álvaro", "Ana", "bruno", "Bruno", "Zélia"])
    expect(await names("?limit=2&page=2")).toEqual(["bruno", "Bruno"])
    const first = (await call("GET", "?limit=3")).json
    expect(first.results).toBe(5)
    expect(await names(`?limit=3&after=${first.data.customers[2]._id}`)).toEqual(["Bruno", "Zélia"])
    await call("DELETE", `/${ids[0]}`)
    expect(await names("?limit=10")).not.toContain("Zélia")
    expect(await names("?status=archived")).toEqual(["Zélia"])
  })

  test.for([
    "bruno l",
    "LIMA",
    "529.982.247-25",
    "52998224725",
    "bruno@EXEMPLO",
    "(11) 98765-4321",
    "8765",
    "aluno-17",
  ])("finds by %s", async (search) => {
    const seller = await newSeller()
    await seller.create(bruno)
    await seller.create({ name: "Carla Dias", email: "carla@exemplo.com.br" })
    expect(await seller.names(`?search=${encodeURIComponent(search)}`)).toEqual(["Bruno Lima"])
  })

  test("finds the customer of a reference, which must not be empty", async () => {
    const { create, names, call } = await newSeller()
    await create(bruno)
    await create({ name: "Carla", externalReference: "aluno-18" })
    expect(await names("?externalReference=aluno-18")).toEqual(["Carla"])
    expect((await call("GET", "?externalReference=")).status).toBe(400)
  })
})

test("who was not used for CUSTOMER_DATA_DAYS is nobody any more; 0 keeps everybody", async () => {
  const seller = await newSeller()
  const [old, used] = [await seller.idOf(bruno), await seller.idOf({ name: "Carla" })]
  const inDays = (days: number) => ({
    db: site.db,
    clock: { now: () => secondsAfter(site.clock.now(), days * 86_400) },
  })
  await saveSetting(site.db, "CUSTOMER_DATA_DAYS", 0)
  await eraseOldCustomers(inDays(3000))
  await saveSetting(site.db, "CUSTOMER_DATA_DAYS", 730)
  await eraseOldCustomers(inDays(729))
  expect(await seller.names()).toEqual(["Bruno Lima", "Carla"])

  site.clock.pass(2 * 86_400)
  await seller.call("PATCH", `/${used}`, { notes: "Voltou" })
  await eraseOldCustomers(inDays(729))
  await eraseOldCustomers(inDays(729))
  expect(await seller.names()).toEqual(["Carla"])
  expect((await seller.call("GET", `/${old}`)).status).toBe(404)
  const row = await site.db.selectFrom("customers").selectAll().where("id", "=", old).executeTakeFirstOrThrow()
  expect(row).toMatchObject({ name: "", document: null, email: null, phone: null, address: {}, notes: "" })
  expect((await seller.create(bruno)).status).toBe(201)
})

test("says what a customer owes today, and keeps whom an open invoice names", async () => {
  const seller = await newSeller()
  const [id, other] = [await seller.idOf(bruno), await seller.idOf({ name: "Carla" })]
  const charge = async (amount: number, days: number) => {
    const dueDate = saoPauloDay(secondsAfter(site.clock.now(), days * 86_400))
    const body = { customerId: id, amount, dueDate, daysAfterDue: 365 }
    return (await site.call("POST", "/api/v1/invoices", { token: seller.token, body })).json.data.invoice._id as string
  }
  const owed = async () => (await seller.call("GET", "")).json.data.customers.map((each: { owed: object }) => each.owed)
  const invoices = [await charge(100, 0), await charge(50, 90)]
  expect(await owed()).toEqual([
    { open: 150, overdue: 0 },
    { open: 0, overdue: 0 },
  ])
  site.clock.pass(5 * 86_400)
  expect(await owed()).toEqual([
    { open: 150, overdue: 100 },
    { open: 0, overdue: 0 },
  ])
  expect((await seller.call("GET", `/${id}`)).json.data.customer.owed).toEqual({ open: 150, overdue: 100 })

  const inDays = (days: number) => ({
    db: site.db,
    clock: { now: () => secondsAfter(site.clock.now(), days * 86_400) },
  })
  await eraseOldCustomers(inDays(800))
  expect(await seller.names()).toEqual(["Bruno Lima"])
  expect((await seller.call("GET", `/${other}`)).status).toBe(404)
  for (const each of invoices) {
    await site.call("PATCH", `/api/v1/invoices/${each}/cancel`, { token: seller.token })
  }
  await eraseOldCustomers(inDays(729))
  expect(await seller.names()).toEqual(["Bruno Lima"])
  await eraseOldCustomers(inDays(731))
  expect(await seller.names()).toEqual([])
  const { json } = await site.call("GET", `/api/v1/invoices/${invoices[0]}`, { token: seller.token })
  expect(json.data.invoice.customer).toMatchObject({ name: "", document: "" })
})

describe("whoever charges a customer new in place", () => {
  const take = (sellerId: string, sent: Parameters<typeof customerFieldsFrom>[0]) =>
    site.db
      .transaction()
      .execute((tx) =>
        createCustomer(
          tx,
          { seller: { id: sellerId, address: null }, fields: customerFieldsFrom(sent) },
          site.clock.now(),
        ),
      )

  test("gets the one who is known by document, else e-mail, else reference, as they are", async () => {
    const { id, idOf, names } = await newSeller()
    const known = await idOf(bruno)
    const same = [
      { name: "B.", document: "52998224725" },
      { name: "B.", email: "BRUNO@exemplo.com.br" },
      { name: "B.", externalReference: "aluno-17" },
      { name: "B.", document: "52998224725", email: "outro@exemplo.com.br", externalReference: "x" },
    ]
    for (const sent of same) expect(await take(id, sent)).toMatchObject({ id: known, name: "Bruno Lima" })
    expect(await names()).toEqual(["Bruno Lima"])
  })

  test("gets a new one for another document or another name under the same e-mail", async () => {
    const { id, idOf } = await newSeller()
    const known = await idOf(bruno)
    const wife = await take(id, { name: "Carla", document: "11144477735", email: bruno.email })
    expect(wife.id).not.toBe(known)
    const son = await take(id, { name: "Davi Lima", email: bruno.email })
    expect([known, wife.id]).not.toContain(son.id)
    expect((await take(id, { name: "carla dias", email: bruno.email })).id).toBe(wife.id)
    await expect(
      take(id, { name: "Eva", document: "39053344705", externalReference: "aluno-17" }),
    ).rejects.toMatchObject({ code: "external_reference_taken" })
  })

  test("five at once make one", async () => {
    const { id, names } = await newSeller()
    const made = await Promise.all(
      Array.from({ length: 5 }, () => take(id, { name: "Eva", email: "eva@exemplo.com.br" })),
    )
    expect(new Set(made.map((each) => each.id)).size).toBe(1)
    expect(await names()).toEqual(["Eva"])
  })
})
