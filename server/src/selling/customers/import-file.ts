import { customerLabels, IMPORT_MAX_ROWS } from "@tilinta/contract/vocabulary/customers"
import { addressLabels } from "@tilinta/contract/vocabulary/people"
import { bareDigits, parseDocument } from "@tilinta/contract/vocabulary/typed-data"
import { brokenRule } from "#kit/errors"
import { yieldWhenBusy } from "#kit/waiting-line"
import { folded } from "./rules.ts"

/** A row as a creation may send it, unchecked. */
interface FileRow {
  /** Its number in a spreadsheet. */
  line: number
  body: Record<string, string | Record<string, string>>
  hasMoreCells: boolean
}

interface CustomersFile {
  rows: FileRow[]
  ignoredColumns: string[]
}

/** Headings that others write above their columns, folded. */
const otherHeadings: Readonly<Record<string, readonly string[]>> = {
  name: ["nome completo", "cliente", "razao social"],
  document: ["documento", "cpf/cnpj", "cpf", "cnpj"],
  email: ["mail"],
  phone: ["celular", "whatsapp", "fone"],
  notes: ["observacoes", "observacao", "notas"],
  externalReference: ["codigo", "matricula"],
  "address.street": ["endereco", "logradouro"],
  "address.state": ["uf"],
}

/** Our own headings and the API's names among them. */
const fieldOfHeading = new Map<string, string>([
  ...Object.entries(customerLabels).flatMap(([field, label]) => headed(field, label, field)),
  ...Object.entries(addressLabels).flatMap(([part, label]) =>
    headed(`address.${part}`, label, part, `address.${part}`),
  ),
  ...Object.entries(otherHeadings).flatMap(([field, names]) => headed(field, ...names)),
])

function headed(field: string, ...names: readonly string[]): [string, string][] {
  return names.map((name) => [folded(name), field])
}

const tooMany = `O arquivo tem mais de ${IMPORT_MAX_ROWS.toLocaleString("pt-BR")} clientes. Divida-o em partes.`

const MAX_COLUMNS = 200
const tooWide = `O arquivo tem mais de ${MAX_COLUMNS} colunas. Deixe as que são dos clientes.`

interface Columns {
  /** Empty headings among them: spreadsheets write thousands at the end. */
  count: number
  known: { at: number; field: string }[]
  ignored: string[]
}

/** Empty rows between others count as rows of the spreadsheet. @throws validation_failed */
export async function readCustomersFile(file: Buffer): Promise<CustomersFile> {
  const { streamCsvRows, detectDelimiter } = await import("hucre/csv")
  const text = textOf(file)
  const [headingLine = ""] = text.split(/\r\n|\r|\n/, 1)
  const options = { delimiter: detectDelimiter(headingLine), unescapeFormulae: true }
  const rows: FileRow[] = []
  let columns: Columns | null = null
  let line = 0
  for (const cells of streamCsvRows(text, options) as Iterable<string[]>) {
    line += 1
    if (line % 100 === 0) await yieldWhenBusy()
    if (columns === null) columns = columnsOf(cells)
    else if (cells.some((cell) => cell.trim() !== "")) rows.push({ line, ...rowOf(columns, cells) })
    if (rows.length > IMPORT_MAX_ROWS) throw brokenRule("file", tooMany)
  }
  return { rows, ignoredColumns: (columns ?? columnsOf([])).ignored }
}

/** Excel writes Windows-1252, whose letters with accents are no UTF-8. */
function textOf(file: Buffer): string {
  const text = decoded(file)
  if (text.includes("\0")) throw brokenRule("file", "Este arquivo não é CSV. Na planilha, escolha Salvar como e CSV.")
  return text.replace(/^sep=[;,]\r?\n/i, "")
}

function decoded(file: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(file)
  } catch {
    return new TextDecoder("windows-1252").decode(file)
  }
}

/** Looked up once for all rows, so that the cost of a file grows with its size alone. */
function columnsOf(headings: readonly string[]): Columns {
  const named = headings.flatMap((heading, at) => (heading.trim() === "" ? [] : [{ heading, at }]))
  if (named.length > MAX_COLUMNS) throw brokenRule("file", tooWide)
  const known: Columns["known"] = []
  const ignored: string[] = []
  for (const { heading, at } of named) {
    const field = fieldOfHeading.get(folded(heading))
    if (field === undefined) ignored.push(heading)
    else known.push({ at, field })
  }
  if (known.some(({ field }) => field === "name")) return { count: headings.length, known, ignored }
  throw brokenRule("file", "A primeira linha deve ter os nomes das colunas, e uma delas deve ser Nome.")
}

/** The first that is filled counts, of two columns for one field, such as CPF and CNPJ. */
function rowOf({ count, known }: Columns, cells: readonly string[]): Omit<FileRow, "line"> {
  const sent: Record<string, string> = {}
  const address: Record<string, string> = {}
  for (const { at, field } of known) {
    const cell = cells[at]?.trim() ?? ""
    if (cell === "") continue
    const part = field.split("address.")[1]
    if (part === undefined) sent[field] ??= field === "document" ? wholeDocument(cell) : cell
    else address[part] ??= part === "zipCode" ? cell.replace(/^\d{7}$/, "0$&") : cell
  }
  const hasMoreCells = cells.slice(count).some((cell) => cell.trim() !== "")
  return { body: Object.keys(address).length === 0 ? sent : { ...sent, address }, hasMoreCells }
}

/** Spreadsheets take documents for numbers and drop their leading zeros. */
function wholeDocument(cell: string): string {
  const digits = bareDigits(cell)
  if (!/^\d{8,13}$/.test(digits)) return cell
  return (
    [digits, digits.padStart(11, "0"), digits.padStart(14, "0")].find((each) => parseDocument(each) !== null) ?? cell
  )
}
