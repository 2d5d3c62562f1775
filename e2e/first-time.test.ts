import type { Locator, Page } from "@playwright/test"
import { TOTP } from "otpauth"
import { expectAccessible } from "./support/accessibility.ts"
import { admin, createChargePage, createPaidPage, newEmail, password, validCpf } from "./support/api.ts"
import { createInstallation, type Installation } from "./support/installation.ts"
import { clipboardOf, expect, sellerTest, test, toast } from "./support/journey.ts"
import { forWorker } from "./support/own-server.ts"
import { strictTest } from "./support/strict-server.ts"
import { pressAt, tabTo, typeAt } from "./support/tab-to.ts"
import { addAuthenticator } from "./support/virtual-authenticator.ts"

/** The first start of a real installation, which prints a password. */
const firstAdminTest = test.extend<object, { installation: Installation & { printed: string } }>({
  installation: [
    async ({}, use) => {
      const installation = await createInstallation({ PROTECTION: "strict", ADMIN_PASSWORD: "" })
      try {
        await use({ ...installation, printed: await installation.start() })
      } finally {
        await installation.remove()
      }
    },
    forWorker,
  ],
  baseURL: async ({ installation }, use) => use(installation.url),
})

/** Every call of the page, and which of them failed. */
function watchCalls(page: Page): { all: string[]; failed: string[] } {
  const calls = { all: [] as string[], failed: [] as string[] }
  page.on("response", (answer) => {
    const line = `${answer.status()} ${answer.request().method()} ${new URL(answer.url()).pathname}`
    if (line.includes("/api/")) calls.all.push(line)
    if (answer.status() >= 400) calls.failed.push(line)
  })
  return calls
}

async function signIn(page: Page, email: string, typed: string): Promise<void> {
  await page.goto("/login")
  await page.getByLabel("E-mail").fill(email)
  await page.getByLabel("Senha", { exact: true }).fill(typed)
  await page.keyboard.press("Enter")
}

async function expectNoMenu(page: Page): Promise<void> {
  await expect(page.getByRole("heading", { name: "Proteja a sua conta" })).toBeVisible()
  await expect(menuButton(page)).toHaveCount(0)
}

function menuButton(page: Page): Locator {
  return page.getByRole("button", { name: /^(Abrir menu|Recolher ou expandir o menu)$/ })
}

firstAdminTest(
  "the first administrator makes the account safe on a page of its own, and no call is refused on the way",
  async ({ page, installation }) => {
    const printed = /com a senha (\S+)/.exec(installation.printed)?.[1] ?? ""
    const calls = watchCalls(page)
    await signIn(page, admin.email, printed)

    await expectNoMenu(page)
    await expect(page.getByRole("heading", { name: "Crie uma senha só sua" })).toBeVisible()
    await expectAccessible(page, "a first password to replace")
    await tabTo(page, page.getByLabel("Senha atual"))
    for (const typed of [printed, password, password]) {
      await page.keyboard.type(typed)
      await page.keyboard.press("Tab")
      await page.keyboard.press("Tab")
    }
    await page.keyboard.press("Enter")

    await expect(page.getByRole("heading", { name: "Escolha o segundo fator" })).toBeFocused()
    await expectAccessible(page, "a choice of second factors")
    await pressAt(page, page.getByRole("button", { name: "Usar aplicativo autenticador" }))
    await expect(page.getByRole("heading", { name: "Aplicativo autenticador" })).toBeFocused()
    await expectAccessible(page, "an authenticator app on a page of its own")
    await pressAt(page, page.getByRole("button", { name: "Copiar chave" }))
    const secret = await clipboardOf(page)
    await typeAt(page, page.getByLabel("Código de 6 dígitos"), new TOTP({ secret }).generate())
    await page.keyboard.press("Enter")

    await expect(page.getByRole("heading", { name: "Guarde os seus códigos de recuperação" })).toBeFocused()
    await expect(page.getByRole("main").getByRole("listitem")).toHaveCount(10)
    await expectAccessible(page, "recovery codes on a page of their own")
    await page.emulateMedia({ media: "print" })
    await expect(page.locator(".recovery-codes-sheet")).toBeVisible()
    await page.emulateMedia({ media: "screen" })
    await expectNoMenu(page)
    expect(calls.all.filter((line) => /events|notices|admin|balance/.test(line))).toEqual([])
    await pressAt(page, page.getByRole("button", { name: "Já guardei os códigos" }))

    await expect(page).toHaveURL(/\/admin$/)
    await expect(menuButton(page)).toBeVisible()
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible()
    await page.waitForLoadState("load")
    expect(calls.failed).toEqual([])
  },
)

