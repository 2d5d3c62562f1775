import Fastify from "fastify"
import { expect, test } from "vitest"
import { deviceOf, rememberDeviceIn } from "./auth-routes.ts"

test("by TLS the device's cookie is bound to the host, and comes first", async () => {
  expect(await cookieAt("https://loja.example")).toMatch(
    /^__Host-tilinta_device=novo; Path=\/; Secure; Max-Age=\d+; HttpOnly; SameSite=Strict$/,
  )
  expect(await cookieAt("http://localhost:3000")).toMatch(
    /^tilinta_device=novo; Path=\/api\/v1\/auth; Max-Age=\d+; HttpOnly; SameSite=Strict$/,
  )
  expect(await deviceIn("a=1; tilinta_device=vizinho; __Host-tilinta_device=meu")).toBe("meu")
  expect(await deviceIn("a=1; tilinta_device=meu")).toBe("meu")
  expect(await deviceIn("xtilinta_device=outro")).toBe("null")
})

async function cookieAt(publicUrl: string): Promise<unknown> {
  const app = Fastify()
  app.get("/", (_request, reply) => {
    rememberDeviceIn(reply, "novo", publicUrl)
    return "ok"
  })
  return (await app.inject("/")).headers["set-cookie"]
}

async function deviceIn(cookie: string): Promise<string> {
  const app = Fastify()
  app.get("/", (request) => String(deviceOf(request)))
  return (await app.inject({ url: "/", headers: { cookie } })).body
}
