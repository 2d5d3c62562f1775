import type { APIRequestContext } from "@playwright/test"
import { expectAccessible } from "./support/accessibility.ts"
import { admin, createPaidPage, decideWithdrawal, logIn, requestWithdrawal, type Seller } from "./support/api.ts"
import { expect, toast, tryAgain } from "./support/journey.ts"
import { adminTest as test } from "./support/own-server.ts"
import { expectNoSidewaysScroll, narrow } from "./support/sideways-scroll.ts"

const byPix = { amount: 30, paymentMethod: "pix", pixKey: "123e4567-e89b-12d3-a456-426614174000" }
const byBank = {
  amount: 20,
  paymentMethod: "bank_transfer",
  bankData: { bank: "Banco do Brasil", agency: "1234-5", account: "98765-4", accountType: "poupanca" },
}

/** Pays R$ 100,00 and requests a part of it. */
async function ask(request: APIRequestContext, seller: Seller, order: Record<string, unknown>) {
  await createPaidPage(request, seller)
  return requestWithdrawal(request, seller, order)
}

const listOf = ({ email }: Seller, more = "") => `/admin/withdrawals?search=${encodeURIComponent(email)}${more}`

test("an admin approves with the keyboard alone", { tag: "@desktop" }, async ({ page, seller, request }) => {
  await ask(request, seller, byPix)
  await page.goto(listOf(seller))
  const row = page.getByRole("row").filter({ hasText: seller.email })
  await expect(row).toContainText("Pendente")
  await expectAccessible(page, "withdrawals to be decided")
  await page.keyboard.press("j")
  await expect(row.getByRole("link")).toBeFocused()
  await page.keyboard.press("a")
  const question = page.getByRole("alertdialog", { name: "Aprovar saque?" })
  await expect(question).toContainText(/R\$\s30,00 para Ana Souza/)
  await expect(question).toContainText(byPix.pixKey)
  await expect(question.getByRole("button", { name: "Voltar" })).toBeFocused()
  await expectAccessible(page, "question before a withdrawal is approved")
  await page.keyboard.press("Tab")
  await page.keyboard.press("Enter")
  await expect(toast(page, "Saque aprovado com sucesso!")).toBeVisible()
  await expect(row).toContainText(/Aprovado|Processando|Concluído/)
  await expect(page.getByRole("button", { name: /^Concluído \d/ })).toBeVisible()
})

test("a rejection shows the seller its reason", { tag: "@desktop" }, async ({ page, seller, request }) => {
  await ask(request, seller, byPix)
  await page.goto(listOf(seller, "&status=pending"))
  await page.getByRole("table", { name: "Saques" }).getByRole("link").click()
  const details = page.getByRole("dialog", { name: "Saque", exact: true })
  await expect(details.getByText(byPix.pixKey)).toBeVisible()
  await expectAccessible(page, "a withdrawal that waits")
  await details.getByRole("button", { name: "Rejeitar saque" }).click()
  const question = page.getByRole("alertdialog", { name: "Rejeitar saque?" })
  await question.getByLabel("Observações").fill("A chave é de outra pessoa.")
  await question.getByRole("button", { name: "Rejeitar saque" }).click()
  await expect(toast(page, "Saque rejeitado. O valor voltou ao saldo do vendedor.")).toBeVisible()
  await expect(question).toHaveCount(0)
  await expect(details.getByRole("listitem").last()).toContainText("A chave é de outra pessoa.")
  await expect(page.getByRole("heading", { name: "Saque", exact: true })).toBeVisible()
  await expectAccessible(page, "a withdrawal that was rejected")
  await page.keyboard.press("Escape")
  await expect(details).toHaveCount(0)
  await expect(page.getByText("Nenhum saque encontrado")).toBeVisible()
  await expectAccessible(page, "no withdrawals for these filters")
  await page.getByRole("button", { name: "Limpar filtros" }).first().click()
  await expect(page).toHaveURL(/\/admin\/withdrawals$/)
})

test("a bank transfer is approved, made by hand and marked as done", { tag: "@desktop" }, async ({
  page,
  seller,
  request,
}) => {
  await ask(request, seller, byBank)
  await page.goto(listOf(seller))
  await page.getByRole("button", { name: /^Aprovar saque de R\$\s20,00 de/ }).click()
  await page.getByRole("alertdialog").getByRole("button", { name: "Aprovar saque" }).click()
  await expect(toast(page, "Saque aprovado com sucesso!")).toBeVisible()
  await page.getByRole("button", { name: /^Marcar como pago saque de/ }).click()
  const question = page.getByRole("alertdialog", { name: "Marcar saque como pago?" })
  await expect(question).toContainText("Conta poupança: 98765-4")
  await question.getByRole("button", { name: "Marcar como pago" }).click()
  await expect(toast(page, "Saque marcado como pago.")).toBeVisible()
  await expect(page.getByRole("row").filter({ hasText: seller.email })).toContainText("Concluído")
})

