import { createChargePage, createPaidPage, listChargePages, signUp } from "./support/api.ts"
import { expect, sellerTest as test, toast } from "./support/journey.ts"

test("a saved change shows in the list, and what is not allowed says why", { tag: "@desktop" }, async ({
  page,
  seller,
  request,
}) => {
  const charge = await createChargePage(request, seller, { title: "Aula de canto" })
  await page.goto(`/checkouts/${charge._id}`)
  const title = page.getByLabel("Título")
  const amount = page.getByLabel("Valor", { exact: true })
  const save = page.getByRole("button", { name: "Salvar alterações" })

  await title.fill(" ")
  await amount.fill("0,00")
  await page.getByLabel("Expira em (horas)").fill("169")
  await save.click()
  await expect(page.getByLabel("Expira em (horas)")).toHaveAccessibleDescription(
    "A expiração deve ficar entre 1 e 168 horas",
  )
  await page.getByLabel("Expira em (horas)").fill("24")
  await save.click()
  await expect(title).toHaveAccessibleDescription("Título é obrigatório")
  await expect(amount).toHaveAccessibleDescription(/^Valor deve ser maior que zero/)

  await title.fill("Aula de canto lírico")
  await expect(page.getByLabel("Slug")).toHaveValue("aula-de-canto-lirico")
  await amount.fill("120,50")
  await save.click()
  await expect(page).toHaveURL(/\/checkouts$/)
  await expect(page.getByRole("row").filter({ hasText: "Aula de canto lírico" })).toContainText(/R\$\s120,50/)
  expect(await listChargePages(request, seller)).toMatchObject([{ title: "Aula de canto lírico", amount: 120.5 }])
})

test("a charge is deleted after a question, and its links with it", { tag: "@phone" }, async ({
  page,
  seller,
  request,
}) => {
  const charge = await createChargePage(request, seller, { title: "Aula de dança" })
  await page.goto(`/checkouts/${charge._id}`)
  await page.getByRole("button", { name: "Excluir" }).click()
  await page.getByRole("alertdialog").getByRole("button", { name: "Excluir cobrança" }).click()
  await expect(page).toHaveURL(/\/checkouts$/)
  await expect(toast(page, "Página de cobrança excluída com sucesso!")).toBeVisible()
  await expect(page.getByText("Você ainda não criou nenhuma página de cobrança")).toBeVisible()
  expect((await request.get(`/checkout/${charge.uniqueLink}`)).status()).toBe(404)
})

test("a completed charge can't be edited, but duplicated", { tag: "@desktop" }, async ({ page, seller, request }) => {
  const charge = await createPaidPage(request, seller, { title: "Aula de teatro", amount: 45 })
  await page.goto(`/checkouts/${charge._id}`)
  await expect(page.getByText("Concluída")).toBeVisible()
  await expect(page.getByText("Esta cobrança não pode mais ser editada")).toBeVisible()
  await expect(page.getByRole("button", { name: "Salvar alterações" })).toHaveCount(0)
  await page.getByRole("link", { name: "Duplicar cobrança" }).click()
  await expect(page.getByLabel("Título")).toHaveValue("Aula de teatro")
  await expect(page.getByLabel("Valor", { exact: true })).toHaveValue("45,00")
  await page.getByRole("button", { name: "Criar cobrança", exact: true }).click()
  await expect(page).toHaveURL(/\/checkouts\/[0-9a-f-]{36}$/)
  await expect(page.getByText("Ativa")).toBeVisible()
})

test("an unknown charge and another seller's show a message and a way back", { tag: "@desktop" }, async ({
  page,
  request,
  complaints,
}) => {
  complaints.expect(/40[34] .*checkout\/pages/)
  await page.goto("/checkouts/0190a5b0-0000-7000-8000-000000000000")
  await expect(page.getByRole("heading", { name: "Página de cobrança não encontrada" })).toBeVisible()
  const foreign = await createChargePage(request, await signUp(request, "Outra Pessoa"))
  await page.goto(`/checkouts/${foreign._id}`)
  await expect(page.getByRole("heading", { name: "Você não tem permissão para acessar esta página" })).toBeVisible()
  await page.getByRole("link", { name: "Voltar às cobranças" }).click()
  await expect(page).toHaveURL(/\/checkouts$/)
})
