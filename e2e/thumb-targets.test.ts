import type { Page } from "@playwright/test"
import { dailyClosesExamples } from "@tilinta/contract/daily-closes"
import {
  cancelChargePage,
  contestPayment,
  createChargePage,
  createPaidPage,
  decideWithdrawal,
  receiveStray,
  requestPix,
  requestWithdrawal,
} from "./support/api.ts"
import { expect, sellerTest, test } from "./support/journey.ts"
import { linkFromMail } from "./support/mails.ts"
import { adminTest } from "./support/own-server.ts"
import { expectThumbTargets } from "./support/thumb-targets.ts"

/** States that `expectAccessible` meets on a phone are measured there; this walks past the others. */
const title = "Aula de violão"
const byPix = { amount: 10, paymentMethod: "pix", pixKey: "ana@loja.example" }

async function measure(page: Page, path: string, landmark: string | RegExp): Promise<void> {
  await page.goto(path)
  await expect(page.getByRole("main").getByText(landmark).filter({ visible: true }).first()).toBeVisible()
  await expectThumbTargets(page, path)
}

/** Presses what opens a dialog or a menu, and measures that: a row by its beginning, a button by its name. */
async function measureOpened(page: Page, opener: string | RegExp): Promise<void> {
  const row = page.getByRole("row").getByRole("link", { name: opener })
  const control = opener instanceof RegExp ? row : page.getByRole("button", { name: opener }).or(row)
  const opened = page.locator("dialog:modal, [popover]:popover-open")
  const before = await opened.count()
  await control.filter({ visible: true }).last().click()
  // A dialog may open over another, which is measured no more.
  await expect(opened).not.toHaveCount(before)
  await expect(opened.last()).toBeVisible()
  await expectThumbTargets(page, `${new URL(page.url()).pathname} with ${String(opener)}`)
}

test("everything public can be hit with a thumb", { tag: ["@phone", "@soak"] }, async ({
  page,
  seller,
  request,
  complaints,
}) => {
  complaints.expect(/404 .*(nada-aqui|nao-existe|cancelada)/)
  await measure(page, "/login", "Esqueceu sua senha?")
  await measure(page, "/forgot-password", /e-mail/)
  await page.getByLabel("E-mail").fill(seller.email)
  await page.getByRole("button", { name: /^Enviar/ }).click()
  await expect(page.getByText(/^Enviamos|enviado/).first()).toBeVisible()
  await expectThumbTargets(page, "link is on its way")
  await measure(page, await linkFromMail(request, seller.email), "Nova senha")
  await measure(page, "/nada-aqui", "Página Não Encontrada")
  await measure(page, "/checkout/nao-existe", "Oops!")
  await measure(page, "/payment/success", "Página de exemplo")
  await measure(page, "/payment/error", "Página de exemplo")
  await measure(page, "/simulador", "Pix copia e cola")
  await measure(page, "/simulador/controle", "Falhas")
  await measure(page, `/simulador/emails?to=${seller.email}`, "Só o texto")
  await page.getByText("Só o texto").first().click()
  await expectThumbTargets(page, "a mail's text")
  const cancelled = await createChargePage(request, seller, { slug: "cancelada" })
  const { transactionId } = await requestPix(request, cancelled)
  await cancelChargePage(request, seller, cancelled)
  await measure(page, `/payment/error?transactionId=${transactionId}`, "Cancelado")
})

