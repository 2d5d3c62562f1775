import type { Page } from "@playwright/test"
import { newEmail, password, validCpf } from "./support/api.ts"
import { clipboardOf, expect, toast } from "./support/journey.ts"
import { ownServerTest as test } from "./support/own-server.ts"

test(
  "a seller registers, charges R$ 100,00, is paid by Pix and finds everything again after a restart",
  { tag: "@soak-on-a-phone" },
  async ({ page, payer, installation, complaints }, testInfo) => {
    const email = newEmail()
    await register(page, email)
    const link = await createCharge(page)

    await payer.goto(link)
    await expect(payer.getByRole("heading", { name: "Mentoria de Vendas" })).toBeVisible()
    // Polling every three seconds would find it too, so it is blocked: only the stream can deliver the status.
    await payer.route(/\/payment-status\/[^/]+$/, (route) => route.abort())
    complaints.expect(/net::ERR_FAILED.*payment-status/)
    await payer.getByRole("button", { name: "Gerar PIX Instantâneo" }).click()
    await payer.getByRole("button", { name: "Copiar Código PIX" }).click()
    await expect(payer.getByRole("button", { name: "Copiado!" })).toBeVisible()
    const pixCode = await clipboardOf(payer)
    expect(pixCode).toMatch(/^000201/)

    await page.goto("/simulador")
    await page.getByLabel("Código Pix copia e cola").fill(pixCode)
    await page.getByRole("button", { name: "Continuar" }).click()
    const approved = expect(payer.getByRole("heading", { name: "Pagamento Aprovado!" })).toBeVisible()
    const pay = page.getByRole("button", { name: /^Pagar R\$\s100,00$/ })
    await expect(pay).toBeVisible()
    const begin = performance.now()
    await pay.click()
    await approved
    const tookMs = Math.round(performance.now() - begin)
    process.stdout.write(`${testInfo.project.name}: approved ${tookMs} ms after the click on pay\n`)
    await expect(payer.getByText("Seu pagamento foi processado com sucesso.").first()).toBeVisible()
    await expect(page.getByRole("heading", { name: "Pagamento realizado" })).toBeVisible()

    await page.goto("/dashboard")
    await expectDashboardOfOnePayment(page)

    complaints.expect(/net::ERR_|Failed to load resource.*50\d/)
    expect(await installation.stop()).toBe(0)
    await installation.start()
    await page.reload()
    await expectDashboardOfOnePayment(page)
    await payer.reload()
    await expect(payer.getByRole("heading", { name: "Pagamento Aprovado!" })).toBeVisible()
  },
)

async function register(page: Page, email: string): Promise<void> {
  await page.goto("/")
  await expect(page).toHaveURL(/\/login$/)
  await page.getByRole("link", { name: "Cadastre-se" }).click()
  await page.getByLabel("Nome completo").fill("Ana Souza")
  await page.getByLabel("E-mail").fill(email)
  await page.getByLabel("Senha", { exact: true }).fill(password)
  await page.getByLabel("Confirmar senha").fill(password)
  await page.getByRole("button", { name: "Próximo" }).click()
  await page.getByLabel("CPF").fill(validCpf)
  await page.getByRole("button", { name: "Cadastrar" }).click()
  await expect(page).toHaveURL(/\/dashboard$/)
  await expect(toast(page, "Cadastro realizado com sucesso!")).toBeVisible()
}

/** Creates a charge page and returns its public link. */
async function createCharge(page: Page): Promise<string> {
  await page.getByRole("link", { name: "Criar primeira cobrança" }).click()
  await page.getByLabel("Título").fill("Mentoria de Vendas")
  await page.getByLabel("Valor", { exact: true }).fill("100,00")
  await page.getByRole("button", { name: "Criar cobrança", exact: true }).click()
  await expect(page).toHaveURL(/\/checkouts\/[0-9a-f-]{36}$/)
  await expect(toast(page, "Página de cobrança PIX criada com sucesso!")).toBeVisible()
  await expect(page.getByRole("heading", { level: 1, name: "Mentoria de Vendas" })).toBeVisible()
  const share = page.getByRole("dialog", { name: "Compartilhar cobrança" })
  await share.getByRole("button", { name: "Copiar link" }).click()
  await expect(toast(page, "Link copiado para a área de transferência!")).toBeVisible()
  await page.keyboard.press("Escape")
  await expect(share).toHaveCount(0)
  return clipboardOf(page)
}

async function expectDashboardOfOnePayment(page: Page): Promise<void> {
  const balance = page.getByRole("article").filter({ has: page.getByRole("heading", { name: "Saldo disponível" }) })
  await expect(balance).toContainText(/Saldo disponível(Solicitar Saque)?\s*R\$\s*85\s*,00/)
  const row = page.getByRole("table").getByRole("row").filter({ hasText: "Mentoria de Vendas" })
  await expect(row).toContainText("Pago")
  await expect(row).toContainText(/R\$\s100,00/)
}
