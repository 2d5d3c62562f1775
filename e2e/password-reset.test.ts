import type { Locator, Page } from "@playwright/test"
import { expectAccessible } from "./support/accessibility.ts"
import { newEmail, type Seller } from "./support/api.ts"
import { expect, sellerTest, test, toast } from "./support/journey.ts"
import { linkFromMail } from "./support/mails.ts"

const newPassword = "outra senha comprida"
const sentText = "Email de recuperação enviado. Verifique sua caixa de entrada."
const doneText = "Senha redefinida com sucesso! Você será redirecionado para a página de login..."
const deadLinkText = "Link inválido ou expirado. Peça um novo e-mail de recuperação."
const deadLink = "/reset-password/um-link-que-nao-existe"

function notice(page: Page, text: string): Locator {
  return page.getByRole("paragraph").filter({ hasText: text })
}

async function askForLink(page: Page, email: string): Promise<void> {
  await page.getByLabel("E-mail").fill(email)
  await page.getByRole("button", { name: "Enviar link" }).click()
  await expect(notice(page, sentText)).toBeFocused()
}

async function typePasswords(page: Page, password: string, confirmation = password): Promise<void> {
  await page.getByLabel("Nova senha", { exact: true }).fill(password)
  await page.getByLabel("Confirmar nova senha").fill(confirmation)
  await page.getByRole("button", { name: "Redefinir senha" }).click()
}

async function logIn(page: Page, { email }: Seller, password: string): Promise<void> {
  await page.getByLabel("E-mail").fill(email)
  await page.getByLabel("Senha", { exact: true }).fill(password)
  await page.getByRole("button", { name: "Entrar" }).click()
}

test("a forgotten password is replaced by the link of a mail, once", { tag: "@desktop" }, async ({
  page,
  seller,
  request,
  complaints,
}) => {
  complaints.expect(/401 .*auth\/login/)
  complaints.expect(/400 .*auth\/resetPassword/)
  await page.clock.install()
  await page.goto("/login")
  await page.getByRole("link", { name: "Esqueceu sua senha?" }).click()
  await expect(page).toHaveURL(/\/forgot-password$/)
  await expect(page).toHaveTitle("Recuperar senha · Tilinta")
  await expect(page.getByRole("heading", { name: "Recuperar senha" })).toBeFocused()
  await askForLink(page, seller.email)
  await expect(toast(page, "Email de recuperação enviado com sucesso!")).toBeVisible()
  const link = await linkFromMail(request, seller.email)

  const answer = await page.goto(link)
  expect(answer?.status()).toBe(200)
  await expect(page).toHaveTitle("Redefinir senha · Tilinta")
  await page.clock.pauseAt(new Date(Date.now() + 60_000))
  await typePasswords(page, newPassword)
  await expect(notice(page, doneText)).toBeFocused()
  await page.clock.runFor(2_800)
  await expect(page).toHaveURL(link)
  await page.clock.runFor(300)
  await expect(page).toHaveURL(/\/login$/)
  await page.clock.resume()

  await logIn(page, seller, seller.password)
  await expect(page.getByRole("alert")).toHaveText("E-mail ou senha incorretos.")
  await logIn(page, seller, newPassword)
  await expect(page).toHaveURL(/\/dashboard$/)

  await page.goto(link)
  await typePasswords(page, "uma terceira senha")
  await expect(page.getByRole("alert")).toHaveText(deadLinkText)
})

sellerTest(
  "the link works in a browser whose session is open, and ends that session",
  { tag: "@desktop" },
  async ({ page, seller, request }) => {
    await request.post("/api/v1/auth/forgotPassword", { data: { email: seller.email } })
    await page.goto(await linkFromMail(request, seller.email))
    await typePasswords(page, newPassword)
    await expect(notice(page, doneText)).toBeVisible()
    await page.getByRole("link", { name: "Ir para o login" }).click()
    await expect(page.getByRole("heading", { name: "Entrar" })).toBeFocused()
    expect(await page.evaluate(() => localStorage.getItem("token"))).toBeNull()
  },
)

test("asking for a link says what is wrong with the address and with the answer", { tag: "@desktop" }, async ({
  page,
  complaints,
}) => {
  complaints.expect(/502 .*auth\/forgotPassword/)
  complaints.expect(/ERR_FAILED .*auth\/forgotPassword/)
  await page.goto("/forgot-password")
  const email = page.getByLabel("E-mail")
  const send = page.getByRole("button", { name: "Enviar link" })
  await send.click()
  await expect(email).toHaveAccessibleDescription("Informe seu e-mail.")
  await expect(email).toBeFocused()
  await expectAccessible(page, "question for a link without an address")
  await email.fill("ana@")
  await expect(email).toHaveAccessibleDescription("E-mail inválido")

  await email.fill(newEmail())
  await page.route("**/auth/forgotPassword", (route) => route.fulfill({ status: 502, body: "" }))
  await send.click()
  await expect(page.getByRole("alert")).toHaveText("Falha ao enviar email de recuperação")
  await page.unrouteAll()
  await page.route("**/auth/forgotPassword", (route) => route.abort())
  await send.click()
  await expect(page.getByRole("alert")).toHaveText("Ocorreu um erro ao tentar recuperar sua senha.")
  await page.unrouteAll()

  await askForLink(page, newEmail())
  await expect(page.getByRole("alert")).toBeEmpty()
  await expectAccessible(page, "link is on its way")
  await page.getByRole("link", { name: "Voltar para o login" }).click()
  await expect(page.getByRole("heading", { name: "Entrar" })).toBeFocused()
})

test("a new password is checked before the link is used", { tag: "@desktop" }, async ({ page, complaints }) => {
  complaints.expect(/400 .*auth\/resetPassword/)
  complaints.expect(/502 .*auth\/resetPassword/)
  complaints.expect(/ERR_FAILED .*auth\/resetPassword/)
  await page.goto(deadLink)
  await page.getByRole("button", { name: "Redefinir senha" }).click()
  await expect(page.getByRole("alert")).toHaveText("Preencha todos os campos obrigatórios")
  const typed = page.getByLabel("Nova senha", { exact: true })
  await expect(typed).toBeFocused()
  await expectAccessible(page, "reset that lacks everything")

  await typePasswords(page, "curta")
  await expect(typed).toHaveAccessibleDescription("A senha deve ter pelo menos 8 caracteres")
  await typePasswords(page, newPassword, `${newPassword}!`)
  await expect(page.getByLabel("Confirmar nova senha")).toHaveAccessibleDescription("As senhas não coincidem")
  await expectAccessible(page, "reset with two different passwords")

  await page.route("**/auth/resetPassword/*", (route) => route.fulfill({ status: 502, body: "" }))
  await typePasswords(page, newPassword)
  await expect(page.getByRole("alert")).toHaveText("Falha ao redefinir senha")
  await page.unrouteAll()
  await page.route("**/auth/resetPassword/*", (route) => route.abort())
  await typePasswords(page, newPassword)
  await expect(page.getByRole("alert")).toHaveText("Ocorreu um erro ao redefinir sua senha.")
  await page.unrouteAll()
  await typePasswords(page, newPassword)
  await expect(page.getByRole("alert")).toHaveText(deadLinkText)
  await expectAccessible(page, "reset with a dead link")

  await page.route("**/auth/resetPassword/*", (route) => route.fulfill({ json: { status: "success" } }))
  await page.clock.install()
  await typePasswords(page, newPassword)
  await expect(notice(page, doneText)).toBeVisible()
  await expectAccessible(page, "password was reset")
})
