import { afterAll, expect, test } from "vitest"
import { addressOf } from "../../test-support/edge-things.ts"
import { openEdgeWorld, type WorldUser } from "../../test-support/edge-world.ts"
import { type ServedRoute, servedRoutes } from "./serve-endpoint.ts"

const world = await openEdgeWorld()
const owners = new Map<string, Promise<WorldUser>>()
const routes = servedRoutes(world.app)
const named = routes.map((route): [string, ServedRoute] => [`${route.method} ${route.url}`, route])

afterAll(async () => {
  await world.close()
})

/** One owner for nearly all routes, but a seller may have only ten webhooks, and as many devices with notices. */
function ownerOf({ method, url }: ServedRoute): Promise<WorldUser> {
  const name = /\/me\/(webhooks|push-subscriptions)/.test(url)
    ? `${method.replace("HEAD", "GET")} ${url}`
    : "all others"
  const owner = owners.get(name) ?? world.user()
  owners.set(name, owner)
  return owner
}

const addressesToRead = new Map<string, Promise<string>>()

/** Reading changes nothing, so all tests of such a route ask for the same thing. */
async function addressFor(route: ServedRoute): Promise<string> {
  const owner = await ownerOf(route)
  if (route.method !== "GET" && route.method !== "HEAD") return addressOf(world, route.url, owner)
  const address = addressesToRead.get(route.url) ?? addressOf(world, route.url, owner)
  addressesToRead.set(route.url, address)
  return address
}

async function ask(route: ServedRoute, headers: Record<string, string> = {}, known: string | null = null) {
  const address = known ?? (await addressFor(route))
  const { token } = await ownerOf(route)
  return world.call(route.method, address, { token, headers: { accept: "application/json", ...headers } })
}

function directivesOf(policy: unknown): Map<string, string> {
  const directives = String(policy)
    .split(";")
    .map((part) => part.trim())
  return new Map(directives.map((directive) => [directive.split(" ", 1)[0] ?? "", directive.replace(/^\S+ ?/, "")]))
}

/** Reads QR codes with the camera. */
const receiptReaderUrl = "/verificar"
/** Framed by the outbox page. */
const letterUrl = "/simulador/emails/:id"

test.each(named)("X02: %s protects whoever reads the reply", async (_name, route) => {
  const { headers } = await ask(route)
  const policy = directivesOf(headers["content-security-policy"])
  // A letter shows the style attributes whose hashes it names, and no others.
  const sources = String(headers["content-security-policy"]).replace(
    /style-src 'unsafe-hashes' (?='sha256-)/,
    "style-src ",
  )
  expect(sources).not.toMatch(/unsafe|\*|https?:/)
  const ancestors = route.url === letterUrl ? "'self'" : "'none'"
  for (const name of ["object-src", "base-uri"]) expect([name, policy.get(name)]).toEqual([name, "'none'"])
  expect(policy.get("frame-ancestors")).toBe(ancestors)
  expect(headers).toMatchObject({
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "strict-transport-security": expect.stringMatching(/^max-age=31536000/),
  })
  const denied = String(headers["permissions-policy"] ?? "").split(", ")
  if (!route.url.startsWith("/api/"))
    for (const feature of ["camera", "geolocation", "microphone", "payment"]) {
      const allowed = feature === "camera" && route.url === receiptReaderUrl ? "self" : ""
      expect(denied).toContain(`${feature}=(${allowed})`)
    }
  expect(headers).not.toHaveProperty("x-powered-by")
  expect(headers).not.toHaveProperty("server")
})

test.each(named)("X03: %s is no other origin's to read", async (_name, route) => {
  const address = await addressFor(route)
  for (const origin of ["https://evil.example", "null", "http://localhost:3001", "https://localhost.evil.example"]) {
    const preflight = {
      origin,
      "access-control-request-method": route.method,
      "access-control-request-headers": "authorization",
    }
    for (const reply of [
      await ask(route, { origin }, address),
      await world.call("OPTIONS", address, { headers: preflight }),
    ]) {
      expect(Object.keys(reply.headers).filter((name) => name.startsWith("access-control"))).toEqual([])
    }
  }
})

const unshared = named.filter(([, { url, audience }]) => url.startsWith("/api/v1/") || audience === "health")

test.each(unshared)("X05: %s is kept by no cache, whether it succeeds or fails", async (_name, route) => {
  const address = await addressFor(route)
  const refused = await ask(route, { authorization: "Bearer x" }, address)
  expect((await ask(route, {}, address)).headers["cache-control"]).toBe("no-store")
  expect(refused.headers["cache-control"]).toBe("no-store")
})
