import { readFile } from "node:fs/promises"
import { expectAccessible } from "./support/accessibility.ts"
import { createChargePage, createPaidPage } from "./support/api.ts"
import { expect, sellerTest as test } from "./support/journey.ts"

test("a page's QR can be shown and printed from the list", { tag: "@phone" }, async ({ page, seller, request }) => {
  await createChargePage(request, seller, { title: "Aula de piano", amount: 80 })
  await page.goto("/checkouts")
  await page.getByRole("button", { name: "Ações de Aula de piano" }).click()
  await page.getByRole("menuitem", { name: "Compartilhar" }).click()
  const share = page.getByRole("dialog", { name: "Compartilhar cobrança" })
  await expect(share.getByRole("link", { name: "Enviar no WhatsApp" })).toHaveAttribute(
    "href",
    /^https:\/\/wa\.me\/\?text=/,
  )
  await share.getByRole("button", { name: "QR para mostrar ou imprimir" }).click()
  const poster = page.getByRole("dialog", { name: "QR da página" })
  const qr = poster.getByRole("img", { name: "QR code que abre a página Aula de piano" })
  await expect.poll(() => qr.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)
  await expectAccessible(page, "QR of a page")

  await poster.getByText("A6", { exact: true }).click()
  await page.emulateMedia({ media: "print" })
  const paper = page.locator(".poster")
  await expect(paper).toHaveCSS("display", "grid")
  await expect(paper.getByText(/^R\$\s80,00$/)).toBeVisible()
  await expect(poster).toBeHidden()
  await page.emulateMedia({ media: "screen" })
  await expect(paper).toBeHidden()
  await page.keyboard.press("Escape")
  await expect(paper).toHaveCount(0)
})

test("what the filters find is saved as a CSV file", { tag: "@desktop" }, async ({ page, seller, request }) => {
  await createPaidPage(request, seller, { title: "Aula de piano" })
  await createPaidPage(request, seller, { title: "Aula de violão" })
  await page.goto("/transactions?search=piano")
  await expect(page.getByRole("row").filter({ hasText: "Aula de piano" })).toBeVisible()
  const saved = page.waitForEvent("download")
  await page.getByRole("button", { name: "Exportar" }).click()
  await page.getByRole("menuitem", { name: /^CSV/ }).click()
  const file = await saved
  expect(file.suggestedFilename()).toMatch(/^transacoes_\d{4}-\d{2}-\d{2}\.csv$/)
  const text = await readFile(await file.path(), "utf8")
  expect(text).toContain("Aula de piano")
  expect(text).not.toContain("violão")
})
