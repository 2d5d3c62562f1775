import { expectAccessible } from "./support/accessibility.ts"
import { admin, createChargePage, createPaidPage, newEmail, requestPix, requestWithdrawal } from "./support/api.ts"
import { expect, toast, tryAgain } from "./support/journey.ts"
import { linkFromMail } from "./support/mails.ts"
import { adminTest as test } from "./support/own-server.ts"
import { expectNoSidewaysScroll, narrow } from "./support/sideways-scroll.ts"

const longTitle = "Acompanhamentopersonalizadodeemagrecimentoereeducaçãoalimentar – plano anual com doze encontros"
const byPix = { paymentMethod: "pix", pixKey: "ana@exemplo.com" }

test("the dashboard counts everything and leads to it", { tag: "@soak-on-a-phone" }, async ({
  page,
  seller,
  request,
}) => {
  await createPaidPage(request, seller, { title: "Aula de teatro", amount: 100 })
  await requestPix(request, await createChargePage(request, seller, { title: "Curso de desenho" }))
  await requestWithdrawal(request, seller, { ...byPix, amount: 30 })

  await page.goto("/admin")
  await expect(page).toHaveTitle(/^Painel · /)
  const summary = page.getByRole("region", { name: "Resumo" })
  for (const [title, path] of [
    ["Usuários cadastrados", "/admin/users"],
    ["Receita total", "/admin/transactions?status=approved"],
    ["Transações", "/admin/transactions"],
    ["Saques pendentes", "/admin/withdrawals?status=pending"],
    ["Páginas de cobrança", "/admin/checkout-pages"],
    ["Crescimento mensal", "/admin/reports"],
  ] as const) {
    const card = summary.getByRole("article").filter({ has: page.getByRole("heading", { name: title, exact: true }) })
    await expect(card.getByText(/\d/).first()).toBeVisible()
    await expect(card.getByRole("link")).toHaveAttribute("href", path)
  }
  await expect(page.getByRole("table", { name: "Transações recentes" })).toContainText("Curso de desenho")
  await expectAccessible(page, "dashboard")

  const users = page.locator("section").filter({ has: page.getByRole("heading", { name: "Usuários recentes" }) })
  await users.getByRole("listitem").filter({ hasText: seller.email }).getByRole("link").click()
  const details = page.getByRole("dialog", { name: "Detalhes do usuário" })
  await expect(details.getByText(/^R\$\s55,\d\d$/)).toBeVisible()
  await expect(details.getByRole("link", { name: /^Transações/ })).toHaveAttribute(
    "href",
    `/admin/transactions?search=${encodeURIComponent(seller.email)}`,
  )
  await expectAccessible(page, "details of a user")
  await details.getByRole("link", { name: /^Páginas de cobrança/ }).click()
  const pages = page.getByRole("table", { name: "Páginas de cobrança" })
  await expect(pages.getByText("Aula de teatro")).toBeVisible()
  await expect(pages.getByText("Curso de desenho")).toBeVisible()
  await expectAccessible(page, "everybody's charge pages")
})

test("a seller gets a fee of their own, sees it, and gets the platform's back", async ({ page, seller, payer }) => {
  await page.goto(`/admin/users?search=${encodeURIComponent(seller.email)}`)
  await page.getByRole("button", { name: `Ações de ${seller.name}` }).click()
  await page.getByRole("menuitem", { name: "Editar", exact: true }).click()
  const edit = page.getByRole("dialog", { name: "Editar usuário" })
  const fee = edit.getByLabel("Taxa deste vendedor (%)")
  await fee.fill("100.5")
  await edit.getByRole("button", { name: "Salvar" }).click()
  await expect(fee).toHaveAccessibleDescription("A taxa deve ficar entre 0 e 100, com no máximo duas casas decimais.")
  await expectAccessible(page, "a seller's fee")
  await fee.fill("7.5")
  await edit.getByRole("button", { name: "Salvar" }).click()
  await expect(toast(page, "Usuário atualizado com sucesso!")).toBeVisible()

  await payer.addInitScript((token) => localStorage.setItem("token", token), seller.token)
  await payer.goto("/checkouts/create")
  await payer.getByLabel("Valor", { exact: true }).pressSequentially("10000")
  await expect(payer.getByRole("region", { name: "Resumo financeiro" })).toContainText(/Taxa \(7,5%\)/)

  await page.getByRole("button", { name: `Ações de ${seller.name}` }).click()
  await page.getByRole("menuitem", { name: "Ver detalhes" }).click()
  const details = page.getByRole("dialog", { name: "Detalhes do usuário" })
  await expect(details.getByText("7,5%, só deste vendedor")).toBeVisible()
  await details.getByRole("button", { name: "Editar" }).click()
  await edit.getByLabel("Taxa deste vendedor (%)").fill("")
  await edit.getByRole("button", { name: "Salvar" }).click()
  await expect(details.getByText("A da plataforma")).toBeVisible()
})

