import type { Page } from "@playwright/test"
import { createChargePage, createCustomer, createPaidPage, requestPix, requestWithdrawal } from "./support/api.ts"
import { expect, sellerTest as test } from "./support/journey.ts"
import { adminTest } from "./support/own-server.ts"
import { expectThumbTargets } from "./support/thumb-targets.ts"

async function firstRowOf(page: Page) {
  const row = page.getByRole("table").first().locator("tbody tr").first()
  await expect(row).toBeVisible()
  return (await row.boundingBox()) ?? { y: 0, height: 0 }
}

async function expectShortList(page: Page, path: string, height = 70): Promise<void> {
  await page.goto(path)
  const row = await firstRowOf(page)
  expect.soft(row.y, `first row of ${path}`).toBeLessThan(300)
  expect.soft(row.height, `card of ${path}`).toBeLessThanOrEqual(height)
  await expectThumbTargets(page, path)
  expect.soft(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
}

test("a seller's lists begin high, with two lines a row and targets for a thumb", { tag: "@phone" }, async ({
  page,
  seller,
  request,
}) => {
  await createPaidPage(request, seller, { title: "Aula de violão", amount: 80 })
  await requestPix(request, await createChargePage(request, seller, { title: "Aula de piano" }))
  await requestWithdrawal(request, seller, { amount: 10, paymentMethod: "pix", pixKey: "ana@loja.example" })
  await createCustomer(request, seller, { name: "Bruno Lima", email: "bruno@exemplo.com.br" })
  for (const path of ["/checkouts", "/customers", "/transactions", "/withdrawals", "/statement"]) {
    await expectShortList(page, path)
  }

  await page.goto("/transactions")
  await expect(page.getByLabel("Período")).toBeHidden()
  await page.getByRole("button", { name: "Filtros" }).click()
  await page.getByLabel("Status").selectOption("Pendente")
  await page.getByLabel("Status").press("Escape")
  await expect(page.getByLabel("Período")).toBeHidden()
  await expect(page.getByRole("button", { name: "Filtros 1 em uso" })).toBeFocused()
  await page
    .getByRole("row")
    .filter({ hasText: "Aula de piano" })
    .click({ position: { x: 8, y: 8 } })
  await expect(page.getByRole("dialog", { name: "Detalhes da transação" })).toBeVisible()
})

adminTest("an admin's lists begin high, with two lines a row", { tag: "@phone" }, async ({ page, request, seller }) => {
  await createPaidPage(request, seller, { title: "Aula de violão", amount: 80 })
  await requestWithdrawal(request, seller, { amount: 10, paymentMethod: "pix", pixKey: "ana@loja.example" })
  for (const path of ["/admin/users", "/admin/transactions", "/admin/checkout-pages", "/admin/audit"]) {
    await expectShortList(page, path)
  }
  await expectShortList(page, "/admin/withdrawals?status=pending", 96)
})
