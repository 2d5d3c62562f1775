import type { Page } from "@playwright/test"
import product from "../package.json" with { type: "json" }
import { expectAccessible } from "./support/accessibility.ts"
import { expect, toast, tryAgain } from "./support/journey.ts"
import { adminTest as test } from "./support/own-server.ts"

/** A part of the system: a line that opens, or what needs a person. */
const part = (page: Page, name: string) =>
  page
    .getByRole("main")
    .getByRole("listitem")
    .filter({ has: page.getByText(name, { exact: true }) })

test("an admin sees what needs a person first, opens a part, checks the books and runs a job", {
  tag: "@desktop",
}, async ({ page }) => {
  await page.goto("/admin/system")
  const needs = page.getByRole("region", { name: "Precisa de você" })
  const alone = page.getByRole("region", { name: "Funciona sozinho" })
  // Between three and five in the morning the server checks its books by itself.
  const unverified = needs.getByText("Ainda não foi verificada")
  const verified = alone.getByText("Todos os saldos e totais conferem")
  await expect(unverified.or(verified)).toBeVisible()
  await expect(needs).toContainText("Nenhuma restauração foi experimentada")
  await expect(alone).toContainText(/Tarefas\s*Todas em dia/)
  await expect(alone).toContainText("O banco responde")
  await expectAccessible(page, "a system of which parts need a person")

  const provider = part(page, "Conexão com o banco")
  await provider.locator("summary").focus()
  await page.keyboard.press("Enter")
  await expect(provider).toContainText("Simulador (testes)")
  await expect(provider).toContainText("não usa")
  const installation = part(page, "Instalação")
  await installation.locator("summary").click()
  await expect(installation).toContainText(`Versão${product.version}`)
  const jobs = part(page, "Tarefas")
  await jobs.locator("summary").click()
  await expect(jobs.getByRole("table")).toHaveCount(0)
  await jobs.getByRole("button", { name: /^Ver as \d+ tarefas$/ }).click()
  await expectAccessible(page, "parts of the system that are open")
  await jobs.getByRole("button", { name: "Executar agora: Conciliar recebimentos" }).click()
  await expect(toast(page, "A tarefa começou.")).toBeVisible()

  if (await verified.isVisible()) await part(page, "Contabilidade").locator("summary").click()
  await page.getByRole("button", { name: "Verificar agora" }).click()
  await expect(toast(page, "A verificação começou.")).toBeVisible()
  await expect(alone).toContainText("Todos os saldos e totais conferem")

  await page.getByRole("navigation", { name: "Sistema" }).getByRole("link", { name: "Auditoria" }).click()
  await page.goto("/admin/audit?action=ledger_check.requested")
  await page.getByRole("table", { name: "Auditoria" }).getByRole("link").first().click()
  await page.getByRole("dialog").getByRole("link", { name: "Ver sistema" }).click()
  await expect(page.getByRole("heading", { name: "Sistema", level: 1 })).toBeVisible()
})

test("the state of the system fits three screens of a phone", { tag: "@phone" }, async ({ page }) => {
  await page.goto("/admin/system")
  await expect(page.getByRole("region", { name: "Funciona sozinho" })).toBeVisible()
  const height = await page.evaluate(() => document.documentElement.scrollHeight)
  expect(height).toBeLessThanOrEqual(3 * 812)
})

const now = "2026-11-21T15:00:00.000Z"
const hourAgo = "2026-11-21T14:00:00.000Z"

const ill = (name: string, tone: string, says: string) => ({ part: name, tone, says, advice: "Veja o que fazer." })

