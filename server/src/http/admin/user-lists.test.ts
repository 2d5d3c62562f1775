import { afterAll, describe, expect, test } from "vitest"
import { newId } from "#kit/ids"
import { giveBalance } from "../../../test-support/give-balance.ts"
import { openTestApp, sellerForm } from "../../../test-support/test-app.ts"

const site = await openTestApp()
const admin = await site.signUp("chefe@tilinta.example")
await site.db.updateTable("users").set({ role: "admin" }).where("email", "=", "chefe@tilinta.example").execute()

afterAll(() => site.close())

const url = "/api/v1/admin/users"
const list = async (query = "") => (await site.call("GET", `${url}${query}`, { token: admin })).json
const emailsOf = ({ data }: { data: { users: { email: string }[] } }) => data.users.map(({ email }) => email)

async function newUser(overrides: { name?: string; email?: string; cpf?: string; active?: boolean } = {}) {
  const id = newId()
  site.clock.pass(1)
  const { name = "Bia Lima", email = `${id}@loja.example`, cpf = "", active = true } = overrides
  const created_at = site.clock.now()
  await site.db
    .insertInto("users")
    .values({ id, name, email, email_key: email, cpf, active, created_at, ...emptyUser })
    .execute()
  return { id, email }
}

const emptyUser = { password_hash: null, phone: "", address: "{}", role: "user" } as const

test.for(["", `/${newId()}`])("GET users%s: nobody without a session, no seller", async (path) => {
  const seller = await site.signUp(`${newId()}@loja.example`)
  expect((await site.call("GET", url + path)).status).toBe(401)
  expect((await site.call("GET", url + path, { token: seller })).status).toBe(403)
})

