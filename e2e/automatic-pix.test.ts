import { expectAccessible } from "./support/accessibility.ts"
import { admin as chief, logIn } from "./support/api.ts"
import { expect, repeatUntil, sellerTest as test, toast } from "./support/journey.ts"
import { pressAt, tabTo, typeAt } from "./support/tab-to.ts"

const today = new Intl.DateTimeFormat("en-CA", { timeZone: "America/Sao_Paulo" }).format(new Date())

test("a customer pays once and authorises what follows by the same code, and nobody needs a mouse", {
  tag: "@phone",
}, async ({ page, payer, request, seller }) => {
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
  const made = await request.post("/api/v1/customers", {
    headers: own,
    data: { name: "Bruno Lima", document: "52998224725" },
  })
  const { customer } = (await made.json()).data

  await page.goto(`/subscriptions/create?customer=${customer._id}`)
  await typeAt(page, page.getByLabel("Nome da assinatura"), "Mensalidade da academia")
  await typeAt(page, page.getByLabel("Valor", { exact: true }), "90,00")
  // Typed in the order of the machine's own language.
  await page.getByLabel("Primeiro vencimento").fill(today)
  await typeAt(page, page.getByLabel("Como o cliente paga"), "Pix Automático")
  await expectAccessible(page, "the form of a subscription by Pix Automático")
  await pressAt(page, page.getByRole("button", { name: "Criar assinatura" }))
  await expect(toast(page, "Autorização pedida")).toBeVisible()
  await expect(page.getByText("Aguardando autorização")).toBeVisible()
  await expect(page.getByRole("button", { name: "Copiar o link da autorização" })).toBeVisible()
  await expectAccessible(page, "a subscription that waits for its authorisation")
  const listed = await request.get("/api/v1/subscriptions", { headers: own })
  const [subscription] = (await listed.json()).data.subscriptions

  await payer.goto(`${subscription.link}/autorizar`)
  await expect(payer.getByText("em favor de Tilinta Pagamentos Ltda")).toBeVisible()
  await expectAccessible(payer, "the page of an authorisation")
  const pixCopiaECola = await payer.getByLabel("Pix copia e cola").inputValue()
  await pressAt(payer, payer.getByRole("button", { name: "Copiar código Pix" }))
  await expect(payer.getByText("Código copiado.")).toBeVisible()
  expect(await payer.evaluate(() => navigator.clipboard.readText())).toBe(pixCopiaECola)
  expect((await request.post("/simulador/api/pagamentos", { data: { pixCopiaECola } })).status()).toBe(201)
  await repeatUntil(
    () => pressAt(payer, payer.getByRole("link", { name: "Já autorizei" })),
    (patience) => expect(payer.getByText("Autorizado", { exact: true })).toBeVisible(patience),
  )
  await expectAccessible(payer, "an authorisation that was given")
  await pressAt(payer, payer.getByText("Pedir o cancelamento a quem cobra"))
  await pressAt(payer, payer.getByRole("button", { name: "Pedir cancelamento" }))
  await expect(payer.getByText("Pedido enviado")).toBeVisible()

  const plan = await request.post("/api/v1/plans", {
    headers: own,
    data: { title: "Plano mensal", amount: 90, period: "monthly" },
  })
  await payer.goto((await plan.json()).data.plan.link)
  await expect(payer.getByRole("button", { name: "Assinar com Pix Automático" })).toBeVisible()
  await tabTo(payer, payer.getByRole("button", { name: "Assinar com Pix Automático" }))
  await expectAccessible(payer, "a plan's page with Pix Automático")

  await page.goto("/subscriptions")
  await expect(page.getByText("Ativa · próximo débito")).toBeVisible()
  await expectAccessible(page, "subscriptions with their authorisations")
  await pressAt(page, page.getByRole("link", { name: "Bruno Lima" }))
  await expect(page.getByText("Próximo débito")).toBeVisible()
  await pressAt(page, page.getByRole("button", { name: "Cancelar autorização" }))
  await pressAt(page, page.getByRole("alertdialog").getByRole("button", { name: "Cancelar autorização" }))
  await expect(toast(page, "Autorização cancelada")).toBeVisible()
  await pressAt(page, page.getByRole("button", { name: "Pedir de novo" }))
  await expectAccessible(page, "the question for an authorisation")

  await payer.addInitScript(
    (token) => localStorage.setItem("token", token),
    admin.Authorization.slice("Bearer ".length),
  )
  await payer.goto("/admin/invoices?status=automatic")
  await expect(
    payer.getByRole("table").getByText("Bruno Lima").or(payer.getByText("Mensalidade da academia")).first(),
  ).toBeVisible()
  await expectAccessible(payer, "the administrators' view of Pix Automático")
})
