import { afterAll, beforeEach, describe, expect, test } from "vitest"
import { auditOf, newPerson, type Person } from "../../../test-support/admins.ts"
import { openTestApp } from "../../../test-support/test-app.ts"

let number = 0

const site = await openTestApp()

beforeEach(async () => {
  await site.db.updateTable("users").set({ role: "user" }).where("role", "=", "admin").execute()
})

afterAll(() => site.close())

const url = "/api/v1/admin/users"
const change = (by: Person, whom: Person, body: object) =>
  site.call("PATCH", `${url}/${whom.id}`, { token: by.token, body })
const remove = (by: Person, whom: Person) => site.call("DELETE", `${url}/${whom.id}`, { token: by.token })
const newAdmin = async () => newPerson(site, `admin${++number}@tilinta.example`, "admin")
const newSeller = async () => newPerson(site, `vendedor${++number}@loja.example`)
const activeAdmins = async () =>
  (
    await site.db
      .selectFrom("users")
      .select("id")
      .where("role", "=", "admin")
      .where("active", "=", true)
      .orderBy("id")
      .execute()
  ).map(({ id }) => id)

const lastAdmin = [409, "last_admin", "Este é o último administrador ativo. Promova outro usuário antes."]
const ownAccount = [403, "own_account", "Você não pode inativar nem rebaixar a si mesmo. Peça a outro administrador."]
const mustBeUserFirst = [
  409,
  "admin_not_inactivated",
  "Administradores não podem ser inativados. Mude o perfil para Usuário antes.",
]
type Reply = Awaited<ReturnType<typeof remove>>
const refusalOf = ({ status, json }: Reply) => [status, json.code, json.message]

describe("Z08: admins among themselves", () => {
  test("the last one is neither demoted, inactivated nor deleted, not even by themselves", async () => {
    const only = await newAdmin()
    for (const body of [{ role: "user" }, { active: false }, { role: "user", active: false }]) {
      expect(refusalOf(await change(only, only, body))).toEqual(lastAdmin)
    }
    expect(refusalOf(await remove(only, only))).toEqual(lastAdmin)
    expect(await activeAdmins()).toEqual([only.id])
    expect(await auditOf(site, only.id)).toEqual([])
  })

  test("an inactive admin doesn't count as another one", async () => {
    const [only, off] = [await newAdmin(), await newAdmin()]
    await site.db.updateTable("users").set({ active: false }).where("id", "=", off.id).execute()
    expect(refusalOf(await change(only, only, { role: "user" }))).toEqual(lastAdmin)
  })

  test("nobody demotes, inactivates or deletes themselves, though there are others", async () => {
    const [self] = [await newAdmin(), await newAdmin()]
    for (const body of [{ role: "user" }, { active: false }]) {
      expect(refusalOf(await change(self, self, body))).toEqual(ownAccount)
    }
    expect(refusalOf(await remove(self, self))).toEqual(ownAccount)
    const form = { name: "Eu Mesma", email: self.email, role: "admin", active: true }
    expect((await change(self, self, form)).json.data.user.name).toBe("Eu Mesma")
  })

  test("another admin is inactivated only after being made a user", async () => {
    const [one, other] = [await newAdmin(), await newAdmin()]
    expect(refusalOf(await change(one, other, { active: false }))).toEqual(mustBeUserFirst)
    expect(refusalOf(await change(one, other, { role: "user", active: false }))).toEqual(mustBeUserFirst)
    expect(refusalOf(await remove(one, other))).toEqual(mustBeUserFirst)
    expect((await site.call("GET", url, { token: other.token })).status).toBe(200)
    expect((await change(one, other, { role: "user" })).status).toBe(200)
    expect((await remove(one, other)).status).toBe(204)
    expect((await site.call("GET", "/api/v1/users/me", { token: other.token })).status).toBe(401)
  })

  test("an inactive admin isn't deleted either, and may be reactivated", async () => {
    const [one, off] = [await newAdmin(), await newAdmin()]
    await site.db.updateTable("users").set({ active: false }).where("id", "=", off.id).execute()
    expect(refusalOf(await remove(one, off))).toEqual(mustBeUserFirst)
    expect((await change(one, off, { active: true })).json.data.user).toMatchObject({ role: "admin", active: true })
  })
})

describe("Z08: at once", () => {
  test.for([1, 2, 3, 4, 5])("of two admins who demote each other exactly one succeeds (round %i)", async () => {
    const [one, two] = [await newAdmin(), await newAdmin()]
    const replies = await Promise.all([change(one, two, { role: "user" }), change(two, one, { role: "user" })])
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 403])
    const winner = replies[0]?.status === 200 ? one : two
    expect(await activeAdmins()).toEqual([winner.id])
  })

  test("three admins who demote each other in a circle, and themselves: one always remains", async () => {
    const [one, two, three] = [await newAdmin(), await newAdmin(), await newAdmin()]
    const demotions = [
      [one, two],
      [two, three],
      [three, one],
      [one, one],
      [two, two],
      [three, three],
    ] as const
    const replies = await Promise.all(demotions.map(([by, whom]) => change(by, whom, { role: "user" })))
    const left = await activeAdmins()
    expect(left.length).toBeGreaterThanOrEqual(1)
    expect(left.length).toBe(3 - replies.filter(({ status }) => status === 200).length)
    expect(replies.filter(({ status }) => ![200, 403, 409].includes(status))).toEqual([])
  })

  test("the same seller inactivated by two admins ten times: once, and recorded once", async () => {
    const [one, two] = [await newAdmin(), await newAdmin()]
    const seller = await newSeller()
    const replies = await Promise.all(Array.from({ length: 10 }, (_, i) => remove(i % 2 === 0 ? one : two, seller)))
    expect(replies.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 204))
    expect(await auditOf(site, seller.id)).toMatchObject([
      { action: "user.inactivated", before: { active: true }, after: { active: false } },
    ])
  })
})
