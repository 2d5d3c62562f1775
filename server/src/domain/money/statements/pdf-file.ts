import type { Readable } from "node:stream"
import { addCents, type Cents, noMoney, reaisText } from "#kit/money"
import { dayText, saoPauloDay } from "#kit/sao-paulo-day"
import type { MonthFacts } from "./statement-months.ts"
import { inLatinLetters, type TitledLine, titleOf } from "./titled-lines.ts"

interface Facts extends MonthFacts {
  platformName: string
  sellerName: string
  sellerCpf: string
  publicUrl: string
}

const margin = 40
const rowHeight = 15
/** Left edges, and the right edge of the last column. */
const columns = { at: margin, description: 130, reference: 300, amount: 415, balance: 485, end: 555 }
const monthFormat = new Intl.DateTimeFormat("pt-BR", { month: "long", year: "numeric", timeZone: "UTC" })
const clockFormat = new Intl.DateTimeFormat("pt-BR", { timeStyle: "short", timeZone: "America/Sao_Paulo" })

/** A month for an accountant, laid out page by page while it is read. Loads the library: few requests need it. */
export async function pdfOf(facts: Facts, lines: AsyncIterable<TitledLine[]>): Promise<Readable> {
  const { default: Document } = await import("pdfkit")
  const title = `Extrato de ${monthFormat.format(new Date(`${facts.month}-01T00:00:00Z`))}`
  const document = new Document({
    size: "A4",
    margin,
    lang: "pt-BR",
    info: { Title: title, Author: inLatinLetters(facts.platformName) },
  })
  write(document, { ...facts, title }, lines).then(
    () => document.end(),
    (error: unknown) => document.destroy(error as Error),
  )
  return document
}

type Page = PDFKit.PDFDocument

async function write(document: Page, facts: Facts & { title: string }, lines: AsyncIterable<TitledLine[]>) {
  writeHead(document, facts)
  let page = 1
  let balanceCents = facts.openingCents
  const sums = new Map<string, Cents>()
  let y = writeColumns(document, 190)
  y = writeRow(document, y, ["", "Saldo no início do mês", "", "", money(facts.openingCents)])
  for await (const some of lines) {
    for (const line of some) {
      if (y > document.page.height - margin - 2 * rowHeight) {
        writeFoot(document, page, facts)
        document.addPage()
        page += 1
        y = writeColumns(document, margin)
      }
      y = writeRow(document, y, [
        momentOf(line.at),
        fitting(document, describedOf(line)),
        line.reference,
        money(line.amountCents),
        money(line.balanceCents),
      ])
      sums.set(line.description, addCents(sums.get(line.description) ?? noMoney, line.amountCents))
      balanceCents = line.balanceCents
    }
  }
  if (y > document.page.height - margin - (sums.size + 6) * rowHeight) {
    writeFoot(document, page, facts)
    document.addPage()
    page += 1
    y = margin
  }
  y = writeRow(document, y, ["", "Saldo no fim do período", "", "", money(balanceCents)], { bold: true })
  y = writeRow(document, y + rowHeight, ["", "Resumo", "", "", ""], { bold: true })
  for (const [description, cents] of sums) y = writeRow(document, y, ["", description, "", money(cents), ""])
  writeFoot(document, page, facts)
}

function writeHead(document: Page, facts: Facts & { title: string }): void {
  const { from, until, now } = facts
  document.font("Helvetica-Bold").fontSize(18).text(facts.title, margin, margin)
  document.font("Helvetica").fontSize(10).fillColor("#333333")
  const about = [
    inLatinLetters(facts.platformName),
    `Vendedor: ${inLatinLetters(facts.sellerName)}${facts.sellerCpf === "" ? "" : ` · CPF ${maskedCpf(facts.sellerCpf)}`}`,
    `Período: ${dayText(saoPauloDay(from))} a ${dayText(saoPauloDay(until))} (horário de São Paulo)`,
    `Emitido em ${momentOf(now)}`,
    "Lançamentos do saldo disponível, pelo momento em que foram registrados.",
  ]
  for (const [index, text] of about.entries()) document.text(text, margin, 75 + index * 15, { lineBreak: false })
  document.fillColor("black")
}

function writeColumns(document: Page, y: number): number {
  const next = writeRow(document, y, ["Data", "Lançamento", "Referência", "Valor", "Saldo"], { bold: true })
  document
    .moveTo(margin, next - 3)
    .lineTo(columns.end, next - 3)
    .lineWidth(0.5)
    .stroke("#999999")
  return next + 2
}

type Cells = [at: string, description: string, reference: string, amount: string, balance: string]

function writeRow(document: Page, y: number, cells: Cells, { bold = false } = {}): number {
  const [at, description, reference, amount, balance] = cells
  const left = { lineBreak: false } as const
  const right = (from: number, to: number) => ({ lineBreak: false, align: "right", width: to - from - 5 }) as const
  document.font(bold ? "Helvetica-Bold" : "Helvetica").fontSize(8.5)
  document.text(at, columns.at, y, left).text(description, columns.description, y, left)
  document
    .fontSize(5.5)
    .text(reference, columns.reference, y + 2, left)
    .fontSize(8.5)
  document.text(amount, columns.amount, y, right(columns.amount, columns.balance))
  document.text(balance, columns.balance, y, right(columns.balance, columns.end + 5))
  return y + rowHeight
}

function describedOf(line: TitledLine): string {
  const title = inLatinLetters(titleOf(line))
  return title === "" ? line.description : `${line.description} · ${title}`
}

/** Cut where the reference begins. */
function fitting(document: Page, text: string): string {
  const width = columns.reference - columns.description - 8
  document.font("Helvetica").fontSize(8.5)
  if (document.widthOfString(text) <= width) return text
  let cut = text
  while (cut !== "" && document.widthOfString(`${cut}…`) > width) cut = cut.slice(0, -1)
  return `${cut.trimEnd()}…`
}

function writeFoot(document: Page, page: number, { publicUrl }: Facts): void {
  const y = document.page.height - margin - 8
  document.font("Helvetica").fontSize(8).fillColor("#666666")
  const proof = `Este PDF não traz provas: o CSV do mesmo mês prova cada lançamento em ${publicUrl}/verificar/extrato`
  document.text(`Página ${page}`, margin, y, { lineBreak: false })
  document.text(proof, columns.description, y, { lineBreak: false }).fillColor("black")
}

function momentOf(moment: Date): string {
  return `${dayText(saoPauloDay(moment))} ${clockFormat.format(moment)}`
}

function money(cents: Cents): string {
  return reaisText(cents).replace("−", "-")
}

function maskedCpf(cpf: string): string {
  return cpf.replace(/^(\d{3})(\d{3})(\d{3})(\d{2})$/, "$1.$2.$3-$4")
}
