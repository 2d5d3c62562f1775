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
  expect(loaded).toHaveLength(4)
  for (const path of loaded) {
    expect(path).toMatch(/^\/simulador\//)
    expect((await bank.call("GET", path)).status).toBe(200)
  }
})
