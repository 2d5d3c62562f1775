import { createHash } from "node:crypto"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import type pg from "pg"
import { from as copyFrom } from "pg-copy-streams"
import { completeSchema, createSchema, lockMigrations, migrate, renumberRestoredPayments } from "#db/migrate"
import { appRole, ensureAppRole } from "#db/roles"
import { connectOwner, messageOf } from "#db/route"
import { createDb, type SoleDb, type Tx } from "#db/transaction"
import { invariant, StartError } from "#kit/errors"
import type { Logger } from "#kit/log"
import type { BackupRecord } from "./backup-file.ts"
import {
  type AboutBackup,
  type BackupTable,
  type BookFacts,
  differentFacts,
  quoted,
  readBookFacts,
  type TableEnd,
} from "./backup-tables.ts"

interface Options {
  ownerUrl: string
  log: Logger
  records: AsyncIterable<BackupRecord>
  /** Changes the restored rows before anybody sees them. */
  beforeCommit: (tx: Tx) => Promise<void>
}

export interface LoadedBackup {
  about: AboutBackup
  /** The keys of the platform's secrets; null where the backup holds none. */
  secrets: Buffer | null
  rows: number
}

/**
 * All or nothing, into a database without tables: schema, rows, newer migrations and what `beforeCommit` changes in one
 * transaction, which ends only after the file has been read to its end and the books say the same as when they were read.
 */
export async function loadBackup(options: Options): Promise<LoadedBackup> {
  const { ownerUrl, log } = options
  const session = await connectOwner(ownerUrl, log)
  let loaded: LoadedBackup
  try {
    await lockMigrations(session, log)
    await refuseTables(session)
    // Roles belong to the whole server, and its attempts may fail on the way.
    await ensureAppRole(session)
    await session.query("set statement_timeout = 0; set idle_in_transaction_session_timeout = 0")
    await session.query("set client_encoding = 'UTF8'; set datestyle = 'ISO, YMD'; set timezone = 'UTC'")
    loaded = await dbOn(session)
      .transaction()
      .execute((tx) => loadWhole(tx, session, options))
  } catch (error) {
    if (error instanceof StartError) throw error
    throw new StartError(`A restauração falhou, e nada ficou gravado: ${messageOf(error)}`, { cause: error })
  } finally {
    await session.end().catch(() => undefined)
  }
  await migrate({ ownerUrl, log })
  await tidyUp(ownerUrl, log)
  return loaded
}

/** Its transactions are the session's own, so that rows may be copied in within them. */
function dbOn(session: pg.Client): SoleDb {
  const client = Object.assign(session, { release: () => undefined })
  return createDb({ options: {}, connect: () => Promise.resolve(client), end: () => Promise.resolve() })
}

async function loadWhole(tx: Tx, session: pg.Client, { records, log, beforeCommit }: Options): Promise<LoadedBackup> {
  const loaded = await readRecords(session, records)
  // PostgreSQL alters no table of which a check is still to come.
  await session.query("set constraints all immediate")
  await completeSchema(session)
  // A row that is written before it would count as one of the backup's, and as missing in its chain.
  await renumberRestoredPayments(session, log)
  // So its changes are recorded as the servers' own.
  await session.query(`set local role ${appRole}`)
  await beforeCommit(tx)
  return loaded
}

/** A database with any table may be somebody's. */
async function refuseTables(session: pg.Client): Promise<void> {
  const { rows } = await session.query<{ name: string }>(
    `select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm')
      and not exists (select from pg_depend where objid = pg_class.oid and deptype = 'e') limit 1`,
  )
  if (rows.length === 0) return
  throw new StartError(
    `O banco de dados em DATABASE_URL já tem tabelas (${rows[0]?.name}): restaure em um banco de dados vazio.`,
  )
}

