import type pg from "pg"

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
