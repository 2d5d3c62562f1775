import { allExamples } from "@tilinta/contract/all-examples"
import type { Example } from "@tilinta/contract/define-endpoint"
import { type ApiKeyScope, apiKeyScopes } from "@tilinta/contract/vocabulary/api"
import { afterAll, describe, expect, test } from "vitest"
import { headersFor, requestOf } from "../../test-support/edge-calls.ts"
import { addressOf, isPrivateThing } from "../../test-support/edge-things.ts"
import { type Caller, callers, openEdgeWorld, type WorldUser } from "../../test-support/edge-world.ts"
import { insertApiKey } from "../../test-support/insert-api-key.ts"
import { type ServedRoute, servedRoutes } from "./serve-endpoint.ts"

const world = await openEdgeWorld()
const routes = servedRoutes(world.app)
const apiRoutes = routes.filter(({ url }) => url.startsWith("/api/v1/"))

afterAll(async () => {
  await world.close()
})

type Verdict = "in" | "out: nobody" | "out: not theirs" | "out: a key"

/** For an `_id` this public path shows the owner's view. */
const ownersView = "/api/v1/checkout/pages/:id"

/** The scope that a key needs, written here once more, so that a wrong one at an endpoint shows. */
const scopesOfRoutes: Record<string, ApiKeyScope> = {
  "POST /api/v1/checkout/pages": "pages:write",
  "GET /api/v1/checkout/pages": "pages:read",
  "GET /api/v1/checkout/pages/:id": "pages:read",
  "PATCH /api/v1/checkout/pages/:id": "pages:write",
  "PATCH /api/v1/checkout/pages/:id/cancel": "pages:write",
  "DELETE /api/v1/checkout/pages/:id": "pages:write",
  "GET /api/v1/checkout/slugs/:slug": "pages:read",
  "POST /api/v1/charges": "pages:write",
  "POST /api/v1/invoices": "invoices:write",
  "POST /api/v1/invoices/bulk": "invoices:write",
  "POST /api/v1/invoices/instalments": "invoices:write",
  "GET /api/v1/invoices": "invoices:read",
  "GET /api/v1/invoices/export": "invoices:read",
  "POST /api/v1/invoices/preview": "invoices:read",
  "GET /api/v1/invoices/:id": "invoices:read",
  "PATCH /api/v1/invoices/:id": "invoices:write",
  "PATCH /api/v1/invoices/:id/cancel": "invoices:write",
  "PATCH /api/v1/invoices/:id/settle-outside": "invoices:write",
  "POST /api/v1/subscriptions": "subscriptions:write",
  "GET /api/v1/subscriptions": "subscriptions:read",
  "GET /api/v1/subscriptions/:id": "subscriptions:read",
  "PATCH /api/v1/subscriptions/:id": "subscriptions:write",
  "PATCH /api/v1/subscriptions/:id/pause": "subscriptions:write",
  "PATCH /api/v1/subscriptions/:id/resume": "subscriptions:write",
  "PATCH /api/v1/subscriptions/:id/cancel": "subscriptions:write",
  "GET /api/v1/subscriptions/:id/cycles": "subscriptions:read",
  "POST /api/v1/subscriptions/:id/mandate": "subscriptions:write",
  "GET /api/v1/mandates/:id": "subscriptions:read",
  "PATCH /api/v1/mandates/:id/cancel": "subscriptions:write",
  "PATCH /api/v1/mandates/:id/resume": "subscriptions:write",
  "POST /api/v1/debits/:id/retries": "subscriptions:write",
  "PATCH /api/v1/debits/:id/cancel": "subscriptions:write",
  "POST /api/v1/plans": "subscriptions:write",
  "GET /api/v1/plans": "subscriptions:read",
  "PATCH /api/v1/plans/:id": "subscriptions:write",
  "GET /api/v1/invoices/:id/reminders": "invoices:read",
  "POST /api/v1/invoices/:id/reminders": "invoices:write",
  "GET /api/v1/users/me/reminders": "invoices:read",
  "PATCH /api/v1/users/me/reminders": "invoices:write",
  "GET /api/v1/users/me/reminders/today": "invoices:read",
  "GET /api/v1/payments/transactions": "transactions:read",
  "GET /api/v1/payments/transactions/:id": "transactions:read",
  "GET /api/v1/payments/transactions/export": "transactions:read",
  "GET /api/v1/payments/transactions/:id/refunds": "transactions:read",
  "POST /api/v1/payments/transactions/:id/refunds": "refunds:write",
  "GET /api/v1/payments/transactions/:id/payment-disputes": "transactions:read",
  "GET /api/v1/payments/disputes": "transactions:read",
  "GET /api/v1/users/myBalance": "withdrawals:read",
  "GET /api/v1/users/me/statement": "withdrawals:read",
  "GET /api/v1/users/me/statement/export": "withdrawals:read",
  "GET /api/v1/users/me/income": "withdrawals:read",
  "GET /api/v1/users/me/income/export": "withdrawals:read",
  "GET /api/v1/withdrawals": "withdrawals:read",
  "GET /api/v1/withdrawals/:id": "withdrawals:read",
  "GET /api/v1/withdrawals/:id/sales": "withdrawals:read",
  "GET /api/v1/withdrawals/:id/receipt": "withdrawals:read",
  "GET /api/v1/withdrawals/:id/signed-receipt": "withdrawals:read",
  "POST /api/v1/withdrawals": "withdrawals:write",
  "PATCH /api/v1/withdrawals/:id/cancel": "withdrawals:write",
  "GET /api/v1/events": "events:read",
  "GET /api/v1/customers": "customers:read",
  "GET /api/v1/customers/:id": "customers:read",
  "GET /api/v1/customers/:id/reminders": "customers:read",
  "GET /api/v1/customers/export": "customers:read",
  "POST /api/v1/customers": "customers:write",
  "POST /api/v1/customers/import": "customers:write",
  "PATCH /api/v1/customers/:id": "customers:write",
  "DELETE /api/v1/customers/:id": "customers:write",
  "GET /api/v1/users/me/shop": "shop:read",
  "PATCH /api/v1/users/me/shop": "shop:write",
  "PUT /api/v1/users/me/shop/logo": "shop:write",
  "DELETE /api/v1/users/me/shop/logo": "shop:write",
  "POST /api/v1/users/me/webhooks": "webhooks:write",
  "GET /api/v1/users/me/webhooks": "webhooks:write",
  "GET /api/v1/users/me/webhooks/:id": "webhooks:write",
  "PATCH /api/v1/users/me/webhooks/:id": "webhooks:write",
  "DELETE /api/v1/users/me/webhooks/:id": "webhooks:write",
  "POST /api/v1/users/me/webhooks/:id/rotate": "webhooks:write",
  "POST /api/v1/users/me/webhooks/:id/test": "webhooks:write",
  "POST /api/v1/users/me/webhooks/:id/resend": "webhooks:write",
  "GET /api/v1/users/me/webhooks/:id/deliveries": "webhooks:write",
  "GET /api/v1/users/me/webhooks/deliveries/:id/attempts": "webhooks:write",
  "POST /api/v1/users/me/webhooks/deliveries/:id/resend": "webhooks:write",
}

