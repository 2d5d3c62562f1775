import { basename } from "node:path"
import type { Page } from "@playwright/test"
import { firstLoadOf, type Load, stylesOf } from "./support/first-load.ts"
import { expect, sellerTest, test } from "./support/journey.ts"

/** Budgets of the first load's JavaScript: gzip kB, as fetched without TLS; with TLS browsers fetch brotli. */
const login = { words: ["Cobre por PIX ", "Esqueceu sua senha?"], gzipKilobytes: 113 }
const dashboard = { words: ["Pular para o conteúdo", "Nenhum pagamento recebido hoje"], gzipKilobytes: 134 }

function report(path: string, { files, gzipBytes, brotliBytes }: Load, budget: number): void {
  const [gzip, brotli] = [gzipBytes, brotliBytes].map((bytes) => (bytes / 1000).toFixed(1))
  process.stdout.write(`${path}: ${gzip} kB gzip of ${budget}, ${brotli} kB brotli, ${files.size} files\n`)
}

async function loadedScripts(page: Page): Promise<string[]> {
  const urls = await page.evaluate(() => performance.getEntriesByType("resource").map(({ name }) => name))
  return urls.filter((url) => url.endsWith(".js")).map((url) => basename(url))
}

test("the login's first load stays within its budget", { tag: "@desktop" }, async ({ page }) => {
  const load = firstLoadOf(login.words)
  report("/login", load, login.gzipKilobytes)
  expect(load.gzipBytes / 1000).toBeLessThanOrEqual(login.gzipKilobytes)
  await page.goto("/login")
  await expect(page.getByRole("heading", { name: "Entrar" })).toBeVisible()
  expect(await loadedScripts(page)).toEqual(expect.arrayContaining([...load.files]))
})

sellerTest("the dashboard's first load stays within its budget", { tag: "@desktop" }, async ({ page }) => {
  const load = firstLoadOf(dashboard.words)
  report("/dashboard", load, dashboard.gzipKilobytes)
  expect(load.gzipBytes / 1000).toBeLessThanOrEqual(dashboard.gzipKilobytes)
  await page.goto("/dashboard")
  expect(load.brotliBytes / 1000).toBeLessThanOrEqual(120)
  expect(stylesOf("br") / 1000).toBeLessThanOrEqual(10)
  expect(stylesOf("gz") / 1000).toBeLessThanOrEqual(10.8)
  await expect(page.getByText("Nenhuma transação ainda")).toBeVisible()
  expect(await loadedScripts(page)).toEqual(expect.arrayContaining([...load.files]))
})
