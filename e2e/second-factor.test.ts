import type { APIRequestContext, Locator, Page } from "@playwright/test"
import { TOTP } from "otpauth"
import { expectAccessible } from "./support/accessibility.ts"
import { password } from "./support/api.ts"
import { clipboardOf, expect, sellerTest, toast } from "./support/journey.ts"
import { expectThumbTargets } from "./support/thumb-targets.ts"

/** Each code works once, and those of the neighbouring half minutes are taken too: a test need not wait. */
function codeOf(secret: string, steps: -1 | 0 | 1): string {
  return new TOTP({ secret }).generate({ timestamp: Date.now() + steps * 30_000 })
}

async function enrol(page: Page): Promise<string> {
  await page.getByRole("button", { name: "Ativar aplicativo autenticador" }).click()
  await expect(stepUpDialog(page).getByLabel("Senha", { exact: true })).toBeFocused()
  await page.keyboard.type(password)
  await page.keyboard.press("Enter")
  const dialog = page.getByRole("dialog", { name: "Ativar aplicativo autenticador" })
  await expect(dialog.getByRole("img", { name: /QR code/ })).toBeVisible()
  await dialog.getByRole("button", { name: "Ativar", exact: true }).click()
  await expect(dialog.getByText("Informe o código")).toBeVisible()
  await expectAccessible(page, "an authenticator app without its code")
  await expectThumbTargets(page, "an authenticator app without its code")
  await dialog.getByRole("button", { name: "Copiar chave" }).click()
  const secret = await clipboardOf(page)
  await dialog.getByLabel("Código de 6 dígitos").fill(codeOf(secret, -1))
  await page.keyboard.press("Enter")
  return secret
}

/** Returns the codes that are shown. */
async function putAwayCodes(page: Page): Promise<string[]> {
  const dialog = page.getByRole("dialog", { name: "Guarde os seus códigos de recuperação" })
  await dialog.getByRole("button", { name: "Copiar códigos" }).click()
  const codes = (await clipboardOf(page)).split("\n")
  await expectAccessible(page, "recovery codes")
  await expectThumbTargets(page, "recovery codes")
  await dialog.getByRole("button", { name: "Já guardei os códigos" }).click()
  return codes
}

async function logInWithCode(request: APIRequestContext, email: string, code: string): Promise<string> {
  const answer = await request.post("/api/v1/auth/login", { data: { email, password, code } })
  return ((await answer.json()) as { token: string }).token
}

function stepUpDialog(page: Page): Locator {
  return page.getByRole("dialog", { name: "Confirme que é você" })
}

sellerTest(
  "a seller adds an authenticator app, is asked in place before it changes, and signs in with it",
  { tag: "@phone" },
  async ({ page, seller, request, complaints }) => {
    complaints.expect(/40[13] .*(users\/me\/totp|recovery-codes|auth\/login|auth\/step-up)/)
    complaints.expect(/422 .*step-up/)
    await page.goto("/profile/security")
    const secret = await enrol(page)
    const first = await putAwayCodes(page)
    expect(first).toHaveLength(10)
    await expect(page.getByText("Restam 10 de 10")).toBeVisible()

    // As five minutes later: the password that was asked for before the first factor is fresh no more.
    const token = await logInWithCode(request, seller.email, codeOf(secret, 0))
    await page.evaluate((value) => localStorage.setItem("token", value), token)
    await page.goto("/profile/security")
    await page.getByRole("button", { name: "Gerar novos códigos" }).click()
    const renew = () => page.getByRole("alertdialog").getByRole("button", { name: "Gerar novos códigos" }).click()
    const dialog = stepUpDialog(page)
    await renew()
    await expect(dialog).toBeVisible()
    await page.keyboard.press("Escape")
    await expect(toast(page, "Confirme que é você para continuar.")).toBeVisible()
    await renew()
    await expect(dialog.getByLabel("Senha", { exact: true })).toBeFocused()
    await page.keyboard.type("outra-senha")
    await dialog.getByLabel("Código de 6 dígitos").fill(codeOf(secret, 1))
    await page.keyboard.press("Enter")
    await expect(dialog.getByText("Senha incorreta")).toBeVisible()
    await expectAccessible(page, "a step-up with a wrong password")
    await expectThumbTargets(page, "a step-up with a wrong password")
    await dialog.getByLabel("Senha", { exact: true }).fill(password)
    await page.keyboard.press("Enter")
    const second = await putAwayCodes(page)

    await page.evaluate(() => localStorage.clear())
    await page.goto("/login")
    await page.getByLabel("E-mail").fill(seller.email)
    await page.getByLabel("Senha", { exact: true }).fill(password)
    await page.keyboard.press("Enter")
    await expect(page.getByLabel("Código de 6 dígitos")).toBeFocused()
    await page.keyboard.press("Enter")
    await expect(page.getByText("Preencha todos os campos obrigatórios")).toBeVisible()
    await expect(page.getByLabel("Código de 6 dígitos")).toHaveAttribute("aria-invalid", "true")
    await expectAccessible(page, "a login that asks for the code")
    await page.getByRole("button", { name: "Usar um código de recuperação" }).click()
    const recovery = page.getByLabel("Código de recuperação", { exact: true })
    await recovery.fill(first[0] ?? "")
    await page.keyboard.press("Enter")
    await expect(page.getByText("Código incorreto")).toBeVisible()
    await recovery.fill(second[0] ?? "")
    await page.keyboard.press("Enter")
    await page.waitForURL("**/dashboard")
  },
)
