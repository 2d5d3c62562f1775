import { Readable } from "node:stream"
import type { StatementFormat } from "@tilinta/contract/statements"
import { csvText, type ExportFormat } from "@tilinta/contract/vocabulary/files"
import { addCents, type Cents, noMoney, subtractCents } from "@tilinta/contract/vocabulary/money"
import type { ReportsDb } from "#db/transaction"
import { type Clock, type Month, monthOf, saoPauloDay } from "#kit/clock"
import { brokenRule } from "#kit/errors"
import { type SheetColumn, wallClock, xlsxFile } from "#kit/spreadsheet"
import { sellerAvailable } from "#ledger/accounts"
import { bookingProver } from "#money/chain/prove"
import { publishCheckpoint, sealRows } from "#money/chain/seal"
import { readReceiver } from "#people/shops/reads"
import { getUser } from "#people/users/reads"
import { type ExportDeps, startFile } from "#platform/audit/export"
import type { Actor } from "#platform/audit/rules"
import { readPlatform } from "#platform/settings/reads"
import { readSalesDays } from "#selling/charges/search-reads"
import { ofxOf } from "./ofx-file.ts"
import { pdfOf } from "./pdf-file.ts"
import { countMovements, readSlice } from "./reads.ts"
import { linesWithin, type MonthFacts, monthAt, spanOf, type TitledLine, titleOf } from "./statement.ts"

interface ExportStatementInput {
  seller: Actor
  /** By default the present one. */
  month: Month | undefined
  format: StatementFormat
}

/** A PDF is laid out line by line by this process; the other formats have no limit. */
const MOST_PDF_LINES = 5_000

/** A whole month as a file. */
export async function exportStatement(
  deps: Deps,
  input: ExportStatementInput,
): Promise<{ month: Month; content: Readable }> {
  const { seller, format } = input
  const month = input.month ?? monthAt(deps.clock.now())
  const span = spanOf(seller.id, month)
  const entry = { action: "statement.exported", audience: "seller", actor: seller, filter: { month, format } } as const
  if (format === "pdf" && (await countMovements(deps.db, span)) > MOST_PDF_LINES) {
    throw brokenRule(
      "format",
      `O PDF vai até ${MOST_PDF_LINES.toLocaleString("pt-BR")} lançamentos. Baixe este mês em planilha, CSV ou OFX.`,
    )
  }
  const content = await startFile(deps, entry, async () => {
    const facts = await readFacts(deps, seller.id, month)
    const lines = linesWithin(deps.db, span)
    if (format === "csv") return Readable.from(csvOf(lines, null))
    if (format === "csv-proofs") return Readable.from(csvOf(lines, await openProver(deps, seller.id)))
    if (format === "xlsx") return xlsxFile(sheetColumns, Readable.from(sheetRows(lines)))
    return format === "ofx"
      ? Readable.from(ofxOf(facts, lines))
      : pdfOf({ ...facts, ...(await namesOf(deps, seller.id, facts.until)), publicUrl: deps.publicUrl }, lines)
  })
  return { month, content }
}

type Deps = ExportDeps & Parameters<typeof publishCheckpoint>[0] & Parameters<typeof sealRows>[0]

/**
 * Seals what has committed until now, so that the file's last lines have a proof, too. A chain that can't be signed raises an
 * alarm of its own, and the seller still gets the file.
 */
async function openProver(deps: Deps, sellerId: string): Promise<ProveLines> {
  try {
    await sealRows(deps)
    const prove = await bookingProver(deps.db, await publishCheckpoint(deps))
    return (lines) => prove(sellerAvailable(sellerId), lines.map(toBooking))
  } catch (error) {
    deps.log.error({ err: error }, "a statement has no proofs: the chain could not be sealed or signed")
    return async (lines) => lines.map(() => "")
  }
}

/** A proof for each line; empty where it isn't sealed yet. */
type ProveLines = (lines: readonly TitledLine[]) => Promise<string[]>

function toBooking({ name, reference, amountCents }: TitledLine) {
  return { kind: name.slice(0, name.indexOf("/")), reference, amountCents }
}

async function readFacts({ db, clock }: ExportDeps, sellerId: string, month: Month): Promise<MonthFacts> {
  const span = spanOf(sellerId, month)
  const now = clock.now()
  const { openingCents } = await readSlice(db, { ...span, order: "asc", after: null, limit: 1 })
  const lastMoment = new Date(span.to.getTime() - 1)
  return { ...span, month, now, until: now < lastMoment ? now : lastMoment, openingCents }
}

/** The shop is that of the month's end. */
async function namesOf({ db }: ExportDeps, sellerId: string, until: Date) {
  const [{ name, cpf }, shop, platform] = await Promise.all([
    getUser(db, sellerId),
    readReceiver(db, { sellerId, paidAt: until }),
    readPlatform(db),
  ])
  return { sellerName: name, sellerCpf: cpf, shop: shop.name === name ? null : shop, platformName: platform.name }
}

interface IncomeRequest {
  seller: Actor
  /** By default the present one. */
  year: string | undefined
  format: ExportFormat
}

/** The year's report as a file. */
export async function exportIncome(
  deps: Pick<ExportDeps, "db" | "clock"> & { reportsDb: ReportsDb },
  { seller, year, format }: IncomeRequest,
): Promise<{ year: number; content: Readable }> {
  const income = await readIncome(deps, { sellerId: seller.id, year })
  const entry = { action: "income.exported", audience: "seller", actor: seller, filter: { year: income.year } } as const
  const content = await startFile(deps, entry, async () =>
    format === "xlsx"
      ? xlsxFile(incomeColumns, Readable.from([incomeRows(income)]))
      : Readable.from([incomeCsvOf(income)]),
  )
  return { year: income.year, content }
}

