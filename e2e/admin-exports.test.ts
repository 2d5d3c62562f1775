import { readFile } from "node:fs/promises"
import type { Page } from "@playwright/test"
import { parseCsv } from "../server/test-support/parse-csv.ts"
import { createPaidPage, requestWithdrawal } from "./support/api.ts"
import { expect } from "./support/journey.ts"
import { adminTest as test } from "./support/own-server.ts"

const day = new Intl.DateTimeFormat("pt-BR", { dateStyle: "short", timeZone: "America/Sao_Paulo" })

/** Parses the file as a spreadsheet would: it needs its byte order mark, semicolons and whole rows. */
async function rowsOfDownload(page: Page, button: string, name: RegExp): Promise<Record<string, string>[]> {
  const saved = page.waitForEvent("download")
  await page.getByRole("button", { name: button, exact: true }).click()
  await page.getByRole("menuitem", { name: /^CSV/ }).click()
  const file = await saved
  expect(file.suggestedFilename()).toMatch(name)
  return parseCsv(await readFile(await file.path(), "utf8"))
}

/** Within the test's own duration of now, in São Paulo's time whatever the server's time zone. */
function expectRecent(moment: string | undefined): void {
  const [, date = "", month, year, time] = /^(\d{2})\/(\d{2})\/(\d{4}) (\d{2}:\d{2})$/.exec(moment ?? "") ?? []
  const agoMs = Date.now() - Date.parse(`${year}-${month}-${date}T${time}:00-03:00`)
  expect(agoMs).toBeGreaterThanOrEqual(0)
  expect(agoMs).toBeLessThan(10 * 60_000)
}

test("what an admin saves is what the filters find, as Portuguese spreadsheets read it", { tag: "@desktop" }, async ({
  page,
  seller,
  request,
}) => {
  await createPaidPage(request, seller, { title: "=Aula de piano", amount: 1234.5 })
  await createPaidPage(request, seller, { title: "Aula de violão", amount: 80 })
  await requestWithdrawal(request, seller, { amount: 1000.1, paymentMethod: "pix", pixKey: seller.email })
  const today = day.format(new Date())

  await page.goto("/admin/transactions?search=aula%20de%20piano")
  await expect(page.getByRole("table", { name: "Transações" }).getByRole("link")).toHaveCount(1)
  const [sold, ...noMore] = await rowsOfDownload(page, "Exportar", /^transacoes_\d{4}-\d{2}-\d{2}\.csv$/)
  expect(noMore).toEqual([])
  expect(sold).toMatchObject({
    "E-mail do vendedor": seller.email,
    "Página de cobrança": "'=Aula de piano",
    "Valor bruto (R$)": "1234,50",
    "Taxa (R$)": "185,18",
    "Valor líquido (R$)": "1049,32",
    Status: "Aprovado",
  })
  expectRecent(sold?.["Data"])

  await page.goto(`/admin/withdrawals?search=${encodeURIComponent(seller.email)}&status=pending`)
  await expect(page.getByRole("row").filter({ hasText: seller.email })).toHaveCount(1)
  const asked = await rowsOfDownload(page, "Exportar", /^saques_\d{4}-\d{2}-\d{2}\.csv$/)
  expect(asked).toMatchObject([{ "Valor (R$)": "1000,10", Status: "Pendente", "Chave Pix": seller.email }])
  expectRecent(asked[0]?.["Data"])

  await page.goto("/admin/reports")
  const panel = page.getByRole("region", { name: "Transações por Dia" })
  await panel.getByRole("button", { name: "Ver tabela: Transações por Dia" }).click()
  const [, ...shown] = await panel.getByRole("row").allInnerTexts()
  await expect(panel.getByRole("slider")).toHaveCount(0)
  const days = await rowsOfDownload(
    page,
    "Exportar: Transações por Dia",
    /^relatorio_transacoes_por_dia_\d{4}-\d{2}-\d{2}\.csv$/,
  )
  expect(days.map((each) => Object.values(each).join("\t"))).toEqual(shown)
  expect(days.at(-1)?.["Dia"]).toBe(today)
  const months = await rowsOfDownload(page, "Exportar: Receita Mensal", /^relatorio_receita_mensal_/)
  expect(months).toHaveLength(12)
  expect(months.at(-1)?.["Valor bruto"]).toMatch(/^\d+,\d{2}$/)
  const best = await rowsOfDownload(page, "Exportar: Top 5 Usuários", /^relatorio_top_usuarios_/)
  expect(best).toContainEqual(expect.objectContaining({ "E-mail": seller.email, Total: "1314,50", Vendas: "2" }))
})