function scopeOf({ method, url }: ServedRoute): ApiKeyScope | undefined {
  return scopesOfRoutes[`${method.replace("HEAD", "GET")} ${url}`]
}

/** A new key may only send money where a withdrawal requested in the browser arrived. */
const withdrawing = "/api/v1/withdrawals"

/** The expected verdict follows from the declared audience of the route alone, and for keys from the list above. */
function verdictOn(route: ServedRoute, caller: Caller): Verdict {
  const { url, audience, method } = route
  if (audience !== "seller" && audience !== "admin" && url !== ownersView) return "in"
  if (caller.endsWith("key")) {
    if (scopeOf(route) === undefined || (url === withdrawing && method === "POST")) return "out: a key"
    return caller === "key" || !isPrivateThing(url) ? "in" : "out: not theirs"
  }
  if (caller !== "owner" && caller !== "rival" && caller !== "admin") return "out: nobody"
  if (audience === "admin") return caller === "admin" ? "in" : "out: not theirs"
  return caller === "owner" || !isPrivateThing(url) ? "in" : "out: not theirs"
}

const refusals: Record<Exclude<Verdict, "in">, number[]> = {
  "out: nobody": [401],
  "out: not theirs": [403, 404],
  "out: a key": [403],
}

interface Request {
  owner: WorldUser
  example: Example | undefined
  url: string
  body: unknown
  headers: Record<string, string>
}

/** The route's request for a new thing of a new owner's. */
async function prepare(route: ServedRoute): Promise<Request> {
  const owner = await world.user()
  const method = route.method === "HEAD" ? "GET" : route.method
  const example = allExamples.find(({ endpoint }) => endpoint.path === route.url && endpoint.method === method)
  const { url, body } = example
    ? await requestOf(world, example, owner)
    : { url: await addressOf(world, route.url, owner), body: method === "POST" ? {} : undefined }
  return { owner, example, url, body, headers: await headersFor(world, url, owner) }
}

