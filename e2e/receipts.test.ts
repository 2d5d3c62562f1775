import { expectAccessible } from "./support/accessibility.ts"
import { createChargePage, payCode, refundPayment, requestPix } from "./support/api.ts"
import { expect, repeatUntil, test } from "./support/journey.ts"

test.use({ serviceWorkers: "allow" })

test("a payer's receipt is true, without a network, too; forged when changed, and refunded once the money went back", {
  tag: "@soak",
}, async ({ page, context, seller, request, complaints }) => {
  complaints.expect(/ERR_INTERNET_DISCONNECTED|Failed to fetch/)
  const charge = await createChargePage(request, seller, { title: "Aula de piano", amount: 80 })
  const pix = await requestPix(request, charge)
  await payCode(request, pix.pixCode)
  await repeatUntil(
    () => page.goto(`/payment/success?transactionId=${pix.transactionId}&k=${pix.payerToken}`),
    (patience) => expect(page.getByRole("heading", { name: "Comprovante" })).toBeVisible(patience),
  )
  const code = page.getByRole("img", { name: "QR code que confere este comprovante" })
  await expect(code).toBeHidden()
  await expectAccessible(page, "a receipt")
  await page.getByText("Conferir autenticidade").click()
  await expectAccessible(page, "a receipt with its signed text")
  await page.emulateMedia({ media: "print" })
  await expect(code).toBeVisible()
  await expect(page.getByRole("link", { name: "Enviar no WhatsApp" })).toBeHidden()
  await page.emulateMedia({ media: "screen" })
  const receipt = (await page.locator("code").textContent()) ?? ""

  const picture = await page.screenshot({ fullPage: true })
  await page.getByRole("link", { name: "Conferir este comprovante" }).click()
  await expect(page.getByRole("heading", { name: "Comprovante verdadeiro" })).toBeVisible()
  await expect(page.getByRole("status")).toContainText(/80,00.*Ana Souza/)
  await expectAccessible(page, "a true receipt")
  await page.getByLabel("Comprovante").fill("")
  const file = { name: "recibo.png", mimeType: "image/png", buffer: picture }
  await page.getByLabel("Ler de uma imagem").setInputFiles(file)
  await expect(page.getByLabel("Comprovante")).toHaveValue(receipt)
  await expect(page.getByRole("heading", { name: "Comprovante verdadeiro" })).toBeVisible()
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))

  await context.setOffline(true)
  await page.reload()
  await expect(page.getByRole("heading", { name: "Assinatura verdadeira" })).toBeVisible()
  await expect(page.getByRole("status")).toContainText("não dá para saber se o valor foi estornado")
  for (const at of [4, 30, receipt.length - 1]) {
    const other = receipt[at] === "A" ? "B" : "A"
    await page.getByLabel("Comprovante").fill(receipt.slice(0, at) + other + receipt.slice(at + 1))
    await page.keyboard.press("Tab")
    await page.keyboard.press("Enter")
    await expect(page.getByRole("heading", { name: "Comprovante falso" })).toBeVisible()
  }
  await context.setOffline(false)

  await refundPayment(request, seller, { transactionId: pix.transactionId, amount: 30 })
  await page.getByLabel("Comprovante").fill(receipt)
  const returned = page.getByRole("heading", { name: "Verdadeiro, estornado em parte" })
  await repeatUntil(
    () => page.getByRole("button", { name: "Conferir" }).click(),
    (patience) => expect(returned).toBeVisible(patience),
  )
  await expectAccessible(page, "a refunded receipt")
})