test("an admin whose decision came second gets a message and sees the current state", { tag: "@desktop" }, async ({
  page,
  seller,
  request,
  complaints,
}) => {
  complaints.expect(/409 .*approve/)
  const withdrawal = await ask(request, seller, byPix)
  await page.goto(listOf(seller, "&status=pending"))
  await page.getByRole("button", { name: /^Aprovar saque/ }).click()
  await decideWithdrawal(request, withdrawal, "reject")
  await page.getByRole("alertdialog").getByRole("button", { name: "Aprovar saque" }).click()
  await expect(toast(page, "Este saque não está mais pendente.")).toBeVisible()
  await expect(page.getByRole("dialog", { name: "Saque", exact: true }).getByRole("listitem").last()).toContainText(
    "Rejeitado",
  )
})

test("a link opens a row that the list doesn't show, and says when there is none", { tag: "@desktop" }, async ({
  page,
  seller,
  request,
  complaints,
}) => {
  complaints.expect(/404 .*withdrawals/)
  const { _id } = await ask(request, seller, byPix)
  await page.goto(listOf(seller, `&status=completed&withdrawal=${_id}`))
  const details = page.getByRole("dialog", { name: "Saque", exact: true })
  await expect(details).toContainText("Pendente")
  await expect(details.getByRole("button", { name: "Aprovar saque" })).toBeVisible()
  await page.keyboard.press("Escape")
  await expect(page).toHaveURL(/status=completed$/)
  await page.goto("/admin/withdrawals?withdrawal=0190a000-0000-7000-8000-000000000000")
  await expect(details.getByRole("alert")).toHaveText("Saque não encontrado.")
})

test("an admin's own withdrawal is for another admin", { tag: "@desktop" }, async ({ page, request }) => {
  const self = { ...admin, name: "Admin", token: await logIn(request, admin) }
  await ask(request, self, byPix)
  await page.goto(listOf(self))
  const table = page.getByRole("table", { name: "Saques" })
  await expect(table).toContainText("Pendente")
  await expect(table.getByRole("button")).toHaveCount(0)
  await table.getByRole("link").first().click()
  await expect(page.getByText("Você não pode decidir o seu próprio saque. Peça a outro administrador.")).toBeVisible()
  await expectAccessible(page, "a withdrawal of one's own")
})

test("a decision that gets no answer keeps what was written", { tag: "@desktop" }, async ({
  page,
  seller,
  request,
  complaints,
}) => {
  complaints.expect(/ERR_FAILED/)
  await ask(request, seller, byPix)
  await page.goto(listOf(seller))
  await page.route("**/approve", (route) => route.abort())
  await page.getByRole("button", { name: /^Aprovar saque/ }).click()
  const question = page.getByRole("alertdialog")
  await question.getByLabel("Observações").fill("conferido")
  await question.getByRole("button", { name: "Aprovar saque" }).click()
  await expect(question.getByRole("alert")).toContainText("Erro ao processar saque")
  await expect(question.getByLabel("Observações")).toHaveValue("conferido")
  await expectAccessible(page, "a decision that got no answer")
})

test("a list that can't be loaded or exported says so", { tag: "@desktop" }, async ({ page, complaints }) => {
  complaints.expect(/500|ERR_FAILED/)
  await page.route(/admin\/withdrawals(\/export)?(\?|$)/, async (route) => {
    await (route.request().resourceType() === "document" ? route.continue() : route.fulfill({ status: 500, body: "" }))
  })
  await page.goto("/admin/withdrawals")
  const failure = page.getByRole("alert").filter({ hasText: "Erro ao carregar saques" })
  await expect(failure).toBeVisible()
  await expectAccessible(page, "withdrawals that can't be loaded")
  await page.getByRole("button", { name: "Exportar" }).click()
  await page.getByRole("menuitem", { name: /^Planilha/ }).click()
  await expect(toast(page, "Erro ao exportar relatório")).toBeVisible()
  await page.unrouteAll()
  await tryAgain(failure)
  await expect(failure).toHaveCount(0)
  const file = page.waitForEvent("download")
  await page.getByRole("button", { name: "Exportar" }).click()
  await page.getByRole("menuitem", { name: /^Planilha/ }).click()
  expect((await file).suggestedFilename()).toMatch(/^saques_\d{4}-\d{2}-\d{2}\.xlsx$/)
})

test.describe("at 320 pixels", () => {
  test.use(narrow)

  test("nothing of the withdrawals is wider than the screen", { tag: "@phone" }, async ({ page, seller, request }) => {
    await ask(request, seller, byPix)
    await page.goto(listOf(seller))
    const opener = page.getByRole("table", { name: "Saques" }).getByRole("link")
    await expect(opener).toBeVisible()
    await expectNoSidewaysScroll(page, "withdrawals")
    await opener.click()
    await page.getByRole("dialog").getByRole("button", { name: "Aprovar saque" }).click()
    await expect(page.getByRole("alertdialog")).toBeVisible()
    await expectNoSidewaysScroll(page, "question about a withdrawal")
  })
})
