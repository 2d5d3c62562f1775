import { createChargePage, createPaidPage } from "./support/api.ts"
import { clipboardOf, expect, sellerTest, test, toast } from "./support/journey.ts"
import { pressAt, typeAt } from "./support/tab-to.ts"

test("a seller logs in, creates a charge and copies its link without a mouse", { tag: "@desktop" }, async ({
  page,
  seller,
}) => {
  await page.goto("/login")
  await typeAt(page, page.getByLabel("E-mail"), seller.email)
  await typeAt(page, page.getByLabel("Senha", { exact: true }), seller.password)
  await page.keyboard.press("Enter")
  await expect(page).toHaveURL(/\/dashboard$/)

  await pressAt(page, page.getByRole("link", { name: "Criar cobrança Pix" }))
  await expect(page).toHaveURL(/\/checkouts\/create$/)
  await typeAt(page, page.getByLabel("Título"), "Aula de piano")
  await typeAt(page, page.getByLabel("Valor", { exact: true }), "10000")
  await pressAt(page, page.getByRole("switch", { name: "Exigir dados do cliente" }), "Space")
  await expect(page.getByRole("checkbox", { name: "CPF" })).toBeChecked()
  await page.keyboard.press("Space")
  await pressAt(page, page.getByRole("button", { name: "Criar cobrança", exact: true }))
  await expect(page).toHaveURL(/\/checkouts\/[0-9a-f-]{36}$/)

  await pressAt(page, page.getByRole("dialog").getByRole("button", { name: "Copiar link" }), "Space")
  await expect(toast(page, "Link copiado para a área de transferência!")).toBeVisible()
  expect(await clipboardOf(page)).toMatch(/\/checkout\/\w{12,}$/)
})

sellerTest("the first Tab offers to skip the menu", { tag: "@desktop" }, async ({ page }) => {
  await page.goto("/checkouts")
  await expect(page.getByRole("heading", { name: "Páginas de Cobrança" })).toBeVisible()
  await page.keyboard.press("Tab")
  const skip = page.getByRole("link", { name: "Pular para o conteúdo" })
  await expect(skip).toBeFocused()
  await expect(skip).toBeInViewport()
  await page.keyboard.press("Enter")
  await expect(page.getByRole("main")).toBeFocused()
  await page.keyboard.press("Tab")
  await expect(page.getByRole("main").getByRole("link", { name: "Nova Cobrança" })).toBeFocused()
})

sellerTest(
  "Esc closes what is open, and the focus goes back",
  { tag: "@desktop" },
  async ({ page, seller, request }) => {
    await createChargePage(request, seller, { title: "Aula de piano" })
    await page.goto("/dashboard")
    const share = page.getByRole("button", { name: "Compartilhar Aula de piano" })
    await pressAt(page, share)
    await expect(page.getByRole("dialog", { name: "Compartilhar cobrança" })).toBeVisible()
    await page.keyboard.press("Escape")
    await expect(page.getByRole("dialog")).toHaveCount(0)
    await expect(share).toBeFocused()

    const account = page.getByRole("button", { name: "Conta de Ana Souza" })
    await account.focus()
    await page.keyboard.press("Enter")
    await expect(page.getByRole("menuitem", { name: "Meu Perfil" })).toBeFocused()
    await page.keyboard.press("Escape")
    await expect(account).toBeFocused()

    await page.goto("/checkouts")
    const actions = page.getByRole("button", { name: "Ações de Aula de piano" })
    await pressAt(page, actions, "Space")
    await expect(page.getByRole("menuitem", { name: "Compartilhar" })).toBeFocused()
    await page.keyboard.press("End")
    await page.keyboard.press("Enter")
    await expect(page.getByRole("alertdialog").getByRole("button", { name: "Voltar" })).toBeFocused()
    await page.keyboard.press("Escape")
    await expect(page.getByRole("alertdialog")).toHaveCount(0)
    await expect(actions).toBeFocused()
  },
)

sellerTest(
  "a seller asks for a withdrawal and takes it back without a mouse",
  { tag: "@desktop" },
  async ({ page, seller, request }) => {
    await createPaidPage(request, seller)
    await page.goto("/withdrawals")
    const open = page.getByRole("button", { name: "Solicitar Saque" })
    await expect(open).toBeEnabled()
    await pressAt(page, open)
    await expect(page.getByLabel("Valor", { exact: true })).toBeFocused()
    await page.keyboard.type("5000")
    await pressAt(page, page.getByRole("radio", { name: "PIX" }), "ArrowRight")
    await expect(page.getByLabel("Agência")).toBeVisible()
    await page.keyboard.press("ArrowLeft")
    await typeAt(page, page.getByLabel("Chave Pix"), "ana@exemplo.com")
    await page.keyboard.press("Enter")
    await expect(toast(page, "Solicitação de saque enviada com sucesso!")).toBeVisible()
    await expect(open).toBeFocused()

    const cancel = page.getByRole("button", { name: /^Cancelar saque de R\$\s50,00$/ })
    await pressAt(page, cancel)
    await expect(page.getByRole("alertdialog").getByRole("button", { name: "Voltar" })).toBeFocused()
    await page.keyboard.press("Tab")
    await page.keyboard.press("Enter")
    await expect(page.getByRole("table")).toContainText("Cancelado")
  },
)

test("a payer generates and copies the code without a mouse", { tag: "@desktop" }, async ({
  page,
  seller,
  request,
}) => {
  const charge = await createChargePage(request, seller)
  await page.goto(`/checkout/${charge.uniqueLink}`)
  await pressAt(page, page.getByRole("button", { name: "Gerar PIX Instantâneo" }))
  await expect(page.getByRole("button", { name: "Copiar Código PIX" })).toBeFocused()
  await page.keyboard.press("Enter")
  await expect(page.getByRole("button", { name: "Copiado!" })).toBeVisible()
  expect(await clipboardOf(page)).toMatch(/^000201/)
})
