import { mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { brotliCompressSync, constants } from "node:zlib"
import { afterAll, beforeAll, expect, test } from "vitest"
import { buildCheckout } from "../../build.ts"
import { testInvoice, testProps, testShop } from "../../test-support/checkout-page.ts"
import type { renderCheckout } from "./render.ts"

const BUDGET_BYTES = 14_000

let folder: string
let render: typeof renderCheckout

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "checkout-"))
  await buildCheckout(folder)
  render = (await import(join(folder, "render.js"))).renderCheckout
}, 60_000)
afterAll(() => rm(folder, { recursive: true, force: true }))

/** The level that a server can afford on every request, not the slow best. */
function compressedBytes(html: string): number {
  const params = { [constants.BROTLI_PARAM_QUALITY]: 5 }
  return brotliCompressSync(html, { params }).length
}

test("HTML, style and script of a charge are one response of at most 14 kB", () => {
  expect(compressedBytes(render(testProps(), "r4nd0mr4nd0mr4nd0mr4nd"))).toBeLessThan(BUDGET_BYTES)
})

test("a page whose payers go back to a shop fits in, too", () => {
  expect(compressedBytes(render({ ...testProps(), isReturning: true }, "r4nd0m"))).toBeLessThan(BUDGET_BYTES)
})

test("a new seller's page fits in, too", () => {
  expect(compressedBytes(render({ ...testProps(), isNewSeller: true }, "r4nd0m"))).toBeLessThan(BUDGET_BYTES)
})

test("a shop's page fits in, too, without its logo", () => {
  const { logoUrl: _, ...shop } = testShop
  expect(compressedBytes(render(testProps({ shop }), "r4nd0mr4nd0mr4nd0mr4nd"))).toBeLessThan(BUDGET_BYTES)
})

test("an invoice's page of a shop fits in, too, without its logo", () => {
  const { logoUrl: _, ...shop } = testShop
  const props = { ...testProps({ shop, invoice: testInvoice }), customerDataPath: "/invoice/data/Xa8dK2lmNQpo" }
  expect(compressedBytes(render(props, "r4nd0mr4nd0mr4nd0mr4nd"))).toBeLessThan(BUDGET_BYTES)
})

test("a page whose payers choose the amount fits in, too", () => {
  const { logoUrl: _, ...shop } = testShop
  const choice = { amount: null, minAmount: 2, maxAmount: 500, suggestions: [5, 10, 20, 50, 100, 200] }
  expect(compressedBytes(render(testProps({ shop, ...choice }), "r4nd0mr4nd0mr4nd0mr4nd"))).toBeLessThan(BUDGET_BYTES)
})

test("the longest texts that a seller may write keep within it, too", () => {
  const words = "Curso avançado de gestão financeira para pequenas empresas, com planilhas, aulas gravadas e plantão. "
  const page = { title: words.slice(0, 100), description: words.repeat(5).slice(0, 500) }
  expect(compressedBytes(render(testProps(page), "r4nd0m"))).toBeLessThan(BUDGET_BYTES)
})

test("the script can stand inside the page, and the schema library stays out of it", async () => {
  const script = await readFile(join(folder, "client.js"), "utf8")
  expect(script).not.toContain("</script")
  expect(script).not.toContain("<!--")
  expect(script).not.toContain("_zod")
})

test("the renderer needs nothing but Node", async () => {
  const renderer = await readFile(join(folder, "render.js"), "utf8")
  expect(renderer.match(/^import .*$/gm)?.every((line) => line.includes('"node:'))).toBe(true)
})
