import { pipeline, type Readable, Transform } from "node:stream"
import { StringDecoder } from "node:string_decoder"
import { callbackify } from "node:util"
import { formulaStarts } from "@tilinta/contract/vocabulary/files"
import { type RawBuilder, sql } from "kysely"
import type { PoolClient } from "pg"
import { to as copyTo } from "pg-copy-streams"
import { literalSql } from "#db/backup/backup-tables"
import { jsonFile } from "#kit/folders"
import type { Logger } from "#kit/log"
import { type SheetColumn, xlsxFile } from "#kit/spreadsheet"
import { yieldWhenBusy } from "#kit/waiting-line"
import { createPool } from "./pools.ts"
import type { DatabaseRoute } from "./route.ts"

export interface TableExports {
  /** The query's rows as a CSV file; destroying the stream cancels the query. */
  open(query: RawBuilder<unknown>): Promise<Readable>
  /** The same for a query of one column of JSON: a list with an item for each row. */
  openJson(query: RawBuilder<unknown>): Promise<Readable>
  /** The same for a table: a workbook. */
  openXlsx(table: Table): Promise<Readable>
  stop(): Promise<void>
}

interface TableExportsOptions {
  url: string | DatabaseRoute
  max: number
  log?: Logger
}

/** A client that reads nothing for so long has gone, or never was one. */
const longestSilenceMs = 60_000
const longestExportMs = 15 * 60_000

/** Rows are read in index order, so that the first ones leave at once and nothing is sorted on disk. */
const settings = ["default_transaction_read_only=on", "enable_sort=off"]

/** A pool of its own: requests never wait for an export, however many rows it has. */
export function createTableExports({ url, max, log }: TableExportsOptions): TableExports {
  const pool = createPool({
    url,
    max,
    applicationName: "tilinta exports",
    silenceMs: longestSilenceMs,
    statementMs: longestExportMs,
    settings,
    ...(log && { log }),
  })
  async function openCopy(query: RawBuilder<unknown>, format: string, file: Transform): Promise<Readable> {
    // Before a connection is taken, since a value may be refused.
    const copy = `copy (${literalSql(query)}) to stdout (${format})`
    const client = await pool.connect()
    await watchForClientsThatLeave(client)
    return fileOf(client, copy, file)
  }

  return {
    open: (query) => openCopy(query, "format csv, header, delimiter ';'", csvFile()),
    openJson: (query) => openCopy(query, jsonLines, jsonFile()),
    openXlsx: async (table) => xlsxFile(table.columns, await openCopy(cellsOf(table), jsonLines, jsonRows())),
    stop: () => pool.end(),
  }
}

/**
 * Lets PostgreSQL notice a closed connection; otherwise a query without matches would run to its end. Windows can't.
 */
async function watchForClientsThatLeave(client: PoolClient): Promise<void> {
  await client.query("set client_connection_check_interval = '500ms'").catch(() => undefined)
}

/** JSON holds no control characters, so that no row needs quotes. */
const jsonLines = `format csv, delimiter e'\\x01', quote e'\\x02'`

function fileOf(client: PoolClient, copy: string, file: Transform): Readable {
  const rows = client.query(copyTo(copy))
  // The driver emits a second error when the aborted connection closes.
  rows.on("error", () => undefined)
  return pipeline(rows, file, (error) => client.release(error ?? undefined))
}

/** Turns lines of JSON, as COPY writes them, into rows, some at a time. Like `csvFile` it pauses while the server is busy. */
function jsonRows(): Transform {
  const decoder = new StringDecoder("utf8")
  let rest = ""
  return new Transform({
    readableObjectMode: true,
    transform(chunk: Buffer, _encoding, done) {
      const lines = (rest + decoder.write(chunk)).split("\n")
      rest = lines.pop() ?? ""
      if (lines.length > 0) this.push(lines.map((line) => JSON.parse(line)))
      afterOthers(done)
    },
  })
}

const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf])
const quote = 0x22
const carriageReturn = 0x0d
const lineFeed = 0x0a

const afterOthers = callbackify(yieldWhenBusy)

/**
 * Turns the output of COPY into the file that spreadsheets expect: a byte order mark and CRLF after each row. It pauses
 * while the server is busy, and so does PostgreSQL, which writes only as fast as it is read.
 */
export function csvFile(): Transform {
  const endRows = rowEnder()
  let hasBegun = false

  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      if (!hasBegun) this.push(byteOrderMark)
      hasBegun = true
      this.push(endRows(chunk))
      afterOthers(done)
    },
  })
}