sellerTest(
  "all of a seller's screens can be hit with a thumb",
  { tag: ["@phone", "@soak"] },
  async ({ page, seller, request }) => {
    await createPaidPage(request, seller, { title })
    await contestPayment(request, seller, "40.00")
    await requestPix(request, await createChargePage(request, seller, { title: "Aula de piano" }))
    const { _id } = await requestWithdrawal(request, seller, byPix)

    await measure(page, "/dashboard", "Pago")
    for (const opener of ["Abrir menu", "Conta de", "Compartilhar Aula de piano"]) {
      await page.goto("/dashboard")
      await measureOpened(page, opener)
    }
    await measure(page, "/checkouts", "Concluída")
    await page.getByRole("button", { name: "Filtros" }).click()
    await measureOpened(page, "Ações de Aula de piano")
    await measure(page, "/checkouts/create", "Título")
    await page.getByRole("button", { name: "Mais opções" }).click()
    for (const name of ["Exigir dados do cliente", "Aceitar vários pagamentos"]) {
      await page.getByRole("switch", { name }).check()
    }
    await expectThumbTargets(page, "a charge with every switch on")
    await measure(page, "/transactions", "Pago")
    await page.getByRole("button", { name: "Filtros" }).click()
    await measureOpened(page, new RegExp(`^${title}`))
    await measure(page, "/withdrawals", "Pendente")
    await page.getByRole("button", { name: "Filtros" }).click()
    await measureOpened(page, "Solicitar Saque")
    await page.getByRole("radio", { name: /banc/ }).check({ force: true })
    await expectThumbTargets(page, "a bank transfer")
    await page.goto(`/withdrawals?withdrawal=${_id}`)
    await expect(page.getByRole("dialog").getByText(byPix.pixKey)).toBeVisible()
    await expectThumbTargets(page, "a withdrawal")
    await measure(page, "/profile", "Dados")
  },
)

adminTest(
  "an administrator's screens of money can be hit with a thumb",
  { tag: ["@phone", "@soak"] },
  async ({ page, seller, request }) => {
    await createPaidPage(request, seller, { title })
    await contestPayment(request, seller, "40.00")
    await createPaidPage(request, seller, { title: "Aula de piano" })
    await receiveStray(request, "12.34")
    const { _id } = await requestWithdrawal(request, seller, byPix)

    await measure(page, "/admin", "Aprovada")
    await measureOpened(page, "Abrir menu")
    await measure(page, "/admin/transactions", "Aprovada")
    await page.getByRole("button", { name: "Filtros" }).click()
    await measureOpened(page, new RegExp(`^${title}`))
    await page.goto(`/admin/transactions?search=${encodeURIComponent("Aula de piano")}`)
    await measureOpened(page, /^Aula de piano/)
    await measureOpened(page, "Estornar")
    await measure(page, "/admin/unmatched-payments", "Sem cobrança")
    await measureOpened(page, /^Sem cobrança/)
    await measureOpened(page, "Aceitar")
    await measure(page, "/admin/disputes?status=all", seller.name)
    await measureOpened(page, new RegExp(`${seller.name}|${title}`))
    await measure(page, "/admin/withdrawals", seller.name)
    await page.goto(`/admin/withdrawals?withdrawal=${_id}`)
    await expect(page.getByRole("dialog").getByText(byPix.pixKey).first()).toBeVisible()
    await expectThumbTargets(page, "a withdrawal that waits")
  },
)

adminTest(
  "an administrator's other screens can be hit with a thumb",
  { tag: ["@phone", "@soak"] },
  async ({ page, seller, request }) => {
    const [days, day] = dailyClosesExamples
    await createPaidPage(request, seller, { title })
    await decideWithdrawal(request, await requestWithdrawal(request, seller, byPix), "reject")
    await page.route(/api\/v1\/admin\/daily-closes\?/, (route) => route.fulfill({ json: days?.reply }))
    await page.route(/api\/v1\/admin\/daily-closes\/[^/]+$/, (route) => route.fulfill({ json: day?.reply }))

    await measure(page, "/admin/users", seller.email)
    await measureOpened(page, `Ações de ${seller.name}`)
    await page.keyboard.press("Escape")
    await measureOpened(page, new RegExp(`^${seller.name}`))
    await measureOpened(page, "Editar")
    await measure(page, "/admin/daily-closes", "20/11/2026")
    await measureOpened(page, /20\/11\/2026/)
    await measure(page, "/admin/checkout-pages", title)
    await measureOpened(page, title)
    await measure(page, "/admin/reports", "Top 5 Usuários")
    await page.goto("/admin/settings")
    await page
      .getByRole("button", { name: /^Inicializar/ })
      .first()
      .click()
    await expect(page.getByRole("link", { name: /^Valor padrão/ }).first()).toBeVisible()
    await expectThumbTargets(page, "settings")
    await measureOpened(page, "Nova Configuração")
    await measure(page, "/admin/audit", "Saque rejeitado")
    await page.getByRole("button", { name: "Filtros" }).click()
    await measureOpened(page, /^Saque rejeitado/)
    await measure(page, "/admin/system", /./)
  },
)
