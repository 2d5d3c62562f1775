import { pipeline, type Readable, type Transform } from "node:stream"
import type { RawBuilder } from "kysely"
import type { PoolClient } from "pg"
import { to as copyTo } from "pg-copy-streams"
import type { Logger } from "#kit/log"
import { csvFile } from "./csv-file.ts"
import type { DatabaseRoute } from "./database-route.ts"
import { jsonFile } from "./json-file.ts"
import { literalSql } from "./literal-sql.ts"
import { createPool } from "./pool.ts"

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
