import { createQueryId, PostgresQueryCompiler, type RawBuilder, sql } from "kysely"
import pg from "pg"
import type { Db, Tx } from "#db/transaction"
import { invariant } from "#kit/errors"

/** A table as a backup names it: generated columns are computed again. */
export interface BackupTable {
  name: string
  columns: string[]
}

/** The digest is SHA-256 of the rows in PostgreSQL's text format. */
export interface TableEnd {
  rows: number
  digest: string
}

/** The first record of a backup. */
export interface AboutBackup {
  /** The moment of the snapshot, by the server that made it. */
  takenAt: string
  /** Version of the program. */
  version: string
  /** Version of PostgreSQL. */
  postgres: string
  migrations: { version: number; name: string; checksum: string }[]
}

/**
 * Tables that stay behind. Migrations write their own record; a login belongs to one database; nobody stays signed in,
 * because a session may have been ended after the backup; nodes run or don't.
 */
const leftBehind = ["schema_migrations", "server_logins", "sessions", "server_nodes"]

/** In an order in which each row finds the rows that it refers to. */
export async function listBackupTables(session: pg.Client): Promise<BackupTable[]> {
  const { rows: tables } = await session.query<BackupTable>(
    `select relname as name, array_agg(attname::text order by attnum) as columns
    from pg_class
    join pg_attribute on attrelid = pg_class.oid and attnum > 0 and not attisdropped and attgenerated = ''
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
      and relname <> all ($1)
    group by relname order by relname`,
    [leftBehind],
  )
  const { rows: references } = await session.query<{ from: string; to: string }>(
    `select conrelid::regclass::text as from, confrelid::regclass::text as to
    from pg_constraint where contype = 'f' and conrelid <> confrelid and connamespace = 'public'::regnamespace`,
  )
  return inOrder(tables, references)
}

function inOrder(tables: BackupTable[], references: { from: string; to: string }[]): BackupTable[] {
  const ordered: BackupTable[] = []
  const done = new Set<string>()
  function add(table: BackupTable): void {
    if (done.has(table.name)) return
    done.add(table.name)
    const needed = new Set(references.filter(({ from }) => from === table.name).map(({ to }) => to))
    for (const other of tables) if (needed.has(other.name)) add(other)
    ordered.push(table)
  }
  for (const table of tables) add(table)
  return ordered
}

export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/** Figures of the books by which two databases are compared, as text. */
export type BookFacts = Readonly<Record<string, string>>

/** Order plays no part: each row's digest is added up. Constant memory, one pass over each table. */
const statements: Readonly<Record<string, string>> = {
  contas: `select count(*) || ' somam ' || coalesce(sum(balance_cents), 0) as fact,
    coalesce(sum(hashtextextended(id || '=' || balance_cents || '>' || floor_cents, 0)::numeric), 0)::text as digest
    from ledger_accounts`,
  pagamentos: `select count(*) || ' de ' || coalesce(sum(amount_cents), 0) as fact,
    coalesce(sum(hashtextextended(end_to_end_id || '=' || amount_cents || '-' || fee_cents, 0)::numeric), 0)::text as digest
    from payments`,
  lancamentos: `select count(*) || ' de ' || coalesce(sum(amount_cents), 0) as fact,
    coalesce(sum(hashtextextended(kind || reference || line || '=' || amount_cents, 0)::numeric), 0)::text as digest
    from journal`,
  saques: `select count(*) || ' de ' || coalesce(sum(amount_cents), 0) as fact,
    coalesce(sum(hashtextextended(id || status || '=' || amount_cents, 0)::numeric), 0)::text as digest
    from withdrawals`,
  corrente: `select block_count || ' blocos' as fact, coalesce(note, '') as digest from chain_head`,
}

export async function readBookFacts(session: pg.Client): Promise<BookFacts> {
  const facts: Record<string, string> = {}
  for (const [name, statement] of Object.entries(statements)) {
    const { rows: tables } = await session.query("select where to_regclass($1) is not null", [tableOf(statement)])
    // The schema of a backup may be older than this program.
    if (tables.length === 0) continue
    const { rows } = await session.query<{ fact: string; digest: string }>(statement)
    facts[name] = `${rows[0]?.fact} (${rows[0]?.digest})`
  }
  return facts
}

function tableOf(statement: string): string | undefined {
  return /from (\w+)$/.exec(statement)?.[1]
}

/** The names of the wanted figures that differ; another version may have written others. */
export function differentFacts(wanted: BookFacts, found: BookFacts): string[] {
  return Object.keys(wanted).filter((name) => wanted[name] !== found[name])
}

const BATCH = 10_000

/** Folds batch by batch, each in a transaction of its own, so that a crash leaves the rest for the next run. */
export async function foldAll(db: Db, foldSome: (tx: Tx, limit: number) => Promise<number>): Promise<void> {
  for (;;) {
    const folded = await db.transaction().execute((tx) => foldSome(tx, BATCH))
    if (folded < BATCH) return
  }
}

/**
 * For COPY, which takes no parameters: every value becomes a quoted literal, whose type PostgreSQL infers as for a
 * parameter.
 */
export function literalSql(query: RawBuilder<unknown>): string {
  return new LiteralCompiler().compileQuery(query.toOperationNode(), createQueryId()).sql
}

class LiteralCompiler extends PostgresQueryCompiler {
  protected override appendValue(value: unknown): void {
    this.append(literalOf(value))
  }
}

function literalOf(value: unknown): string {
  if (value === null || value === undefined) return "null"
  const text = Array.isArray(value) ? arrayText(value) : textOf(value)
  invariant(!text.includes("\0"), "a value for COPY contains NUL")
  return pg.escapeLiteral(text)
}

function arrayText(items: readonly unknown[]): string {
  return `{${items.map((item) => `"${textOf(item).replace(/[\\"]/g, "\\$&")}"`).join(",")}}`
}

function textOf(value: unknown): string {
  if (value instanceof Date) return value.toISOString()
  invariant(
    typeof value === "string" || typeof value === "number" || typeof value === "boolean",
    `a value for COPY is a ${typeof value}`,
  )
  return String(value)
}

interface Replica {
  name: string
  /** Null where this login may not see it; `streaming` when all is well. */
  state: string | null
  isSynchronous: boolean
  behindBytes: number | null
  lagSeconds: number | null
}

export interface DatabaseFacts {
  sizeBytes: number
  /** The number of the newest applied migration. */
  migration: string
  /** PostgreSQL's own. */
  version: string
  replicas: Replica[]
}

export async function readDatabaseFacts(db: Db): Promise<DatabaseFacts> {
  const { rows } = await sql<Omit<DatabaseFacts, "replicas">>`
    select pg_database_size(current_database())::bigint as "sizeBytes",
      current_setting('server_version') as version,
      (select max(version)::text from schema_migrations) as migration`.execute(db)
  const facts = rows[0] ?? { sizeBytes: 0, migration: "", version: "" }
  return { ...facts, replicas: await readReplicas(db) }
}

/** Without the role pg_monitor PostgreSQL shows only that a replica is there. */
async function readReplicas(db: Db): Promise<Replica[]> {
  const { rows } = await sql<Replica>`
    select coalesce(nullif(application_name, ''), 'réplica ' || row_number() over (order by pid)) as name,
      state, coalesce(sync_state in ('sync', 'quorum'), false) as "isSynchronous",
      case when not pg_is_in_recovery() then pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn)::bigint end as "behindBytes",
      extract(epoch from replay_lag)::float8 as "lagSeconds"
    from pg_stat_replication order by name`.execute(db)
  return rows
}
