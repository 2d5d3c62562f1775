import type { APIRequestContext, Page } from "@playwright/test"
import { expectAccessible } from "./support/accessibility.ts"
import { createPaidPage, logIn, newEmail, requestWithdrawal, type Seller, signUp } from "./support/api.ts"
import { expect, toast } from "./support/journey.ts"
import { linkFromMail } from "./support/mails.ts"
import { type Enrolled, pressForm, signUpConfirmed, strictTest as test } from "./support/strict-server.ts"
import { pressAt, typeAt } from "./support/tab-to.ts"

// One server with strict protection for all of them: they run one after the other.
test.describe.configure({ mode: "default" })

const inSoak = { tag: "@soak-on-a-phone" }

const newKey = "ana@exemplo.com"
const toNewKey = { amount: 30, paymentMethod: "pix", pixKey: newKey }

/** As somebody who signed in on this device; a page of the site must be open. */
async function enterAs(page: Page, { token }: Pick<Seller, "token">): Promise<void> {
  await page.goto("/login")
  await page.evaluate((value) => localStorage.setItem("token", value), token)
}

async function idOf(request: APIRequestContext, { token }: Pick<Seller, "token">): Promise<string> {
  const answer = await request.get("/api/v1/users/me", { headers: { Authorization: `Bearer ${token}` } })
  return ((await answer.json()) as { data: { user: { _id: string } } }).data.user._id
}

/** Presses a button as a keyboard user does. */
async function pressByKey(page: Page, name: string): Promise<void> {
  await pressAt(page, page.getByRole("button", { name }))
}

/** A seller who asked for R$ 30,00 of R$ 85,00 to a place that is new. */
async function sellerWithHeld(request: APIRequestContext): Promise<Seller> {
  const seller = await signUpConfirmed(request)
  await createPaidPage(request, seller)
  await requestWithdrawal(request, seller, toNewKey)
  return seller
}

test("an e-mail is confirmed on a page that needs no script", inSoak, async ({ page, request, complaints }) => {
  complaints.expect(/404 .*confirm-email/)
  const { email } = await signUp(request)
  const link = await linkFromMail(request, email, "confirm-email")
  await page.goto(link)
  await expect(page.getByRole("heading", { name: "Confirmar o seu e-mail?" })).toBeVisible()
  await expectAccessible(page, "an e-mail to confirm")
  await pressByKey(page, "Confirmar e-mail")
  await expect(page.getByRole("heading", { name: "E-mail confirmado" })).toBeVisible()
  await expectAccessible(page, "a confirmed e-mail")
  await page.goto(link.replace(/[^/]+$/, "A".repeat(43)))
  await expect(page.getByRole("heading", { name: "Este link não vale mais" })).toBeVisible()
  await expectAccessible(page, "a confirmation that nobody was sent")
})

test(
  "a seller is told before and after that a withdrawal to a new place waits",
  inSoak,
  async ({ page, request, complaints }) => {
    complaints.expect(/403 .*withdrawals/)
    const seller = await signUpConfirmed(request)
    await createPaidPage(request, seller)
    await enterAs(page, { token: await logIn(request, seller) })
    await page.goto("/withdrawals")
    const open = page.getByRole("button", { name: "Solicitar Saque" })
    await expect(open).toBeEnabled()
    await pressAt(page, open)
    const dialog = page.getByRole("dialog", { name: "Solicitar Saque" })
    await expect(dialog.getByLabel("Valor", { exact: true })).toBeFocused()
    await page.keyboard.type("3000")
    await typeAt(page, dialog.getByLabel("Chave Pix"), newKey)
    await expect(dialog.getByRole("status").filter({ hasText: "Destino novo" })).toHaveText(
      "Destino novo: por segurança, este saque espera 24 horas antes de ser aprovado.",
    )
    await expectAccessible(page, "a request to a new place")
    await page.keyboard.press("Enter")
    const confirmation = page.getByRole("dialog", { name: "Confirme que é você" })
    await expect(confirmation.getByLabel("Senha", { exact: true })).toBeFocused()
    await expectAccessible(page, "a request that asks for a confirmation")
    await page.keyboard.type(seller.password)
    await page.keyboard.press("Enter")
    await expect(toast(page, "Solicitação de saque enviada com sucesso!")).toBeVisible()

    const row = page.getByRole("row").filter({ hasText: newKey })
    await expect(row).toContainText(/Espera até \d{2}\/\d{2} \d{2}:\d{2}/)
    await expectAccessible(page, "a seller's withdrawal that is held")
    await pressAt(page, row.getByRole("link"))
    const details = page.getByRole("dialog", { name: "Saque" })
    await expect(details.getByText(/^Em espera até .*, por segurança: destino novo\.$/)).toBeVisible()
    await expectAccessible(page, "a held withdrawal's steps")
    await page.keyboard.press("Escape")

    await page.goto("/profile/security")
    const card = page.getByRole("region", { name: "Destinos de saque" })
    await expect(card.getByRole("listitem")).toHaveText([
      /^ana@exemplo\.com.*Confirmado com senha.*Novo: saques esperam até/,
    ])
    await card.scrollIntoViewIfNeeded()
    await expectAccessible(page, "a seller's destinations")
  },
)