test("a dashboard that can't be loaded says so and tries again", { tag: "@desktop" }, async ({ page, complaints }) => {
  complaints.expect(/ERR_FAILED/)
  await page.route("**/api/v1/admin/reports/dashboard", (route) => route.abort())
  await page.goto("/admin")
  const alert = page.getByRole("alert")
  await expect(alert).toContainText("Erro ao carregar dados do dashboard")
  await expectAccessible(page, "dashboard without its numbers")
  await page.unrouteAll()
  await tryAgain(alert)
  await expect(alert).toBeHidden()
  await expect(page.getByRole("heading", { name: "Receita total" })).toBeVisible()
})

test("an admin invites, changes, inactivates and activates a user", { tag: "@desktop" }, async ({
  page,
  request,
  complaints,
}) => {
  complaints.expect(/409 .*\/api\/v1\/admin\/users/)
  const email = newEmail()
  await page.goto("/admin/users")
  await page.getByRole("button", { name: "Novo usuário" }).click()
  const form = page.getByRole("dialog", { name: "Novo usuário" })
  await form.getByRole("button", { name: "Cadastrar" }).click()
  await expect(form.getByRole("alert")).toHaveText("Preencha todos os campos obrigatórios")
  await expect(form.getByLabel("Nome", { exact: true })).toBeFocused()
  await expectAccessible(page, "a new user without a name")
  await form.getByLabel("Nome", { exact: true }).fill("Caio Reis")
  await form.getByLabel("E-mail").fill(admin.email)
  await form.getByRole("button", { name: "Cadastrar" }).click()
  await expect(form.getByLabel("E-mail")).toHaveAccessibleDescription("Este e-mail já está cadastrado.")
  await form.getByLabel("E-mail").fill(email)
  await form.getByRole("button", { name: "Cadastrar" }).click()
  await expect(toast(page, "Usuário cadastrado com sucesso!")).toBeVisible()
  const invitation = page.getByRole("dialog", { name: "Convite" })
  await expect(invitation).toContainText(email)
  await expect(invitation.getByText(/\/reset-password\/[\w-]{43}$/)).toBeVisible()
  expect(await linkFromMail(request, email)).toContain("/reset-password/")
  await expectAccessible(page, "an invitation to copy")
  await invitation.getByRole("button", { name: "Fechar", exact: true }).last().click()

  await page.getByRole("searchbox").fill(email)
  const row = page.getByRole("table").getByRole("row").filter({ hasText: email })
  await expect(row).toContainText("Ativo")
  await expect(page).toHaveURL(/search=/)
  const choose = async (name: string, verb: string) => {
    await page.getByRole("button", { name: `Ações de ${name}` }).click()
    await page.getByRole("menuitem", { name: verb, exact: true }).click()
  }
  await choose("Caio Reis", "Editar")
  const edit = page.getByRole("dialog", { name: "Editar usuário" })
  await edit.getByLabel("Nome", { exact: true }).fill("Caio Reis Lima")
  await edit.getByLabel("Perfil").selectOption("Administrador")
  await edit.getByRole("button", { name: "Salvar" }).click()
  await expect(row).toContainText("Administrador")
  await page.getByRole("button", { name: "Ações de Caio Reis Lima" }).click()
  await expect(page.getByRole("menuitem", { name: /^Desativar Administradores não podem/ })).toBeDisabled()
  await expectAccessible(page, "actions of an administrator")
  await page.getByRole("menuitem", { name: "Ver detalhes" }).click()
  const details = page.getByRole("dialog", { name: "Detalhes do usuário" })
  await expect(details.getByRole("button", { name: "Excluir" })).toBeDisabled()
  await page.keyboard.press("Escape")

  await choose("Caio Reis Lima", "Editar")
  await edit.getByLabel("Perfil").selectOption("Usuário")
  await edit.getByRole("button", { name: "Salvar" }).click()
  await expect(row).toContainText("Usuário")
  await choose("Caio Reis Lima", "Desativar")
  const question = page.getByRole("alertdialog", { name: "Desativar usuário?" })
  await expect(question).toContainText(`Caio Reis Lima (${email})`)
  await expectAccessible(page, "question before inactivating")
  await question.getByRole("button", { name: "Desativar usuário" }).click()
  await expect(row).toContainText("Inativo")
  await choose("Caio Reis Lima", "Ativar")
  await page.getByRole("alertdialog").getByRole("button", { name: "Ativar usuário" }).click()
  await expect(row).not.toContainText("Inativo")
  await choose("Caio Reis Lima", "Ver detalhes")
  await details.getByRole("button", { name: "Excluir" }).click()
  await page.getByRole("alertdialog").getByRole("button", { name: "Excluir usuário" }).click()
  await expect(details.getByText("Inativo")).toBeVisible()
  await page.keyboard.press("Escape")

  await page.getByLabel("Status").selectOption("Ativos")
  await expect(page.getByText("Nenhum usuário encontrado")).toBeVisible()
  await expectAccessible(page, "no user found")
  await page.getByRole("button", { name: "Limpar filtros" }).first().click()
  await page.getByRole("searchbox").fill(email)
  await choose("Caio Reis Lima", "Ativar")
  await page.getByRole("alertdialog").getByRole("button", { name: "Ativar usuário" }).click()
  await expect(row).not.toContainText("Inativo")
  await expectAccessible(page, "users")
})

