import type { Locator, Page } from "@playwright/test"
import { expectAccessible } from "./support/accessibility.ts"
import { password } from "./support/api.ts"
import { expect, sellerTest, toast } from "./support/journey.ts"
import { expectThumbTargets } from "./support/thumb-targets.ts"
import { addAuthenticator } from "./support/virtual-authenticator.ts"

function stepUpDialog(page: Page): Locator {
  return page.getByRole("dialog", { name: "Confirme que é você" })
}

/** By keyboard alone: the password is asked for, the name offered, the recovery codes shown. */
async function createFirst(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name: "Criar chave de acesso" }).focus()
  await page.keyboard.press("Enter")
  await expect(stepUpDialog(page).getByLabel("Senha", { exact: true })).toBeFocused()
  await page.keyboard.type(password)
  await page.keyboard.press("Enter")
  const naming = page.getByRole("dialog", { name: "Criar chave de acesso" })
  await expect(naming.getByLabel("Nome")).toBeFocused()
  await expectAccessible(page, "a new passkey's name")
  await expectThumbTargets(page, "a new passkey's name")
  await page.keyboard.type(name)
  await page.keyboard.press("Enter")
  const codes = page.getByRole("dialog", { name: "Guarde os seus códigos de recuperação" })
  await expect(codes.getByRole("listitem")).toHaveCount(10)
  await codes.getByRole("button", { name: "Já guardei os códigos" }).click()
}

async function signOut(page: Page): Promise<void> {
  await page.evaluate(() => localStorage.clear())
  await page.goto("/login")
}

sellerTest(
  "a seller makes a passkey, signs in and confirms with it, and removes it",
  { tag: "@phone" },
  async ({ page, seller, complaints }) => {
    complaints.expect(
      /40[13] .*(users\/me\/passkeys|auth\/passkeys|auth\/login|recovery-codes)|503 .*passkeys\/options/,
    )
    const authenticator = await addAuthenticator(page)
    await page.goto("/profile/security")
    await createFirst(page, "Celular da loja")
    const passkey = page.getByRole("listitem").filter({ hasText: "Celular da loja" })
    await expect(passkey).toContainText("Ainda não usada")
    await expect(page.getByText("Restam 10 de 10")).toBeVisible()
    expect(await authenticator.credentials()).toBe(1)

    // With the password alone nobody gets in any more, and the page says what does.
    await authenticator.answers(false)
    await signOut(page)
    await page.getByLabel("E-mail").fill(seller.email)
    await page.getByLabel("Senha", { exact: true }).fill(password)
    await page.keyboard.press("Enter")
    const byPasskey = page.getByRole("button", { name: "Usar chave de acesso" })
    await expect(byPasskey).toBeFocused()
    await expect(page.getByRole("alert")).toContainText("Esta conta pede a sua chave de acesso")
    await expect(page.getByLabel("Código de recuperação", { exact: true })).toBeVisible()
    await expectAccessible(page, "a login that asks for the passkey")
    await expectThumbTargets(page, "a login that asks for the passkey")

    // An authenticator that recognises nobody signs nothing.
    await authenticator.recognises(false)
    await authenticator.answers(true)
    // The fields offer it anew after a failure, and this browser would take the offer before the button is pressed again.
    const challenges = "**/api/v1/auth/passkeys/options"
    let asked = 0
    await page.route(challenges, (route) => {
      asked += 1
      return asked === 1
        ? route.continue()
        : route.fulfill({ status: 503, json: { status: "error", message: "Espere." } })
    })
    await page.keyboard.press("Enter")
    await expect(page.getByRole("alert")).toContainText("foi cancelado ou demorou")
    await expect.poll(() => asked).toBe(2)
    await page.unroute(challenges)
    await authenticator.recognises(true)
    await byPasskey.click()
    await page.waitForURL("**/dashboard")

    // The fields offer it, too: this browser takes the offer by itself.
    await signOut(page)
    await page.waitForURL("**/dashboard")

    await page.goto("/profile/security")
    await expect(passkey).toContainText("Usada em")
    await page.getByRole("button", { name: "Gerar novos códigos" }).click()
    await page.getByRole("alertdialog").getByRole("button", { name: "Gerar novos códigos" }).click()
    const dialog = stepUpDialog(page)
    await expect(dialog.getByRole("button", { name: "Usar chave de acesso" })).toBeFocused()
    await expectAccessible(page, "a step-up by passkey")
    await expectThumbTargets(page, "a step-up by passkey")
    await dialog.getByRole("button", { name: "Usar a senha" }).click()
    await expect(dialog.getByLabel("Código de recuperação", { exact: true })).toBeVisible()
    await expectAccessible(page, "a step-up by password where there is a passkey")
    await dialog.getByRole("button", { name: "Usar a chave de acesso" }).click()
    await expect(dialog.getByRole("button", { name: "Usar chave de acesso" })).toBeFocused()
    await page.keyboard.press("Enter")
    await page.getByRole("button", { name: "Já guardei os códigos" }).click()

    await page.getByRole("button", { name: "Ações de Celular da loja" }).click()
    await page.getByRole("menuitem", { name: "Renomear" }).click()
    await page.keyboard.type("Celular novo")
    await page.keyboard.press("Enter")
    const renamed = page.getByRole("listitem").filter({ hasText: "Celular novo" })
    await expect(renamed).toBeVisible()
    await page.getByRole("button", { name: "Ações de Celular novo" }).click()
    await page.getByRole("menuitem", { name: "Remover" }).click()
    await expectAccessible(page, "a passkey's removal")
    await page.getByRole("alertdialog").getByRole("button", { name: "Remover" }).click()
    await expect(toast(page, "Chave de acesso removida")).toBeVisible()
    await expect(renamed).toBeHidden()
    await expect(page.getByText("Restam")).toBeHidden()
  },
)

sellerTest(
  "at a number instead of the public address the page says where passkeys work",
  { tag: "@desktop" },
  async ({ openBrowser, seller, baseURL, complaints }) => {
    complaints.expect(/40[19] /)
    const elsewhere = (baseURL ?? "").replace("localhost", "127.0.0.1")
    const page = await (await openBrowser({ baseURL: elsewhere })).newPage()
    await page.goto("/login")
    await page.getByRole("button", { name: "Usar chave de acesso" }).click()
    await expect(page.getByRole("alert")).toContainText("só funcionam em localhost, e você abriu 127.0.0.1")
    await page.evaluate((token) => localStorage.setItem("token", token), seller.token)
    await page.goto("/profile/security")
    await expect(page.getByText(`Chaves de acesso só funcionam em ${baseURL}`)).toBeVisible()
    await expect(page.getByRole("button", { name: "Criar chave de acesso" })).toBeHidden()
  },
)
