import { createChargePage, signUp } from "./support/api.ts"
import { expect } from "./support/journey.ts"
import { ownServerTest as test } from "./support/own-server.ts"

test("a tester sets a fault, sees its effect, and sends the lost webhook again", { tag: "@desktop" }, async ({
  payer,
  request,
}) => {
  const charge = await createChargePage(request, await signUp(request))
  const path = "/api/v1/checkout/process-modern-pix-payment"
  expect((await request.post(path, { data: { checkoutPageId: charge._id, customerInfo: null } })).status()).toBe(201)
  await payer.goto("/simulador")
  await payer.getByRole("link", { name: /Controle do simulador/ }).click()
  await payer.getByLabel("O que dá errado").selectOption({ label: "Aviso perdido" })
  await payer.getByText("Limitar a falha").click()
  await payer.getByLabel("Vezes").fill("1")
  await payer.getByRole("button", { name: "Ligar falha" }).click()
  await expect(payer.getByText("aconteceu 0 de 1×")).toBeVisible()

  await payer.getByRole("tab", { name: /Cobranças/ }).press("Enter")
  await payer
    .getByRole("button", { name: /Pagar a cobrança/ })
    .first()
    .click()
  await expect(payer.getByText("aconteceu 1 de 1×")).toBeVisible()
  await payer.getByRole("tab", { name: /Cobranças/ }).press("ArrowLeft")
  await expect(payer.getByText("perdido de propósito")).toBeVisible()
  await payer
    .getByRole("button", { name: /Reenviar o aviso/ })
    .first()
    .click()
  await expect(payer.getByText("entregue").first()).toBeVisible()
  expect(await payer.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)

  await payer.getByRole("button", { name: "+1 h" }).click()
  await expect(payer.getByText("Adiantado em 1 h.")).toBeVisible()
  await payer.getByRole("button", { name: "Voltar ao presente" }).click()
  await payer.getByRole("button", { name: "Encerrar todas" }).click()
  await expect(payer.getByText("Nenhuma falha ligada")).toBeVisible()
})
