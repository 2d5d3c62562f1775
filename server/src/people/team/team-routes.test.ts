import { afterAll, expect, test } from "vitest"
import { openTestApp } from "../../../test-support/test-app.ts"

const site = await openTestApp()

afterAll(() => site.close())

interface Person {
  id: string
  email: string
  token: string
}

let count = 0

async function person(): Promise<Person> {
  count += 1
  const email = `pessoa${count}@loja.example`
  const token = await site.signUp(email)
  return { id: (await site.call("GET", "/api/v1/users/me", { token })).json.data.user._id, email, token }
}

const invite = (owner: Person, email: string, role: string) =>
  site.call("POST", `/api/v1/shops/${owner.id}/invitations`, { token: owner.token, body: { email, role } })
const tokenIn = (link: string) => link.slice(link.lastIndexOf("/") + 1)
const accept = (token: string, who: Person) =>
  site.call("POST", `/api/v1/invitations/${token}/accept`, { token: who.token })

async function member(owner: Person, role: string): Promise<Person> {
  const who = await person()
  const invited = await invite(owner, who.email, role)
  expect(invited.status).toBe(201)
  expect((await accept(tokenIn(invited.json.data.invitation.link), who)).status).toBe(200)
  return who
}

const act = (who: Person, method: "GET" | "POST" | "PATCH" | "DELETE", path: string, shop?: string, body?: object) =>
  site.call(method, `/api/v1/${path}`, {
    token: who.token,
    ...(body && { body }),
    ...(shop !== undefined && { headers: { "x-shop": shop } }),
  })

async function admin(): Promise<string> {
  const { id, token } = await person()
  await site.db.updateTable("users").set({ role: "admin" }).where("id", "=", id).execute()
  return token
}

test("an invited person joins, acts for the shop by X-Shop, and the audit names the person", async () => {
  const [owner, who] = [await person(), await person()]
  const invited = await invite(owner, who.email.toUpperCase(), "manager")
  const { invitation } = invited.json.data
  expect(invitation).toMatchObject({ role: "manager", link: expect.stringContaining("/convite/") })
  expect(new Date(invitation.expiresAt).getTime() - site.clock.now().getTime()).toBe(7 * 86_400_000)
  const offer = await site.call("GET", `/api/v1/invitations/${tokenIn(invitation.link)}`)
  expect(offer.json.data.invitation).toMatchObject({ shop: "Ana Souza", role: "manager" })
  expect(offer.text).not.toContain(who.email)

  const joined = await accept(tokenIn(invitation.link), who)
  expect(joined.json.data.shop).toMatchObject({ _id: owner.id, role: "manager" })
  const me = await act(who, "GET", "users/me")
  expect(me.json.data.shops.map(({ _id, role }: { _id: string; role: string }) => [_id, role])).toEqual([
    [who.id, "owner"],
    [owner.id, "manager"],
  ])

  const made = await act(who, "POST", "customers", owner.id, { name: "Bia" })
  expect(made.status).toBe(201)
  const names = async (of: Person, shop?: string) =>
    (await act(of, "GET", "customers", shop)).json.data.customers.map(({ name }: { name: string }) => name)
  expect([await names(owner), await names(who, owner.id), await names(who)]).toEqual([["Bia"], ["Bia"], []])
  const [record] = await site.db
    .selectFrom("audit_records")
    .select("actor_id")
    .where("entity_id", "=", made.json.data.customer._id)
    .execute()
  expect(record?.actor_id).toBe(who.id)
  const members = (await act(owner, "GET", `shops/${owner.id}/members`)).json.data.members
  expect(members).toMatchObject([
    { _id: owner.id, role: "owner", isFounder: true },
    { _id: who.id, role: "manager", isFounder: false },
  ])
})

