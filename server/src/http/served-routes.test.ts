import Fastify from "fastify"
import { expect, test } from "vitest"
import { markAudience } from "./list-query.ts"
import { noteRoutes, servedRoutes } from "./serve-endpoint.ts"

test("a route without an audience ends the start", () => {
  const app = Fastify()
  noteRoutes(app)
  expect(() => app.get("/segredo", async () => "x")).toThrow("GET /segredo is in a scope without an audience")
})

test("the list has every route with its audience, also of scopes within scopes and HEAD", async () => {
  const app = Fastify()
  noteRoutes(app)
  app.register(async (scope) => {
    markAudience(scope, "health")
    scope.register(async (inner) => {
      inner.get("/a", async () => "a")
    })
  })
  await app.ready()
  expect(servedRoutes(app)).toEqual([
    { method: "GET", url: "/a", audience: "health" },
    { method: "HEAD", url: "/a", audience: "health" },
  ])
})
