import { type ShopRole, shopRoles } from "@tilinta/contract/vocabulary/team"
import { afterAll, describe, expect, test } from "vitest"
import { newId } from "#kit/ids"
import { openEdgeWorld, type WorldUser } from "../../test-support/edge-world.ts"
import { insertApiKey } from "../../test-support/insert-api-key.ts"
import { type ServedRoute, servedRoutes } from "./serve-endpoint.ts"

const world = await openEdgeWorld()

afterAll(() => world.close())

/** The owner's view of a page is the one route of a shop at an address that everybody may ask. */
const ownersView = "/api/v1/checkout/pages/:id"
const routes = servedRoutes(world.app).filter(({ audience, url }) => audience === "seller" || url === ownersView)
const nameOf = ({ method, url }: ServedRoute) => `${method.replace("HEAD", "GET")} ${url.replace("/api/v1/", "")}`

/** Written here once more, so that a wrong role at a call shows. Whatever isn't listed is the owner's alone. */
const read = "owner manager accountant"
const sell = "owner manager"
const counter = "owner manager cashier"
const rolesOf: Record<string, string> = {}
const listed: Record<string, string> = {
  [counter]: `POST charges; GET counter/today; POST counter/shifts; POST payments/transactions/:id/refund-requests
    POST shops/:id/screens; GET shops/:id/screens; PATCH shops/:id/screens/:screenId; DELETE shops/:id/screens/:screenId`,
  [read]: `
    GET payments/transactions; GET payments/transactions/:id; GET payments/transactions/export
    GET payments/transactions/:id/refunds; GET payments/transactions/:id/payment-disputes; GET payments/disputes
    GET withdrawals; GET withdrawals/:id; GET withdrawals/:id/sales; GET withdrawals/:id/receipt; GET withdrawals/:id/signed-receipt
    GET users/myBalance; GET users/me/statement; GET users/me/statement/export; GET users/me/income
    GET users/me/income/export; GET users/me/events; GET users/me/shop
    GET invoices; GET invoices/:id; GET invoices/export; GET invoices/:id/reminders
    GET customers; GET customers/:id; GET customers/:id/reminders; GET customers/export`,
  [sell]: `
    POST checkout/pages; GET checkout/pages; GET checkout/pages/:id; PATCH checkout/pages/:id
    PATCH checkout/pages/:id/cancel; DELETE checkout/pages/:id; GET checkout/slugs/:slug
    POST customers; POST customers/import; PATCH customers/:id; DELETE customers/:id
    POST invoices; POST invoices/bulk; POST invoices/instalments; POST invoices/preview; PATCH invoices/:id
    PATCH invoices/:id/cancel; PATCH invoices/:id/settle-outside; POST invoices/:id/reminders
    POST subscriptions; GET subscriptions; GET subscriptions/:id; PATCH subscriptions/:id
    PATCH subscriptions/:id/pause; PATCH subscriptions/:id/resume; PATCH subscriptions/:id/cancel
    POST subscriptions/:id/mandate; GET mandates/:id; PATCH mandates/:id/cancel; PATCH mandates/:id/resume
    POST debits/:id/retries; PATCH debits/:id/cancel
    GET subscriptions/:id/cycles; POST plans; GET plans; PATCH plans/:id
    PUT counter/favourites; POST payments/transactions/:id/refunds; GET counter/refund-requests
    PATCH payments/transactions/:id/refund-requests/:requestId/confirm
    PATCH payments/transactions/:id/refund-requests/:requestId/decline; PATCH payments/disputes/:id/defence
    PATCH users/me/shop; PUT users/me/shop/logo; DELETE users/me/shop/logo
    GET users/me/reminders; PATCH users/me/reminders; GET users/me/reminders/today
    GET events; GET search; GET reports/seller`,
  owner: `
    GET shops/:id/members; PATCH shops/:id/members/:memberId; DELETE shops/:id/members/:memberId
    POST shops/:id/invitations; GET shops/:id/invitations; DELETE shops/:id/invitations/:invitationId
    POST users/me/api-keys; GET users/me/api-keys; DELETE users/me/api-keys/:id
    GET users/me/destinations; DELETE users/me/destinations/:id; GET users/me/withdrawal-rule
    PUT users/me/withdrawal-rule; DELETE users/me/withdrawal-rule; POST withdrawals; PATCH withdrawals/:id/cancel
    GET users/me/return-origins; PUT users/me/return-origins; POST users/me/return-origins/rotate
    POST users/me/webhooks; GET users/me/webhooks; GET users/me/webhooks/:id; PATCH users/me/webhooks/:id
    DELETE users/me/webhooks/:id; POST users/me/webhooks/:id/rotate; POST users/me/webhooks/:id/test
    GET users/me/webhooks/:id/deliveries; GET users/me/webhooks/deliveries/:id/attempts
    POST users/me/webhooks/deliveries/:id/resend; POST users/me/webhooks/:id/resend`,
  person: `
    GET users/me; PATCH users/updateMe; GET users/me/export; DELETE users/me; POST users/me/email-confirmation
    POST auth/logout; PATCH auth/updateMyPassword; POST auth/step-up; POST auth/step-up/options
    GET users/me/sessions; DELETE users/me/sessions; DELETE users/me/sessions/:id
    GET users/me/push-subscriptions; POST users/me/push-subscriptions; DELETE users/me/push-subscriptions/:id;
    POST users/me/push-subscriptions/:id/test; GET users/me/notices; PATCH users/me/notices/read; GET users/me/legal-texts; POST users/me/legal-texts
    GET users/me/factors; POST users/me/totp; POST users/me/totp/confirm; DELETE users/me/totp
    POST users/me/recovery-codes; GET users/me/passkeys; POST users/me/passkeys; POST users/me/passkeys/options
    PATCH users/me/passkeys/:id; DELETE users/me/passkeys/:id; POST invitations/:token/accept`,
}
for (const [roles, calls] of Object.entries(listed)) {
  for (const call of calls.trim().split(/[;\n]\s*/)) rolesOf[call.trim()] = roles
}

