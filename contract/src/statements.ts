import * as z from "zod/mini"
import { defineEndpoint, defineExample } from "./define-endpoint.ts"
import { exportFormat, exportReply, id, isoDateTime, malformed, success, text, wholeNumberQuery } from "./fields.ts"
import * as heads from "./heads.ts"
import { exportFormats, fileTypes } from "./vocabulary/files.ts"
import { statementKinds } from "./vocabulary/statement.ts"
import { bookReaders } from "./vocabulary/team.ts"

/** São Paulo calendar month in a query, `YYYY-MM`. */
const month = z
  .string("Mês inválido.")
  .check(z.refine((value) => /^20\d\d-(0[1-9]|1[0-2])$/.test(value), { error: "Mês inválido.", params: malformed }))

export const statementRow = z.object({
  at: isoDateTime,
  kind: z.enum(statementKinds),
  description: z.string(),
  /** Its change of the balance: below zero when it leaves. */
  amount: z.number(),
  /** The available balance right after it. */
  balance: z.number(),
  /** The endToEndId of a payment, else the id of the withdrawal, refund or dispute. */
  reference: z.string(),
  transactionId: z.nullable(id),
  /** The title of the page of a sale, its fee and its refunds; null for any other movement. */
  pageTitle: z.nullable(z.string()),
})
export type StatementRowView = z.infer<typeof statementRow>

export const statementView = z.object({
  month: z.string(),
  /** The balance before the month's first movement. */
  opening: z.number(),
  /** The balance after its last one; of the present month, that of now. */
  closing: z.number(),
  /** Now available on a later day; not part of the balance. */
  toCome: z.number(),
  /** True when nothing is entered into the month any more. */
  closed: z.boolean(),
  rows: z.array(statementRow),
  /** Cursor for `after`; null on the last page. */
  next: z.nullable(z.string()),
})

const position = z
  .string("Parâmetro inválido.")
  .check(z.refine((value) => /^\d{1,16}\.\d{1,15}$/.test(value), { error: "Parâmetro inválido.", params: malformed }))

const tag = "Extrato"

const statementOrders = ["asc", "desc"] as const
export type StatementOrder = (typeof statementOrders)[number]

const statementFormats = [...exportFormats, "csv-proofs", "ofx", "pdf"] as const
export type StatementFormat = (typeof statementFormats)[number]

export function statementFileName(month: string, format: StatementFormat): string {
  return format === "csv-proofs" ? `extrato_${month}_com_provas.csv` : `extrato_${month}.${format}`
}

export const exportStatementEndpoint = defineEndpoint("exportStatement", heads.exportStatement, {
  audience: "seller",
  roles: bookReaders,
  scope: "withdrawals:read",
  urgency: "last",
  tag,
  summary:
    "O extrato de um mês inteiro num arquivo (`extrato_{AAAA-MM}`): CSV, planilha, OFX para programas de contabilidade, PDF (até 5.000 lançamentos), ou `csv-proofs`, o CSV com a prova de cada linha, que só programas leem",
  query: z.object({
    month: z.optional(month),
    format: z._default(z.enum(statementFormats, "Escolha csv, csv-proofs, xlsx, ofx ou pdf."), "csv"),
  }),
  reply: { status: 200, file: [...exportReply.file, fileTypes.ofx, fileTypes.pdf] },
})

export const incomeMonth = z.object({
  month: z.string(),
  /** The number of payments. */
  count: z.number(),
  /** Amounts of what was paid in the month, less what was given back of it since: gross − fee = net. */
  gross: z.number(),
  fee: z.number(),
  net: z.number(),
})

export const incomeReport = z.object({
  year: z.number(),
  months: z.array(incomeMonth),
  total: z.omit(incomeMonth, { month: true }),
})
export type IncomeReportView = z.infer<typeof incomeReport>

const year = z
  .string("Ano inválido.")
  .check(z.refine((value) => /^20\d\d$/.test(value), { error: "Ano inválido.", params: malformed }))

