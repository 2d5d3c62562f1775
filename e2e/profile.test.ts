import { expectAccessible } from "./support/accessibility.ts"
import { password } from "./support/api.ts"
import { expect, sellerTest, toast, tryAgain } from "./support/journey.ts"

sellerTest("a seller completes the profile, and it stays", { tag: "@phone" }, async ({ page }) => {
  await page.goto("/dashboard")
  await page.getByRole("button", { name: "Conta de Ana Souza" }).click()
  await page.getByRole("menuitem", { name: "Meu Perfil" }).click()
  await expect(page).toHaveURL(/\/profile$/)
  await expect(page.getByLabel("E-mail")).not.toBeEditable()
  await expect(page.getByLabel("CPF")).not.toBeEditable()

  const account = page.getByRole("form", { name: "Dados bancários" })
  await account.getByRole("button", { name: "Salvar conta" }).click()
  await expect(account.getByRole("alert")).toContainText("Preencha todos os campos obrigatórios")
  await expect(page.getByLabel("Banco")).toBeFocused()
  await expect(page.getByLabel("Agência")).toHaveAccessibleDescription("Campo obrigatório")
  await expect(page.getByLabel("Rua")).not.toHaveAccessibleDescription(/./)
  await page.getByLabel("Nome completo").fill("")
  await page.getByRole("button", { name: "Salvar dados" }).click()
  await expect(page.getByLabel("Nome completo")).toBeFocused()
  await expectAccessible(page, "profile with mistakes")

  const answers = {
    "Nome completo": "Ana Maria Souza",
    Telefone: "11987654321",
    CEP: "01410000",
    Rua: "Rua das Acácias",
    Número: "120",
    Bairro: "Jardim Paulista",
    Cidade: "São Paulo",
    Estado: "sp",
    Banco: "Banco do Brasil",
    Agência: "1234-5",
    "Chave Pix": "ana@exemplo.com",
  }
  for (const [label, text] of Object.entries(answers)) await page.getByLabel(label).fill(text)
  await page.getByLabel("Conta", { exact: true }).fill("98765-4")
  for (const verb of ["Salvar dados", "Salvar endereço", "Salvar conta"]) {
    await page.getByRole("button", { name: verb }).click()
    await expect(page.getByText("Dados atualizados com sucesso!").first()).toBeVisible()
    await expect(toast(page, "Perfil atualizado com sucesso!")).toBeVisible()
  }
  await expect(page.getByText("Há alterações não salvas.")).toHaveCount(0)
  await expect(page.getByRole("button", { name: "Conta de Ana Maria Souza" })).toBeVisible()
  await expect(page.getByText("Dados atualizados com sucesso!")).toHaveCount(0)

  await page.reload()
  await expect(page.getByLabel("Telefone")).toHaveValue("(11) 98765-4321")
  await expect(page.getByLabel("CEP")).toHaveValue("01410-000")
  await expect(page.getByLabel("Estado")).toHaveValue("SP")
  await expect(page.getByLabel("Tipo de conta")).toHaveValue("corrente")
})

sellerTest("what was typed is not lost without a question", { tag: "@desktop" }, async ({ page }) => {
  await page.goto("/profile")
  await page.getByLabel("Rua").fill("Rua das Acácias")
  const home = page.getByRole("link", { name: "Painel" })
  await home.click()
  const question = page.getByRole("alertdialog", { name: "Sair sem salvar?" })
  await expect(question.getByRole("button", { name: "Continuar editando" })).toBeFocused()
  await expectAccessible(page, "question before changes are lost")
  await page.keyboard.press("Enter")
  await expect(page.getByLabel("Rua")).toHaveValue("Rua das Acácias")
  await home.click()
  await question.getByRole("button", { name: "Descartar e sair" }).click()
  await expect(page).toHaveURL(/\/dashboard$/)
})

