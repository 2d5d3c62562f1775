import { expectAccessible } from "./support/accessibility.ts"
import {
  cancelChargePage,
  createChargePage,
  createPaidPage,
  newEmail,
  password,
  payCode,
  requestPix,
} from "./support/api.ts"
import { expect, sellerTest, test, toast } from "./support/journey.ts"
import { letExpire } from "./support/scripted-checkout.ts"

const title = "Mentoria de Vendas"

test("login, registration and the unknown page are for everybody", async ({ page, complaints }) => {
  complaints.expect(/404 .*nada-aqui/)
  await page.goto("/login")
  await page.getByRole("button", { name: "Entrar" }).click()
  await expect(page.getByRole("alert")).not.toBeEmpty()
  await expectAccessible(page, "login that lacks everything")

  await page.getByRole("link", { name: "Cadastre-se" }).click()
  await page.getByRole("button", { name: "Próximo" }).click()
  await expect(page.getByRole("alert")).not.toBeEmpty()
  await expectAccessible(page, "registration, step 1, that lacks everything")

  await page.getByLabel("Nome completo").fill("Ana Souza")
  await page.getByLabel("E-mail").fill(newEmail())
  await page.getByLabel("Senha", { exact: true }).fill(password)
  await page.getByLabel("Confirmar senha").fill(password)
  await page.getByRole("button", { name: "Próximo" }).click()
  await page.getByRole("button", { name: "Cadastrar" }).click()
  await expect(page.getByLabel("CPF")).toHaveAccessibleDescription("CPF deve conter 11 dígitos numéricos")
  await expectAccessible(page, "registration, step 2, without a CPF")

  await page.getByRole("button", { name: "Termos de Serviço" }).click()
  await expectAccessible(page, "terms of service")

  await page.goto("/nada-aqui")
  await expect(page.getByRole("heading", { name: "Página Não Encontrada" })).toBeVisible()
  await expectAccessible(page, "unknown page")
})

sellerTest("a new seller's empty screens are for everybody", { tag: "@desktop" }, async ({ page }) => {
  await page.goto("/dashboard")
  await expect(page.getByRole("heading", { name: "Monte a sua loja" })).toBeVisible()
  await expectAccessible(page, "empty dashboard")
  await page.goto("/checkouts")
  await expect(page.getByText("Você ainda não criou nenhuma página de cobrança")).toBeVisible()
  await expectAccessible(page, "empty list of charges")
  await page.goto("/transactions")
  await expect(page.getByText("Você ainda não tem transações")).toBeVisible()
  await expectAccessible(page, "no transactions")
  await page.goto("/statement")
  await expect(page.getByText("Nenhum lançamento neste mês")).toBeVisible()
  await page.getByRole("button", { name: "Mostrar informe" }).click()
  await expect(page.getByText(/^Nenhum pagamento em/)).toBeVisible()
  await page.getByRole("button", { name: "Exportar" }).click()
  await expectAccessible(page, "empty statement")
  await page.goto("/checkouts/create")
  await page.getByRole("switch", { name: "Exigir dados do cliente" }).check()
  await page.getByRole("button", { name: "Mais opções" }).click()
  await page.getByRole("switch", { name: "Aceitar vários pagamentos" }).check()
  await page.getByLabel("Título").fill("!")
  await page.getByLabel("Valor", { exact: true }).fill("0,50")
  await page.getByRole("button", { name: "Criar cobrança", exact: true }).click()
  await expect(page.getByLabel("Slug")).toHaveAccessibleDescription("O slug é obrigatório")
  await expectAccessible(page, "new charge with mistakes")
})