function send(route: ServedRoute, { url, body, headers }: Request, token: string | undefined) {
  return world.call(route.method, url, {
    headers: { accept: "application/json", ...headers },
    ...(token !== undefined && { token }),
    ...(body !== undefined && { body }),
  })
}

const known = new Map<Caller, Promise<string | undefined>>()

/** One caller of each kind asks every route that refuses it or only reads, as neither changes anything. */
function sharedTokenOf(caller: Caller, owner: WorldUser): Promise<string | undefined> {
  if (caller === "owner") return Promise.resolve(owner.token)
  if (caller.endsWith("key")) return newKeyOf(caller, owner)
  const token = known.get(caller) ?? world.tokenOf(caller, owner)
  known.set(caller, token)
  return token
}

const keyHolders = new Map<Caller, Promise<WorldUser>>()

/** A key of its own for each route, because each has a rate limit of its own. */
async function newKeyOf(caller: Caller, owner: WorldUser): Promise<string> {
  if (caller === "key") return (await insertApiKey(world.db, owner.id)).key
  const holder = keyHolders.get(caller) ?? world.user(caller.startsWith("admin") ? "admin" : "user")
  keyHolders.set(caller, holder)
  return (await insertApiKey(world.db, (await holder).id)).key
}

/** Nobody's token is read for the site's own files, and HEAD is GET without its body. */
function callersOf({ audience, method }: ServedRoute): readonly Caller[] {
  if (audience === "site" || audience === "health") return ["anonymous", "garbage", "admin"]
  return method === "HEAD" ? ["anonymous", "owner", "rival", "admin", "key"] : callers
}

async function expectRefusals(route: ServedRoute, request: Request): Promise<void> {
  for (const caller of callersOf(route).filter((each) => verdictOn(route, each) !== "in")) {
    const { status } = await send(route, request, await sharedTokenOf(caller, request.owner))
    const verdict = verdictOn(route, caller)
    const allowed = verdict === "in" ? [] : refusals[verdict]
    expect({ caller, status: allowed }).toEqual({ caller, status: expect.arrayContaining([status]) })
  }
}

/** Their caller must have begun or enrolled a factor before, or have the customers or the destination that the body names, and only the owner has. */
const afterOwnEnrolment =
  /\/users\/me\/(totp\/confirm|recovery-codes|passkeys)$|\/step-up\/options$|\/invoices\/(bulk|instalments)$|\/withdrawal-rule$/

async function expectAdmission(route: ServedRoute, request: Request, caller: Caller): Promise<void> {
  const isRead = route.method === "GET" || route.method === "HEAD"
  const token = await (isRead ? sharedTokenOf : world.tokenOf)(caller, request.owner)
  const reply = await send(route, request, token)
  const { status } = reply
  const isLeaving = route.method === "DELETE" && route.url.endsWith("/users/me")
  const isPrepared = caller === "owner" || !(isLeaving || afterOwnEnrolment.test(route.url))
  if (request.example && isPrepared) expect(reply).toMatchObject({ status: request.example.endpoint.reply.status })
  // A wrong proof is refused by the verb, not at the door.
  const isIn = ![401, 403, 405, 500, 503].includes(status) || reply.json?.code === "second_factor_invalid"
  expect({ caller, isIn, status }).toMatchObject({ caller, isIn: true })
}

describe("Z01: access to every route of the server", () => {
  test.each(routes.map((route): [string, ServedRoute] => [`${route.audience}: ${route.method} ${route.url}`, route]))(
    "%s",
    async (_name, route) => {
      const isRead = route.method === "GET" || route.method === "HEAD"
      let request: Request | null = await prepare(route)
      await expectRefusals(route, request)
      for (const caller of callersOf(route).filter((each) => verdictOn(route, each) === "in")) {
        request ??= await prepare(route)
        await expectAdmission(route, request, caller)
        // A change by one caller leaves no thing for the next one.
        if (!isRead) request = null
      }
    },
  )

  test("every scope but the route's own is refused, and those of the routes are the ones listed here", async () => {
    const owner = await world.user()
    const keyed = routes.filter((route) => route.keyScope !== undefined)
    expect(keyed.map((route) => [route.method, route.url, route.keyScope])).toEqual(
      routes.filter(scopeOf).map((route) => [route.method, route.url, scopeOf(route)]),
    )
    expect(keyed.filter(({ method }) => method !== "HEAD")).toHaveLength(Object.keys(scopesOfRoutes).length)
    for (const route of keyed) {
      const scopes = apiKeyScopes.filter((scope) => scope !== route.keyScope)
      const { key } = await insertApiKey(world.db, owner.id, { scopes })
      const url = route.url === ownersView ? await addressOf(world, route.url, owner) : route.url.replace(/:\w+/, "x")
      const { status, json } = await world.call(route.method, url, { token: key })
      expect({ url, status }).toEqual({ url, status: 403 })
      if (json)
        expect(json).toMatchObject({
          code: "api_key_scope_missing",
          message: expect.stringContaining(route.keyScope ?? "?"),
        })
    }
  })

  test("Z02: the settings are the admins' although their address doesn't say so", () => {
    const settings = routes.filter(({ url }) => url.startsWith("/api/v1/settings"))
    expect(settings.map(({ audience }) => audience)).toEqual(settings.map(() => "admin"))
    expect(settings.length).toBeGreaterThanOrEqual(5)
  })

  test("the whole API says sellers, admins or everybody, and every address below admin/ is the admins'", () => {
    for (const { audience } of apiRoutes) expect(["public", "seller", "admin"]).toContain(audience)
    const below = apiRoutes.filter(({ url }) => url.startsWith("/api/v1/admin/"))
    expect(below.filter(({ audience }) => audience !== "admin")).toEqual([])
  })
})