strictTest(
  "a seller who is made to has a factor before anything else, and one who is at work meets the same page",
  async ({ page, request, admins: { chief, deputy }, complaints }) => {
    const path = "/api/v1/settings/SELLERS_NEED_SECOND_FACTOR"
    await chief.act(request, "POST", "/api/v1/settings/initialize")
    for (const each of [chief, deputy]) await each.act(request, "PATCH", path, { value: true })
    await addAuthenticator(page)
    const calls = watchCalls(page)
    await page.goto("/register")
    await page.getByLabel("Nome completo").fill("Bia Lima")
    await page.getByLabel("E-mail").fill(newEmail())
    await page.getByLabel("Senha", { exact: true }).fill(password)
    await page.getByLabel("Confirmar senha").fill(password)
    await page.keyboard.press("Enter")
    await page.getByLabel("CPF").fill(validCpf)
    await page.keyboard.press("Enter")

    await expectNoMenu(page)
    await expect(page.getByRole("heading", { name: "Confirme que é você" })).toBeVisible()
    await expectAccessible(page, "a password before a second factor")
    await pressAt(page, page.getByLabel("Senha", { exact: true }))
    await expect(page.getByLabel("Senha", { exact: true })).toHaveAccessibleDescription("Informe a sua senha.")
    await expectAccessible(page, "a password that is missing before a second factor")
    await page.keyboard.type(password)
    await page.keyboard.press("Enter")
    await expect(page.getByRole("heading", { name: "Escolha o segundo fator" })).toBeFocused()
    await pressAt(page, page.getByRole("button", { name: "Criar chave de acesso" }))
    await expect(page.getByRole("heading", { name: "Guarde os seus códigos de recuperação" })).toBeFocused()
    await pressAt(page, page.getByRole("button", { name: "Já guardei os códigos" }))
    await expect(page).toHaveURL(/\/dashboard$/)
    await expect(menuButton(page)).toBeVisible()
    expect(calls.failed).toEqual([])

    // A seller at work who removes the last factor is back there with the next call.
    complaints.expect(/403 /)
    const headers = { Authorization: `Bearer ${await page.evaluate(() => localStorage.getItem("token"))}` }
    const { passkeys } = (await (await request.get("/api/v1/users/me/passkeys", { headers })).json()).data
    const list = page.getByRole("link", { name: "Ver cobranças" })
    await expect(list).toBeVisible()
    await request.delete(`/api/v1/users/me/passkeys/${passkeys[0]._id}`, { headers })
    // A call of the dashboard itself may come first, and take the link away.
    await list.evaluateAll(([link]: HTMLElement[]) => link?.click())
    await expectNoMenu(page)
    for (const each of [chief, deputy]) await each.act(request, "PATCH", path, { value: false })
  },
)

sellerTest(
  "a new seller sees one next step at a time, and charts only once there is something to see",
  async ({ page, seller, request }) => {
    await page.goto("/dashboard")
    const steps = page.getByRole("region", { name: "Primeiros passos" })
    const isNext = (label: string) => expect(steps.locator("[aria-current=step]")).toHaveText(label)
    await isNext("Loja")
    await expect(steps.getByRole("link", { name: "Montar minha loja" })).toHaveAttribute("href", "/shop")
    await expect(steps.getByRole("link", { name: "Criar primeira cobrança" })).toBeVisible()
    await expect(page.getByRole("heading", { name: /recentes$/ })).toHaveCount(0)
    await expect(page.getByText("Visitas às páginas")).toHaveCount(0)
    await expectAccessible(page, "the dashboard of a first day")

    await createChargePage(request, seller, { title: "Caixa de brigadeiros" })
    await page.reload()
    await isNext("Compartilhar")
    await expect(page.getByRole("heading", { name: "Cobranças recentes" })).toBeVisible()
    await expectAccessible(page, "the dashboard with a charge to share")
    await steps.getByRole("button", { name: "Compartilhar cobrança" }).click()
    await expect(page.getByRole("dialog", { name: "Compartilhar cobrança" })).toContainText("Caixa de brigadeiros")
    await page.keyboard.press("Escape")
    await isNext("Receber")

    await createPaidPage(request, seller)
    await expect(toast(page, "Pagamento recebido")).toBeVisible()
    await expect(steps).toHaveCount(0)
    await expect(page.getByRole("heading", { name: "Transações recentes" })).toBeVisible()
    await expect(page.getByText("Visitas às páginas")).toHaveCount(0)
  },
)

sellerTest("a charge that was just created is shared at once, and the edit screen is behind", async ({ page }) => {
  await page.goto("/checkouts/create")
  await page.getByLabel("Título").fill("Torta de limão")
  await page.getByLabel("Valor", { exact: true }).fill("62,50")
  await page.getByRole("button", { name: "Criar cobrança", exact: true }).click()
  const share = page.getByRole("dialog", { name: "Compartilhar cobrança" })
  await expect(page).toHaveURL(/\/checkouts\/[0-9a-f-]{36}$/)
  await expect(share.getByRole("img", { name: /^QR code/ })).toBeVisible()
  const whatsApp = share.getByRole("link", { name: "Enviar no WhatsApp" })
  await expect(whatsApp).toHaveAttribute("href", /^https:\/\/wa\.me\/\?text=Torta/)
  await expectAccessible(page, "a charge that is shared right after it was created")
  await page.keyboard.press("Escape")
  await expect(share).toHaveCount(0)
  await expect(page.getByLabel("Título")).toHaveValue("Torta de limão")
  for (const name of ["Compartilhar", "Copiar link", "Excluir"]) {
    await expect(page.getByRole("button", { name, exact: true })).toHaveText(name)
  }
  await page.reload()
  await expect(page.getByLabel("Título")).toHaveValue("Torta de limão")
  await expect(share).toHaveCount(0)
})