sellerTest(
  "a busy seller's full screens are for everybody",
  { tag: "@soak-on-a-phone" },
  async ({ page, seller, request }) => {
    const open = await createChargePage(request, seller, { title })
    await requestPix(request, open)
    const cancelled = await createChargePage(request, seller, {
      title: "Cancelada ontem",
      description: "Não vale mais",
    })
    await cancelChargePage(request, seller, cancelled)
    const paid = await createPaidPage(request, seller, { title: "Aula de teatro" })

    await page.goto("/dashboard")
    await expect(page.getByRole("table").getByText("Pendente")).toBeVisible()
    await page.getByRole("button", { name: `Copiar link de ${title}` }).click()
    await expect(toast(page, "Link copiado para a área de transferência!")).toBeVisible()
    await expectAccessible(page, "full dashboard with a toast")
    await page.getByRole("button", { name: `Compartilhar ${title}` }).click()
    await expect(page.getByRole("dialog", { name: "Compartilhar cobrança" })).toBeVisible()
    await expectAccessible(page, "share dialog")

    await page.goto("/checkouts")
    await page.getByRole("button", { name: `Ações de ${title}` }).click()
    await expectAccessible(page, "actions of a charge")
    await page.getByRole("menuitem", { name: "Cancelar cobrança" }).click()
    await expect(page.getByRole("alertdialog")).toBeVisible()
    await expectAccessible(page, "question before cancelling")
    await page.keyboard.press("Escape")
    await page.getByRole("button", { name: "Conta de Ana Souza" }).click()
    await expectAccessible(page, "list of charges with the account's menu")

    await page.goto("/transactions")
    await expect(page.getByRole("table").getByText("Pago")).toBeVisible()
    await expectAccessible(page, "transactions")
    await page.goto(`/checkouts/${paid._id}`)
    await expect(page.getByRole("link", { name: "Duplicar cobrança" })).toBeVisible()
    await expectAccessible(page, "completed charge")
    await page.goto(`/checkouts/${open._id}`)
    await page.getByLabel("Título").fill("")
    await page.getByRole("button", { name: "Salvar alterações" }).click()
    await expect(page.getByLabel("Título")).toHaveAccessibleDescription("Título é obrigatório")
    await expectAccessible(page, "charge being edited, with a mistake")
  },
)

test("every screen of the checkout is for everybody", async ({ page, seller, request, complaints }) => {
  complaints.expect(/404 .*\/checkout\//)
  const anonymous = await createChargePage(request, seller, { title })
  await page.goto(`/checkout/${anonymous.uniqueLink}`)
  await expectAccessible(page, "start")
  await page.getByRole("button", { name: "Gerar PIX Instantâneo" }).click()
  await expect(page.getByRole("button", { name: "Copiar Código PIX" })).toBeVisible()
  await expectAccessible(page, "QR code")
  await payCode(request, (await page.getByText(/^000201\w/).textContent()) ?? "")
  await expect(page.getByRole("heading", { name: "Pagamento Aprovado!" })).toBeVisible()
  await expectAccessible(page, "approved")
  await page.evaluate(() => sessionStorage.clear())
  await page.reload()
  await expect(page.getByRole("heading", { name: "Cobrança já paga" })).toBeVisible()
  await expectAccessible(page, "paid by somebody else")

  const withForm = await createChargePage(request, seller, {
    requireCustomerData: true,
    pixConfig: { allowAnonymous: false, expiresInHours: 24 },
  })
  await page.goto(`/checkout/${withForm.uniqueLink}`)
  await expectAccessible(page, "form")
  await page.getByRole("button", { name: "Pagar com PIX" }).click()
  await expect(page.getByLabel("Nome completo")).toHaveAccessibleDescription("Nome é obrigatório")
  await expectAccessible(page, "form with a mistake")

  await page.goto("/checkout/nao-existe")
  await expectAccessible(page, "oops")
})

test("codes that ended, and the bank of the sandbox, are for everybody", { tag: "@phone" }, async ({
  page,
  seller,
  request,
}) => {
  const expiring = await createChargePage(request, seller, { title })
  await letExpire(page)
  await page.goto(`/checkout/${expiring.uniqueLink}`)
  await page.getByRole("button", { name: "Gerar PIX Instantâneo" }).click()
  await expect(page.getByRole("link", { name: "Gerar novo código" })).toBeVisible()
  await expectAccessible(page, "expired")
  await page.unrouteAll()
  await page.getByRole("link", { name: "Gerar novo código" }).click()
  await expect(page.getByRole("button", { name: "Copiar Código PIX" })).toBeVisible()
  await cancelChargePage(request, seller, expiring)
  await expect(page.getByText("Esta cobrança não está mais disponível.")).toBeVisible()
  await expectAccessible(page, "cancelled")

  await page.goto("/simulador")
  await expectAccessible(page, "bank")
  const paid = await requestPix(request, await createChargePage(request, seller))
  await payCode(request, paid.pixCode)
  await page.getByLabel("Código Pix copia e cola").fill(paid.pixCode)
  await page.getByRole("button", { name: "Continuar" }).click()
  await expect(page.getByRole("heading", { name: "Não dá para pagar" })).toBeVisible()
  await expectAccessible(page, "bank that can't pay a code")
  await page.getByRole("button", { name: "Usar outro código" }).click()
  const payable = await requestPix(request, await createChargePage(request, seller))
  await page.getByLabel("Código Pix copia e cola").fill(payable.pixCode)
  await page.getByRole("button", { name: "Continuar" }).click()
  await page.getByRole("button", { name: /^Pagar R\$/ }).click()
  await expect(page.getByRole("heading", { name: "Pagamento realizado" })).toBeVisible()
  await expectAccessible(page, "bank's receipt")
})
