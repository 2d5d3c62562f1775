import { expectAccessible } from "./support/accessibility.ts"
import { createChargePage, listChargePages, password } from "./support/api.ts"
import { expect, sellerTest as test } from "./support/journey.ts"

test("the title makes the slug, the amount the summary, and only both together can be sent", async ({ page }) => {
  await page.goto("/checkouts/create")
  const create = page.getByRole("button", { name: "Criar cobrança", exact: true })
  const title = page.getByLabel("Título")
  const amount = page.getByLabel("Valor", { exact: true })
  const slug = page.getByLabel("Slug")
  await expect(create).toBeDisabled()

  await title.fill("Sessão de Ioga -- Verão/2025!")
  await expect(slug).toHaveValue("sessao-de-ioga-verao2025")
  await expect(create).toBeDisabled()
  await amount.pressSequentially("10000")
  await expect(amount).toHaveValue("100,00")
  await expect(create).toBeEnabled()
  const summary = page.getByRole("region", { name: "Resumo financeiro" })
  await expect(summary).toContainText(/Valor líquido\s*R\$\s*85\s*,00/)
  await expect(summary).toContainText(/Valor bruto\s*R\$\s100,00/)
  await expect(summary).toContainText(/R\$\s15,00/)
  await title.fill(" ")
  await expect(create).toBeDisabled()

  await title.fill("!!!")
  await amount.fill("0,00")
  await create.click()
  await expect(slug).toHaveAccessibleDescription("O slug é obrigatório")
  await expect(amount).toHaveAccessibleDescription("O valor da cobrança deve ser maior que zero")
  await amount.fill("0,50")
  await create.click()
  await expect(amount).toHaveAccessibleDescription("O valor mínimo da cobrança é R$ 1,00")
})

test("the switch for customer data sets and clears all four fields", { tag: "@desktop" }, async ({
  page,
  seller,
  request,
}) => {
  await page.goto("/checkouts/create")
  const asks = page.getByRole("switch", { name: "Exigir dados do cliente" })
  const fields = page.getByRole("checkbox", { name: /^(Nome completo|E-mail|Telefone|CPF)$/ })
  await expect(asks).not.toBeChecked()
  await expect(fields).toHaveCount(0)
  await asks.check()
  await expect(fields).toHaveCount(4)
  for (const field of await fields.all()) await expect(field).toBeChecked()

  await page.getByRole("checkbox", { name: "Telefone" }).uncheck()
  await expect(
    page.getByText("Atenção: mesmo marcando só alguns, o cliente precisará informar nome, e-mail, CPF e telefone."),
  ).toBeVisible()
  await asks.uncheck()
  await asks.check()
  await expect(page.getByRole("checkbox", { name: "Telefone" })).toBeChecked()
  await page.getByRole("checkbox", { name: "E-mail" }).uncheck()

  await page.getByLabel("Título").fill("Com dados")
  await page.getByLabel("Valor", { exact: true }).fill("25,90")
  await page.getByRole("button", { name: "Criar cobrança", exact: true }).click()
  await expect(page).toHaveURL(/\/checkouts\/[0-9a-f-]{36}$/)
  expect(await listChargePages(request, seller)).toMatchObject([
    {
      amount: 25.9,
      requireCustomerData: true,
      customerInfo: { requireName: true, requireEmail: false, requirePhone: true, requireCpf: true },
      pixConfig: { allowAnonymous: false, expiresInHours: 24 },
    },
  ])
})

