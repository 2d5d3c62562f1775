import { expectAccessible } from "./support/accessibility.ts"
import { createChargePage, createPaidPage, receiveStray, requestPix, type Seller } from "./support/api.ts"
import { clipboardOf, expect, toast } from "./support/journey.ts"
import { adminTest as test } from "./support/own-server.ts"
import { expectNoSidewaysScroll, narrow } from "./support/sideways-scroll.ts"

const listOf = ({ email }: Seller, more = "") => `/admin/transactions?search=${encodeURIComponent(email)}${more}`

test("filters stand in the address, and the cards count what they hide", { tag: "@desktop" }, async ({
  page,
  seller,
  request,
}) => {
  await createPaidPage(request, seller, { title: "Aula de piano" })
  await requestPix(request, await createChargePage(request, seller, { title: "Aula de canto" }))
  await page.goto(listOf(seller))
  const table = page.getByRole("table", { name: "Transações" })
  await expect(table.getByRole("link")).toHaveCount(2)
  await expectAccessible(page, "transactions of everybody")
  const pending = page.getByRole("button", { name: /^Pendentes/ })
  await expect(pending).toHaveText(/1$/)
  await pending.click()
  await expect(page).toHaveURL(/status=pending/)
  await expect(table.getByRole("link")).toHaveCount(1)
  await expect(page.getByRole("button", { name: /^Aprovadas/ })).toHaveText(/1$/)
  await page.getByLabel("Método de pagamento").selectOption("Boleto")
  await expect(page.getByText("Nenhuma transação encontrada")).toBeVisible()
  await expect(page).toHaveURL(/paymentMethod=boleto/)
  await expectAccessible(page, "filters that hide every transaction")
  await page.getByRole("button", { name: "Limpar filtros" }).first().click()
  await expect(page).toHaveURL(/\/admin\/transactions$/)
  await page.goto(listOf(seller, "&status=success"))
  await expect(page.getByLabel("Status", { exact: true })).toHaveValue("approved")
  await expect(table).toContainText("Aprovada")
})

test("a payment is seen with its books and refunded in part", { tag: "@desktop" }, async ({
  page,
  seller,
  request,
}) => {
  await createPaidPage(request, seller, { title: "Aula de violão", amount: 100 })
  await page.goto(listOf(seller))
  await page.getByRole("link", { name: "Aula de violão" }).click()
  await expect(page).toHaveURL(/transaction=[0-9a-f-]{36}/)
  const details = page.getByRole("dialog", { name: "Detalhes da transação" })
  await expect(details.getByRole("list", { name: "Linha do tempo" })).toContainText("Paga")
  await expect(details.getByRole("listitem").filter({ hasText: "Receita de taxas" })).toContainText(/R\$\s15,00/)
  await details.getByRole("button", { name: /^Copiar ID do Pix/ }).click()
  expect(await clipboardOf(page)).toMatch(/^E[0-9A-Z]{8}20\d{6}/)
  await expectAccessible(page, "a transaction with its books")

  await details.getByRole("button", { name: "Estornar" }).click()
  const question = page.getByRole("alertdialog", { name: "Estornar transação?" })
  const amount = question.getByLabel("Valor do estorno")
  await expect(amount).toHaveValue("100,00")
  await amount.fill("100,01")
  await expect(amount).toHaveAccessibleDescription(/não pode passar de R\$\s100,00/)
  await expectAccessible(page, "a refund of too much")
  await amount.fill("40,00")
  await question.getByLabel("Motivo").fill("Aula cancelada")
  await question.getByRole("button", { name: /^Estornar R\$\s40,00$/ }).click()
  await expect(toast(page, "Estorno solicitado ao banco.")).toBeVisible()
  await expect(question).toHaveCount(0)
  await expect(details.getByRole("listitem").filter({ hasText: "Aula cancelada" })).toContainText(/R\$\s40,00/)
  await page.reload()
  await expect(details.getByRole("listitem").filter({ hasText: "Aula cancelada" })).toBeVisible()
  await expectAccessible(page, "a transaction that was refunded in part")
})

test("an address of a transaction that isn't there says so", { tag: "@desktop" }, async ({ page, complaints }) => {
  complaints.expect(/404 .*transactions/)
  await page.goto("/admin/transactions?transaction=0198c9a2-7f1e-7abc-8def-0123456789ab")
  await expect(page.getByRole("dialog").getByRole("alert")).toHaveText("Transação não encontrada")
  await expectAccessible(page, "a transaction that isn't there")
})

test("transactions that can't be loaded or exported say so, and come when asked again", { tag: "@desktop" }, async ({
  page,
  complaints,
}) => {
  complaints.expect(/500/)
  await page.route(/api\/v1\/admin\/transactions/, (route) => route.fulfill({ status: 500, body: "" }))
  await page.goto("/admin/transactions")
  const failure = page.getByRole("alert").filter({ hasText: "Erro ao carregar transações" })
  await expect(failure).toBeVisible()
  await page.getByRole("button", { name: "Exportar" }).click()
  await page.getByRole("menuitem", { name: /^CSV/ }).click()
  await expect(toast(page, "Erro ao exportar relatório")).toBeVisible()
  await page.unrouteAll()
  await page.getByRole("button", { name: "Atualizar" }).click()
  await expect(failure).toHaveCount(0)
  const file = page.waitForEvent("download")
  await page.getByRole("button", { name: "Exportar" }).click()
  await page.getByRole("menuitem", { name: /^CSV/ }).click()
  expect((await file).suggestedFilename()).toMatch(/^transacoes_\d{4}-\d{2}-\d{2}\.csv$/)
})

