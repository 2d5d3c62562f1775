import { dailyClosesExamples } from "@tilinta/contract/daily-closes"
import { expectAccessible } from "./support/accessibility.ts"
import { expect, toast } from "./support/journey.ts"
import { adminTest as test } from "./support/own-server.ts"
import { expectNoSidewaysScroll, narrow } from "./support/sideways-scroll.ts"

const [list, one] = dailyClosesExamples
const typed = dailyClosesExamples.find(({ endpoint }) => endpoint.path.endsWith("/balance"))
const redone = dailyClosesExamples.find(({ endpoint }) => endpoint.path.endsWith("/redo"))

test("an admin types in what the bank's statement shows, which may be nothing, or less", {
  tag: "@desktop",
}, async ({ page }) => {
  await page.route(/api\/v1\/admin\/daily-closes\/[^/]+$/, (route) => route.fulfill({ json: typed?.reply }))
  await page.route(/api\/v1\/admin\/daily-closes\/[^/]+\/balance$/, (route) => route.fulfill({ json: typed?.reply }))
  await page.goto("/admin/daily-closes?close=0193a4c5-7c1a-7d3e-9b52-4f0d6c8e1a27")
  const details = page.getByRole("dialog", { name: "Fechamento de 20/11/2026" })
  const balance = details.getByLabel("Saldo no extrato do banco, no fim do dia")
  await balance.fill("trinta")
  await details.getByRole("button", { name: "Comparar" }).click()
  await expect(balance).toHaveAccessibleDescription("Informe o saldo em reais, como 1.234,56 ou −35,00.")
  await expect(balance).toBeFocused()
  await expectAccessible(page, "a balance that can't be read")
  for (const [text, reais] of [
    ["0", 0],
    ["−35,00", -35],
    ["12.345.678,90", 12_345_678.9],
  ] as const) {
    await balance.clear()
    await balance.pressSequentially(text)
    const sent = page.waitForRequest(/\/balance$/)
    await details.getByRole("button", { name: "Comparar" }).click()
    expect((await sent).postDataJSON()).toEqual({ balance: reais })
    await expect(toast(page, "Saldo do banco salvo.").last()).toBeVisible()
  }
})

test("an admin sees which days differ from the bank's, reads why, and has one compared again", {
  tag: "@desktop",
}, async ({ page }) => {
  await page.goto("/admin/daily-closes")
  await expect(page.getByText("Nenhum fechamento ainda")).toBeVisible()
  await expectAccessible(page, "no day closed yet")

  // No day of this installation has ended yet, so the API's own examples stand in.
  await page.route(/api\/v1\/admin\/daily-closes\?/, (route) => route.fulfill({ json: list?.reply }))
  await page.route(/api\/v1\/admin\/daily-closes\/[^/]+$/, (route) => route.fulfill({ json: one?.reply }))
  await page.route(/api\/v1\/admin\/daily-closes\/[^/]+\/redo$/, (route) => route.fulfill({ json: redone?.reply }))
  await page.reload()
  const row = page.getByRole("row").filter({ hasText: "20/11/2026" })
  await expect(row).toContainText("1 diferença")
  await expectAccessible(page, "closed days")
  const size = page.viewportSize() ?? narrow.viewport
  await page.setViewportSize(narrow.viewport)
  await expectNoSidewaysScroll(page, "closed days")
  await page.setViewportSize(size)

  await row.getByRole("link").click()
  const details = page.getByRole("dialog", { name: "Fechamento de 20/11/2026" })
  await expect(details.getByRole("listitem")).toHaveCount(2)
  await expect(details.getByRole("listitem").first()).toContainText("Envio: não consta na plataforma")
  await expect(details.getByRole("listitem").last()).toContainText("Encontrado no fechamento")
  await expect(details.getByRole("row", { name: /Envios/ })).toContainText("350,00")
  await expectAccessible(page, "a day's differences")
  await details.getByRole("button", { name: "Refazer" }).click()
  await expect(toast(page, "O dia será comparado de novo em instantes.")).toBeVisible()
  await page.keyboard.press("Escape")
  await expect(details).toHaveCount(0)
})