test(
  "another name of the shop asks who it is, and its owner hears of it",
  inSoak,
  async ({ page, request, complaints }) => {
    complaints.expect(/403 .*users\/me\/shop/)
    const seller = await signUpConfirmed(request)
    await enterAs(page, { token: await logIn(request, seller) })
    await page.goto("/shop")
    await typeAt(page, page.getByLabel("Nome da loja"), "Doces da Ana")
    await page.keyboard.press("Enter")
    const confirmation = page.getByRole("dialog", { name: "Confirme que é você" })
    await expect(confirmation.getByLabel("Senha", { exact: true })).toBeFocused()
    await expectAccessible(page, "a shop that asks for a confirmation")
    await page.keyboard.type(seller.password)
    await page.keyboard.press("Enter")
    await expect(toast(page, "Loja salva")).toBeVisible()
    await page.goto("/notices/security")
    await expect(page.getByRole("heading", { name: "Os dados da sua loja foram alterados" })).toBeVisible()
    await page.goto(await linkFromMail(request, seller.email, "not-me"))
    await expect(page.getByRole("heading", { name: "Não foi você?" })).toBeVisible()
  },
)

test(
  "'Não fui eu' stops everything by one key, and the screens say what is frozen",
  inSoak,
  async ({ page, request, complaints }) => {
    complaints.expect(/404 .*not-me/)
    complaints.expect(/403 .*login/)
    const seller = await sellerWithHeld(request)
    const link = await linkFromMail(request, seller.email, "not-me")
    await page.goto(link)
    await expect(page.getByRole("heading", { name: "Não foi você?" })).toBeVisible()
    await expectAccessible(page, "the question behind 'Não fui eu'")
    await pressByKey(page, "Não fui eu: parar tudo")
    await expect(page.getByRole("heading", { name: "Pronto, paramos tudo" })).toBeVisible()
    await expect(page.getByText(/1 saque foi cancelado: R\$\s30,00 de volta ao saldo/)).toBeVisible()
    await expectAccessible(page, "an account that was stopped")
    await page.goto(link)
    await expect(page.getByRole("heading", { name: "Este link não vale mais" })).toBeVisible()
    await expectAccessible(page, "'Não fui eu' that was used")

    await page.goto("/login")
    await page.getByLabel("E-mail").fill(seller.email)
    await page.getByLabel("Senha", { exact: true }).fill(seller.password)
    await page.getByRole("button", { name: "Entrar", exact: true }).click()
    await expect(page.getByText(/Redefina a sua senha por e-mail/)).toBeVisible()
    await expectAccessible(page, "a sign-in with the password of a frozen account")
    await request.post("/api/v1/auth/forgotPassword", { data: { email: seller.email } })
    const token = (await linkFromMail(request, seller.email)).split("/").at(-1)
    const { password } = seller
    await request.patch(`/api/v1/auth/resetPassword/${token}`, { data: { password, passwordConfirm: password } })
    await enterAs(page, { token: await logIn(request, seller) })
    await page.goto("/withdrawals")
    await expect(page.getByRole("row").filter({ hasText: newKey })).toContainText("Cancelado")
    await page.getByRole("button", { name: "Solicitar Saque" }).click()
    const dialog = page.getByRole("dialog", { name: "Solicitar Saque" })
    await expect(dialog.getByText("Os saques desta conta estão congelados.")).toBeVisible()
    await expectAccessible(page, "a request of a frozen account")
    await page.keyboard.press("Escape")
    await page.goto("/notices/security")
    await expect(page.getByRole("heading", { name: "Os saques da sua conta estão congelados" })).toBeVisible()
    await expectAccessible(page, "notices of a frozen account")
  },
)

