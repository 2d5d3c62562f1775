import { expectAccessible } from "./support/accessibility.ts"
import { createChargePage, createPaidPage, requestPix } from "./support/api.ts"
import { expect, sellerTest as test } from "./support/journey.ts"

test("a period is in the address, and an empty filtered list says so", { tag: "@desktop" }, async ({
  page,
  seller,
  request,
}) => {
  await requestPix(request, await createChargePage(request, seller, { title: "Aula de piano" }))
  await page.goto("/transactions")
  const row = page.getByRole("row").filter({ hasText: "Aula de piano" })
  await expect(row).toBeVisible()

  const period = page.getByLabel("Período")
  await period.selectOption("7 dias")
  await expect(page).toHaveURL(/period=7d/)
  await expect(row).toBeVisible()
  await period.selectOption("Mês passado")
  await expect(page.getByText("Nenhuma transação encontrada")).toBeVisible()
  await expectAccessible(page, "filters that hide every transaction")
  await page.reload()
  await expect(period).toHaveValue("last-month")

  await period.selectOption("Personalizado")
  await expect(page).toHaveURL(/dateFrom=\d{4}-\d{2}-\d{2}&dateTo=\d{4}-\d{2}-\d{2}/)
  await page.getByLabel("De", { exact: true }).fill("2020-02-29")
  await page.getByLabel("Até", { exact: true }).fill("2020-01-31")
  await expect(page).toHaveURL(/dateFrom=2020-01-31&dateTo=2020-01-31/)
  await expect(page.getByText("Nenhuma transação encontrada")).toBeVisible()
  await page.getByRole("button", { name: "Limpar filtros" }).first().click()
  await expect(page).toHaveURL(/\/transactions$/)
  await expect(row).toBeVisible()

  await page.goto("/checkouts?period=yesterday")
  await expect(page.getByText("Nenhuma página de cobrança encontrada")).toBeVisible()
  await page.getByLabel("Período").selectOption("Hoje")
  await expect(row).toBeVisible()
})

test("a transaction opens by its address, and the way back closes it", { tag: "@phone" }, async ({
  page,
  seller,
  request,
}) => {
  await createPaidPage(request, seller, { title: "Aula de violão", amount: 80 })
  await page.goto("/transactions")
  const link = page.getByRole("link", { name: "Aula de violão" })
  const details = page.getByRole("dialog", { name: "Detalhes da transação" })
  await link.click()
  await expect(page).toHaveURL(/transaction=[0-9a-f-]{36}/)
  await expect(details.getByText(/^R\$\s80,00$/).first()).toBeVisible()
  await expect(details.getByRole("list", { name: "Linha do tempo" })).toContainText("Pagamento confirmado")
  await expect(details.getByText(/^E[0-9A-Z]{8}20\d{6}/)).toBeVisible()
  await expectAccessible(page, "a transaction's details")

  await page.reload()
  await expect(details).toContainText("Pagamento anônimo")
  await page.goBack()
  await expect(details).toHaveCount(0)
  await link.click()
  await expect(details).toBeVisible()
  await page.keyboard.press("Escape")
  await expect(details).toHaveCount(0)
  await expect(link).toBeFocused()
})

test("an address of a transaction that isn't there says so", { tag: "@desktop" }, async ({ page, complaints }) => {
  complaints.expect(/404 .*transactions/)
  await page.goto("/transactions?transaction=0198c9a2-7f1e-7abc-8def-0123456789ab")
  await expect(page.getByRole("dialog").getByRole("alert")).toHaveText("Transação não encontrada")
  await expectAccessible(page, "a transaction that isn't there")
})

test("the question mark shows the shortcuts, the slash goes to the search", { tag: "@desktop" }, async ({ page }) => {
  await page.goto("/transactions")
  await expect(page.getByText("Você ainda não tem transações")).toBeVisible()
  await page.keyboard.press("?")
  const shortcuts = page.getByRole("dialog", { name: "Atalhos do teclado" })
  await expect(shortcuts).toBeVisible()
  await expectAccessible(page, "list of shortcuts")
  await page.keyboard.press("Escape")
  await expect(shortcuts).toHaveCount(0)
  await page.keyboard.press("/")
  await expect(page.getByRole("searchbox")).toBeFocused()
  await page.keyboard.press("?")
  await expect(page.getByRole("searchbox")).toHaveValue("?")
  await expect(shortcuts).toHaveCount(0)
})
