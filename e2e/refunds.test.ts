import type { Locator, Page } from "@playwright/test"
import { expectAccessible } from "./support/accessibility.ts"
import { createPaidPage, requestWithdrawal } from "./support/api.ts"
import { expect, sellerTest as test, toast } from "./support/journey.ts"

const title = "Aula de violão"

/** Opens a payment of R$ 100,00: 15,00 fee, 85,00 on the balance. */
async function openPayment(page: Page): Promise<Locator> {
  await page.goto("/transactions")
  await page.getByRole("link", { name: title }).click()
  const details = page.getByRole("dialog", { name: "Detalhes da transação" })
  await expect(details).toBeVisible()
  return details
}

test("a part goes back after a question that names every amount", async ({ page, seller, request }) => {
  await createPaidPage(request, seller, { title })
  const details = await openPayment(page)
  await expect(details.getByText(/^Pode ser estornado até \d{2}\/\d{2}\/\d{4}\.$/)).toBeVisible()
  await expectAccessible(page, "payment that can be refunded")
  await details.getByRole("button", { name: "Estornar" }).click()
  const form = page.getByRole("dialog", { name: "Estornar pagamento" })
  const amount = form.getByLabel("Valor", { exact: true })
  await expect(amount).toBeFocused()
  await expect(amount).toHaveValue("100,00")
  await amount.fill("150,00")
  await form.getByRole("button", { name: "Continuar" }).click()
  await expect(amount).toHaveAccessibleDescription(/^O valor do estorno não pode passar de R\$\s100,00$/)
  await expectAccessible(page, "refund of too much")
  await amount.fill("40,00")
  await form.getByLabel("Motivo").fill("Aula cancelada")
  await expect(form).toContainText(/Taxa que volta para vocêR\$\s6,00Sai do seu saldoR\$\s34,00/)
  await form.getByRole("button", { name: "Continuar" }).click()

  const question = page.getByRole("alertdialog", { name: /^Estornar R\$\s40,00\?$/ })
  await expect(question.getByRole("button", { name: "Voltar" })).toBeFocused()
  await expect(question).toContainText(/Volta ao pagadorR\$\s40,00.*R\$\s6,00.*Sai do seu saldoR\$\s34,00/)
  await expectAccessible(page, "question before a refund")
  await question.getByRole("button", { name: "Voltar" }).click()
  await expect(form.getByLabel("Motivo")).toHaveValue("Aula cancelada")
  await form.getByRole("button", { name: "Continuar" }).click()
  await question.getByRole("button", { name: /^Estornar R\$\s40,00$/ }).click()
  await expect(toast(page, "Estorno solicitado com sucesso!")).toBeVisible()
  const refund = details.getByRole("region", { name: "Estornos" }).getByRole("listitem")
  await expect(refund).toContainText(
    /R\$\s40,00.*Concluído.*R\$\s34,00 do seu saldo e R\$\s6,00 da taxa.*Aula cancelada/,
  )
  await expect(details).toContainText(/Valor estornado−R\$\s40,00/)
  await expect(toast(page, "Pagamento recebido")).toHaveCount(0)
  await details.getByRole("button", { name: "Estornar" }).click()
  await expect(amount).toHaveValue("60,00")
})

test("after the whole amount the payment reads refunded, and nothing is left to refund", { tag: "@desktop" }, async ({
  page,
  seller,
  request,
}) => {
  await createPaidPage(request, seller, { title })
  const details = await openPayment(page)
  await details.getByRole("button", { name: "Estornar" }).click()
  await page.getByRole("button", { name: "Continuar" }).click()
  await page.getByRole("button", { name: /^Estornar R\$\s100,00$/ }).click()
  await expect(details.getByText("Estornado", { exact: true })).toBeVisible()
  await expect(details.getByRole("button", { name: "Estornar" })).toHaveCount(0)
  await page.keyboard.press("Escape")
  await expect(page.getByRole("row").filter({ hasText: title })).toContainText("Estornado")
  await page.goto("/withdrawals")
  await expect(page.getByRole("region", { name: "Resumo" })).toContainText(/Saldo disponívelR\$\s?0,00/)
})

test("what the balance doesn't cover is refused in the server's words", { tag: "@desktop" }, async ({
  page,
  seller,
  request,
  complaints,
}) => {
  complaints.expect(/409 .*refunds/)
  await createPaidPage(request, seller, { title })
  await requestWithdrawal(request, seller, { amount: 80, paymentMethod: "pix", pixKey: "ana@exemplo.com" })
  const details = await openPayment(page)
  await details.getByRole("button", { name: "Estornar" }).click()
  const form = page.getByRole("dialog", { name: "Estornar pagamento" })
  await form.getByRole("button", { name: "Continuar" }).click()
  await page.getByRole("button", { name: /^Estornar R\$\s100,00$/ }).click()
  await expect(form.getByRole("alert")).toHaveText("Saldo insuficiente para este estorno.")
  await expectAccessible(page, "refund that the balance doesn't cover")
  await form.getByLabel("Valor", { exact: true }).fill("5,00")
  await form.getByRole("button", { name: "Continuar" }).click()
  await page.getByRole("button", { name: /^Estornar R\$\s5,00$/ }).click()
  await expect(details.getByRole("region", { name: "Estornos" })).toContainText("Concluído")
})