test(
  "a held withdrawal shows its wait in the triage, and can be rejected alone",
  inSoak,
  async ({ page, request, admins: { chief } }) => {
    const seller = await sellerWithHeld(request)
    await chief.freshen(request)
    await enterAs(page, chief)
    await page.goto(`/admin/withdrawals?search=${encodeURIComponent(seller.email)}`)
    const row = page.getByRole("row").filter({ hasText: seller.email })
    await expect(row).toContainText(/Espera até \d{2}\/\d{2} \d{2}:\d{2}/)
    await expectAccessible(page, "a held withdrawal in the triage")
    await pressAt(page, row.getByRole("link"))
    const details = page.getByRole("dialog", { name: "Saque", exact: true })
    await expect(details.getByText(/^Em espera até .*, por segurança: destino novo\.$/)).toBeVisible()
    await expect(details.getByText("Titular não conferido")).toBeVisible()
    await expectAccessible(page, "a held withdrawal before an administrator")
    await expect(details.getByRole("button", { name: "Aprovar saque" })).toHaveCount(0)
    await pressAt(page, details.getByRole("button", { name: "Rejeitar saque" }))
    const question = page.getByRole("alertdialog", { name: "Rejeitar saque?" })
    await question.getByLabel("Observações").fill("A chave é de outra pessoa.")
    await expectAccessible(page, "the question before a held withdrawal is rejected")
    await question.getByRole("button", { name: "Rejeitar saque" }).click()
    await expect(toast(page, "Saque rejeitado. O valor voltou ao saldo do vendedor.")).toBeVisible()
  },
)

test(
  "a frozen user is freed by two administrators, each by keyboard",
  inSoak,
  async ({ page, request, admins: { chief, deputy } }) => {
    const seller = await sellerWithHeld(request)
    const id = await idOf(request, seller)
    await pressForm(request, await linkFromMail(request, seller.email, "not-me"))
    await chief.freshen(request)
    await enterAs(page, chief)
    await page.goto(`/admin/users?user=${id}`)
    const details = page.getByRole("dialog", { name: "Detalhes do usuário" })
    await expect(details.getByText(/^O titular congelou os saques em/)).toBeVisible()
    await expectAccessible(page, "a frozen user")
    await pressByKey(page, "Liberar saques")
    const question = page.getByRole("alertdialog", { name: "Liberar os saques?" })
    await expect(question.getByRole("button", { name: "Voltar" })).toBeFocused()
    await expectAccessible(page, "the question before a freeze ends")
    await page.keyboard.press("Tab")
    await page.keyboard.press("Enter")
    await expect(toast(page, "Anotado. Os saques são liberados quando outro administrador aprovar.")).toBeVisible()
    await expect(details.getByText(/^O titular congelou os saques em/)).toBeVisible()
    await expectAccessible(page, "a freeze that waits for the second word")

    await deputy.freshen(request)
    await enterAs(page, deputy)
    await page.goto("/admin/approvals")
    const wish = page.getByRole("listitem").filter({ hasText: "Descongelar conta" })
    await expect(wish).toContainText("Espera a sua decisão")
    await pressAt(page, wish.getByRole("button", { name: "Aprovar" }))
    const second = page.getByRole("alertdialog", { name: "Descongelar conta?" })
    await expect(second).toContainText(/Saques congelados desde:\s*de \d\d\/\d\d\/\d{4} \d\d:\d\d para livre/)
    await expectAccessible(page, "the second word for the end of a freeze")
    await page.keyboard.press("Tab")
    await page.keyboard.press("Enter")
    await expect(wish).toHaveCount(0)
    await page.goto(`/admin/users?user=${id}`)
    await expect(details.getByText(seller.email)).toBeVisible()
    await expect(details.getByText(/^O titular congelou os saques em/)).toHaveCount(0)
  },
)