test("an unmatched payment is credited to a chosen seller", { tag: "@desktop" }, async ({ page, seller, request }) => {
  const endToEndId = await receiveStray(request, "12.34")
  // Nothing is asked for again because its time has come.
  await page.addInitScript(() => {
    window.setInterval = (() => 0) as unknown as typeof window.setInterval
  })
  await page.goto("/admin")
  await page
    .getByRole("main")
    .getByRole("link", { name: /^Pagamentos a conferir.*esper(a|am) você$/ })
    .click()
  await expect(page).toHaveURL(/\/admin\/unmatched-payments$/)
  const tabs = page.getByRole("navigation", { name: "Pendências" })
  await expect(tabs.getByRole("link", { name: /^Conferir.*esper(a|am) você$/ })).toHaveAttribute("aria-current", "page")
  const waiting = (await tabs.getByRole("link", { name: /^Conferir/ }).textContent()) ?? ""
  await page.getByRole("searchbox").fill(endToEndId)
  await expect(page).toHaveURL(/search=/)
  const found = page.getByRole("table").getByRole("link", { name: "Sem cobrança" })
  await expect(found).toHaveCount(1)
  await found.click()
  const details = page.getByRole("dialog", { name: "Pagamento a conferir" })
  await expect(details).toContainText(/O vendedor recebe R\$\s10,49/)
  await expect(details).toContainText(/O pagador recebe R\$\s12,34 de volta/)
  await expectAccessible(page, "a payment to be checked")
  await details.getByRole("button", { name: "Aceitar" }).click()
  const question = page.getByRole("alertdialog", { name: "Aceitar pagamento?" })
  const accept = question.getByRole("button", { name: /^Aceitar R\$\s12,34$/ })
  await expect(accept).toBeDisabled()
  await question.getByRole("searchbox").fill(seller.email)
  await question.getByRole("radio", { name: seller.email }).check()
  await expectAccessible(page, "question who gets a payment")
  await accept.click()
  await expect(toast(page, "Pagamento aceito.")).toBeVisible()
  await expect(tabs.getByRole("link", { name: /^Conferir/ })).not.toHaveText(waiting)
  await expect(details.getByText("Aceito", { exact: true })).toBeVisible()
  await page.keyboard.press("Escape")
  await page.getByLabel("Status").selectOption("Conferidos")
  await expect(page.getByRole("table")).toContainText("Ana Souza")
  await expectAccessible(page, "payments that were checked")
})

test("an unmatched payment is returned once, whichever admin is first", { tag: "@desktop" }, async ({
  page,
  request,
  context,
  complaints,
}) => {
  complaints.expect(/409 .*return/)
  const endToEndId = await receiveStray(request, "7.00")
  const other = await context.newPage()
  for (const each of [page, other]) {
    await each.goto(`/admin/unmatched-payments?search=${endToEndId}`)
    await each.getByRole("table").getByRole("link", { name: "Sem cobrança" }).click()
    await each.getByRole("dialog").getByRole("button", { name: "Devolver" }).click()
  }
  await page
    .getByRole("alertdialog")
    .getByRole("button", { name: /^Devolver/ })
    .click()
  await expect(toast(page, "Devolução solicitada ao banco.")).toBeVisible()
  await other
    .getByRole("alertdialog")
    .getByRole("button", { name: /^Devolver/ })
    .click()
  await expect(toast(other, "Este pagamento já foi conferido.")).toBeVisible()
  await expect(other.getByRole("dialog")).toContainText(/Em devolução|Devolvido/)
  await expect(other.getByRole("dialog").getByRole("button", { name: "Devolver" })).toHaveCount(0)
})

test("nothing to check is said, and a list that can't be loaded too", { tag: "@desktop" }, async ({
  page,
  complaints,
}) => {
  complaints.expect(/500/)
  await page.goto("/admin/unmatched-payments?search=nada")
  await expect(page.getByText("Nenhum pagamento encontrado")).toBeVisible()
  await expectAccessible(page, "no payments to be checked")
  await page.route(/api\/v1\/admin\/unmatched-payments/, (route) => route.fulfill({ status: 500, body: "" }))
  await page.getByLabel("Status").selectOption("Todos")
  await expect(page.getByRole("alert").filter({ hasText: "Erro ao carregar pagamentos a conferir" })).toBeVisible()
})

test.describe("at 320 pixels", () => {
  test.use(narrow)

  test("nothing of the transactions is wider than the screen", { tag: "@phone" }, async ({ page, seller, request }) => {
    const title = "Acompanhamentopersonalizadodeemagrecimentoereeducaçãoalimentar – plano anual com doze encontros"
    await createPaidPage(request, seller, { title, amount: 9_999_999.99 })
    const endToEndId = await receiveStray(request, "9999999.99")
    await page.goto(listOf(seller))
    await page.getByRole("table").getByRole("link").click()
    const details = page.getByRole("dialog", { name: "Detalhes da transação" })
    await expect(details.getByRole("list", { name: "Linha do tempo" })).toBeVisible()
    await expectNoSidewaysScroll(page, "a transaction")
    await details.getByRole("button", { name: "Estornar" }).click()
    await expect(page.getByRole("alertdialog")).toBeVisible()
    await expectNoSidewaysScroll(page, "a refund")
    await page.goto(`/admin/unmatched-payments?search=${endToEndId}`)
    await page.getByRole("table").getByRole("link").click()
    await expect(page.getByRole("dialog").getByRole("button", { name: "Aceitar" })).toBeVisible()
    await expectNoSidewaysScroll(page, "a payment to be checked")
  })
})
