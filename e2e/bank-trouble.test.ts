import { createChargePage, setBankFaults, signUp } from "./support/api.ts"
import { clipboardOf, expect } from "./support/journey.ts"
import { ownServerTest as test } from "./support/own-server.ts"

test.describe.configure({ mode: "default" })

test("after a failure of the bank a payer sees a message, retries and gets the code", { tag: "@phone" }, async ({
  payer,
  request,
  complaints,
}) => {
  complaints.expect(/503 .*process-modern-pix-payment/)
  const charge = await createChargePage(request, await signUp(request))
  await setBankFaults(request, { falhaApi: "indisponivel" })
  await payer.goto(`/checkout/${charge.uniqueLink}`)
  await payer.getByRole("button", { name: "Gerar PIX Instantâneo" }).click()
  await expect(payer.getByRole("alert")).toHaveText(
    "O banco não respondeu e nada foi cobrado. Tente de novo em alguns segundos.",
  )

  await setBankFaults(request, { falhaApi: null })
  await payer.getByRole("button", { name: "Gerar PIX Instantâneo" }).click()
  await expect(payer.getByRole("button", { name: "Copiar Código PIX" })).toBeVisible()
  await expect(payer.getByRole("alert")).toHaveCount(0)
})

test("a payer who is asked to wait gets the code without doing anything", { tag: "@phone" }, async ({
  payer,
  request,
  complaints,
}) => {
  complaints.expect(/429 .*process-modern-pix-payment/)
  const charge = await createChargePage(request, await signUp(request))
  const busy = { status: 429, headers: { "retry-after": "1" }, json: { status: "fail", message: "Muitos pedidos." } }
  await payer.route("**/process-modern-pix-payment", (route) => route.fulfill(busy), { times: 2 })
  await payer.goto(`/checkout/${charge.uniqueLink}`)
  await payer.getByRole("button", { name: "Gerar PIX Instantâneo" }).click()
  await expect(payer.getByRole("button", { name: "Aguarde..." })).toBeVisible()
  await expect(payer.getByRole("alert")).toHaveCount(0)
  await expect(payer.getByRole("button", { name: "Copiar Código PIX" })).toBeVisible()
})

test("a payment is confirmed also when the bank's messages never arrive", { tag: "@phone" }, async ({
  payer,
  request,
}) => {
  const charge = await createChargePage(request, await signUp(request))
  await payer.goto(`/checkout/${charge.uniqueLink}`)
  await payer.getByRole("button", { name: "Gerar PIX Instantâneo" }).click()
  await payer.getByRole("button", { name: "Copiar Código PIX" }).click()
  await expect(payer.getByRole("button", { name: "Copiado!" })).toBeVisible()
  const pixCode = await clipboardOf(payer)
  await setBankFaults(request, { webhooksAtivos: false })
  const paid = await request.post("/simulador/api/pagamentos", { data: { pixCopiaECola: pixCode } })
  expect(paid.status()).toBe(201)
  await expect(payer.getByRole("heading", { name: "Pagamento Aprovado!" })).toBeVisible()
  await setBankFaults(request, { webhooksAtivos: true })
})
