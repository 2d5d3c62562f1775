import { expectAccessible } from "./support/accessibility.ts"
import { cancelChargePage, createChargePage, payCode, refundPayment, requestPix } from "./support/api.ts"
import { expect, repeatUntil, test } from "./support/journey.ts"

const sampleNote = "Página de exemplo: não é um comprovante"

test("opened bare, both pages are a sample and say so", { tag: "@desktop" }, async ({ page }) => {
  await page.goto("/payment/success?amount=999&status=pago")
  await expect(page.getByRole("heading", { name: "Pagamento Realizado com Sucesso!" })).toBeVisible()
  await expect(page.getByText(sampleNote)).toBeVisible()
  await expect(page.getByRole("main")).not.toContainText("999,")
  await expectAccessible(page, "sample of a success")
  await page.evaluate(() => {
    window.print = () => document.body.setAttribute("data-printed", "")
  })
  await page.getByRole("button", { name: "Imprimir comprovante" }).click()
  await expect(page.locator("body[data-printed]")).toBeVisible()

  await page.goto("/payment/error")
  await expect(page.getByRole("heading", { name: "Erro no Pagamento" })).toBeVisible()
  await expect(page.getByText(sampleNote)).toBeVisible()
  await expect(page.getByRole("listitem")).toHaveCount(4)
  await expect(page.getByRole("link", { name: /@/ })).toHaveAttribute("href", /^mailto:\S+@\S+$/)
  await expectAccessible(page, "sample of an error")
  await page.getByRole("button", { name: "Tentar Novamente" }).click()
  await expect(page).toHaveURL(/\/payment\/success/)
  await page.getByRole("link", { name: "Voltar ao Início" }).click()
  await expect(page).toHaveURL(/\/login$/)
})

test("a payer reaches the proof of the payment, which keeps its address", { tag: "@phone" }, async ({
  page,
  seller,
  request,
}) => {
  const charge = await createChargePage(request, seller, { title: "Aula de piano", amount: 80 })
  await page.goto(`/checkout/${charge.uniqueLink}`)
  await page.getByRole("button", { name: "Gerar PIX Instantâneo" }).click()
  await payCode(request, (await page.getByText(/^000201\w/).textContent()) ?? "")
  await page.getByRole("link", { name: "Ver comprovante" }).click()
  await expect(page).toHaveURL(/\/payment\/success\?transactionId=[0-9a-f-]{36}&k=[\w-]{22}$/)
  await expect(page.getByRole("heading", { name: "Pagamento Realizado com Sucesso!" })).toBeVisible()
  const main = page.getByRole("main")
  await expect(main).toContainText("Aula de piano")
  await expect(main).toContainText("Ana Souza")
  await expect(main).toContainText(/80,00/)
  await expect(main.getByText(/^E\w{31}$/)).toBeVisible()
  await main.getByRole("button", { name: "Copiar ID do Pix (endToEndId)" }).click()
  await expect(page.getByText("ID do Pix copiado!").first()).toBeVisible()
  await expect(main.getByRole("button", { name: "Copiar ID da transação" })).toBeVisible()
  await expect(page.getByText(sampleNote)).toHaveCount(0)
  await expectAccessible(page, "proof of a payment")

  const transactionId = new URL(page.url()).searchParams.get("transactionId") ?? ""
  await refundPayment(request, seller, { transactionId, amount: 30 })
  const returned = main.getByText(/^R\$\s30,00 em \d{2}\/\d{2}\/\d{4} às \d{2}:\d{2}$/)
  await repeatUntil(
    () => page.reload(),
    (patience) => expect(returned).toBeVisible(patience),
  )
  await expect(page.getByRole("heading", { name: "Pagamento Realizado com Sucesso!" })).toBeVisible()
  await page.goBack()
  await expect(page.getByRole("heading", { name: "Pagamento Aprovado!" })).toBeVisible()
  await page.reload()
  await expect(main).toContainText(/Estornado\s?R\$\s30,00/)

  await refundPayment(request, seller, { transactionId, amount: 50 })
  await page.getByRole("link", { name: "Ver comprovante" }).click()
  await repeatUntil(
    () => page.reload(),
    (patience) => expect(page.getByRole("heading", { name: "Pagamento estornado" })).toBeVisible(patience),
  )
  await expectAccessible(page, "proof of a payment that went back")

  await page.emulateMedia({ media: "print" })
  await expect(page.getByRole("button")).toHaveCount(0)
  const background = await page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  expect(background).toBe("rgb(255, 255, 255)")

  await page.emulateMedia({ media: "screen" })
  await page.getByRole("link", { name: "Voltar ao Início" }).click()
  await expect(page).toHaveURL(new RegExp(`/checkout/${charge.uniqueLink}\\?pix=`))
  await expect(page.getByRole("heading", { name: "Pagamento Aprovado!" })).toBeVisible()
  await expect(page.getByRole("button", { name: /imprimir/i })).toHaveCount(0)
})

test("the payment's own state is shown, whichever result page is opened", { tag: "@phone" }, async ({
  page,
  seller,
  request,
  complaints,
}) => {
  complaints.expect(/404 .*payment-proofs/)
  const charge = await createChargePage(request, seller, { title: "Aula de piano", amount: 80 })
  const { transactionId, pixCode } = await requestPix(request, charge)
  await page.goto(`/payment/success?transactionId=${transactionId}`)
  await expect(page.getByRole("heading", { name: "Aguardando pagamento" })).toBeVisible()
  await expectAccessible(page, "payment that is awaited")
  await payCode(request, pixCode)
  await expect(page.getByRole("heading", { name: "Pagamento Realizado com Sucesso!" })).toBeVisible()

  const cancelled = await createChargePage(request, seller)
  const pix = await requestPix(request, cancelled)
  await cancelChargePage(request, seller, cancelled)
  await page.goto(`/payment/success?transactionId=${pix.transactionId}`)
  await expect(page.getByRole("heading", { name: "Erro no Pagamento" })).toBeVisible()
  await expect(page.getByText("Este pagamento foi cancelado.")).toBeVisible()

  await page.goto("/payment/error?transactionId=0198c9a2-7f1e-7abc-8def-0123456789ab")
  await expect(page.getByRole("heading", { name: "Pagamento não encontrado" })).toBeVisible()
  await expect(page.getByText(sampleNote)).toHaveCount(0)
  await expectAccessible(page, "payment that isn't there")
})