test("an administrator looks at a seller's screens in a tab of its own, and changes nothing there", async ({
  page,
  seller,
  request,
  isMobile,
}) => {
  await createPaidPage(request, seller, { title: "Aula de teatro", amount: 100 })
  await page.goto(`/admin/users?search=${encodeURIComponent(seller.email)}`)
  await page.getByRole("table").getByRole("row").filter({ hasText: seller.email }).getByRole("link").click()
  const details = page.getByRole("dialog", { name: "Detalhes do usuário" })
  await details.getByRole("button", { name: "Anotar" }).click()
  const note = page.getByRole("dialog", { name: "Anotação" })
  await note.getByLabel("Texto").fill("Pediu ajuda com o saque.\nRetornar na sexta.")
  await expectAccessible(page, "a note about a user")
  await note.getByRole("button", { name: "Salvar" }).click()
  await expect(toast(page, "Anotação salva")).toBeVisible()
  await expect(details.getByText("Pediu ajuda com o saque.")).toBeVisible()

  await details.getByRole("button", { name: "Ver como vendedor" }).click()
  const question = page.getByRole("alertdialog", { name: "Ver como vendedor?" })
  await expectAccessible(page, "the question before somebody's account is looked at")
  const opened = page.waitForEvent("popup")
  await question.getByRole("button", { name: "Ver como vendedor" }).click()
  const view = await opened
  const bar = view.getByRole("region", { name: "Visualização" })
  await expect(bar).toContainText(`Você está vendo como ${seller.name}. Somente leitura.`)
  await expect(bar).toContainText("Restam 15 min.")
  await expect(view).toHaveURL(/\/dashboard$/)
  await expect(view.getByText("Aula de teatro").first()).toBeVisible()
  await expectAccessible(view, "a seller's dashboard as an administrator sees it")

  await view.goto("/notices/security")
  await expect(view.getByRole("heading", { name: "Um administrador viu o seu painel" })).toBeVisible()
  await view.goto("/withdrawals?request=true")
  const form = view.getByRole("dialog", { name: "Solicitar Saque" })
  await form.getByLabel("Valor", { exact: true }).fill("10,00")
  await form.getByLabel("Chave Pix").fill("ana@exemplo.com")
  await form.getByRole("button", { name: /^Solicitar/ }).click()
  await expect(form.getByRole("alert")).toContainText("Você está só vendo esta conta")
  await view.keyboard.press("Escape")

  await page.reload()
  await expect(details.getByText("Pediu ajuda com o saque.")).toBeVisible()
  if (isMobile) await expect(bar).toBeInViewport()
  await bar.getByRole("button", { name: "Sair" }).click()
  await expect(view).toHaveURL(/\/admin\/users$/)
  await expect(view.getByRole("heading", { name: "Usuários", exact: true })).toBeVisible()
  await page.reload()
  await expect(details).toBeVisible()
})

