import { basename } from "node:path"
import type { Page } from "@playwright/test"
import { createSoldPage } from "./support/api.ts"
import { firstLoadOf, gzipBytesOf, type Load, stylesOf } from "./support/first-load.ts"
import { expect, sellerTest, test } from "./support/journey.ts"

/** Budgets of the JavaScript before the first screen: gzip kB, as fetched without TLS; with TLS browsers fetch brotli. */
const login = { words: ["Cobre por Pix ", "Esqueceu sua senha?"], gzipKilobytes: 115 }
const dashboard = { words: ["Pular para o conteúdo", "Nenhum pagamento recebido hoje"], gzipKilobytes: 145 }

function report(path: string, { files, gzipBytes, brotliBytes }: Load, budget: number): void {
  const [gzip, brotli] = [gzipBytes, brotliBytes].map((bytes) => (bytes / 1000).toFixed(1))
  process.stdout.write(`${path}: ${gzip} kB gzip of ${budget}, ${brotli} kB brotli, ${files.size} files\n`)
}

/** Everything that the browser fetches by itself for the dashboard, parts that follow the first screen included. */
const fetchedForDashboard = { gzipKilobytes: 145, files: 8 }

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
  await page.waitForLoadState("networkidle")
  const scripts = await loadedScripts(page)
  expect(scripts).toEqual(expect.arrayContaining([...load.files]))
  const kilobytes = gzipBytesOf(new Set(scripts)) / 1000
  process.stdout.write(`/login as fetched: ${kilobytes.toFixed(1)} kB gzip in ${scripts.length} files\n`)
  expect(kilobytes).toBeLessThanOrEqual(login.gzipKilobytes)
})

sellerTest("the dashboard's first load stays within its budget", { tag: "@desktop" }, async ({ page }) => {
  const load = firstLoadOf(dashboard.words)
  report("/dashboard", load, dashboard.gzipKilobytes)
  expect(load.gzipBytes / 1000).toBeLessThanOrEqual(dashboard.gzipKilobytes)
  await page.goto("/dashboard")
  expect(load.brotliBytes / 1000).toBeLessThanOrEqual(127)
  expect(stylesOf("br") / 1000).toBeLessThanOrEqual(10)
  expect(stylesOf("gz") / 1000).toBeLessThanOrEqual(11)
  await expect(page.getByRole("heading", { name: "Monte a sua loja" })).toBeVisible()
  expect(await loadedScripts(page)).toEqual(expect.arrayContaining([...load.files]))
})

sellerTest(
  "a browser fetches the whole dashboard, its chart too, in few files",
  { tag: "@desktop" },
  async ({ page, seller, request }) => {
    await createSoldPage(request, seller, { sales: 10 })
    await page.goto("/dashboard")
    await expect(page.getByRole("slider", { name: "Dia do gráfico" })).toBeVisible()
    await expect(page.getByRole("table", { name: "Transações recentes" })).toBeVisible()
    const scripts = new Set(await loadedScripts(page))
    const kilobytes = gzipBytesOf(scripts) / 1000
    process.stdout.write(`/dashboard as fetched: ${kilobytes.toFixed(1)} kB gzip in ${scripts.size} files\n`)
    expect(scripts.size).toBeLessThanOrEqual(fetchedForDashboard.files)
    expect(kilobytes).toBeLessThanOrEqual(fetchedForDashboard.gzipKilobytes)
  },
)