/** A system status with every kind of trouble. */
const trouble = {
  findings: [
    ill("ledger", "danger", "1 diferença encontrada"),
    { part: "backup", tone: "success", says: "O backup do dia está feito", advice: null },
    ill("provider", "danger", "O banco não responde há 1 h"),
    ill("underWay", "warning", "Há dinheiro a caminho há mais de 15 minutos"),
    ill("inbox", "warning", "1 aviso falhou mais de uma vez"),
    ill("mails", "warning", "1 e-mail não entregue nos últimos 7 dias"),
    ill("jobs", "danger", "1 tarefa precisa de atenção"),
    { part: "installation", tone: "success", says: "1 servidor ativo", advice: null },
    { part: "guard", tone: "success", says: "2 administradores podem aprovar", advice: null },
  ],
  provider: {
    name: "simulator",
    label: "Simulador (testes)",
    receiptsSeenUntil: hourAgo,
    lastContactAt: hourAgo,
    lastFailure: { at: now, call: "listReceipts", message: "the provider answered 503" },
    lastWebhookAt: hourAgo,
    webhookRegisteredAt: hourAgo,
    certificateEndsAt: "2026-11-25T15:00:00.000Z",
  },
  inbox: {
    waiting: 41,
    oldestAt: hourAgo,
    failing: [{ _id: "7", receivedAt: hourAgo, attempts: 12, lastError: "no answer", nextAttemptAt: now }],
  },
  mails: {
    waiting: 2,
    oldestAt: hourAgo,
    givenUp: 1,
    problems: [
      {
        ...{ _id: "0193a4c0-7c1a-7d3e-9b52-4f0d6c8e1a27", kind: "reset_password", to: "an•••@loja.example" },
        ...{ createdAt: hourAgo, attempts: 5, lastError: "550 no such user", givenUpAt: now, repeatable: false },
      },
    ],
  },
  payouts: { count: 3, oldestAt: hourAgo },
  ledgerCheck: {
    ...{ isRunning: false, startedAt: hourAgo, requestedBy: null, failure: null },
    result: {
      ...{ startedAt: hourAgo, finishedAt: "2026-11-21T14:00:03.500Z", postings: 120_345, differenceCount: 1 },
      differences: [{ what: "saldo da conta fee-revenue, em centavos", expected: "1500", found: "1400" }],
    },
  },
}

test("what is wrong is said with what to do, and a status that can't be read says so", { tag: "@desktop" }, async ({
  page,
  complaints,
}) => {
  complaints.expect(/404|500/)
  let isReadable = true
  await page.route("**/api/v1/admin/system", async (route) => {
    if (!isReadable) return route.fulfill({ status: 500, body: "" })
    const response = await route.fetch()
    const { data } = await response.json()
    return route.fulfill({ response, json: { status: "success", data: { ...data, ...trouble, now } } })
  })
  await page.goto("/admin/system")
  const needs = page.getByRole("region", { name: "Precisa de você" })
  await expect(page.getByRole("status").filter({ hasText: "6 pontos pedem atenção" })).toBeVisible()
  await expect(needs.getByRole("heading", { level: 3 })).toContainText([
    ...["Contabilidade", "Conexão com o banco", "Tarefas", "A caminho no banco", "Avisos do banco", "E-mails"],
  ])
  await expect(needs.getByRole("list", { name: "Diferenças" })).toContainText("esperado 1500, encontrado 1400")
  const wrong = (name: RegExp) =>
    needs.getByRole("listitem").filter({ has: page.getByRole("heading", { level: 3, name }) })
  const [mails, messages] = [wrong(/^E-mails/), wrong(/^Avisos do banco/)]
  await expect(mails.getByText("Não entregues em 7 dias")).toBeVisible()
  await expect(mails.getByRole("button")).toHaveCount(0)
  await expectAccessible(page, "a system in trouble")
  await messages.getByRole("button", { name: /^Tentar agora/ }).click()
  await expect(toast(page, "Esta notificação já foi processada.")).toBeVisible()

  isReadable = false
  await page.reload()
  const failure = page.getByRole("alert").filter({ hasText: "Erro ao carregar o estado do sistema" })
  await expect(failure).toBeVisible()
  await expectAccessible(page, "a system that can't be read")
  isReadable = true
  await tryAgain(failure)
  await expect(page.getByRole("region", { name: "Precisa de você" })).toBeVisible()
})
