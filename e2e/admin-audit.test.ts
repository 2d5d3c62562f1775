import { expectAccessible } from "./support/accessibility.ts"
import { admin, createPaidPage, decideWithdrawal, requestWithdrawal } from "./support/api.ts"
import { expect, tryAgain } from "./support/journey.ts"
import { adminTest as test } from "./support/own-server.ts"

const byPix = { amount: 30, paymentMethod: "pix", pixKey: "ana@exemplo.com" }

test("an audit record is found, opened, and links to its subject and back", { tag: "@desktop" }, async ({
  page,
  seller,
  request,
}) => {
  await createPaidPage(request, seller)
  const { _id } = await requestWithdrawal(request, seller, byPix)
  await decideWithdrawal(request, { _id }, "reject")

  await page.goto(`/admin/withdrawals?withdrawal=${_id}`)
  await page.getByRole("dialog").getByRole("link", { name: "Ver auditoria" }).click()
  await expect(page).toHaveURL(`/admin/audit?entity=withdrawal&entityId=${_id}`)
  await expect(page.getByRole("heading", { name: "Auditoria", level: 1 })).toBeVisible()
  const table = page.getByRole("table", { name: "Auditoria" })
  await expect(table.getByRole("link")).toHaveText([/^Saque rejeitado.*Ana Souza$/, /^Saque solicitado/])
  await expectAccessible(page, "the audit of one withdrawal")

  await table.getByRole("link").first().click()
  const details = page.getByRole("dialog", { name: "Saque rejeitado" })
  await expect(details).toContainText(/Status\s*Antes: Pendente\s*Depois: Rejeitado/)
  await expect(details.locator("del + svg")).toBeVisible()
  await expect(details).toContainText(admin.email)
  await expectAccessible(page, "an audit record")
  await page.keyboard.press("Escape")
  await expect(details).toHaveCount(0)

  await page.getByLabel("Ação").selectOption("Saque solicitado")
  await expect(table.getByRole("link")).toHaveText([/^Saque solicitado/])
  await page.getByRole("searchbox").fill("ninguém")
  await expect(page.getByText("Nenhum registro encontrado")).toBeVisible()
  await expectAccessible(page, "no record for these filters")
  await page.getByRole("button", { name: "Limpar filtros" }).first().click()
  await expect(page).toHaveURL(/\/admin\/audit$/)

  await table.getByRole("link").filter({ hasText: "Saque rejeitado" }).first().click()
  await details.getByRole("link", { name: "Ver saque" }).click()
  await expect(page.getByRole("dialog", { name: "Saque", exact: true })).toContainText("Rejeitado")
})

test("a list that can't be loaded says so, and what it finds is saved as a file", { tag: "@desktop" }, async ({
  page,
  seller,
  request,
  complaints,
}) => {
  complaints.expect(/500/)
  await createPaidPage(request, seller)
  await requestWithdrawal(request, seller, byPix)
  await page.route("**/api/v1/admin/audit-records?*", (route) => route.fulfill({ status: 500, body: "" }))
  await page.goto("/admin/audit")
  const failure = page.getByRole("alert").filter({ hasText: "Erro ao carregar auditoria" })
  await expect(failure).toBeVisible()
  await expectAccessible(page, "an audit that can't be loaded")
  await page.unrouteAll()
  await tryAgain(failure)
  await expect(page.getByRole("table", { name: "Auditoria" })).toBeVisible()
  const file = page.waitForEvent("download")
  await page.getByRole("button", { name: "Exportar" }).click()
  await page.getByRole("menuitem", { name: /^Planilha/ }).click()
  expect((await file).suggestedFilename()).toMatch(/^auditoria_\d{4}-\d{2}-\d{2}\.xlsx$/)
})