describe("the list", () => {
  test("newest first, with the balance and the whole profile; what is unknown reads as empty", async () => {
    const bare = await newUser()
    const token = await site.signUp("rica@loja.example")
    const { _id } = (await site.call("GET", "/api/v1/users/me", { token })).json.data.user
    await giveBalance(site.db, _id, 12_345)
    site.clock.pass(1)
    const newest = await newUser()
    const { data } = await list()
    const ids = data.users.map((user: { _id: string }) => user._id)
    expect(ids.slice(0, 3)).toEqual([newest.id, _id, bare.id])
    expect(data.users[1]).toMatchObject({ name: sellerForm.name, email: "rica@loja.example", balance: 123.45 })
    expect(data.users[1].address.city).toBe("Recife")
    expect(data.users[2]).toMatchObject({ cpf: "", phone: "", balance: 0, role: "user", active: true })
    expect(data.users[2].address).toMatchObject({ street: "", zipCode: "" })
  })

  test("Z11: neither the list nor one user shows hashes, tokens or sessions", async () => {
    const { id } = await newUser()
    const shown = ["_id", "active", "address", "balance", "bankAccount", "cpf", "createdAt", "email", "name"]
    const { users } = (await list()).data
    const one = (await site.call("GET", `${url}/${id}`, { token: admin })).json.data.user
    for (const user of [...users, one]) {
      expect(Object.keys(user).sort()).toEqual(
        [...shown, "anyName", "emailState", "feePercentage", "paymentMails", "phone", "role"].sort(),
      )
      expect(JSON.stringify(user)).not.toMatch(/argon2|hash|token|session/i)
    }
  })

  test("finds by name, e-mail and CPF, whatever the case and the accents", async () => {
    const joao = await newUser({ name: "João Ângelo", email: "j.angelo@padaria.example", cpf: "11144477735" })
    for (const search of ["joao angelo", "ÂNGELO", "J.Angelo@PADARIA", "1114447", "111.444.777-35", "777-35"]) {
      const found = await list(`?search=${encodeURIComponent(search)}`)
      expect({ search, found: emailsOf(found), results: found.results }).toEqual({
        search,
        found: [joao.email],
        results: 1,
      })
    }
    for (const search of ["%", "_ngelo", "ninguém", "\\"]) {
      expect((await list(`?search=${encodeURIComponent(search)}`)).results).toBe(0)
    }
  })

  test("filters by state and role, alone and together, with a search too", async () => {
    await newUser({ name: "Filtro Um" })
    const off = await newUser({ name: "Filtro Dois", active: false })
    for (const query of ["active=false", "status=inactive"]) {
      const found = await list(`?${query}`)
      expect(emailsOf(found)).toEqual([off.email])
      expect(found.results).toBe(1)
    }
    expect(emailsOf(await list("?search=filtro&active=false"))).toEqual([off.email])
    expect((await list("?search=filtro&status=active")).results).toBe(1)
    expect(emailsOf(await list("?role=admin"))).toEqual(["chefe@tilinta.example"])
    expect((await list("?role=admin&active=false")).results).toBe(0)
  })

  test("the summary counts everybody, whatever the filter, and follows every change", async () => {
    const before = (await list()).data.summary
    const { id } = await newUser()
    await newUser({ active: false })
    await site.db.updateTable("users").set({ role: "admin", active: false }).where("id", "=", id).execute()
    const { results, data } = await list("?search=ninguém")
    expect(results).toBe(0)
    expect(data.summary).toEqual({
      total: before.total + 2,
      active: before.active,
      inactive: before.inactive + 2,
      admins: before.admins + 1,
    })
    expect((await list()).results).toBe(before.total + 2)
    const rows = await site.db.selectFrom("users").select(["role", "active"]).execute()
    expect(data.summary).toEqual({
      total: rows.length,
      active: rows.filter(({ active }) => active).length,
      inactive: rows.filter(({ active }) => !active).length,
      admins: rows.filter(({ role }) => role === "admin").length,
    })
  })

  test("by page and by key: no row twice, none missing, also of the same moment", async () => {
    const created_at = site.clock.now()
    for (let i = 0; i < 5; i += 1) {
      const { id } = await newUser({ name: "Mesma Hora" })
      await site.db.updateTable("users").set({ created_at }).where("id", "=", id).execute()
    }
    const idsOf = ({ data }: { data: { users: { _id: string }[] } }) => data.users.map(({ _id }) => _id)
    const all = idsOf(await list("?limit=1000"))
    const [byPage, byKey]: string[][] = [[], []]
    for (let page = 1; page * 3 - 2 <= all.length; page += 1) {
      byPage?.push(...idsOf(await list(`?limit=3&page=${page}`)))
      const last = byKey?.at(-1)
      byKey?.push(...idsOf(await list(`?limit=3${last === undefined ? "" : `&after=${last}`}`)))
    }
    expect(byPage).toEqual(all)
    expect(byKey).toEqual(all)
  })

  test("a cursor that is no user's is refused, not taken for the end", async () => {
    for (const after of [newId(), "nada"]) {
      const reply = await site.call("GET", `${url}?after=${after}`, { token: admin })
      expect([reply.status, reply.json.errors[0].path]).toEqual([400, "after"])
    }
  })

  test.for(["?status=pending", "?active=1", "?role=chefe", "?page=0", "?limit=x"])("%s is refused", async (query) => {
    expect((await site.call("GET", url + query, { token: admin })).status).toBe(400)
  })
})

describe("one user", () => {
  test("comes with the balance and what is theirs on the platform", async () => {
    const token = await site.signUp("loja@loja.example")
    const { _id } = (await site.call("GET", "/api/v1/users/me", { token })).json.data.user
    await giveBalance(site.db, _id, 10_000)
    const page = { title: "Aula", slug: "aula", description: "", amount: 10 }
    const made = await site.call("POST", "/api/v1/checkout/pages", { token, body: page })
    await site.call("POST", "/api/v1/checkout/pages", { token, body: page })
    await site.call("PATCH", `/api/v1/checkout/pages/${made.json.data.checkoutPage._id}/cancel`, { token })
    const withdrawal = { amount: 25.5, paymentMethod: "pix", pixKey: "ana@loja.example" }
    await site.call("POST", "/api/v1/withdrawals", { token, body: withdrawal })
    const { data } = (await site.call("GET", `${url}/${_id}`, { token: admin })).json
    expect(data.user).toMatchObject({ _id, email: "loja@loja.example", balance: 74.5 })
    expect(data.summary).toEqual({
      chargePages: 2,
      activeChargePages: 1,
      transactions: 0,
      paidTransactions: 0,
      withdrawalsInProgress: 1,
      withdrawalsInProgressAmount: 25.5,
    })
  })

  test.for(["nada", newId(), "%27", "0190a000-0000-4000-8000-000000000000"])("%s isn't found", async (id) => {
    const reply = await site.call("GET", `${url}/${id}`, { token: admin })
    expect([reply.status, reply.json.message]).toEqual([404, "Usuário não encontrado."])
  })
})
