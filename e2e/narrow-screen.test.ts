import {
  createChargePage,
  createCustomer,
  createInvoice,
  createPaidPage,
  requestPix,
  requestWithdrawal,
} from "./support/api.ts"
import { expect, sellerTest, test } from "./support/journey.ts"
import { expectNoSidewaysScroll, narrow } from "./support/sideways-scroll.ts"

const longTitle = "Acompanhamentopersonalizadodeemagrecimentoereeducaçãoalimentar – plano anual com doze encontros"

test.describe("at 320 pixels", () => {
  test.use(narrow)

  test("nothing of the public screens is wider than the screen", { tag: "@phone" }, async ({
    page,
    seller,
    request,
    complaints,
  }) => {
    complaints.expect(/404 .*(nada-aqui|nao-existe)/)
    for (const path of [
      "/login",
      "/register",
      "/forgot-password",
      "/reset-password/x",
      "/nada-aqui",
      "/checkout/nao-existe",
      "/payment/success",
      "/payment/error",
      "/simulador",
    ]) {
      await page.goto(path)
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible()
      await expectNoSidewaysScroll(page, path)
    }
    const order = { title: longTitle, amount: 9_999_999.99, description: longTitle }
    const charge = await createChargePage(request, seller, order)
    await page.goto(`/checkout/${charge.uniqueLink}`)
    await expectNoSidewaysScroll(page, "checkout")
    await page.getByRole("button", { name: "Gerar PIX Instantâneo" }).click()
    await expect(page.getByRole("button", { name: "Copiar Código PIX" })).toBeVisible()
    await expectNoSidewaysScroll(page, "checkout with the code")
    const { transactionId } = await requestPix(request, charge)
    await page.goto(`/payment/success?transactionId=${transactionId}`)
    await expect(page.getByRole("heading", { name: "Aguardando pagamento" })).toBeVisible()
    await expectNoSidewaysScroll(page, "proof of a payment")
    await page.goto("/simulador")
    await page.getByLabel("Código Pix copia e cola").fill((await requestPix(request, charge)).pixCode)
    await page.getByRole("button", { name: "Continuar" }).click()
    await expect(page.getByRole("button", { name: /^Pagar R\$/ })).toBeVisible()
    await expectNoSidewaysScroll(page, "bank with the code")
  })
})

sellerTest.describe("at 320 pixels", () => {
  sellerTest.use(narrow)

  sellerTest(
    "nothing of the seller's screens is wider than the screen",
    { tag: "@phone" },
    async ({ page, seller, request }) => {
      const order = { title: longTitle, amount: 9_999_999.99, description: longTitle }
      const open = await createChargePage(request, seller, order)
      const paid = await createPaidPage(request, seller, order)
      const transfer = { bank: longTitle, agency: "0".repeat(20), account: "1".repeat(30) }
      await requestWithdrawal(request, seller, { amount: 0.01, paymentMethod: "bank_transfer", bankData: transfer })
      const customer = await createCustomer(request, seller, {
        name: longTitle,
        notes: longTitle,
        phone: "11987654321",
      })
      const invoice = await createInvoice(request, seller, {
        customerId: customer,
        dueDate: "2031-03-10",
        description: longTitle,
      })
      const screens = [
        { path: "/dashboard", landmark: page.getByRole("table").getByText("Pago") },
        { path: "/customers", landmark: page.getByRole("table").getByRole("link") },
        { path: `/customers/${customer}`, landmark: page.getByRole("button", { name: "Editar" }) },
        { path: "/subscriptions/create", landmark: page.getByLabel("Nome da assinatura") },
        { path: "/subscriptions/plans", landmark: page.getByRole("button", { name: "Novo plano" }) },
        { path: "/customers/import", landmark: page.getByRole("button", { name: "Escolher arquivo" }) },
        { path: "/receivables", landmark: page.getByRole("table").getByRole("link") },
        { path: `/receivables?invoice=${invoice}`, landmark: page.getByRole("link", { name: "Editar" }) },
        { path: "/receivables/create", landmark: page.getByLabel("Valor", { exact: true }) },
        { path: "/checkouts", landmark: page.getByRole("table").getByText("Concluída") },
        { path: "/checkouts/create", landmark: page.getByLabel("Título") },
        { path: `/checkouts/${open._id}`, landmark: page.getByLabel("Título") },
        { path: `/checkouts/${paid._id}`, landmark: page.getByRole("link", { name: "Duplicar cobrança" }) },
        { path: "/transactions", landmark: page.getByRole("table").getByText("Pago") },
        { path: "/withdrawals", landmark: page.getByRole("table").getByText("Pendente") },
        { path: "/developers", landmark: page.getByRole("button", { name: "Criar chave" }) },
        { path: "/profile", landmark: page.getByLabel("Banco") },
      ]
      for (const { path, landmark } of screens) {
        await page.goto(path)
        await expect(landmark).toBeVisible()
        await expectNoSidewaysScroll(page, path)
      }
      await page.goto("/withdrawals")
      await page.getByRole("table").getByRole("link").click()
      await expect(page.getByRole("dialog", { name: "Saque" })).toBeVisible()
      await expectNoSidewaysScroll(page, "steps of a withdrawal")
      await page.keyboard.press("Escape")
      await page.getByRole("button", { name: "Solicitar Saque" }).click()
      await expect(page.getByRole("dialog", { name: "Solicitar Saque" })).toBeVisible()
      await expectNoSidewaysScroll(page, "request of a withdrawal")
      await page.goto("/dashboard")
      await page
        .getByRole("button", { name: /^Compartilhar/ })
        .first()
        .click()
      await expect(page.getByRole("dialog")).toBeVisible()
      await expectNoSidewaysScroll(page, "share dialog")
    },
  )
})