/** Jumps from line feed to line feed instead of checking every byte: a sixth of the time. */
function rowEnder(): (chunk: Buffer) => Buffer {
  let isQuoted = false

  return (chunk) => {
    const bytes = Buffer.allocUnsafe(chunk.length * 2)
    let length = 0
    let copied = 0
    let nextQuote = chunk.indexOf(quote)
    let nextFeed = chunk.indexOf(lineFeed)
    while (nextQuote !== -1 || nextFeed !== -1) {
      if (nextQuote !== -1 && (nextFeed === -1 || nextQuote < nextFeed)) {
        isQuoted = !isQuoted
        nextQuote = chunk.indexOf(quote, nextQuote + 1)
        continue
      }
      if (!isQuoted) {
        length += chunk.copy(bytes, length, copied, nextFeed)
        bytes[length++] = carriageReturn
        copied = nextFeed
      }
      nextFeed = chunk.indexOf(lineFeed, nextFeed + 1)
    }
    length += chunk.copy(bytes, length, copied)
    return bytes.subarray(0, length)
  }
}

/** A table for a file. */
export interface Table {
  columns: readonly Column[]
  /** SQL after `from`, with an order that an index has, so that rows leave as they are read. */
  source: RawBuilder<unknown>
}

export interface Column extends SheetColumn {
  /** In a CSV file, which has only text. */
  text: RawBuilder<unknown>
  /** In a workbook, whose cells have kinds. */
  value: RawBuilder<unknown>
}

/** The rows for `open`. */
export function csvOf({ columns, source }: Table): RawBuilder<unknown> {
  const cells = columns.map(({ label, text }) => sql`${text} as ${sql.ref(label)}`)
  return sql`select ${sql.join(cells)} from ${source}`
}

function cellsOf({ columns, source }: Table): RawBuilder<unknown> {
  return sql`select jsonb_build_array(${sql.join(columns.map(({ value }) => value))}) from ${source}`
}

/** The name of a database column, as `table.column`, or an expression. */
type Source = string | RawBuilder<unknown>

function sourceOf(source: Source): RawBuilder<unknown> {
  return typeof source === "string" ? sql.ref(source) : source
}

/** Text typed by strangers: in CSV a leading apostrophe keeps a formula plain text. */
export function textColumn(label: string, source: Source): Column {
  const value = sql`nullif(${sourceOf(source)}, '')`
  const text = sql`case when strpos(${formulaStarts}, left(${value}, 1)) > 0 then '''' || ${value} else ${value} end`
  return { label, kind: "text", value, text }
}

/** A number, a boolean, an id or a word of ours. */
export function valueColumn(label: string, source: Source): Column {
  const value = sourceOf(source)
  return { label, kind: "value", value, text: value }
}

/** A CPF or CNPJ with its punctuation, because in CSV a spreadsheet would take its digits for a number. */
export function documentColumn(label: string, column: string): Column {
  const cpf = masked(column, "^(\\d{3})(\\d{3})(\\d{3})(\\d{2})$", "\\1.\\2.\\3-\\4")
  const cnpj = masked(column, "^(\\w{2})(\\w{3})(\\w{3})(\\w{4})(\\d{2})$", "\\1.\\2.\\3/\\4-\\5")
  const text = sql`coalesce(${cpf}, ${cnpj})`
  return { label, kind: "text", value: text, text }
}

/** (11) 98765-4321 */
export function phoneColumn(label: string, column: string): Column {
  const text = masked(column, "^(\\d{2})(\\d{4,5})(\\d{4})$", "(\\1) \\2-\\3")
  return { label, kind: "text", value: text, text }
}

/** Empty for text of another shape, so that no formula gets through. */
function masked(column: string, shape: string, mask: string): RawBuilder<unknown> {
  const source = sql.ref(column)
  return sql`case when ${source} ~ ${shape} then regexp_replace(${source}, ${shape}, ${mask}) end`
}

/** 1234,56 in CSV: a number in any spreadsheet with a Portuguese locale. */
export function moneyColumn(label: string, source: Source): Column {
  const cents = sourceOf(source)
  const text = sql`(${cents} / 100)::text || ',' || lpad((${cents} % 100)::text, 2, '0')`
  return { label, kind: "money", value: cents, text }
}

export function momentColumn(label: string, column: string): Column {
  const local = sql`${sql.ref(column)} at time zone 'America/Sao_Paulo'`
  const text = sql`to_char(${local}, 'DD/MM/YYYY HH24:MI')`
  return { label, kind: "moment", value: sql`to_char(${local}, 'YYYY-MM-DD"T"HH24:MI:SS')`, text }
}

/** The label of a status or kind. */
export function labelColumn<Word extends string>(label: string, word: Source, labels: Record<Word, string>): Column {
  return valueColumn(label, labelOf(sourceOf(word), labels))
}

export function labelOf<Word extends string>(
  word: RawBuilder<unknown>,
  labels: Record<Word, string>,
): RawBuilder<unknown> {
  const cases = Object.entries<string>(labels).map(([each, label]) => sql`when ${each} then ${label}`)
  return sql`case ${word} ${sql.join(cases, sql` `)} end`
}