test("a refund whose answer was lost is made once, however often it is sent", { tag: "@desktop" }, async ({
  page,
  seller,
  request,
  complaints,
}) => {
  complaints.expect(/ERR_FAILED/)
  await createPaidPage(request, seller, { title })
  const details = await openPayment(page)
  await page.route(/\/refunds$/, async (route) => {
    if (route.request().method() === "GET") return route.fallback()
    await route.fetch()
    await route.abort()
  })
  await details.getByRole("button", { name: "Estornar" }).click()
  const form = page.getByRole("dialog", { name: "Estornar pagamento" })
  await form.getByRole("button", { name: "Continuar" }).click()
  await page.getByRole("button", { name: /^Estornar R\$\s100,00$/ }).click()
  await expect(form.getByRole("alert")).toHaveText("Erro ao solicitar estorno")
  await expect(form).toContainText("o mesmo pedido nunca é feito duas vezes")
  await page.unrouteAll()
  await form.getByRole("button", { name: "Continuar" }).click()
  await page.getByRole("button", { name: /^Estornar R\$\s100,00$/ }).click()
  await expect(toast(page, "Estorno solicitado com sucesso!")).toBeVisible()
  await expect(details.getByText("Estornado", { exact: true })).toBeVisible()
  await expect(details.getByRole("region", { name: "Estornos" }).getByRole("listitem")).toHaveCount(1)
})

const refund = {
  _id: "1",
  amount: 40,
  fee: 6,
  netAmount: 34,
  status: "processing",
  origin: "seller",
  reason: "",
  failureReason: null,
  endToEndId: "E1",
  returnId: null,
  createdAt: "2026-01-31T12:00:00.000Z",
  processedAt: null,
}

test("refunds of every state and origin fit on the screen, also of a payment for no page", { tag: "@phone" }, async ({
  page,
  seller,
  request,
}) => {
  await createPaidPage(request, seller, { title })
  const failureReason = "Devolução recusada pelo banco do pagador."
  const refunds = [
    { ...refund, reason: "Umapalavramuitolonga".repeat(7) },
    { ...refund, _id: "2", status: "refused", failureReason },
    { ...refund, _id: "3", status: "completed", origin: "bank" },
    { ...refund, _id: "4", status: "completed", origin: "admin", fee: 0, netAmount: 40 },
  ]
  await page.route(/\/refunds$/, (route) =>
    route.fulfill({ json: { data: { refunds, refundable: 20, deadline: { day: "2026-05-01", hasPassed: false } } } }),
  )
  await page.route(/\/transactions\/[0-9a-f-]{36}$/, async (route) => {
    const answer = await route.fetch()
    const { data } = (await answer.json()) as { data: { transaction: { metadata: object } } }
    const checkoutPage = { _id: null, title: "Pagamento avulso" }
    const metadata = { ...data.transaction.metadata, txid: null }
    await route.fulfill({ json: { data: { transaction: { ...data.transaction, checkoutPage, metadata } } } })
  })
  await page.setViewportSize({ width: 320, height: 640 })
  const details = await openPayment(page)
  await expect(details.getByText("Pagamento avulso").last()).toBeVisible()
  await expect(details.getByText("Identificador (txid)")).toHaveCount(0)
  const items = details.getByRole("region", { name: "Estornos" }).getByRole("listitem")
  await expect(items).toContainText([
    /Em andamento.*Pedido por você/,
    /Recusado.*Devolução recusada pelo banco do pagador\. Nada saiu do saldo\./,
    /Concluído.*Feito pelo banco/,
    /Concluído.*Pedido pela plataforma.*R\$\s40,00 do seu saldo$/,
  ])
  await expectAccessible(page, "refunds of every state")
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
  await expect(details.getByText("Em andamento")).toBeVisible()
  await details.getByRole("button", { name: "Estornar" }).click()
  await expect(page.getByRole("dialog", { name: "Estornar pagamento" }).getByText(/^Até R\$\s20,00$/)).toBeVisible()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
  await page.unroute(/\/refunds$/)
  const late = { refunds: [], refundable: 0, deadline: { day: "2026-05-01", hasPassed: true } }
  await page.route(/\/refunds$/, (route) => route.fulfill({ json: { data: late } }))
  await page.reload()
  await expect(details.getByText("O prazo de 90 dias para estornar terminou em 01/05/2026.")).toBeVisible()
  await expect(details.getByRole("button", { name: "Estornar" })).toHaveCount(0)
})