test("reports show what was charged and paid, of any days", { tag: "@phone" }, async ({
  page,
  seller,
  request,
  complaints,
}) => {
  complaints.expect(/ERR_FAILED/)
  await createPaidPage(request, seller, { title: "Aula de teatro", amount: 250 })
  await page.goto("/admin/reports")
  await expect(page.getByRole("heading", { name: "Relatórios" })).toBeVisible()
  const panel = (name: string) => page.getByRole("region", { name })
  await expect(panel("Transações por Dia").getByRole("table").getByRole("row")).toHaveCount(8)
  await expect(panel("Receita Mensal").getByRole("table").getByRole("row")).toHaveCount(13)
  await expect(panel("Métodos de Pagamento").getByRole("listitem")).toContainText("PIX")
  await expect(panel("Top 5 Usuários").getByRole("table")).toContainText(seller.email)
  await panel("Transações por Dia").getByRole("slider", { name: "Dia do gráfico" }).press("ArrowLeft")
  await expectAccessible(page, "reports")

  await page.getByLabel("Data inicial").fill("2020-02-01")
  await page.getByLabel("Data final").fill("2020-01-01")
  await page.getByRole("button", { name: "Gerar Relatório" }).click()
  await expect(page.getByLabel("Data final")).toHaveAccessibleDescription("Deve vir depois da inicial.")
  await page.getByLabel("Data final").fill("2020-02-07")
  await page.getByRole("button", { name: "Gerar Relatório" }).click()
  await expect(page).toHaveURL(/startDate=2020-02-01&endDate=2020-02-07/)
  await expect(page.getByText("Nenhum dado disponível")).toHaveCount(3)
  await expect(page.getByText("Nenhum usuário encontrado")).toBeVisible()
  await expectAccessible(page, "reports without anything")

  await page.route("**/api/v1/admin/reports/*", (route) => route.abort())
  await page.getByRole("button", { name: "Gerar Relatório" }).click()
  await expect(page.getByRole("alert")).toContainText("Erro ao carregar dados do relatório")
  await expectAccessible(page, "reports that failed")
})

test.describe("at 320 pixels", () => {
  test.use(narrow)

  test("nothing of the admin's screens is wider than the screen", { tag: "@phone" }, async ({
    page,
    seller,
    request,
  }) => {
    await createPaidPage(request, seller, { title: longTitle, description: longTitle, amount: 9_999_999.99 })
    const table = page.getByRole("table")
    const screens = [
      { path: "/admin", landmark: table.getByText("Aprovada") },
      { path: "/admin/users", landmark: table.getByText(seller.email) },
      { path: "/admin/checkout-pages", landmark: table.getByText("Concluída") },
      { path: "/admin/reports", landmark: table.getByText(seller.email) },
    ]
    for (const { path, landmark } of screens) {
      await page.goto(path)
      await expect(landmark.first()).toBeVisible()
      await expectNoSidewaysScroll(page, path)
    }
    await page.goto("/admin/users")
    await table.getByRole("link", { name: seller.name }).first().click()
    await expect(page.getByRole("dialog").getByText("Saldo disponível")).toBeVisible()
    await expectNoSidewaysScroll(page, "details of a user")
    await page.getByRole("button", { name: "Editar", exact: true }).click()
    await expect(page.getByRole("dialog", { name: "Editar usuário" })).toBeVisible()
    await expectNoSidewaysScroll(page, "form of a user")
  })
})