sellerTest(
  "a new password ends the other sessions",
  { tag: "@desktop" },
  async ({ page, seller, request, complaints }) => {
    complaints.expect(/422 .*updateMyPassword/)
    const credentials = { email: seller.email, password }
    const other = (await (await request.post("/api/v1/auth/login", { data: credentials })).json()) as { token: string }
    await page.goto("/profile/security")
    const form = page.getByRole("form", { name: "Alterar senha" })
    await form.getByLabel("Senha atual").fill("não é esta")
    await form.getByLabel("Nova senha", { exact: true }).fill("outra senha comprida")
    await form.getByLabel("Confirmar nova senha").fill("outra senha")
    await form.getByRole("button", { name: "Alterar senha" }).click()
    await expect(form.getByLabel("Confirmar nova senha")).toHaveAccessibleDescription("As senhas não coincidem")
    await form.getByLabel("Confirmar nova senha").fill("outra senha comprida")
    await form.getByRole("button", { name: "Alterar senha" }).click()
    await expect(form.getByLabel("Senha atual")).toHaveAccessibleDescription("Senha atual incorreta")
    await form.getByLabel("Senha atual").fill(password)
    await form.getByRole("button", { name: "Alterar senha" }).click()
    await expect(toast(page, "Senha atualizada com sucesso!")).toBeVisible()
    await expect(form.getByLabel("Senha atual")).toHaveValue("")

    const answer = await request.get("/api/v1/users/me", { headers: { Authorization: `Bearer ${other.token}` } })
    expect(answer.status()).toBe(401)
    await page.reload()
    await expect(page.getByRole("heading", { name: "Meu Perfil" })).toBeVisible()
  },
)

sellerTest("a profile that can't be read or saved says so", { tag: "@phone" }, async ({ page, complaints }) => {
  complaints.expect(/ERR_FAILED|500/)
  await page.goto("/dashboard")
  await page.route(/users\/me$/, (route) => route.fulfill({ status: 500, json: {} }))
  await page.getByRole("button", { name: "Conta de Ana Souza" }).click()
  await page.getByRole("menuitem", { name: "Meu Perfil" }).click()
  await expect(page.getByRole("alert")).toContainText("Erro ao carregar dados do perfil")
  await expectAccessible(page, "profile that can't be read")
  await page.unrouteAll()
  await tryAgain(page)
  await page.getByLabel("Nome completo").fill("Ana Maria")
  await expect(page.getByText("Há alterações não salvas.")).toBeVisible()
})

sellerTest(
  "a seller sees where the account is open, and closes it there",
  { tag: "@desktop" },
  async ({ page, seller, request }) => {
    const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
    const tokens: string[] = []
    for (const userAgent of [firefox, "telefone", "relogio"]) {
      const data = { email: seller.email, password }
      const answer = await request.post("/api/v1/auth/login", { data, headers: { "User-Agent": userAgent } })
      tokens.push(((await answer.json()) as { token: string }).token)
    }
    await page.goto("/profile/security")
    const sessions = page.getByRole("region", { name: "Sessões" })
    await expect(sessions.getByRole("listitem")).toHaveCount(4)
    await expect(sessions.getByText("Esta sessão")).toHaveCount(1)
    await expectAccessible(page, "profile with sessions")
    await sessions.getByRole("button", { name: /^Encerrar Firefox/ }).click()
    await expect(toast(page, "Sessão encerrada")).toBeVisible()
    await expect(sessions.getByRole("listitem")).toHaveCount(3)

    await sessions.getByRole("button", { name: "Encerrar todas as outras" }).click()
    const question = page.getByRole("alertdialog", { name: "Encerrar as outras sessões?" })
    await expect(question).toContainText("2 dispositivos")
    await question.getByRole("button", { name: "Encerrar sessões" }).click()
    await expect(sessions.getByRole("listitem")).toHaveCount(1)
    for (const token of tokens) {
      const answer = await request.get("/api/v1/users/me", { headers: { Authorization: `Bearer ${token}` } })
      expect(answer.status()).toBe(401)
    }
  },
)

sellerTest(
  "the tabs of the profile are addresses, and an old anchor leads to its tab",
  { tag: "@phone" },
  async ({ page }) => {
    await page.goto("/profile#seguranca")
    await expect(page).toHaveURL(/\/profile\/security$/)
    await expect(page.getByRole("link", { name: "Segurança" })).toHaveAttribute("aria-current", "page")
    await expectAccessible(page, "the profile's security")
    await page.getByRole("link", { name: "Dados" }).click()
    await expect(page.getByRole("form", { name: "Dados bancários" })).toBeVisible()
    await page.getByLabel("Rua").fill("Rua das Acácias")
    await page.getByRole("link", { name: "Privacidade" }).click()
    await page.getByRole("alertdialog", { name: "Sair sem salvar?" }).getByRole("button", { name: "Continuar" }).click()
    await expect(page.getByLabel("Rua")).toHaveValue("Rua das Acácias")
    await page.getByRole("button", { name: "Descartar" }).click()
    await page.getByRole("link", { name: "Privacidade" }).click()
    await expect(page.getByRole("button", { name: "Baixar meus dados" })).toBeVisible()
    await page.goBack()
    await expect(page.getByLabel("Rua")).toHaveValue("")
  },
)
