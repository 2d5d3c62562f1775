import { expectAccessible } from "./support/accessibility.ts"
import { expect, sellerTest as test, toast } from "./support/journey.ts"

const today = new Intl.DateTimeFormat("en-CA", { timeZone: "America/Sao_Paulo" }).format(new Date())

test("a seller charges a customer each month, pauses, resumes and cancels", { tag: "@phone" }, async ({ page }) => {
  await page.goto("/subscriptions")
  await expect(page.getByText("Nenhuma assinatura ainda")).toBeVisible()
  await expectAccessible(page, "no subscriptions")
  await page.getByRole("link", { name: "Nova assinatura" }).click()
  await page.getByRole("button", { name: "Criar assinatura" }).click()
  await expect(page.getByText("Informe o cliente")).toBeVisible()

  await page.getByRole("button", { name: "Novo cliente" }).click()
  await page.getByLabel("Nome", { exact: true }).fill("Bruno Lima")
  await page.getByLabel("Nome da assinatura").fill("Mensalidade da academia")
  await page.getByLabel("Valor", { exact: true }).fill("90,00")
  await page.getByLabel("Primeiro vencimento").fill(today)
  await page.getByRole("button", { name: "Mais opções" }).click()
  await page.getByLabel("Multa por atraso").selectOption({ label: "% do valor" })
  await page.getByLabel("Quanto de multa").fill("2,00")
  await expectAccessible(page, "a subscription's form")
  await page.getByRole("button", { name: "Criar assinatura" }).click()
  await expect(toast(page, "Assinatura criada")).toBeVisible()

  await expect(page.getByRole("heading", { name: "Bruno Lima" })).toBeVisible()
  await expect(page.getByRole("table", { name: "Cobranças da assinatura" })).toContainText("1ª cobrança")
  await expectAccessible(page, "a subscription")
  await page.getByRole("button", { name: "Pausar" }).click()
  await page.getByRole("alertdialog").getByRole("button", { name: "Pausar" }).click()
  await expect(page.getByText("Pausada", { exact: true })).toBeVisible()
  await page.getByRole("button", { name: "Retomar" }).click()
  await page.getByRole("alertdialog").getByRole("button", { name: "Retomar" }).click()
  await expect(page.getByText("Ativa", { exact: true })).toBeVisible()

  await page.getByRole("button", { name: "Editar" }).click()
  const dialog = page.getByRole("dialog", { name: "Editar assinatura" })
  await dialog.getByLabel("Valor", { exact: true }).fill("95,00")
  await expectAccessible(page, "a subscription's changes")
  await dialog.getByRole("button", { name: "Salvar" }).click()
  await expect(page.getByText("R$ 95,00 por mês")).toBeVisible()

  await page.getByRole("button", { name: "Cancelar assinatura" }).click()
  const question = page.getByRole("alertdialog")
  await question.getByLabel("Cancelar também as cobranças em aberto (1)").check()
  await question.getByRole("button", { name: "Cancelar assinatura" }).click()
  await expect(page.getByRole("table")).toContainText("Cancelada")
  await page.goto("/subscriptions")
  await expect(page.getByRole("table")).toContainText("Bruno Lima")
  await expectAccessible(page, "subscriptions")
})

test("a customer subscribes by the link of a plan, and cancels on their own page", { tag: "@phone" }, async ({
  page,
  complaints,
  payer,
  request,
  seller,
}) => {
  complaints.expect(/422 .*\/assinar\//)
  const read = async (path: string) => {
    const answer = await request.get(`/api/v1/${path}`, { headers: { Authorization: `Bearer ${seller.token}` } })
    return (await answer.json()).data
  }
  await page.goto("/subscriptions/plans")
  await page.getByRole("button", { name: "Novo plano" }).click()
  await page.getByLabel("Nome do plano").fill("Clube de leitura")
  await page.getByLabel("Valor", { exact: true }).fill("39,90")
  await page.getByLabel("Endereço da página").fill(`clube ${Date.now()}`)
  await expectAccessible(page, "a plan's form")
  await page.getByRole("button", { name: "Criar plano" }).click()
  await expect(page.getByRole("heading", { name: "Clube de leitura" })).toBeVisible()
  await expectAccessible(page, "plans")
  const { plans } = await read("plans?limit=1")
  await payer.goto(plans[0].link)
  await expectAccessible(payer, "the page of a plan")
  await payer.getByRole("button", { name: "Assinar e pagar a primeira" }).click()
  await expect(payer.getByText("CPF ou CNPJ é obrigatório")).toBeVisible()
  await expectAccessible(payer, "the page of a plan, refused")
  await payer.getByLabel("Nome completo").fill("Rita Dias")
  await payer.getByLabel("CPF ou CNPJ").fill("529.982.247-25")
  await payer.getByLabel("E-mail").fill("rita@correio.example")
  await payer.getByRole("button", { name: "Assinar e pagar a primeira" }).click()
  await expect(payer.getByText("R$ 39,90").first()).toBeVisible()
  await expect(payer).toHaveURL(/\/checkout\//)

  await page.goto("/subscriptions")
  await page.getByRole("table").getByRole("link", { name: "Rita Dias" }).click()
  const { subscriptions } = await read("subscriptions?limit=1")
  await payer.goto(subscriptions[0].link)
  await expect(payer.getByRole("link", { name: "Pagar R$ 39,90" })).toBeVisible()
  await expectAccessible(payer, "a customer's subscription")
  await payer.getByText("Cancelar a assinatura").first().click()
  await payer.getByRole("button", { name: "Cancelar a assinatura" }).click()
  await expect(payer.getByText("Cancelada")).toBeVisible()
})
