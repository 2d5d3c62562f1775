import { expectAccessible } from "./support/accessibility.ts"
import { admin, logIn } from "./support/api.ts"
import { expect, toast } from "./support/journey.ts"
import { adminTest, ownServerTest as test } from "./support/own-server.ts"

/** Other tests share this installation, so settings are restored. */
test.afterEach(async ({ request }) => {
  const headers = { Authorization: `Bearer ${await logIn(request, admin)}` }
  await request.patch("/api/v1/settings/TRANSACTION_FEE_PERCENTAGE", { headers, data: { value: 15 } })
  await request.patch("/api/v1/settings/PLATFORM_NAME", { headers, data: { value: "Tilinta" } })
})

test("an admin starts in the admin area and sets the platform up", { tag: "@desktop" }, async ({
  page,
  complaints,
}) => {
  complaints.expect(/(409|422) .*\/api\/v1\/settings/)
  await page.goto("/login")
  await page.getByLabel("E-mail").fill(admin.email)
  await page.getByLabel("Senha", { exact: true }).fill(admin.password)
  await page.getByRole("button", { name: "Entrar" }).click()
  await expect(toast(page, "Login realizado com sucesso!")).toBeVisible()
  await expect(page).toHaveURL(/\/admin/)

  await page.goto("/admin/settings")
  await expect(page.getByText("Nenhuma configuração encontrada")).toBeVisible()
  await expectAccessible(page, "no settings yet")
  await page.getByRole("button", { name: "Inicializar Configurações Padrão" }).click()
  const initialised = page.getByText(/^Configurações inicializadas: \d+ criadas, 0 já existiam$/)
  const count = Number(/\d+/.exec((await initialised.textContent()) ?? ""))
  await page.getByRole("button", { name: "Inicializar Padrões" }).click()
  await expect(page.getByText(/^Configurações inicializadas: 0 criadas, \d+ já existiam$/)).toBeVisible()

  const fee = page.getByLabel("Valor de TRANSACTION_FEE_PERCENTAGE")
  await fee.fill("100.5")
  await page.getByRole("button", { name: "Salvar TRANSACTION_FEE_PERCENTAGE" }).click()
  await expect(page.getByRole("alertdialog")).toContainText("De 15% para 100,5%. A taxa muda 85,5 pontos de uma vez.")
  await expectAccessible(page, "the question before a new fee")
  await page.getByRole("button", { name: "Mudar taxa" }).click()
  await expect(fee).toHaveAccessibleDescription("A taxa deve ficar entre 0 e 100, com no máximo duas casas decimais.")
  await expectAccessible(page, "a setting that was refused")
  await fee.fill("14.5")
  await expect(fee).toHaveAccessibleDescription("Não salvo")
  await page.getByRole("button", { name: "Salvar TRANSACTION_FEE_PERCENTAGE" }).click()
  await expect(page.getByText("Configuração TRANSACTION_FEE_PERCENTAGE salva com sucesso!")).toBeVisible()
  await page.reload()
  await expect(fee).toHaveValue("14.5")

  await expect(page.getByRole("link", { name: /^Valor padrão/ })).toHaveCount(count - 1)
  await page.getByRole("link", { name: /^Alterado por .* em \d\d\/\d\d\/\d{4} \d\d:\d\d/ }).click()
  await expect(page).toHaveURL(/entity=setting&entityId=TRANSACTION_FEE_PERCENTAGE/)
  await page.getByRole("link", { name: /^Configuração alterada/ }).click()
  await expect(page.getByRole("dialog")).toContainText(/Antes: 15\s*Depois: 14,5/)
  await expect(page.getByRole("dialog").locator("del + svg")).toBeVisible()
  await page.goto("/admin/settings")

  await page.getByLabel("Valor de PLATFORM_NAME").fill("Feira & Cia")
  await page.getByRole("button", { name: "Salvar PLATFORM_NAME" }).click()
  await expect(page.getByText("Configuração PLATFORM_NAME salva com sucesso!")).toBeVisible()
  await page.reload()
  await expect(page).toHaveTitle("Configurações do Sistema · Feira & Cia")
})

adminTest(
  "a new setting says what is missing beside its field, and its key is in capitals",
  { tag: "@phone" },
  async ({ page, complaints }) => {
    complaints.expect(/(409|422) .*\/api\/v1\/settings/)
    await page.goto("/admin/settings")
    await page.getByRole("button", { name: "Nova Configuração" }).click()
    await page.getByRole("button", { name: "Criar Configuração" }).click()
    await expect(page.getByLabel("Chave")).toHaveAccessibleDescription("A chave é obrigatória.")
    await expect(page.getByLabel("Chave")).toBeFocused()
    await expectAccessible(page, "a new setting without a key")
    await page.getByLabel("Chave").fill("aviso_do_mes")
    await expect(page.getByLabel("Chave")).toHaveValue("AVISO_DO_MES")
    await page.getByLabel("Tipo").selectOption("Verdadeiro/Falso")
    await page.getByRole("switch", { name: "Valor" }).check()
    await page.getByRole("button", { name: "Criar Configuração" }).click()
    await expect(page.getByText("Nova configuração criada com sucesso!")).toBeVisible()
    await expect(page.getByRole("switch", { name: "Valor de AVISO_DO_MES" })).toBeChecked()
  },
)
