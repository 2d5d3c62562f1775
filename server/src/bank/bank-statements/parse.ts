import { createHash } from "node:crypto"
import { type Cents, centsFromReais, timesCents } from "@tilinta/contract/vocabulary/money"
import type { Day } from "#kit/clock"
import { brokenRule } from "#kit/errors"

export interface StatementEntry {
  /** The same in each file that holds the entry: its account, the bank's words, and which of equal ones it is. */
  key: string
  day: Day
  isDebit: boolean
  amountCents: Cents
  /** All that the bank wrote about it. */
  text: string
}

type Raw = Omit<StatementEntry, "key"> & { bankId: string }

const ENTRIES_MAX = 5_000

/** @throws validation_failed where it is neither OFX nor a CSV with day, text and amount */
export function parseStatement(file: Buffer): StatementEntry[] {
  const text = decoded(file)
  const isOfx = /<OFX>|<STMTTRN>/i.test(text)
  const raw = isOfx ? readOfx(text) : readCsv(text)
  if (raw.length === 0) throw brokenRule("file", "Não há lançamentos neste arquivo. Exporte o extrato em OFX ou CSV.")
  if (raw.length > ENTRIES_MAX) throw brokenRule("file", "O arquivo tem mais de 5.000 lançamentos. Escolha menos dias.")
  return keyed(raw, isOfx ? accountIn(text) : "csv")
}

/** Banks say UTF-8 and write Windows-1252, and the other way round: what is no UTF-8 is the other. */
function decoded(file: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(file)
  } catch {
    return new TextDecoder("windows-1252").decode(file)
  }
}

function keyed(raw: readonly Raw[], account: string): StatementEntry[] {
  const seen = new Map<string, number>()
  return raw.map(({ bankId, ...entry }) => {
    const facts = JSON.stringify([account, bankId, entry.day, entry.isDebit, entry.amountCents, entry.text])
    const nth = (seen.get(facts) ?? 0) + 1
    seen.set(facts, nth)
    return { ...entry, key: createHash("sha256").update(`${facts}#${nth}`).digest("base64url") }
  })
}

/** OFX 1 leaves the end of a value out, OFX 2 is XML: a value ends at the next tag or line in both. */
function valueOf(block: string, tag: string): string {
  const start = new RegExp(`<${tag}>`, "i").exec(block)
  if (start === null) return ""
  const rest = block.slice(start.index + start[0].length)
  const end = rest.search(/[<\r\n]/)
  return unescaped(end === -1 ? rest : rest.slice(0, end)).trim()
}

const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " " }

function unescaped(text: string): string {
  return text.replace(/&(?:#(\d{1,6})|([a-z]{2,4}));/g, (whole, code: string | undefined, name: string | undefined) =>
    code === undefined ? (entities[name ?? ""] ?? whole) : String.fromCodePoint(Math.min(Number(code), 0x10_ff_ff)),
  )
}

function accountIn(text: string): string {
  return ["BANKID", "BRANCHID", "ACCTID"].map((tag) => valueOf(text, tag)).join("/")
}

function readOfx(text: string): Raw[] {
  return text
    .split(/<STMTTRN>/i)
    .slice(1)
    .flatMap((after) => {
      const block = after.split(/<\/(?:STMTTRN|BANKTRANLIST)>/i, 1)[0] ?? ""
      const day = dayIn(valueOf(block, "DTPOSTED"))
      const amount = signedCents(valueOf(block, "TRNAMT"))
      if (day === null || amount === null) return []
      const bankId = valueOf(block, "FITID")
      const words = ["NAME", "MEMO", "CHECKNUM", "REFNUM", "FITID"].map((tag) => valueOf(block, tag))
      return [entryOf(day, amount, words, bankId)]
    })
}

function entryOf(day: Day, signed: number, words: readonly string[], bankId: string): Raw {
  const text = [...new Set(words.map((word) => word.replace(/\s+/g, " ").trim()))].filter((word) => word !== "")
  return {
    day,
    isDebit: signed < 0,
    amountCents: Math.abs(signed) as Cents,
    text: text.join(" · ").slice(0, 500),
    bankId,
  }
}

/** 20261121120000[-3:BRT], 2026-11-21, 21/11/2026, 21/11/26 */
function dayIn(text: string): Day | null {
  const ordered = /^(\d{4})-?(\d{2})-?(\d{2})/.exec(text)
  const written = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4}|\d{2})(?!\d)/.exec(text)
  const [year, month, day] =
    ordered === null ? [written?.[3] ?? "", written?.[2] ?? "", written?.[1] ?? ""] : ordered.slice(1)
  const whole = `${year?.length === 2 ? `20${year}` : year}-${month?.padStart(2, "0")}-${day?.padStart(2, "0")}`
  return Number.isNaN(Date.parse(`${whole}T00:00:00Z`)) ? null : whole
}