function fits(pattern: string, address: string): boolean {
  return new RegExp(`^${pattern.replaceAll(/:\w+/g, "[^/]+")}$`).test(address)
}

const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"] as const

test("Z01: a method that isn't served is 405 for everybody, and never a way in", async () => {
  const owner = await world.user()
  const admin = await world.user("admin")
  for (const url of new Set(apiRoutes.map((route) => route.url))) {
    const address = await addressOf(world, url, owner)
    const served = apiRoutes.filter((route) => fits(route.url, address)).map((route) => route.method)
    for (const method of methods.filter((name) => !served.includes(name))) {
      for (const options of [{}, { token: admin.token }]) {
        const reply = await world.call(method, address, options)
        expect({ method, address, status: reply.status }).toEqual({ method, address, status: 405 })
      }
    }
  }
})

describe("Z10: what a proxy or a framework might read otherwise opens nothing", () => {
  const guarded = apiRoutes.filter(({ audience, method }) => audience !== "public" && method === "GET")
  const spellings: [string, (url: string) => string][] = [
    ["capitals", (url) => url.toUpperCase()],
    ["a double slash", (url) => url.replace("/v1/", "/v1//")],
    ["a leading double slash", (url) => `/${url}`],
    ["a session in the path", (url) => `${url};jsessionid=1`],
    ["a slash at the end", (url) => `${url}/`],
    ["a dot at the end", (url) => `${url}/.`],
    ["a way round", (url) => url.replace("/v1/", "/v1/public/../")],
    ["an encoded slash", (url) => url.replace("/v1/", "/v1%2f")],
    ["an extension", (url) => `${url}.json`],
    ["a backslash", (url) => url.replace("/v1/", "/v1\\")],
  ]

  test.each(guarded.map((route) => route.url))("%s", async (pattern) => {
    const owner = await world.user()
    const url = await addressOf(world, pattern, owner)
    for (const [spelling, write] of spellings) {
      const reply = await world.call("GET", write(url))
      expect({ spelling, status: reply.status }).toEqual({ spelling, status: expect.toBeOneOf([400, 401, 404, 405]) })
    }
    const tricks = [
      { "x-http-method-override": "GET", "x-method-override": "GET" },
      { "x-original-url": "/api/v1/public/settings/PLATFORM_NAME", "x-rewrite-url": "/healthz" },
      { "x-forwarded-for": "127.0.0.1", "x-real-ip": "127.0.0.1", "x-forwarded-user": owner.id },
    ]
    for (const headers of tricks) expect((await world.call("GET", url, { headers })).status).toBe(401)
  })

  test("headers that name another method or address change neither", async () => {
    const headers = { "x-http-method-override": "DELETE", "x-original-url": "/api/v1/users/me", "x-rewrite-url": "/x" }
    const reply = await world.call("GET", "/api/v1/public/settings/PLATFORM_NAME?_method=DELETE", { headers })
    expect(reply.json.data.setting.key).toBe("PLATFORM_NAME")
    const posted = await world.call("POST", "/api/v1/settings", { headers: { "x-http-method-override": "GET" } })
    expect(posted.status).toBe(401)
  })

  test("HEAD is decided like GET and OPTIONS says nothing but the methods", async () => {
    for (const { url } of guarded) {
      const address = await addressOf(world, url, await world.user())
      const hasHead = apiRoutes.some((route) => route.url === url && route.method === "HEAD")
      expect((await world.call("HEAD", address)).status).toBe(hasHead ? 401 : 405)
      const options = await world.call("OPTIONS", address)
      expect([options.status, options.text]).toEqual([204, ""])
    }
  })
})