const shop = await world.user()
const members = new Map<ShopRole, WorldUser>()
for (const role of shopRoles) {
  const person = await world.user()
  const place = { shop_id: shop.id, user_id: person.id, role, joined_at: world.clock.now() }
  await world.db.insertInto("shop_members").values(place).execute()
  members.set(role, person)
}

test("every call says who may make it, as listed here, and nothing is listed that isn't served", () => {
  const declared = routes.map((route) => [nameOf(route), [route.roles ?? "undecided"].flat().join(" ")])
  expect(Object.fromEntries(declared)).toEqual(rolesOf)
})

/** An id of nobody's, and a body that no schema takes: whoever is refused hears of neither. */
async function ask(route: ServedRoute, token: string, shopId: string) {
  const isOfShop = route.url.startsWith("/api/v1/shops/:id/")
  const url = isOfShop ? route.url.replace(":id", shopId) : route.url
  const isTaking = ["POST", "PUT", "PATCH"].includes(route.method)
  return world.call(route.method, `${url.replaceAll(/:\w+/g, newId())}?limit=-1`, {
    token,
    headers: { "x-shop": shopId, accept: "*/*" },
    ...(isTaking && { rawBody: "{" }),
  })
}

const decided = routes.filter(({ roles, method }) => roles !== "person" && method !== "HEAD")
const isStream = (route: ServedRoute) => route.url.endsWith("/users/me/events")

describe.each(decided.map((route): [string, ServedRoute] => [nameOf(route), route]))("%s", (_name, route) => {
  test("each role, and a foreign shop", async () => {
    const allowed = (rolesOf[nameOf(route)] ?? "").split(" ")
    for (const [role, { token }] of members) {
      // A stream that opens doesn't end by itself; its refusals are asked for here, what it says elsewhere.
      if (isStream(route) && allowed.includes(role)) continue
      const { status, json } = await ask(route, token, shop.id)
      const isRefused = status === 403 && json?.code === "role_forbidden"
      expect({ role, isRefused, status }).toMatchObject({ role, isRefused: !allowed.includes(role) })
      const foreign = await ask(route, token, (await stranger).id)
      expect({ role, code: foreign.json?.code }).toEqual({ role, code: "role_forbidden" })
    }
  })
})

const stranger = world.user()

test("calls about oneself act for the person, whatever shop is named", async () => {
  const cashier = members.get("cashier")
  const headers = { "x-shop": shop.id }
  const me = await world.call("GET", "/api/v1/users/me", { token: cashier?.token ?? "", headers })
  expect(me.json.data.user._id).toBe(cashier?.id)
  expect(me.json.data.user.balance).not.toBe(0)
  const elsewhere = await world.call("GET", "/api/v1/users/me", {
    token: cashier?.token ?? "",
    headers: { "x-shop": (await stranger).id },
  })
  expect(elsewhere.json.data.user._id).toBe(cashier?.id)
})

test("a key is its shop's, and acts for no other", async () => {
  const { key } = await insertApiKey(world.db, shop.id)
  const call = (shopId: string) =>
    world.call("GET", "/api/v1/users/myBalance", { token: key, headers: { "x-shop": shopId } })
  expect((await call(shop.id)).status).toBe(200)
  expect((await call((await stranger).id)).json.code).toBe("role_forbidden")
})

test("neither a body, a query nor a second header name another shop", async () => {
  const { token = "" } = members.get("manager") ?? {}
  const other = await stranger
  const named = { shop: other.id, shopId: other.id, sellerId: other.id, userId: other.id }
  const headers = { "x-shop": shop.id }
  const made = await world.call("POST", "/api/v1/customers", { token, headers, body: { name: "Bia", ...named } })
  expect(made.status).toBe(201)
  const row = await world.db.selectFrom("customers").select("seller_id").executeTakeFirstOrThrow()
  expect(row.seller_id).toBe(shop.id)
  const query = new URLSearchParams({ ...named, "x-shop": other.id }).toString()
  const list = await world.call("GET", `/api/v1/customers?${query}`, { token, headers })
  expect(list.json.data.customers).toHaveLength(1)
  const twice = await world.call("GET", "/api/v1/customers", {
    token,
    headers: { "x-shop": `${shop.id}, ${other.id}` },
  })
  expect(twice.json.code).toBe("role_forbidden")
  const both = await world.call("GET", `/api/v1/shops/${shop.id}/members`, {
    token: members.get("owner")?.token ?? "",
    headers: { "x-shop": other.id },
  })
  expect(both.json.code).toBe("role_forbidden")
})