/** A wish of each kind that has a look of its own; the withdrawal needs no wait by then. */
async function wishFor(request: APIRequestContext, { chief, deputy }: { chief: Enrolled; deputy: Enrolled }) {
  const settings = "/api/v1/settings"
  await chief.act(request, "POST", `${settings}/initialize`)
  const hold = { value: 0 }
  for (const admin of [chief, deputy]) {
    await admin.act(request, "PATCH", `${settings}/NEW_DESTINATION_HOLD_HOURS`, hold)
  }
  const seller = await signUpConfirmed(request)
  await createPaidPage(request, seller, { amount: 9_000 })
  const large = { amount: 6_500, paymentMethod: "pix", pixKey: newKey }
  const { _id } = await requestWithdrawal(request, seller, large)
  await deputy.act(request, "PATCH", `/api/v1/admin/withdrawals/${_id}/approve`)
  await deputy.act(request, "PATCH", `${settings}/TRANSACTION_FEE_PERCENTAGE`, { value: 12.5 })
  const userId = await idOf(request, seller)
  await deputy.act(request, "PATCH", `/api/v1/admin/users/${userId}`, { email: newEmail() })
  await chief.act(request, "PATCH", `${settings}/SUPPORT_EMAIL`, { value: "ajuda@exemplo.com" })
  return { seller, withdrawalId: _id }
}

test(
  "what waits for a second person is seen whole, and agreed to or refused by keyboard",
  inSoak,
  async ({ page, request, admins }) => {
    const { seller } = await wishFor(request, admins)
    await admins.chief.freshen(request)
    await enterAs(page, admins.chief)
    await page.goto("/admin/approvals")
    const heading = page.getByRole("heading", { level: 2 })
    const wishes = page.getByRole("main").getByRole("listitem").filter({ has: heading })
    const of = (text: string) => wishes.filter({ hasText: text })
    await expect(of("Aprovar saque")).toContainText("Espera a sua decisão")
    await expect(of("Aprovar saque")).toContainText(/Valor:\s*R\$\s6\.500,00\s*Destino:\s*ana@exemplo\.com/)
    await expect(of("TRANSACTION_FEE_PERCENTAGE")).toContainText(/15.*12,5/)
    await expect(of("Alterar usuário")).toContainText(seller.email)
    await expect(of("SUPPORT_EMAIL")).toContainText("Você pediu")
    await expectAccessible(page, "wishes of two administrators")

    await pressAt(page, of("Aprovar saque").getByRole("button", { name: "Aprovar" }))
    const question = page.getByRole("alertdialog", { name: "Aprovar saque?" })
    await expect(question).toContainText(/R\$\s6\.500,00/)
    await expectAccessible(page, "the second word for a withdrawal")
    await page.keyboard.press("Tab")
    await page.keyboard.press("Enter")
    await expect(of("Aprovar saque")).toHaveCount(0)
    await pressAt(page, of("TRANSACTION_FEE_PERCENTAGE").getByRole("button", { name: "Recusar" }))
    await expect(toast(page, "Aprovação recusada. Nada mudou.")).toBeVisible()
    await pressAt(page, of("SUPPORT_EMAIL").getByRole("button", { name: "Retirar pedido" }))
    await expect(toast(page, "Pedido retirado. Nada mudou.")).toBeVisible()
    await expect(wishes).toHaveCount(1)
  },
)

test(
  "a new e-mail counts once its owner has pressed the button of the link",
  inSoak,
  async ({ page, request, complaints, admins }) => {
    complaints.expect(/(400|404) .*newEmail/)
    const seller = await signUpConfirmed(request)
    const email = newEmail()
    const path = `/api/v1/admin/users/${await idOf(request, seller)}`
    for (const admin of [admins.chief, admins.deputy]) await admin.act(request, "PATCH", path, { email })
    const link = await linkFromMail(request, email, "new-email")
    await page.goto(link)
    await expect(page.getByText("Este passa a ser o e-mail da sua conta.")).toBeVisible()
    await expectAccessible(page, "a new e-mail to confirm")
    await pressByKey(page, "Confirmar e-mail")
    await expect(page.getByText("O novo endereço já vale.")).toBeVisible()
    await expectAccessible(page, "a new e-mail that counts")
    await page.goto(link)
    await pressByKey(page, "Confirmar e-mail")
    await expect(page.getByRole("alert")).not.toBeEmpty()
    await expectAccessible(page, "a new e-mail's link that was used")
  },
)