const incomeColumns = [
  { label: "Mês", kind: "text" },
  { label: "Pagamentos", kind: "value" },
  { label: "Bruto (R$)", kind: "money" },
  { label: "Taxas (R$)", kind: "money" },
  { label: "Líquido (R$)", kind: "money" },
] as const satisfies readonly SheetColumn[]

function incomeRows({ months }: Income) {
  return months.map(({ month, count, grossCents, feeCents, netCents }) => [
    month.split("-").toReversed().join("/"),
    count,
    ...[grossCents, feeCents, netCents],
  ])
}

/** As the other CSV files, with a byte order mark and CRLF. */
function incomeCsvOf(income: Income): string {
  const head = incomeColumns.map(({ label }) => label)
  const rows = incomeRows(income).map(([month, count, ...cents]) => [
    month,
    count,
    ...cents.map(Number).map(amountText),
  ])
  return `\uFEFF${[head, ...rows].map((cells) => `${cells.join(";")}\r\n`).join("")}`
}

interface Sums {
  count: number
  grossCents: Cents
  feeCents: Cents
  netCents: Cents
}

interface Income {
  year: number
  months: (Sums & { month: string })[]
  total: Sums
}

const nothing: Sums = { count: 0, grossCents: noMoney, feeCents: noMoney, netCents: noMoney }

/** A year's sales by month, by the day of the payment, less what was given back of them. */
export async function readIncome(
  deps: { reportsDb: ReportsDb; clock: Clock },
  input: { sellerId: string; year: string | undefined },
): Promise<Income> {
  const year = input.year ?? saoPauloDay(deps.clock.now()).slice(0, 4)
  const days = await readSalesDays(deps.reportsDb, {
    sellerId: input.sellerId,
    dayFrom: `${year}-01-01`,
    dayTo: `${year}-12-31`,
  })
  const sales = days.map(({ day, count, grossCents, netCents }) => ({
    month: monthOf(day),
    count,
    grossCents,
    netCents,
    feeCents: subtractCents(grossCents, netCents),
  }))
  const byMonth = Map.groupBy(sales, ({ month }) => month)
  const months = [...byMonth].map(([month, all]) => ({ month, ...all.reduce(plus, nothing) }))
  return { year: Number(year), months, total: months.reduce(plus, nothing) }
}

function plus(a: Sums, b: Sums): Sums {
  return {
    count: a.count + b.count,
    grossCents: addCents(a.grossCents, b.grossCents),
    feeCents: addCents(a.feeCents, b.feeCents),
    netCents: addCents(a.netCents, b.netCents),
  }
}

const sheetColumns = [
  { label: "Data", kind: "moment" },
  { label: "Lançamento", kind: "text" },
  { label: "Referência", kind: "text" },
  { label: "Valor (R$)", kind: "money" },
  { label: "Saldo (R$)", kind: "money" },
  { label: "Página", kind: "text" },
] as const satisfies readonly SheetColumn[]

async function* sheetRows(lines: AsyncIterable<TitledLine[]>) {
  for await (const some of lines) {
    yield some.map((line) => {
      const { at, description, reference, amountCents, balanceCents } = line
      return [wallClock(at), description, reference, amountCents, balanceCents, titleOf(line)]
    })
  }
}

const LINES_AT_ONCE = 200

/** As the other CSV files, with a byte order mark and CRLF. With proofs, which only programs read, a last column has each line's (docs/chain.md). */
export async function* csvOf(
  lines: AsyncIterable<TitledLine[]>,
  proveLines: ProveLines | null,
): AsyncGenerator<string> {
  const header = [...sheetColumns.map(({ label }) => label), ...(proveLines === null ? [] : ["Prova"])]
  yield `\uFEFF${header.join(";")}\r\n`
  for await (const some of lines) {
    for (let from = 0; from < some.length; from += LINES_AT_ONCE) {
      const page = some.slice(from, from + LINES_AT_ONCE)
      const proofs = proveLines && (await proveLines(page))
      const rows = page.map((line, at) => (proofs === null ? cellsOf(line) : [...cellsOf(line), proofs[at] ?? ""]))
      yield rows.map((cells) => `${cells.join(";")}\r\n`).join("")
    }
  }
}

const momentFormat = new Intl.DateTimeFormat("en-GB", {
  day: "2-digit",
  month: "2-digit",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
  timeZone: "America/Sao_Paulo",
} as const)

function cellsOf(line: TitledLine): string[] {
  const { at, description, reference, amountCents, balanceCents } = line
  const fields = Object.fromEntries(momentFormat.formatToParts(at).map(({ type, value }) => [type, value]))
  const moment = `${fields["day"]}/${fields["month"]}/${fields["year"]} ${fields["hour"]}:${fields["minute"]}`
  return [
    moment,
    csvText(description),
    csvText(reference),
    amountText(amountCents),
    amountText(balanceCents),
    csvText(titleOf(line)),
  ]
}

function amountText(cents: number): string {
  const digits = String(Math.abs(cents)).padStart(3, "0")
  return `${cents < 0 ? "-" : ""}${digits.slice(0, -2)},${digits.slice(-2)}`
}