async function readRecords(session: pg.Client, records: AsyncIterable<BackupRecord>): Promise<LoadedBackup> {
  const reader = records[Symbol.asyncIterator]()
  const loading = { session, reader, about: null as AboutBackup | null, secrets: null as Buffer | null, rows: 0 }
  let isWhole = false
  let isReady = false
  for (;;) {
    const next = await reader.next()
    if (next.done === true) break
    const { kind, body } = next.value
    if (kind === "about") loading.about = JSON.parse(body.toString()) as AboutBackup
    else if (kind === "secrets") loading.secrets = body
    else if (kind === "table") {
      if (!isReady) await prepareTables(session, loading.about)
      isReady = true
      loading.rows += await loadTable(session, reader, JSON.parse(body.toString()) as BackupTable)
    } else if (kind === "sequences") await moveSequences(session, JSON.parse(body.toString()) as Record<string, string>)
    else if (kind === "end") {
      await compareBooks(session, JSON.parse(body.toString()) as { facts: BookFacts })
      isWhole = true
    }
  }
  const { about, secrets, rows } = loading
  invariant(isWhole && about !== null, "the backup has no end")
  await switchTriggers(session, "enable")
  return { about, secrets, rows }
}

/** The rows were checked and counted when they were written: triggers would count them again. */
async function prepareTables(session: pg.Client, about: AboutBackup | null): Promise<void> {
  invariant(about !== null, "the backup doesn't say what it is")
  await createSchema(session, about.migrations)
  await switchTriggers(session, "disable")
  const names = await ownTables(session)
  // Migrations wrote rows, which are in the backup as they have become. Every table is named, whoever writes it.
  const emptied = names.filter((name) => name !== "schema_migrations")
  await session.query(["truncate", emptied.map(quoted).join(", ")].join(" "))
}

async function switchTriggers(session: pg.Client, how: "enable" | "disable"): Promise<void> {
  for (const name of await ownTables(session)) {
    await session.query(`alter table ${quoted(name)} ${how} trigger user`)
  }
}

async function ownTables(session: pg.Client): Promise<string[]> {
  const { rows } = await session.query<{ name: string }>(
    "select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') order by 1",
  )
  return rows.map(({ name }) => name)
}

/** Foreign keys and other constraints hold for each row, as ever. */
async function loadTable(
  session: pg.Client,
  reader: AsyncIterator<BackupRecord>,
  { name, columns }: BackupTable,
): Promise<number> {
  const digest = createHash("sha256")
  const target = session.query(copyFrom(`copy ${quoted(name)} (${columns.map(quoted).join(", ")}) from stdin`))
  let end: TableEnd | null = null
  async function* rows(): AsyncGenerator<Buffer> {
    while (end === null) {
      const next = await reader.next()
      invariant(next.done !== true, `the backup ends within ${name}`)
      const { kind, body } = next.value
      if (kind === "table-end") end = JSON.parse(body.toString()) as TableEnd
      else {
        digest.update(body)
        yield body
      }
    }
  }
  await pipeline(Readable.from(rows()), target)
  const { rowCount } = target
  const tableEnd = end as TableEnd | null
  if (tableEnd?.rows === rowCount && tableEnd.digest === digest.digest("hex")) return rowCount
  throw new StartError(
    `O backup traz ${tableEnd?.rows} linhas de ${name}, e ${rowCount} chegaram: nada foi restaurado.`,
  )
}

async function moveSequences(session: pg.Client, sequences: Record<string, string>): Promise<void> {
  for (const [name, value] of Object.entries(sequences)) {
    await session.query("select setval($1::regclass, $2::bigint)", [quoted(name), value])
  }
}

async function compareBooks(session: pg.Client, { facts }: { facts: BookFacts }): Promise<void> {
  const different = differentFacts(facts, await readBookFacts(session))
  if (different.length === 0) return
  throw new StartError(`Os livros restaurados não são os do backup (${different.join(", ")}): nada foi restaurado.`)
}

/** Without statistics the first queries would read whole tables. */
async function tidyUp(ownerUrl: string, log: Logger): Promise<void> {
  const session = await connectOwner(ownerUrl, log)
  try {
    await session.query("set statement_timeout = 0")
    await session.query("vacuum (analyze)")
  } finally {
    await session.end().catch(() => undefined)
  }
}
