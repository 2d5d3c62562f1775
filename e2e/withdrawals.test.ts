import type { APIRequestContext } from "@playwright/test"
import { expectAccessible } from "./support/accessibility.ts"
import { createPaidPage, decideWithdrawal, listWithdrawals, requestWithdrawal, type Seller } from "./support/api.ts"
import { expect, sellerTest as test, toast, tryAgain } from "./support/journey.ts"

const emptyText = "Nenhum saque solicitado ainda"

/** Pays R$ 100,00, of which R$ 85,00 can be withdrawn. */
async function earn(request: APIRequestContext, seller: Seller): Promise<void> {
  await createPaidPage(request, seller)
}

test("without a balance the button says why it can't be pressed", { tag: "@phone" }, async ({ page }) => {
  await page.goto("/dashboard")
  await page.getByRole("main").getByRole("link", { name: "Solicitar Saque" }).click()
  await expect(page).toHaveURL(/\/withdrawals$/)
  await expect(page.getByText(emptyText)).toBeVisible()
  const button = page.getByRole("button", { name: "Solicitar Saque" })
  await expect(button).toBeDisabled()
  await expect(button).toHaveAccessibleDescription("Você não tem saldo disponível para sacar.")
  await expectAccessible(page, "no withdrawals and no balance")
})

test("a profile that loads late takes no message from the form", async ({ page, seller, request }) => {
  await earn(request, seller)
  await page.goto("/withdrawals")
  await expect(page.getByRole("button", { name: "Solicitar Saque" })).toBeEnabled()
  const { promise: mayLoad, resolve: load } = Promise.withResolvers<void>()
  const { promise: loaded, resolve: noteLoaded } = Promise.withResolvers<void>()
  await page.route("**/api/v1/users/me", async (route) => {
    await mayLoad
    await route.fulfill({ response: await route.fetch() })
    noteLoaded()
  })
  await page.getByRole("button", { name: "Solicitar Saque" }).click()
  const dialog = page.getByRole("dialog", { name: "Solicitar Saque" })
  const amount = dialog.getByLabel("Valor", { exact: true })
  await dialog.getByRole("button", { name: /^Solicitar/ }).click()
  await expect(amount).toHaveAccessibleDescription("Valor deve ser maior que zero")
  load()
  await loaded
  await page.waitForTimeout(500)
  await expect(amount).toHaveAccessibleDescription("Valor deve ser maior que zero")
  await amount.fill("1.234,56")
  await expect(amount).toHaveAccessibleDescription("Saldo insuficiente")
})

test("a seller takes money out, follows it and takes the request back", async ({ page, seller, request, isMobile }) => {
  await earn(request, seller)
  await page.goto("/withdrawals")
  await page.getByRole("button", { name: "Solicitar Saque" }).click()
  const dialog = page.getByRole("dialog", { name: "Solicitar Saque" })
  const submit = dialog.getByRole("button", { name: /^Solicitar/ })
  const amount = dialog.getByLabel("Valor", { exact: true })
  await expect(amount).toBeFocused()
  await submit.click()
  await expect(amount).toHaveAccessibleDescription("Valor deve ser maior que zero")
  await expect(dialog.getByLabel("Chave Pix")).toHaveAccessibleDescription("Chave PIX é obrigatória")
  await expectAccessible(page, "request with everything missing")
  await amount.fill("1.234,56")
  await expect(amount).toHaveAccessibleDescription("Saldo insuficiente")
  await amount.fill("1234.56")
  await expect(amount).toHaveValue("1.234,56")
  await dialog.getByRole("button", { name: "Sacar tudo" }).click()
  await expect(amount).toHaveValue("85,00")
  await dialog.getByLabel("Chave Pix").fill("123e4567-e89b-12d3-a456-426614174000")
  await expect(dialog.getByText("Tipo da chave: Chave aleatória")).toBeVisible()
  await submit.click()
  await expect(toast(page, "Solicitação de saque enviada com sucesso!")).toBeVisible()
  await expect(dialog).toHaveCount(0)

  const row = page.getByRole("row").filter({ hasText: "123e4567-e89b-12d3-a…" })
  await expect(row).toContainText("Pendente")
  await expect(page.getByRole("button", { name: "Solicitar Saque" })).toBeDisabled()
  await row.getByRole("link").click()
  const details = page.getByRole("dialog", { name: "Saque" })
  await expect(details.getByRole("listitem").first()).toContainText(/Solicitado.*\d{2}\/\d{2}\/\d{4}/)
  await expect(details.getByText("123e4567-e89b-12d3-a456-426614174000")).toBeVisible()
  await expectAccessible(page, "steps of a withdrawal")
  await page.keyboard.press("Escape")
  await expect(page).toHaveURL(/\/withdrawals$/)

  // A phone's card has no room for the button: it stands in the opened row.
  if (isMobile) {
    await row.getByRole("link").click()
    await details.getByRole("button", { name: "Cancelar saque" }).click()
  } else {
    await row.getByRole("button", { name: /^Cancelar saque de/ }).click()
  }
  const question = page.getByRole("alertdialog", { name: "Cancelar saque?" })
  await expect(question).toContainText(/R\$\s85,00/)
  await expectAccessible(page, "question before a withdrawal is cancelled")
  await question.getByRole("button", { name: "Cancelar saque" }).click()
  await expect(toast(page, "Saque cancelado. O valor voltou ao seu saldo.")).toBeVisible()
  await expect(row).toContainText("Cancelado")
  await expect(page.getByRole("button", { name: "Solicitar Saque" })).toBeEnabled()
})

