import { pipeline, type Readable, Transform } from "node:stream"
import { callbackify } from "node:util"
import { type RawBuilder, sql } from "kysely"
import type { PoolClient } from "pg"
import { to as copyTo } from "pg-copy-streams"
import { literalSql } from "#db/backup/backup-tables"
import { jsonFile } from "#kit/folders"
import type { Logger } from "#kit/log"
import { yieldWhenBusy } from "#kit/waiting-line"
import { createPool } from "./pools.ts"
import type { DatabaseRoute } from "./route.ts"

export interface CsvExports {
  /** The query's rows as a CSV file; destroying the stream cancels the query. */
  open(query: RawBuilder<unknown>): Promise<Readable>
  /** The same for a query of one column of JSON: a list with an item for each row. */
  openJson(query: RawBuilder<unknown>): Promise<Readable>
  stop(): Promise<void>
}

interface CsvExportsOptions {
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
export function createCsvExports({ url, max, log }: CsvExportsOptions): CsvExports {
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

/** Characters that a spreadsheet takes for the start of a formula, full-width forms included. */
const formulaStarts = "=+-@\t\r\n＝＋－＠"

/** Text typed by strangers: a leading apostrophe keeps a formula plain text in a spreadsheet. */
export function textCell(column: string): RawBuilder<unknown> {
  const value = sql`nullif(${sql.ref(column)}, '')`
  return sql`case when strpos(${formulaStarts}, left(${value}, 1)) > 0 then '''' || ${value} else ${value} end`
}

/** With its punctuation, because a spreadsheet would take eleven digits for a number. */
export function cpfCell(column: string): RawBuilder<unknown> {
  return maskedCell(column, "^(\\d{3})(\\d{3})(\\d{3})(\\d{2})$", "\\1.\\2.\\3-\\4")
}

/** (11) 98765-4321 */
export function phoneCell(column: string): RawBuilder<unknown> {
  return maskedCell(column, "^(\\d{2})(\\d{4,5})(\\d{4})$", "(\\1) \\2-\\3")
}

/** Empty for text of another shape, so that no formula gets through. */
function maskedCell(column: string, shape: string, mask: string): RawBuilder<unknown> {
  return sql`case when ${sql.ref(column)} ~ ${shape} then regexp_replace(${sql.ref(column)}, ${shape}, ${mask}) end`
}

/** 1234,56: a number in any spreadsheet with a Portuguese locale. */
export function moneyCell(column: string): RawBuilder<unknown> {
  const cents = sql.ref(column)
  return sql`(${cents} / 100)::text || ',' || lpad((${cents} % 100)::text, 2, '0')`
}

export function momentCell(column: string): RawBuilder<unknown> {
  return sql`to_char(${sql.ref(column)} at time zone 'America/Sao_Paulo', 'DD/MM/YYYY HH24:MI')`
}

/** The label of a status or kind. */
export function labelCell<Word extends string>(
  word: RawBuilder<unknown>,
  labels: Record<Word, string>,
): RawBuilder<unknown> {
  const cases = Object.entries<string>(labels).map(([each, label]) => sql`when ${each} then ${label}`)
  return sql`case ${word} ${sql.join(cases, sql` `)} end`
}
