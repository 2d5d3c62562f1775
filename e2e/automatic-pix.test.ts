import { expectAccessible } from "./support/accessibility.ts"
import { admin as chief, logIn } from "./support/api.ts"
import { expect, sellerTest as test, toast } from "./support/journey.ts"

const today = new Intl.DateTimeFormat("en-CA", { timeZone: "America/Sao_Paulo" }).format(new Date())

test("a customer pays once and authorises what follows by the same code", { tag: "@phone" }, async ({
  page,
  payer,
  request,
  seller,
}) => {
  const admin = { Authorization: `Bearer ${await logIn(request, chief)}` }
  const own = { Authorization: `Bearer ${seller.token}` }
  for (const [key, value] of [
    ["LEGAL_NAME", "Tilinta Pagamentos Ltda"],
    ["LEGAL_CNPJ", "11222333000181"],
    ["AUTOMATIC_PIX", true],
  ] as const) {
    const type = typeof value
    const data = { key, value, type, category: "general", description: "" }
    const answer = await request.post("/api/v1/settings", { headers: admin, data })
    if (!answer.ok()) await request.patch(`/api/v1/settings/${key}`, { headers: admin, data: { value } })
  }
  const { data } = await (await request.get("/api/v1/users/me", { headers: own })).json()
  const allowed = await request.patch(`/api/v1/admin/users/${data.user._id}/automatic-pix`, {
    headers: admin,
    data: { enabled: true, reason: "Contrato conferido" },
  })
  expect(allowed.status()).toBe(200)
  const made = await request.post("/api/v1/subscriptions", {
    headers: own,
    data: {
      customer: { name: "Bruno Lima", document: "52998224725" },
      ...{ title: "Mensalidade da academia", amount: 90, period: "monthly", firstDueDate: today },
    },
  })
  const { subscription } = (await made.json()).data

  await page.goto(`/subscriptions/${subscription._id}`)
  await page.getByRole("button", { name: "Pedir autorização" }).click()
  const question = page.getByRole("alertdialog")
  await expectAccessible(page, "the question for an authorisation")
  await question.getByRole("button", { name: "Pedir autorização" }).click()
  await expect(toast(page, "Autorização pedida")).toBeVisible()
  await expect(page.getByText("Aguardando autorização")).toBeVisible()
  await expectAccessible(page, "a subscription that waits for its authorisation")

  await payer.goto(`${subscription.link}/autorizar`)
  await expect(payer.getByText("em favor de Tilinta Pagamentos Ltda")).toBeVisible()
  await expectAccessible(payer, "the page of an authorisation")
  const pixCopiaECola = await payer.getByLabel("Pix copia e cola").inputValue()
  expect((await request.post("/simulador/api/pagamentos", { data: { pixCopiaECola } })).status()).toBe(201)
  await expect(async () => {
    await payer.getByRole("link", { name: "Já autorizei" }).click()
    await expect(payer.getByText("Autorizado", { exact: true })).toBeVisible({ timeout: 500 })
  }).toPass()
  await expectAccessible(payer, "an authorisation that was given")
  await payer.getByText("Pedir o cancelamento a quem cobra").click()
  await payer.getByRole("button", { name: "Pedir cancelamento" }).click()
  await expect(payer.getByText("Pedido enviado")).toBeVisible()

  await page.reload()
  await expect(page.getByText("Próximo débito")).toBeVisible()
  await page.getByRole("button", { name: "Cancelar autorização" }).click()
  await page.getByRole("alertdialog").getByRole("button", { name: "Cancelar autorização" }).click()
  await expect(toast(page, "Autorização cancelada")).toBeVisible()
})