test("a link works once, for its own address, until it is cancelled, replaced or seven days old", async () => {
  const [owner, who, other] = [await person(), await person(), await person()]
  const linkOf = async () => tokenIn((await invite(owner, who.email, "cashier")).json.data.invitation.link)
  const replaced = await linkOf()
  const first = await linkOf()
  expect((await accept(replaced, who)).json.code).toBe("team_invitation_not_found")
  expect((await accept(first, other)).json.code).toBe("team_invitation_of_another")
  const both = await Promise.all([accept(first, who), accept(first, who)])
  expect(both.map(({ status }) => status).sort()).toEqual([200, 404])
  expect((await accept(first, who)).status).toBe(404)
  expect((await invite(owner, who.email, "manager")).json.code).toBe("already_member")
  expect((await invite(owner, owner.email, "manager")).json.code).toBe("already_member")

  const cancelled = await invite(owner, other.email, "cashier")
  const { _id, link } = cancelled.json.data.invitation
  const listed = await act(owner, "GET", `shops/${owner.id}/invitations`)
  expect(listed.json.data.invitations).toMatchObject([{ _id, link: null }])
  for (const status of [204, 404]) {
    expect((await act(owner, "DELETE", `shops/${owner.id}/invitations/${_id}`)).status).toBe(status)
  }
  expect((await accept(tokenIn(link), other)).status).toBe(404)

  const old = tokenIn((await invite(owner, other.email, "cashier")).json.data.invitation.link)
  site.clock.pass(7 * 86_400 - 1)
  const session = await site.call("POST", "/api/v1/auth/login", {
    body: { email: other.email, password: "senha-da-ana" },
  })
  expect((await site.call("GET", `/api/v1/invitations/${old}`)).status).toBe(200)
  site.clock.pass(1)
  expect((await accept(old, { ...other, token: session.json.token })).status).toBe(404)
})

test("somebody who signs up by an invitation has no shop of their own until they leave the last", async () => {
  const owner = await person()
  const email = "nova@loja.example"
  const token = tokenIn((await invite(owner, email, "cashier")).json.data.invitation.link)
  const form = { name: "Nova", password: "senha-da-ana", passwordConfirm: "senha-da-ana", cpf: "52998224725" }
  const phone = { phone: "11987654321" }
  const signUp = (body: object) => site.call("POST", "/api/v1/auth/signup", { body: { ...form, ...phone, ...body } })
  expect((await signUp({ email: "outra@loja.example", invitation: token })).json.code).toBe(
    "team_invitation_of_another",
  )
  const signedUp = await signUp({ email, invitation: token })
  expect(signedUp.status).toBe(201)
  const who = { id: signedUp.json.data.user._id, email, token: signedUp.json.token }
  expect((await accept(token, who)).status).toBe(200)
  const shopsOf = async () => (await act(who, "GET", "users/me")).json.data.shops
  expect(await shopsOf()).toMatchObject([{ _id: owner.id, role: "cashier" }])
  // Without the header they act for the one shop that they have, where a cashier reads no balance.
  expect((await act(who, "GET", "users/myBalance")).json.code).toBe("role_forbidden")

  expect((await act(owner, "DELETE", `shops/${owner.id}/members/${who.id}`)).status).toBe(204)
  expect((await act(who, "GET", "users/me")).status).toBe(401)
  const again = await site.call("POST", "/api/v1/auth/login", { body: { email, password: "senha-da-ana" } })
  const back = { ...who, token: again.json.token }
  expect((await act(back, "GET", "users/me")).json.data.shops).toMatchObject([{ _id: who.id, role: "owner" }])
  expect((await act(back, "GET", "users/myBalance", owner.id)).json.code).toBe("role_forbidden")
})

test("the account's owner never leaves, and nobody raises themselves", async () => {
  const owner = await person()
  const [second, manager] = [await member(owner, "owner"), await member(owner, "manager")]
  const of = (who: Person) => `shops/${owner.id}/members/${who.id}`
  for (const by of [owner, second]) {
    expect((await act(by, "DELETE", of(owner))).json.code).toBe("last_owner")
    expect((await act(by, "PATCH", of(owner), undefined, { role: "cashier" })).json.code).toBe("last_owner")
  }
  expect((await act(manager, "PATCH", of(manager), undefined, { role: "owner" })).json.code).toBe("role_forbidden")
  expect((await act(second, "PATCH", of(second), undefined, { role: "manager" })).status).toBe(200)
  expect((await act(second, "PATCH", of(second), undefined, { role: "owner" })).json.code).toBe("role_forbidden")
  expect((await act(owner, "PATCH", of(second), undefined, { role: "owner" })).status).toBe(200)
  for (const status of [204, 404]) expect((await act(owner, "DELETE", of(second))).status).toBe(status)
  expect((await act(owner, "PATCH", of(second), undefined, { role: "cashier" })).json.code).toBe("member_not_found")
})

