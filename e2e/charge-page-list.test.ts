import { cancelChargePage, createChargePage } from "./support/api.ts"
import { clipboardOf, expect, sellerTest as test, toast } from "./support/journey.ts"

test("a seller without charges is invited to create the first one", { tag: "@phone" }, async ({ page }) => {
  await page.goto("/checkouts")
  await expect(page.getByText("Você ainda não criou nenhuma página de cobrança")).toBeVisible()
  await page.getByRole("link", { name: "Criar primeira cobrança" }).click()
  await expect(page).toHaveURL(/\/checkouts\/create$/)
})

test("a charge's link can be copied, and the charge cancelled after a question", { tag: "@desktop" }, async ({
  page,
  seller,
  request,
}) => {
  const charge = await createChargePage(request, seller, { title: "Aula de violão", amount: 80 })
  await page.goto("/checkouts")
  const row = page.getByRole("row").filter({ hasText: "Aula de violão" })
  await expect(row).toContainText("Ativa")
  await expect(row).toContainText(/R\$\s80,00/)
  await page.getByRole("button", { name: "Copiar link de Aula de violão" }).click()
  await expect(toast(page, "Link copiado para a área de transferência!")).toBeVisible()
  expect(await clipboardOf(page)).toBe(`${new URL(page.url()).origin}/checkout/${charge.uniqueLink}`)

  const actions = page.getByRole("button", { name: "Ações de Aula de violão" })
  const cancel = page.getByRole("menuitem", { name: "Cancelar cobrança" })
  const question = page.getByRole("alertdialog", { name: "Cancelar cobrança?" })
  await actions.click()
  await cancel.click()
  await expect(question).toContainText("irreversível")
  await question.getByRole("button", { name: "Voltar" }).click()
  await expect(row).toContainText("Ativa")
  await actions.click()
  await cancel.click()
  await question.getByRole("button", { name: "Cancelar cobrança" }).click()
  await expect(toast(page, "Página de cobrança cancelada com sucesso!")).toBeVisible()
  await expect(row).toContainText("Cancelada")
  await actions.click()
  await expect(page.getByRole("menuitem", { name: "Copiar link" })).toBeVisible()
  await expect(cancel).toHaveCount(0)
})

test("any charge of the list can be duplicated", { tag: "@phone" }, async ({ page, seller, request }) => {
  await createChargePage(request, seller, { title: "Bolo de casamento", amount: 450 })
  await page.goto("/checkouts")
  await page.getByRole("button", { name: "Ações de Bolo de casamento" }).click()
  await page.getByRole("menuitem", { name: "Duplicar" }).click()
  await expect(page.getByRole("heading", { level: 1, name: "Duplicar cobrança" })).toBeVisible()
  await expect(page.getByLabel("Título")).toHaveValue("Bolo de casamento")
  await expect(page.getByLabel("Valor", { exact: true })).toHaveValue("450,00")
})

test("search, status and page stand in the address, also over more than ten pages", { tag: "@desktop" }, async ({
  page,
  seller,
  request,
}) => {
  const numbers = Array.from({ length: 101 }, (_, index) => String(index + 1).padStart(3, "0"))
  for (let begin = 0; begin < numbers.length; begin += 20) {
    const titles = numbers.slice(begin, begin + 20).map((number) => `Pedido ${number}`)
    await Promise.all(titles.map((title) => createChargePage(request, seller, { title })))
  }
  const special = await createChargePage(request, seller, { title: "Curso de culinária" })
  await cancelChargePage(request, seller, special)

  await page.goto("/checkouts")
  await expect(page.getByText("Página 1 de 11")).toBeVisible()
  await expect(page.getByRole("row")).toHaveCount(11)
  await page.getByRole("button", { name: "Próxima página" }).click()
  await expect(page).toHaveURL(/page=2/)
  await page.goto("/checkouts?page=11")
  await expect(page.getByText("101–102 de 102")).toBeVisible()
  await expect(page.getByRole("row")).toHaveCount(3)

  await page.getByRole("searchbox", { name: "Buscar por título" }).fill("culinária")
  await expect(page).toHaveURL(/search=culin/)
  await expect(page.getByRole("link", { name: /^Curso de culinária/ })).toBeVisible()
  await page.getByLabel("Status").selectOption("Cancelada")
  await expect(page).toHaveURL(/status=cancelled/)
  await page.reload()
  await expect(page.getByRole("searchbox", { name: "Buscar por título" })).toHaveValue("culinária")
  await expect(page.getByLabel("Status")).toHaveValue("cancelled")
  await expect(page.getByRole("row")).toHaveCount(2)

  await page.getByLabel("Status").selectOption("Ativa")
  await expect(page.getByText("Nenhuma página de cobrança encontrada")).toBeVisible()
  await page.getByRole("button", { name: "Limpar filtros" }).first().click()
  await expect(page.getByText("Página 1 de 11")).toBeVisible()
})
