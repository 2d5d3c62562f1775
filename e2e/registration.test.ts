import type { Page } from "@playwright/test"
import { newEmail, password, validCpf } from "./support/api.ts"
import { expect, test, toast } from "./support/journey.ts"

const fillIn = "Preencha todos os campos obrigatórios"

async function fillAccount(page: Page, email: string): Promise<void> {
  await page.getByLabel("Nome completo").fill("Bia Lima")
  await page.getByLabel("E-mail").fill(email)
  await page.getByLabel("Senha", { exact: true }).fill(password)
  await page.getByLabel("Confirmar senha").fill(password)
}

test("step 1 says what is missing, too short or different, and keeps what was typed", { tag: "@phone" }, async ({
  page,
}) => {
  await page.goto("/register")
  const name = page.getByLabel("Nome completo")
  const typedPassword = page.getByLabel("Senha", { exact: true })
  const repeated = page.getByLabel("Confirmar senha")
  const next = page.getByRole("button", { name: "Próximo" })

  await next.click()
  await expect(page.getByRole("alert")).toHaveText(fillIn)
  await expect(name).toBeFocused()
  for (const label of ["Nome completo", "E-mail", "Confirmar senha"]) {
    await expect(page.getByLabel(label)).toHaveAttribute("aria-invalid", "true")
  }

  await fillAccount(page, newEmail())
  await typedPassword.fill("curta")
  await repeated.fill("curta")
  await next.click()
  await expect(typedPassword).toHaveAccessibleDescription("A senha deve ter pelo menos 8 caracteres")
  await expect(page.getByRole("alert")).toBeEmpty()

  await typedPassword.fill(password)
  await repeated.fill(`${password}!`)
  await next.click()
  await expect(repeated).toHaveAccessibleDescription("As senhas não coincidem")
  await expect(name).toHaveValue("Bia Lima")

  await repeated.fill(password)
  await next.click()
  await expect(page.getByLabel("CPF")).toBeFocused()
})

test("step 2 takes eleven digits as CPF, and Voltar keeps both steps", { tag: "@phone" }, async ({ page }) => {
  const email = newEmail()
  await page.goto("/register")
  await fillAccount(page, email)
  await page.getByRole("button", { name: "Próximo" }).click()
  const cpf = page.getByLabel("CPF")
  await cpf.pressSequentially("529.982a247-2")
  await expect(cpf).toHaveValue("5299822472")
  await page.getByLabel("Telefone").fill("11987654321")
  await expect(page.getByLabel("Telefone")).toHaveValue("(11) 98765-4321")
  await page.getByRole("button", { name: "Cadastrar" }).click()
  await expect(cpf).toHaveAccessibleDescription("CPF deve conter 11 dígitos numéricos")

  await page.getByRole("button", { name: "Voltar" }).click()
  await expect(page.getByLabel("E-mail")).toHaveValue(email)
  await expect(page.getByLabel("Confirmar senha")).toHaveValue(password)
  await page.getByRole("button", { name: "Próximo" }).click()
  await expect(cpf).toHaveValue("5299822472")
  await cpf.pressSequentially("59")
  await expect(cpf).toHaveValue("52998224725")

  const elsewhere = page.getByLabel("Rua")
  await elsewhere.fill("529.982.247-25")
  await elsewhere.press("ControlOrMeta+A")
  await elsewhere.press("ControlOrMeta+C")
  await cpf.clear()
  await cpf.press("ControlOrMeta+V")
  await expect(cpf).toHaveValue("52998224725")
})

test("the browser's back returns to step 1 with all that was typed, and the password stands nowhere", {
  tag: "@phone",
}, async ({ page }) => {
  const email = newEmail()
  await page.goto("/register")
  await fillAccount(page, email)
  await page.getByRole("button", { name: "Próximo" }).click()
  await expect(page).toHaveURL(/\/register\?step=2$/)
  await page.getByLabel("CPF").fill(validCpf)
  await page.goBack()
  await expect(page).toHaveURL(/\/register$/)
  await expect(page.getByLabel("E-mail")).toHaveValue(email)
  await expect(page.getByLabel("Senha", { exact: true })).toHaveValue(password)
  await page.goForward()
  await expect(page.getByLabel("CPF")).toHaveValue(validCpf)
  const kept = await page.evaluate(() =>
    JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage), history.state]),
  )
  expect(kept).not.toContain(password)

  await page.reload()
  await expect(page).toHaveURL(/\/register$/)
  await expect(page.getByLabel("Nome completo")).toHaveValue("")
})

test("an e-mail that somebody has is refused with the server's words", { tag: "@phone" }, async ({
  page,
  seller,
  complaints,
}) => {
  complaints.expect(/409 .*auth\/signup/)
  await page.goto("/register")
  await fillAccount(page, seller.email.toUpperCase())
  await page.getByRole("button", { name: "Próximo" }).click()
  await page.getByLabel("CPF").fill(validCpf)
  await page.getByRole("button", { name: "Cadastrar" }).click()
  await expect(page.getByRole("alert")).toHaveText("Este e-mail já está cadastrado.")
  await expect(page).toHaveURL(/\/register$/)
  expect(await page.evaluate(() => localStorage.getItem("token"))).toBeNull()
})

test("a double click on Cadastrar makes one account", { tag: "@desktop" }, async ({ page }) => {
  await page.goto("/register")
  await fillAccount(page, newEmail())
  await page.getByRole("button", { name: "Próximo" }).click()
  await page.getByLabel("CPF").fill(validCpf)
  const answers: number[] = []
  page.on("response", (answer) => {
    if (answer.url().endsWith("/auth/signup")) answers.push(answer.status())
  })
  await page.getByRole("button", { name: "Cadastrar" }).dblclick()
  await expect(page).toHaveURL(/\/dashboard$/)
  await expect(toast(page, "Cadastro realizado com sucesso!")).toBeVisible()
  expect(answers).toEqual([201])
})

test("terms and privacy open in a dialog of the registration", { tag: "@desktop" }, async ({ page }) => {
  await page.goto("/register")
  for (const name of ["Termos de Serviço", "Política de Privacidade"]) {
    await page.getByRole("button", { name }).click()
    await expect(page.getByRole("dialog", { name })).toBeVisible()
    await page.getByRole("button", { name: "Entendi" }).click()
    await expect(page.getByRole("dialog")).toHaveCount(0)
  }
})
