import type { Page } from "@playwright/test"
import product from "../package.json" with { type: "json" }
import { expectAccessible } from "./support/accessibility.ts"
import { expect, toast } from "./support/journey.ts"
import { adminTest as test } from "./support/own-server.ts"

const panel = (page: Page, name: string) => page.getByRole("region", { name })

test("an admin sees how everything does, checks the books and runs a job", { tag: "@desktop" }, async ({ page }) => {
  await page.goto("/admin/system")
  const provider = panel(page, "Conexão com o banco")
  await expect(provider).toContainText("Simulador (testes)")
  await expect(provider).toContainText("não usa")
  await expect(panel(page, "Instalação")).toContainText(`Versão${product.version}`)
  const jobs = page.getByRole("table", { name: "Tarefas" })
  await expect(jobs.getByRole("row").filter({ hasText: "Conciliar recebimentos" })).toContainText("Em dia", {
    timeout: 30_000,
  })
  await expect(provider).toContainText("O banco responde e a conciliação está em dia", { timeout: 30_000 })
  await expectAccessible(page, "a system that is well")

  const ledger = panel(page, "Contabilidade")
  await ledger.getByRole("button", { name: "Verificar agora" }).click()
  await expect(toast(page, "A verificação começou.")).toBeVisible()
  await expect(ledger).toContainText("Todos os saldos e totais conferem", { timeout: 30_000 })
  await expect(ledger.getByRole("button", { name: "Verificar agora" })).toBeEnabled()
  await jobs.getByRole("button", { name: "Executar agora: Conciliar recebimentos" }).click()
  await expect(toast(page, "A tarefa começou.")).toBeVisible()

  await page.goto("/admin/audit?action=ledger_check.requested")
  await page.getByRole("table", { name: "Auditoria" }).getByRole("link").first().click()
  await page.getByRole("dialog").getByRole("link", { name: "Ver sistema" }).click()
  await expect(page.getByRole("heading", { name: "Sistema", level: 1 })).toBeVisible()
})

const now = "2026-11-21T15:00:00.000Z"
const hourAgo = "2026-11-21T14:00:00.000Z"

/** A system status with every kind of trouble. */
const trouble = {
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
  const ledger = panel(page, "Contabilidade")
  await expect(ledger).toContainText("1 diferença encontrada")
  await expect(ledger.getByRole("list", { name: "Diferenças" })).toContainText("esperado 1500, encontrado 1400")
  await expect(panel(page, "Conexão com o banco")).toContainText("O banco não responde há 1 h")
  await expect(panel(page, "E-mails").getByRole("button")).toHaveCount(0)
  await expectAccessible(page, "a system in trouble")
  await panel(page, "Avisos do banco")
    .getByRole("button", { name: /^Tentar agora/ })
    .click()
  await expect(toast(page, "Esta notificação já foi processada.")).toBeVisible()

  isReadable = false
  await page.reload()
  const failure = page.getByRole("alert").filter({ hasText: "Erro ao carregar o estado do sistema" })
  await expect(failure).toBeVisible()
  await expectAccessible(page, "a system that can't be read")
  isReadable = true
  await failure.getByRole("button", { name: "Tentar novamente" }).click()
  await expect(panel(page, "Tarefas")).toBeVisible()
})