test("a taken slug is reported before sending, and a double click creates one charge page that never expires", {
  tag: "@desktop",
}, async ({ page, seller, request }) => {
  const taken = await createChargePage(request, seller, { slug: `aula-${Date.now()}` })
  await page.goto("/checkouts/create")
  await page.getByLabel("Título").fill("Aula avulsa")
  await page.getByLabel("Slug").fill(taken.slug)
  await expect(page.getByText(`Já está em uso: o link será /checkout/${taken.slug}-2`)).toBeVisible()
  await page.getByLabel("Valor", { exact: true }).fill("80,00")

  const expiry = page.getByLabel("Expira em")
  await expect(expiry).toHaveValue("24")
  await expect(expiry.getByRole("option")).toHaveText([
    "1 hora",
    "6 horas",
    "12 horas",
    "24 horas (recomendado)",
    "48 horas",
    "72 horas",
    "Nunca expira",
  ])
  await expiry.selectOption("Nunca expira")
  await page.getByRole("button", { name: "Criar cobrança", exact: true }).dblclick()
  await expect(page).toHaveURL(/\/checkouts\/[0-9a-f-]{36}$/)
  await expect(page.getByText("Não definida")).toBeVisible()
  const pages = await listChargePages(request, seller)
  expect(pages).toHaveLength(2)
  expect(pages[0]).toMatchObject({ slug: `${taken.slug}-2`, expiresAt: null, pixConfig: { expiresInHours: 0 } })
})

test("what few need is folded, and orders are for sellers with a key or a site alone", { tag: "@phone" }, async ({
  page,
  seller,
  request,
}) => {
  await page.goto("/checkouts/create")
  const submit = page.getByRole("button", { name: "Criar cobrança", exact: true })
  const box = await submit.boundingBox()
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(2 * 812)

  const more = page.getByRole("button", { name: "Mais opções" })
  await expect(more).toHaveAttribute("aria-expanded", "false")
  await more.click()
  await expect(page.getByRole("switch", { name: "Aceitar vários pagamentos" })).toBeVisible()
  await expectAccessible(page, "more options of a new charge")
  await expect(page.getByLabel("Referência")).toHaveCount(0)

  const headers = { Authorization: `Bearer ${seller.token}` }
  const key = { name: "Loja", scopes: ["pages:write"], passwordCurrent: password }
  expect((await request.post("/api/v1/users/me/api-keys", { headers, data: key })).status()).toBe(201)
  await page.reload()
  await more.click()
  await page.getByLabel("Referência").fill("pedido-42")
  await page.getByLabel("Endereço de retorno").fill("loja")
  await page.getByLabel("Título").fill("Pedido")
  await page.getByLabel("Valor", { exact: true }).fill("10,00")
  await submit.click()
  await expect(page.getByLabel("Endereço de retorno")).toHaveAccessibleDescription(/^Informe um endereço completo/)
  await expectAccessible(page, "an order with a mistake")
  await page.getByLabel("Endereço de retorno").clear()
  await submit.click()
  await page.getByRole("dialog", { name: "Compartilhar cobrança" }).getByRole("button", { name: "Fechar" }).click()
  await expect(page.getByLabel("Referência")).toHaveValue("pedido-42")
})

test("a seller asks what to charge to receive an amount, and is asked before it is lost", { tag: "@phone" }, async ({
  page,
}) => {
  await page.goto("/checkouts/create")
  await page.getByLabel("Título").fill("Aula de piano")
  await page.getByRole("button", { name: "Quanto cobrar para receber um valor?" }).click()
  await page.getByLabel("Quero receber").fill("R$ 1.234,56")
  await expect(page.getByText(/Quanto cobrar para receber R\$\s1\.234,56\? R\$\s1\.452,42/)).toBeVisible()
  await expectAccessible(page, "what to charge to receive an amount")
  await page.getByRole("button", { name: "Usar este valor" }).click()
  await expect(page.getByLabel("Valor", { exact: true })).toHaveValue("1.452,42")

  await page.getByRole("link", { name: "Cancelar" }).click()
  const question = page.getByRole("alertdialog", { name: "Sair sem salvar?" })
  await question.getByRole("button", { name: "Continuar editando" }).click()
  await expect(page.getByLabel("Título")).toHaveValue("Aula de piano")
  await page.getByRole("link", { name: "Cancelar" }).click()
  await question.getByRole("button", { name: "Descartar e sair" }).click()
  await expect(page).toHaveURL(/\/dashboard$/)
})
