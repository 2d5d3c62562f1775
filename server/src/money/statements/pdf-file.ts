import type { Readable } from "node:stream"
import { addCents, type Cents, noMoney, reaisText } from "@tilinta/contract/vocabulary/money"
import { namedDocument } from "@tilinta/contract/vocabulary/typed-data"
import { dayText, saoPauloDay } from "#kit/clock"
import { type Typesetter, typesetter } from "#kit/letters"
import type { ShopName } from "#people/shops/rules"
import { type MonthFacts, type TitledLine, titleOf } from "./statement.ts"

interface Facts extends MonthFacts {
  platformName: string
  sellerName: string
  sellerCpf: string
  shop: ShopName | null
  publicUrl: string
}

const margin = 40
const rowHeight = 15
const noteHeight = 9
/** Left edges, and the right edge of the last column. */
const columns = { at: margin, description: 130, amount: 395, balance: 475, end: 555 }
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
    info: { Title: title, Author: facts.platformName },
  })
  const set = await typesetter(document)
  write(document, { ...facts, title, set }, lines).then(
    () => document.end(),
    (error: unknown) => document.destroy(error as Error),
  )
  return document
}

type Page = PDFKit.PDFDocument

interface Set extends Facts {
  title: string
  set: Typesetter
}

async function write(document: Page, facts: Set, lines: AsyncIterable<TitledLine[]>) {
  writeHead(document, facts)
  let page = 1
  let balanceCents = facts.openingCents
  const sums = new Map<string, Cents>()
  let y = writeColumns(document, 175)
  y = writeRow(document, y, ["", "Saldo no início do mês", "", money(facts.openingCents)])
  const goOn = (height: number): void => {
    if (y + height <= document.page.height - margin - 2 * rowHeight) return
    writeFoot(document, page, facts)
    document.addPage()
    page += 1
    y = writeColumns(document, writeRunningHead(document, facts))
    y = writeRow(document, y, ["", "Saldo transportado", "", money(balanceCents)])
  }
  for await (const some of lines) {
    for (const line of some) {
      goOn(rowHeight + noteHeight)
      const cells: Cells = [momentOf(line.at), line.description, money(line.amountCents), money(line.balanceCents)]
      y = writeNote(document, writeRow(document, y, cells), { line, set: facts.set })
      sums.set(line.description, addCents(sums.get(line.description) ?? noMoney, line.amountCents))
      balanceCents = line.balanceCents
    }
  }
  if (sums.size === 0) y = writeRow(document, y, ["", "Nenhum lançamento no período.", "", ""])
  goOn((sums.size + 5) * rowHeight)
  y = writeRow(document, y + rowHeight, ["", "Resumo", "", ""], { bold: true })
  y = writeRow(document, y, ["", "Saldo no início do mês", "", money(facts.openingCents)])
  for (const [description, cents] of sums) y = writeRow(document, y, ["", description, money(cents), ""])
  writeRow(document, writeRule(document, y), ["", "Saldo no fim do período", "", money(balanceCents)], { bold: true })
  writeFoot(document, page, facts)
}

function writeHead(document: Page, facts: Set): void {
  const { from, until, now, set } = facts
  document.font("Helvetica-Bold").fontSize(18).text(facts.title, margin, margin)
  document.font("Helvetica").fontSize(10).fillColor("#333333")
  const about = [
    facts.platformName,
    ...(facts.shop === null ? [] : [`Loja: ${withDocument(facts.shop.name, facts.shop.document)}`]),
    `Vendedor: ${withDocument(facts.sellerName, facts.sellerCpf)}`,
    `Período: ${dayText(saoPauloDay(from))} a ${dayText(saoPauloDay(until))} (horário de São Paulo)`,
    `Emitido em ${momentOf(now)}`,
    "Lançamentos do saldo disponível, pelo momento em que foram registrados.",
  ]
  for (const [index, text] of about.entries()) document.text(set(text), margin, 75 + index * 15, { lineBreak: false })
  document.fillColor("black")
}

/** Says on each later page whose it is, for sheets that were separated. */
function writeRunningHead(document: Page, { title, sellerName, set }: Set): number {
  document.fontSize(8.5).fillColor("#333333")
  const text = set(`${title} · ${sellerName}`)
  document.text(fitting(document, text, columns.end - margin), margin, margin, { lineBreak: false }).fillColor("black")
  return margin + 2 * rowHeight
}

function writeColumns(document: Page, y: number): number {
  return writeRule(document, writeRow(document, y, ["Data", "Lançamento", "Valor", "Saldo"], { bold: true }))
}

function writeRule(document: Page, y: number): number {
  document
    .moveTo(margin, y - 3)
    .lineTo(columns.end, y - 3)
    .lineWidth(0.5)
    .stroke("#999999")
  return y + 2
}

type Cells = [at: string, description: string, amount: string, balance: string]

function writeRow(document: Page, y: number, cells: Cells, { bold = false } = {}): number {
  const [at, description, amount, balance] = cells
  const left = { lineBreak: false } as const
  const right = (from: number, to: number) => ({ lineBreak: false, align: "right", width: to - from - 5 }) as const
  document.font(bold ? "Helvetica-Bold" : "Helvetica").fontSize(8.5)
  document.text(at, columns.at, y, left).text(description, columns.description, y, left)
  document.text(amount, columns.amount, y, right(columns.amount, columns.balance))
  document.text(balance, columns.balance, y, right(columns.balance, columns.end + 5))
  return y + rowHeight
}

/** Under a line, the reference whole and as much of the page's title as fits. */
function writeNote(document: Page, y: number, { line, set }: { line: TitledLine; set: Typesetter }): number {
  const note = [line.reference, titleOf(line)].filter((text) => text !== "").join(" · ")
  if (note === "") return y
  document.fontSize(7).fillColor("#555555")
  const text = fitting(document, set(note), columns.end - columns.description)
  document.text(text, columns.description, y - 4, { lineBreak: false }).fillColor("black")
  return y + noteHeight
}

/** In the font that is set. */
function fitting(document: Page, text: string, width: number): string {
  if (document.widthOfString(text) <= width) return text
  let cut = text
  while (cut !== "" && document.widthOfString(`${cut}…`) > width) cut = cut.replace(/.$/su, "")
  return `${cut.trimEnd()}…`
}

function writeFoot(document: Page, page: number, { publicUrl }: Facts): void {
  const y = document.page.height - margin - 8
  document.font("Helvetica").fontSize(8).fillColor("#666666")
  const proof = `Este PDF não traz provas: o CSV com provas do mesmo mês prova cada lançamento em ${publicUrl}/verificar/extrato`
  document.text(`Página ${page}`, margin, y, { lineBreak: false })
  document.text(proof, columns.description, y, { lineBreak: false }).fillColor("black")
}

function momentOf(moment: Date): string {
  return `${dayText(saoPauloDay(moment))} ${clockFormat.format(moment)}`
}

function money(cents: Cents): string {
  return reaisText(cents).replace("−", "-")
}

function withDocument(name: string, document: string): string {
  if (document === "") return name
  return `${name} · ${namedDocument(document)}`
}