test("a paid withdrawal leads with its day, and has a receipt to keep", { tag: "@desktop" }, async ({
  page,
  seller,
  request,
}) => {
  await earn(request, seller)
  const byPix = { amount: 30, paymentMethod: "pix", pixKey: "ana@loja.example" }
  await decideWithdrawal(request, await requestWithdrawal(request, seller, byPix), "approve")
  await page.goto("/withdrawals")
  const row = page.getByRole("row").filter({ hasText: "ana@loja.example" })
  await expect(row).toContainText("Concluído")
  await row.getByRole("link", { name: /^Ver etapas do saque de \d{2}\/\d{2}\/\d{4} \d{2}:\d{2}/ }).click()
  const details = page.getByRole("dialog", { name: "Saque" })
  const file = page.waitForEvent("download")
  await details.getByRole("button", { name: "Baixar comprovante" }).click()
  expect((await file).suggestedFilename()).toMatch(/^comprovante_saque_\d{4}-\d{2}-\d{2}\.pdf$/)
  await expectAccessible(page, "a paid withdrawal")
})

test("a statement's withdrawal opens the sales that it paid out, and the year's report is a file", {
  tag: "@desktop",
}, async ({ page, seller, request }) => {
  await earn(request, seller)
  await requestWithdrawal(request, seller, { amount: 30, paymentMethod: "pix", pixKey: "ana@loja.example" })
  await page.goto("/statement")
  const line = page.getByRole("row").filter({ hasText: "Saque" })
  await line.getByRole("link").click()
  const details = page.getByRole("dialog", { name: "Saque" })
  await expect(details).toContainText("30,00")
  await details.getByText("Vendas deste saque").click()
  await expect(details.getByRole("listitem").filter({ hasText: "Taxa da venda" })).toContainText("15,00")
  await expectAccessible(page, "a withdrawal beside the statement")
  await page.keyboard.press("Escape")
  await expect(page).toHaveURL(/\/statement$/)

  const file = page.waitForEvent("download")
  await page.getByRole("button", { name: "Baixar informe" }).click()
  await page.getByRole("menuitem", { name: /^Planilha/ }).click()
  expect((await file).suggestedFilename()).toMatch(/^informe_20\d\d\.xlsx$/)
})

test("a bank transfer is filled in from the profile and asks for what is missing", { tag: "@desktop" }, async ({
  page,
  seller,
  request,
}) => {
  await earn(request, seller)
  const bankAccount = { bank: "Banco do Brasil", agency: "1234-5", account: "98765-4", accountType: "poupanca" }
  const headers = { Authorization: `Bearer ${seller.token}` }
  await request.patch("/api/v1/users/updateMe", { headers, data: { bankAccount } })
  await page.goto("/withdrawals")
  await page.getByRole("button", { name: "Solicitar Saque" }).click()
  const dialog = page.getByRole("dialog", { name: "Solicitar Saque" })
  await dialog.getByText("Transferência bancária").click()
  await expect(dialog.getByLabel("Tipo de conta")).toHaveValue("poupanca")
  await dialog.getByLabel("Valor", { exact: true }).fill("10,00")
  await dialog.getByLabel("Agência").fill(" ")
  await dialog.getByRole("button", { name: /^Solicitar/ }).click()
  await expect(dialog.getByRole("alert").filter({ hasText: "Dados bancários são obrigatórios" })).toBeVisible()
  await expect(dialog.getByLabel("Agência")).toBeFocused()
  await expectAccessible(page, "bank transfer that lacks the agency")
  await dialog.getByLabel("Agência").fill("1234-5")
  await dialog.getByRole("button", { name: /^Solicitar/ }).click()
  await expect(page.getByRole("row").filter({ hasText: "Ag. 1234-5 · Conta 98765-4" })).toContainText("Pendente")
})