test("a member leaves by themselves, and removes nobody else; the owners hear of it", async () => {
  const owner = await person()
  const [cashier, manager, second] = [
    await member(owner, "cashier"),
    await member(owner, "manager"),
    await member(owner, "owner"),
  ]
  const path = (who: Person) => `shops/${owner.id}/members/${who.id}`
  for (const other of [manager, second, owner]) {
    expect((await act(cashier, "DELETE", path(other))).json.code).toBe("role_forbidden")
  }
  expect((await act(cashier, "PATCH", path(cashier), undefined, { role: "owner" })).json.code).toBe("role_forbidden")
  const both = await Promise.all([act(cashier, "DELETE", path(cashier)), act(cashier, "DELETE", path(cashier))])
  expect(both.map(({ status }) => status)).toContain(204)
  expect((await act(cashier, "DELETE", path(cashier))).json.code).toBe("role_forbidden")
  expect((await act(second, "DELETE", path(second))).status).toBe(204)
  expect((await act(owner, "DELETE", path(owner))).json.code).toBe("last_owner")
  const { members } = (await act(owner, "GET", `shops/${owner.id}/members`)).json.data
  expect(members.map(({ _id }: { _id: string }) => _id)).toEqual([owner.id, manager.id])
  const { notices } = (await act(owner, "GET", "users/me/notices?topic=security")).json.data
  const titles = notices.map(({ title }: { title: string }) => title)
  expect(titles).toContain("Ana Souza, caixa, saiu da equipe da sua loja")
})

test("the owners read that keys go on working when another owner leaves or is removed", async () => {
  const owner = await person()
  const left = await member(owner, "owner")
  const removed = await member(owner, "owner")
  const cashier = await member(owner, "cashier")
  const path = (who: Person) => `shops/${owner.id}/members/${who.id}`
  expect((await act(left, "DELETE", path(left))).status).toBe(204)
  expect((await act(owner, "DELETE", path(removed))).status).toBe(204)
  expect((await act(owner, "DELETE", path(cashier))).status).toBe(204)
  const { notices } = (await act(owner, "GET", "users/me/notices?topic=security")).json.data
  const told = notices.filter(({ text }: { text: string }) => text.includes("chaves de API"))
  expect(told.map(({ title }: { title: string }) => title)).toEqual([
    "Ana Souza, dono, foi removido da equipe da sua loja",
    "Ana Souza, dono, saiu da equipe da sua loja",
  ])
  expect(notices.map(({ title }: { title: string }) => title)).not.toContain(
    "Ana Souza, caixa, foi removido da equipe da sua loja",
  )
})

test("a notice of a shop leads to its screen, whichever shop its reader's tab acts for", async () => {
  const owner = await person()
  const second = await member(owner, "owner")
  await act(owner, "PATCH", "users/me/shop", undefined, { name: "Doces da Ana" })
  await member(owner, "cashier")
  const leadsOf = async (who: Person) => {
    const { notices } = (await act(who, "GET", "users/me/notices?topic=security")).json.data
    return notices.map(({ kind, text, action }: { kind: string; text: string; action: { path: string } }) => [
      kind,
      text.startsWith("Doces da Ana · "),
      action.path,
    ])
  }
  expect(await leadsOf(owner)).toContainEqual(["team_changed", false, `/team?shop=${owner.id}`])
  expect(await leadsOf(second)).toContainEqual(["team_changed", true, `/team?shop=${owner.id}`])
  expect(await leadsOf(owner)).toContainEqual(["shop_changed", false, `/shop?shop=${owner.id}`])
  // One's own account is the same in every shop.
  expect((await act(owner, "DELETE", `shops/${owner.id}/members/${second.id}`)).status).toBe(204)
  expect(await leadsOf(second)).toContainEqual(["team_left", false, "/profile"])
})

