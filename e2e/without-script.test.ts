import { cancelChargePage, countTransactions, createChargePage, payCode } from "./support/api.ts"
import { expect, test } from "./support/journey.ts"

test.use({ javaScriptEnabled: false })

const awaiting = "Aguardando pagamento... Após o pagamento, a confirmação será automática."

test("without JavaScript a payer fills the form in, pays, and the page says so by itself", { tag: "@phone" }, async ({
  page,
  seller,
  request,
  complaints,
}) => {
  complaints.expect(/422 .*\/checkout\//)
  const charge = await createChargePage(request, seller, {
    customerInfo: { requireName: true, requireEmail: true, requirePhone: true, requireCpf: true },
    pixConfig: { allowAnonymous: false, expiresInHours: 24 },
  })
  await page.goto(`/checkout/${charge.slug}`)
  await page.getByLabel("Nome completo").fill("Caio Prado")
  await page.getByLabel("E-mail").fill("caio@exemplo.com")
  await page.getByLabel("CPF").fill("111.111.111-11")
  await page.getByLabel("Telefone").fill("11987654321")
  await page.getByRole("button", { name: "Pagar com PIX" }).click()
  await expect(page.getByLabel("CPF")).toHaveAccessibleDescription("CPF inválido")
  await expect(page.getByLabel("CPF")).toBeFocused()
  await expect(page.getByLabel("Nome completo")).toHaveValue("Caio Prado")
  await page.getByLabel("CPF").fill("529.982.247-25")
  await page.getByRole("button", { name: "Pagar com PIX" }).click()

  await expect(page.getByText(awaiting)).toBeVisible()
  await expect(page.getByRole("img", { name: /^QR Code Pix de R\$\s100,00$/ })).toBeVisible()
  const code = page.getByLabel(/^Código Pix:/)
  await expect(code).not.toBeEditable()
  const pixCode = await code.inputValue()
  await page.reload()
  expect(await code.inputValue()).toBe(pixCode)
  expect(await countTransactions(request, seller)).toBe(1)
  await payCode(request, pixCode)
  await expect(page.getByRole("heading", { name: "Pagamento Aprovado!" })).toBeVisible()
  await expect(page.getByText("Pago em")).toBeVisible()
  await page.getByRole("link", { name: "Ver comprovante" }).click()
  await expect(page.getByRole("heading", { name: "Comprovante" })).toBeVisible()
  await expect(page.getByText(/^E\w{31}$/)).toBeVisible()
  await expect(page).toHaveURL(/\/payment\/success\?transactionId=[0-9a-f-]{36}&k=[\w-]{22}$/)
  await page.getByRole("link", { name: "Voltar ao Início" }).click()
  await expect(page.getByRole("heading", { name: "Pagamento Aprovado!" })).toBeVisible()
})

test("without JavaScript a company gives its CNPJ", async ({ page, seller, request, complaints }) => {
  complaints.expect(/422 .*\/checkout\//)
  const charge = await createChargePage(request, seller, {
    customerInfo: { requireName: true, requireEmail: true, requirePhone: true, requireCpf: true },
    pixConfig: { allowAnonymous: false, expiresInHours: 24 },
  })
  await page.goto(`/checkout/${charge.slug}`)
  await page.getByRole("link", { name: "Comprar como empresa (CNPJ)" }).click()
  await page.getByLabel("Nome completo").fill("Padaria Sol")
  await page.getByLabel("E-mail").fill("sol@exemplo.com")
  await page.getByLabel("CNPJ").fill("11.222.333/0001-80")
  await page.getByLabel("Telefone").fill("11987654321")
  await page.getByRole("button", { name: "Pagar com PIX" }).click()
  await expect(page.getByLabel("CNPJ")).toHaveAccessibleDescription("CNPJ inválido")
  await page.getByLabel("CNPJ").fill("11.222.333/0001-81")
  await page.getByRole("button", { name: "Pagar com PIX" }).click()
  await expect(page.getByText(awaiting)).toBeVisible()
  await page.goto(`/checkout/${charge.slug}?cnpj=`)
  await page.getByRole("link", { name: "Comprar como pessoa (CPF)" }).click()
  await expect(page.getByLabel("CPF")).toBeVisible()
})

test("without JavaScript a cancelled code says so and is not offered again", { tag: "@phone" }, async ({
  page,
  seller,
  request,
}) => {
  const charge = await createChargePage(request, seller)
  await page.goto(`/checkout/${charge.uniqueLink}`)
  await page.getByRole("button", { name: "Gerar PIX Instantâneo" }).dblclick()
  await expect(page.getByText(awaiting)).toBeVisible()
  expect(await countTransactions(request, seller)).toBe(1)
  await cancelChargePage(request, seller, charge)
  await page.getByRole("link", { name: "Já paguei" }).click()
  await expect(page.getByRole("heading", { name: "Este código foi cancelado" })).toBeVisible()
  await expect(page.getByText("Esta cobrança não está mais disponível.")).toBeVisible()
})