test("a request whose answer was lost is made once, however often it is sent", { tag: "@desktop" }, async ({
  page,
  seller,
  request,
  complaints,
}) => {
  complaints.expect(/ERR_FAILED/)
  await earn(request, seller)
  await page.goto("/withdrawals")
  await page.route(/api\/v1\/withdrawals$/, async (route) => {
    await route.fetch()
    await route.abort()
  })
  await page.getByRole("button", { name: "Solicitar Saque" }).click()
  const dialog = page.getByRole("dialog", { name: "Solicitar Saque" })
  await dialog.getByLabel("Valor", { exact: true }).fill("10,00")
  await dialog.getByLabel("Chave Pix").fill("ana@exemplo.com")
  await dialog.getByRole("button", { name: /^Solicitar/ }).click()
  await expect(dialog.getByRole("alert").filter({ hasText: "Erro ao solicitar saque" })).toBeVisible()
  await expect(dialog).toContainText("o mesmo pedido nunca é feito duas vezes")
  await page.unrouteAll()
  await page.keyboard.press("Escape")
  await page.getByRole("button", { name: "Solicitar Saque" }).click()
  await dialog.getByLabel("Valor", { exact: true }).fill("10,00")
  await dialog.getByLabel("Chave Pix").fill("ana@exemplo.com")
  await dialog.getByRole("button", { name: /^Solicitar/ }).dblclick()
  await expect(toast(page, "Solicitação de saque enviada com sucesso!")).toBeVisible()
  expect(await listWithdrawals(request, seller)).toHaveLength(1)
})

test("filters stand in the address, and a history that can't be loaded says so", { tag: "@desktop" }, async ({
  page,
  seller,
  request,
  complaints,
}) => {
  complaints.expect(/500/)
  await earn(request, seller)
  await requestWithdrawal(request, seller, { amount: 5, paymentMethod: "pix", pixKey: "ana@exemplo.com" })
  await page.goto("/withdrawals?status=completed")
  await expect(page.getByText("Nenhum saque com estes filtros")).toBeVisible()
  await page.getByRole("button", { name: "Limpar filtros" }).first().click()
  await expect(page.getByRole("row").filter({ hasText: "ana@exemplo.com" })).toBeVisible()
  await page.getByLabel("Status").selectOption("Pendente")
  await expect(page).toHaveURL(/status=pending/)

  await page.route(/api\/v1\/withdrawals\?/, (route) => route.fulfill({ status: 500, json: {} }))
  await page.reload()
  await expect(page.getByRole("alert").filter({ hasText: "Erro ao carregar histórico de saques" })).toBeVisible()
  await expectAccessible(page, "history that can't be loaded")
  await page.unrouteAll()
  await tryAgain(page)
  await expect(page.getByRole("row").filter({ hasText: "ana@exemplo.com" })).toBeVisible()
})

test("a session that ended elsewhere leads to the login and says why", { tag: "@desktop" }, async ({
  page,
  seller,
  request,
  complaints,
}) => {
  complaints.expect(/401/)
  await page.goto("/withdrawals")
  await expect(page.getByText(emptyText)).toBeVisible()
  await request.post("/api/v1/auth/logout", { headers: { Authorization: `Bearer ${seller.token}` } })
  // The history polls, so the expired session is noticed without a click.
  await expect(page).toHaveURL(/\/login$/)
  await expect(toast(page, "Sessão expirada. Faça login novamente.")).toBeVisible()
})

test("without a network the history says so, and comes back when asked again", { tag: "@desktop" }, async ({
  page,
  seller,
  request,
  complaints,
  context,
}) => {
  complaints.expect(/ERR_INTERNET_DISCONNECTED/)
  await earn(request, seller)
  await requestWithdrawal(request, seller, {
    amount: 5,
    paymentMethod: "pix",
    pixKey: "ana@exemplo.com",
  })
  await page.goto("/withdrawals")
  const row = page.getByRole("row").filter({ hasText: "ana@exemplo.com" })
  await expect(row).toBeVisible()
  await context.setOffline(true)
  await page.getByLabel("Status").selectOption("Pendente")
  const failure = page.getByRole("alert").filter({ hasText: "Sem conexão com a internet." })
  await expect(failure).toContainText("Erro ao carregar histórico de saques")
  await context.setOffline(false)
  await tryAgain(failure)
  await expect(failure).toHaveCount(0)
  await expect(row).toBeVisible()
})