test("an owner who is removed or lowered comes back by no invitation of their own", async () => {
  const [owner, friend] = [await person(), await person()]
  const second = await member(owner, "owner")
  const offer = async (email: string) => {
    const made = await act(second, "POST", `shops/${owner.id}/invitations`, owner.id, { email, role: "manager" })
    return tokenIn(made.json.data.invitation.link)
  }
  const token = await offer(friend.email)
  const of = `shops/${owner.id}/members/${second.id}`
  expect((await act(owner, "PATCH", of, undefined, { role: "manager" })).status).toBe(200)
  expect((await act(owner, "GET", `shops/${owner.id}/invitations`)).json.data.invitations).toEqual([])
  expect((await accept(token, friend)).json.code).toBe("team_invitation_not_found")
  expect((await act(owner, "PATCH", of, undefined, { role: "owner" })).status).toBe(200)
  const last = await offer(friend.email)
  expect((await act(owner, "DELETE", of)).status).toBe(204)
  expect((await accept(last, friend)).json.code).toBe("team_invitation_not_found")
  const own = (await invite(owner, friend.email, "cashier")).json.data.invitation
  expect((await accept(tokenIn(own.link), friend)).status).toBe(200)
})

test("owners and managers read with a shop its own fee, whatever theirs is, and whether it is integrated", async () => {
  const owner = await person()
  const [second, manager, cashier] = [
    await member(owner, "owner"),
    await member(owner, "manager"),
    await member(owner, "cashier"),
  ]
  await site.db.updateTable("users").set({ fee_basis_points: 450 }).where("id", "=", owner.id).execute()
  await site.db.updateTable("users").set({ fee_basis_points: 200 }).where("id", "=", manager.id).execute()
  const feesOf = async (who: Person) =>
    (await act(who, "GET", "users/me")).json.data.user.shops.map(
      ({ feePercentage }: { feePercentage?: number | null }) => feePercentage,
    )
  expect(await feesOf(owner)).toEqual([4.5])
  expect(await feesOf(second)).toEqual([null, 4.5])
  expect(await feesOf(manager)).toEqual([2, 4.5])
  expect(await feesOf(cashier)).toEqual([null, undefined])

  const integrated = async (who: Person) =>
    (await act(who, "GET", "users/me")).json.data.shops.map(
      ({ isIntegrated }: { isIntegrated?: boolean }) => isIntegrated,
    )
  expect(await integrated(manager)).toEqual([false, false])
  const key = { name: "Loja", scopes: ["pages:write"], passwordCurrent: "senha-da-ana" }
  expect((await act(owner, "POST", "users/me/api-keys", undefined, key)).status).toBe(201)
  expect(await integrated(owner)).toEqual([true])
  expect(await integrated(manager)).toEqual([false, true])
  expect(await integrated(cashier)).toEqual([false, undefined])
})

test("an administrator joins no team", async () => {
  const [owner, who] = [await person(), await person()]
  const token = tokenIn((await invite(owner, who.email, "manager")).json.data.invitation.link)
  await site.db.updateTable("users").set({ role: "admin" }).where("id", "=", who.id).execute()
  expect((await accept(token, who)).json.code).toBe("administrator_in_no_team")
})

const promote = (who: Person, token: string) =>
  site.call("PATCH", `/api/v1/admin/users/${who.id}`, { token, body: { role: "admin" } })

test("nobody becomes an administrator while they work in another's shop", async () => {
  const owner = await person()
  const token = await admin()
  for (const role of ["owner", "manager", "accountant", "cashier"]) {
    const who = await member(owner, role)
    for (const _ of [1, 2]) {
      const { status, json } = await promote(who, token)
      expect([status, json.code]).toEqual([409, "user_in_team"])
    }
    expect((await act(who, "DELETE", `shops/${owner.id}/members/${who.id}`)).status).toBe(204)
    expect((await promote(who, token)).status).toBe(200)
  }
  // The shop's own person works in no other's.
  await member(owner, "manager")
  expect((await promote(owner, token)).status).toBe(200)
})

test("an invitation accepted while its person becomes an administrator makes them one of both", async () => {
  const [owner, token] = [await person(), await admin()]
  for (const _ of [1, 2, 3, 4]) {
    const who = await person()
    const link = tokenIn((await invite(owner, who.email, "owner")).json.data.invitation.link)
    const both = await Promise.all([accept(link, who), promote(who, token)])
    const codes = both.map(({ json }) => json.code)
    expect([
      [undefined, "user_in_team"],
      ["administrator_in_no_team", undefined],
    ]).toContainEqual(codes)
  }
})
