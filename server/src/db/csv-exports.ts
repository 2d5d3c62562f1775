import { pipeline, type Readable } from "node:stream"
import type { RawBuilder } from "kysely"
import type { PoolClient } from "pg"
import { to as copyTo } from "pg-copy-streams"
import type { Logger } from "#kit/log"
import { csvFile } from "./csv-file.ts"
import { literalSql } from "./literal-sql.ts"
import { createPool } from "./pool.ts"

export interface CsvExports {
  /** The rows of the query, as a file; whoever destroys the stream ends the query. */
  open(query: RawBuilder<unknown>): Promise<Readable>
  stop(): Promise<void>
}

/** A client that takes nothing for so long has gone, or is none. */
const longestSilenceMs = 60_000
const longestExportMs = 15 * 60_000

/** In the order of an index, so that the first rows leave at once and nothing is sorted on disk. */
const settings = ["default_transaction_read_only=on", "enable_sort=off"]

/** Connections of their own: however many rows leave, requests never wait for one of these. */
export function createCsvExports({ url, max, log }: { url: string; max: number; log?: Logger }): CsvExports {
  const pool = createPool({
    url,
    max,
    applicationName: "tilinta exports",
    silenceMs: longestSilenceMs,
    statementMs: longestExportMs,
    settings,
    ...(log && { log }),
  })
  return {
    open: async (query) => {
      const copy = `copy (${literalSql(query)}) to stdout (format csv, header, delimiter ';')`
      const client = await pool.connect()
      await watchForClientsThatLeave(client)
      return fileOf(client, copy)
    },
    stop: () => pool.end(),
  }
}

/** Else a query that finds nothing runs to its end for nobody. Where PostgreSQL can't (Windows), it does. */
async function watchForClientsThatLeave(client: PoolClient): Promise<void> {
  await client.query("set client_connection_check_interval = '500ms'").catch(() => undefined)
}

function fileOf(client: PoolClient, copy: string): Readable {
  const rows = client.query(copyTo(copy))
  // The driver tells it once more when the connection that we cut off has gone.
  rows.on("error", () => undefined)
  return pipeline(rows, csvFile(), (error) => client.release(error ?? undefined))
}