export const getIncomeReportEndpoint = defineEndpoint("getIncomeReport", heads.getIncomeReport, {
  audience: "seller",
  roles: bookReaders,
  whileFrozen: true,
  scope: "withdrawals:read",
  urgency: "last",
  tag,
  summary: "O informe anual (o do ano atual, sem `year`): bruto, taxas e líquido de cada mês, pelo dia do pagamento",
  query: z.object({ year: z.optional(year) }),
  reply: { status: 200, schema: success(incomeReport) },
})

export const exportIncomeEndpoint = defineEndpoint("exportIncome", heads.exportIncome, {
  audience: "seller",
  roles: bookReaders,
  scope: "withdrawals:read",
  urgency: "last",
  tag,
  summary: "O informe anual num arquivo (`informe_{AAAA}`), CSV ou planilha: uma linha por mês",
  query: z.object({ year: z.optional(year), ...exportFormat }),
  reply: exportReply,
})

export const listWithdrawnSalesEndpoint = defineEndpoint("listWithdrawnSales", heads.listWithdrawnSales, {
  audience: "seller",
  roles: bookReaders,
  whileFrozen: true,
  scope: "withdrawals:read",
  tag,
  summary:
    "As vendas que um saque pagou: as que entraram desde o saque anterior, da mais antiga à mais nova, com as taxas",
  params: z.object({ id: text(200) }),
  query: z.object({ after: z.optional(position), limit: wholeNumberQuery(10, 100) }),
  reply: { status: 200, schema: success(z.object({ rows: z.array(statementRow), next: z.nullable(z.string()) })) },
})

export const getStatementEndpoint = defineEndpoint("getStatement", heads.getStatement, {
  audience: "seller",
  roles: bookReaders,
  whileFrozen: true,
  scope: "withdrawals:read",
  tag,
  summary:
    "O extrato de um mês (o atual, sem `month`): tudo o que moveu o saldo disponível, do mais antigo ao mais novo ou, com `order=desc`, do mais novo ao mais antigo, com o saldo depois de cada lançamento",
  query: z.object({
    month: z.optional(month),
    order: z._default(z.enum(statementOrders, "Escolha asc ou desc."), "asc"),
    after: z.optional(position),
    limit: wholeNumberQuery(10, 100),
  }),
  reply: { status: 200, schema: success(statementView) },
})

const sale = {
  at: "2026-11-21T15:04:05.000Z",
  reference: "E0000000020261121150400000000001",
  transactionId: "019aa6d1-5d3c-7c1f-8f0e-0b5a7c9d1e2f",
  pageTitle: "Mentoria de vendas",
} as const

const rows: StatementRowView[] = [
  { ...sale, kind: "sale", description: "Venda", amount: 100, balance: 220 },
  { ...sale, kind: "fee", description: "Taxa da venda", amount: -15, balance: 205 },
]

export const statementsExamples = [
  defineExample(getStatementEndpoint, {
    query: { month: "2026-11" },
    data: { month: "2026-11", opening: 120, toCome: 0, closing: 205, closed: false, rows, next: null },
    failures: [],
  }),
  defineExample(listWithdrawnSalesEndpoint, {
    params: { id: "0193a4c0-7c1a-7d3e-9b52-4f0d6c8e1a27" },
    query: {},
    data: { rows, next: null },
    failures: ["withdrawal_not_found", "withdrawal_forbidden"],
  }),
  defineExample(exportStatementEndpoint, {
    query: { month: "2026-11", format: "csv" },
    failures: ["too_many_exports"],
  }),
  defineExample(exportIncomeEndpoint, { query: { year: "2026" }, failures: ["too_many_exports"] }),
  defineExample(getIncomeReportEndpoint, {
    query: { year: "2026" },
    data: {
      year: 2026,
      months: [{ month: "2026-11", count: 9, gross: 2171.3, fee: 325.7, net: 1845.6 }],
      total: { count: 9, gross: 2171.3, fee: 325.7, net: 1845.6 },
    },
    failures: [],
  }),
]
