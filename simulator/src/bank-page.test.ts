import { expect, test } from "vitest"
import { startTestBank } from "../test-support/test-bank.ts"

test("the page and all that it loads are served under /simulador, under a strict policy", async () => {
  const bank = await startTestBank()
  const page = await bank.call("GET", "/simulador")

  expect(page.status).toBe(200)
  expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8")
  expect(page.headers.get("content-security-policy")).not.toContain("unsafe")
  expect(page.text).toContain("Ambiente de teste")
  expect(page.text).toContain("Simulador de banco – nenhum dinheiro de verdade")
  expect(page.text).not.toMatch(/ style=| on[a-z]+=|<style|<script>/)

  const loaded = [...page.text.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, path]) => path ?? "")
  expect(loaded).toHaveLength(5)
  for (const path of loaded) {
    expect(path).toMatch(/^\/simulador\//)
    expect((await bank.call("GET", path)).status).toBe(200)
  }
})

test("the page of the faults is this machine's alone, and holds all that it loads to the same policy", async () => {
  const bank = await startTestBank()
  const page = await bank.call("GET", "/simulador/controle")
  expect(page.status).toBe(200)
  expect(page.headers.get("content-security-policy")).not.toContain("unsafe")
  expect(page.text).toContain("Ambiente de teste")
  expect(page.text).not.toMatch(/ style=| on[a-z]+=|<style|<script>/)
  const loaded = [...page.text.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, path]) => path ?? "")
  const scripts = ["tools", "faults", "books"].map((part) => `/simulador/control-${part}.js`)
  for (const path of [...loaded, ...scripts]) expect((await bank.call("GET", path)).status).toBe(200)
  const far = await bank.call("GET", "/simulador/controle", undefined, { "x-forwarded-for": "203.0.113.7" })
  expect(far).toMatchObject({ status: 403, text: "O controle do simulador só atende esta máquina." })
})

test("the networks that are named may use the faults, too, by no name that a stranger can own", async () => {
  const bank = await startTestBank({ openTo: ["203.0.113.0/24"], publicUrl: "http://banco.exemplo.com.br" })
  const statusOf = async (headers: Record<string, string>) => {
    const page = await bank.call("GET", "/simulador/controle", undefined, headers)
    expect((await bank.call("GET", "/simulador/api/controle", undefined, headers)).status).toBe(page.status)
    return page.status
  }
  expect(await statusOf({ "x-forwarded-for": "203.0.113.7" })).toBe(200)
  expect(await statusOf({ "x-forwarded-for": "203.0.113.7", "x-forwarded-host": "banco.exemplo.com.br" })).toBe(200)
  expect(await statusOf({ "x-forwarded-for": "203.0.113.7", "x-forwarded-host": "evil.example" })).toBe(403)
  expect(await statusOf({ "x-forwarded-for": "198.51.100.7" })).toBe(403)
  expect(await statusOf({})).toBe(200)
})

test.each(["/nada", "/simulador/nada", "/simulador/api/nada", "/simulador/%E0%A4"])(
  "%s isn't there, and says so in Portuguese",
  async (path) => {
    const bank = await startTestBank()
    const answer = await bank.call("GET", path)
    expect(answer.status).toBe(404)
    expect(JSON.parse(answer.text)).toEqual({ message: "Este endereço não existe no banco simulado." })
  },
)