/** -1.234,56, 1,234.56-, R$ 10, (10,00), 1234,5: the last sign before one or two digits is the decimal one. Null for none, or zero. */
function signedCents(text: string): number | null {
  const bare = text.replace(/R\$|\s|\u00a0/gi, "")
  const isNegative = /^[-−(]|[-−D]$/i.test(bare)
  const digits = bare.replace(/[^\d.,]/g, "")
  const parts = /^(.*?)(?:[.,](\d{1,2}))?$/.exec(digits)
  const whole = (parts?.[1] ?? "").replace(/[.,]/g, "")
  if (!/^\d{1,12}$/.test(whole)) return null
  const cents = centsFromReais(Number(`${whole}.${parts?.[2] ?? "0"}`))
  if (cents === 0) return null
  return isNegative ? timesCents(cents, -1) : cents
}

const headings = {
  day: /^data\b(?!.*saldo)|^dt\b/,
  amount: /^valor|^montante|^amount/,
  debit: /debito|saida/,
  credit: /credito|entrada/,
  side: /^(tipo|d\/c|c\/d|natureza)/,
  text: /historico|descri|lancamento|detalhe|favorecido|titulo|nome|complemento|memo/,
  id: /documento|identificador|\bid\b|codigo|txid|docto|dcto/,
}

type ColumnName = "day" | "amount" | "debit" | "credit" | "side"
type Columns = Record<ColumnName, number | undefined> & { words: number[]; id: number[] }

/** Lines above the headings tell of the account, lines below without day or amount of balances: they are left out. */
function readCsv(text: string): Raw[] {
  let columns: Columns | null = null
  const entries: Raw[] = []
  const separator = separatorOf(text)
  for (const line of text.split(/\r\n|\r|\n/)) {
    const cells = cellsOf(line, separator)
    if (columns === null) columns = columnsOf(cells)
    else {
      const entry = rowOf(columns, cells)
      if (entry !== null) entries.push(entry)
    }
  }
  return entries
}

function separatorOf(text: string): string {
  const count = (sign: string) => text.split(sign).length
  return [";", "\t", ","].find((sign) => count(sign) > count("\n")) ?? ";"
}

function cellsOf(line: string, separator: string): string[] {
  const cells: string[] = []
  let cell = ""
  let isQuoted = false
  for (const sign of line) {
    if (sign === '"') isQuoted = !isQuoted
    else if (sign === separator && !isQuoted) {
      cells.push(cell.trim())
      cell = ""
    } else cell += sign
  }
  return [...cells, cell.trim()]
}

function columnsOf(cells: readonly string[]): Columns | null {
  const names = cells.map((cell) =>
    cell
      .normalize("NFD")
      .replace(/\p{M}|^\uFEFF/gu, "")
      .toLowerCase(),
  )
  const at = (pattern: RegExp) => {
    const found = names.findIndex((name) => pattern.test(name))
    return found === -1 ? undefined : found
  }
  const columns: Columns = {
    day: at(headings.day),
    amount: at(headings.amount),
    debit: at(headings.debit),
    credit: at(headings.credit),
    side: at(headings.side),
    words: names.flatMap((name, index) => (headings.text.test(name) ? [index] : [])),
    id: names.flatMap((name, index) => (headings.id.test(name) ? [index] : [])),
  }
  const hasAmount = columns.amount !== undefined || columns.debit !== undefined
  return columns.day !== undefined && hasAmount ? columns : null
}

function rowOf({ day, amount, debit, credit, side, words, id }: Columns, cells: readonly string[]): Raw | null {
  const cell = (at: number | undefined) => (at === undefined ? "" : (cells[at] ?? ""))
  const when = dayIn(cell(day))
  const paid = signedCents(cell(debit))
  const got = signedCents(cell(credit))
  const given = signedCents(cell(amount))
  const isDebit = /^(d|deb|saida|-)/i.test(cell(side).normalize("NFD").replace(/\p{M}/gu, ""))
  const signed = given === null ? (paid === null ? got : -Math.abs(paid)) : isDebit ? -Math.abs(given) : given
  if (when === null || signed === null) return null
  const text = [...words, ...id].map((at) => cell(at))
  if (/^saldo\b/i.test(text[0] ?? "")) return null
  return entryOf(when, signed, text, id.map((at) => cell(at)).join("/"))
}
