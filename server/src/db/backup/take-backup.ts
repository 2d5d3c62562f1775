import { createHash } from "node:crypto"
import type pg from "pg"
import { to as copyTo } from "pg-copy-streams"
import { connectOwner, messageOf } from "#db/route"
import { StartError } from "#kit/errors"
import type { Logger } from "#kit/log"
import type { BackupRecord } from "./backup-file.ts"
import { type AboutBackup, type BackupTable, listBackupTables, quoted, readBookFacts } from "./backup-tables.ts"

interface Options {
  ownerUrl: string
  log: Logger
  version: string
  /** The file with the keys of the platform's secrets; null to leave it out. */
  secrets: Buffer | null
}

/** Text of every type means the same in each session that reads it. */
const readable = [
  "set datestyle = 'ISO, YMD'",
  "set intervalstyle = 'postgres'",
  "set timezone = 'UTC'",
  "set extra_float_digits = 3",
  "set bytea_output = 'hex'",
  "set client_encoding = 'UTF8'",
  "set statement_timeout = 0",
  "set idle_in_transaction_session_timeout = 0",
].join("; ")

/**
 * Everything that a restore needs, as it was at one moment, while any number of writers go on. Reads row by row: however large
 * the database is, the memory stays the same. No lock but those of a reading query.
 */
export async function* takeBackup({ ownerUrl, log, version, secrets }: Options): AsyncGenerator<BackupRecord> {
  const session = await connectOwner(ownerUrl, log)
  try {
    await session.query(readable)
    await session.query("begin isolation level repeatable read read only")
    const about = await readAbout(session, version)
    yield record("about", about)
    if (secrets !== null) yield { kind: "secrets", body: secrets }
    let rows = 0
    for (const table of await listBackupTables(session)) {
      yield record("table", table)
      rows += yield* rowsOf(session, table)
    }
    yield record("sequences", await readSequences(session))
    yield record("end", { rows, facts: await readBookFacts(session) })
    await session.query("commit")
  } catch (error) {
    if (error instanceof StartError) throw error
    throw new StartError(`O backup falhou: ${messageOf(error)}`, { cause: error })
  } finally {
    await session.end().catch(() => undefined)
  }
}

function record(kind: BackupRecord["kind"], body: object): BackupRecord {
  return { kind, body: Buffer.from(JSON.stringify(body)) }
}

async function readAbout(session: pg.Client, version: string): Promise<AboutBackup> {
  const { rows: known } = await session.query("select where to_regclass('schema_migrations') is not null")
  if (known.length === 0) throw new StartError("Não há o que copiar: o banco de dados ainda não tem tabelas.")
  const { rows } = await session.query<Omit<AboutBackup, "version" | "migrations">>(
    `select to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "takenAt",
      current_setting('server_version') as postgres`,
  )
  const { rows: migrations } = await session.query<AboutBackup["migrations"][number]>(
    "select version, name, checksum from schema_migrations order by version",
  )
  return { takenAt: rows[0]?.takenAt ?? "", postgres: rows[0]?.postgres ?? "", version, migrations }
}

async function* rowsOf(session: pg.Client, { name, columns }: BackupTable): AsyncGenerator<BackupRecord, number> {
  const digest = createHash("sha256")
  const copy = copyTo(`copy (select ${columns.map(quoted).join(", ")} from ${quoted(name)}) to stdout`)
  const source = session.query(copy)
  for await (const body of source as AsyncIterable<Buffer>) {
    digest.update(body)
    yield { kind: "rows", body }
  }
  const { rowCount } = source
  yield record("table-end", { rows: rowCount, digest: digest.digest("hex") })
  return rowCount
}

/** Read last, because a sequence is not part of the snapshot: it is never behind the rows. */
async function readSequences(session: pg.Client): Promise<Record<string, string>> {
  const { rows } = await session.query<{ name: string; value: string }>(
    `select sequencename as name, last_value::text as value from pg_sequences
    where schemaname = 'public' and last_value is not null order by 1`,
  )
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]))
}
