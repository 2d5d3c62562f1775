import { createHash } from "node:crypto"
import { existsSync } from "node:fs"
import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import type pg from "pg"
import { StartError } from "#kit/errors"
import type { Logger } from "#kit/log"
import { refuseSharedSessions } from "./refuse-shared-sessions.ts"
import { appRole, ensureAppRole, requireAppRole } from "./roles.ts"
import { connectOwner, messageOf } from "./route.ts"
import { migrationLock } from "./transaction.ts"

type MigrateOptions = {
  ownerUrl: string
  log: Logger
  folder?: string
  /** Called before a database that is in use is changed; its failure leaves everything as it was. */
  beforeUpgrade?: (next: string) => Promise<void>
}

type Migration = { version: number; name: string; sql: string; checksum: string }

type Applied = { version: number; name: string; checksum: string }

const schemaFolder = fileURLToPath(new URL("../../database/schema", import.meta.url))
const laterMigrations = fileURLToPath(new URL("../../database/migrations", import.meta.url))
const oldestServer = 150_000
/** Half of PostgreSQL's deadlock_timeout. */
const lockMs = 500
/** A backup or a long export uses tables for minutes. */
const tablesPatienceMs = 10 * 60_000
const lockNotAvailable = "55P03"

/**
 * Forward only, and all or nothing: when one migration fails, data and schema are as before. Several nodes may start at
 * once: one migrates, the others wait and find it done.
 */
export async function migrate({ ownerUrl, log, folder, beforeUpgrade }: MigrateOptions): Promise<void> {
  const migrations = await readMigrations(folder)
  const session = await connectOwner(ownerUrl, log)
  try {
    await refuseUnfit(session, ownerUrl, migrations)
    await lockMigrations(session, log)
    await ensureAppRole(session)
    await createMigrationsTable(session)
    // Asked again under the lock: a newer node may have migrated meanwhile.
    await refuseNewerSchema(session, migrations)
    const { pending, isInUse } = await findPending(session, migrations)
    const [next] = pending
    if (next !== undefined && isInUse) await beforeUpgrade?.(next.name)
    await applyMigrations(session, pending, log)
    await renumberRestoredPayments(session, log)
  } catch (error) {
    if (error instanceof StartError) throw error
    throw new StartError(`Não foi possível preparar o banco de dados: ${messageOf(error)}`, { cause: error })
  } finally {
    await session.end().catch(() => undefined)
  }
}

/**
 * The schema as these migrations left it, in the caller's transaction; the serving role is there already. `completeSchema`
 * adds those that are newer.
 */
export async function createSchema(session: pg.Client, wanted: Applied[], folder?: string): Promise<void> {
  await refuseOldServer(session)
  const known = await readMigrations(folder)
  const unknown = wanted.find(({ version }) => !known.some((migration) => migration.version === version))
  if (unknown !== undefined) {
    throw new StartError(
      `Este backup é de uma versão mais nova (migração ${unknown.name}), e esta só conhece até a ${known.at(-1)?.name}: restaure-o com a versão que o fez.`,
    )
  }
  const migrations = known.filter(({ version }) => wanted.some((applied) => applied.version === version))
  const changed = migrations.find(({ checksum }) => !wanted.some((applied) => applied.checksum === checksum))
  if (changed !== undefined) {
    throw new StartError(`Este backup foi feito com outra migração ${changed.name}: restaure-o com a versão que o fez.`)
  }
  await createMigrationsTable(session)
  for (const migration of migrations) await runMigration(session, migration)
}

/** Brings a schema that `createSchema` made up to date, in the caller's transaction. */
export async function completeSchema(session: pg.Client, folder?: string): Promise<void> {
  const { pending } = await findPending(session, await readMigrations(folder))
  for (const migration of pending) {
    await runMigration(session, migration).catch((cause: unknown) => {
      throw new StartError(`A migração ${migration.name} falhou: ${messageOf(cause)}.`, { cause })
    })
  }
}

/** The number of the newest migration that this version knows. */
export async function newestMigration(): Promise<number> {
  return (await readMigrations()).at(-1)?.version ?? 0
}

/** Those of this project, or of another folder. */
async function readMigrations(folder?: string): Promise<Migration[]> {
  const migrations: Migration[] = []
  for (const { name, sql } of folder === undefined ? await ourFiles() : await filesIn(folder)) {
    const version = Number(/^(\d{4})_[a-z0-9_]+\.sql$/.exec(name)?.[1])
    if (Number.isNaN(version)) throw new StartError(`Nome de migração inválido: ${name} (use NNNN_nome.sql).`)
    if (version === migrations.at(-1)?.version) throw new StartError(`Duas migrações com o número de ${name}.`)
    migrations.push({ version, name, sql, checksum: createHash("sha256").update(sql).digest("hex") })
  }
  return migrations
}

/** The schema files, as they stand one after the other, are the first migration. */
async function ourFiles(): Promise<{ name: string; sql: string }[]> {
  const schema = (await filesIn(schemaFolder)).map(({ sql }) => sql).join("")
  const later = existsSync(laterMigrations) ? await filesIn(laterMigrations) : []
  return [{ name: "0001_schema.sql", sql: schema }, ...later]
}

/** In the order of their names. */
async function filesIn(folder: string): Promise<{ name: string; sql: string }[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".sql")).sort()
  return Promise.all(
    names.map(async (name) => ({ name, sql: (await readFile(join(folder, name), "utf8")).replaceAll("\r\n", "\n") })),
  )
}

/** Whatever a start refuses before it changes anything. */
async function refuseUnfit(session: pg.Client, ownerUrl: string, migrations: Migration[]): Promise<void> {
  await refuseOldServer(session)
  await refuseSharedSessions(session, ownerUrl)
  await refuseNewerSchema(session, migrations)
}

/** Whether a server could start on it, tried without leaving anything behind. Returns PostgreSQL's version. */
export async function tryDatabase(ownerUrl: string, log: Logger): Promise<string> {
  const session = await connectOwner(ownerUrl, log)
  try {
    await refuseUnfit(session, ownerUrl, await readMigrations())
    await requireAppRole(session)
    await requireTableRights(session)
    const { rows } = await session.query<{ version: string }>("SELECT current_setting('server_version') AS version")
    return rows[0]?.version ?? ""
  } finally {
    await session.end().catch(() => undefined)
  }
}

async function requireTableRights(session: pg.Client): Promise<void> {
  try {
    await session.query("BEGIN; CREATE TABLE tilinta_trial ()")
  } catch (cause) {
    throw new StartError(
      `O usuário de DATABASE_URL não pode criar tabelas (${messageOf(cause)}): torne-o o dono do banco de dados.`,
      { cause },
    )
  } finally {
    await session.query("ROLLBACK")
  }
}

async function refuseOldServer(session: pg.Client): Promise<void> {
  const { rows } = await session.query<{ version: string; number: number }>(
    "SELECT current_setting('server_version') AS version, current_setting('server_version_num')::int AS number",
  )
  if ((rows[0]?.number ?? 0) >= oldestServer) return
  throw new StartError(`O PostgreSQL de DATABASE_URL é o ${rows[0]?.version}: é preciso o 15 ou mais novo.`)
}

/** An older server would read and write columns that a newer one has changed. */
async function refuseNewerSchema(session: pg.Client, migrations: Migration[]): Promise<void> {
  const { rows: tables } = await session.query("SELECT WHERE to_regclass('schema_migrations') IS NOT NULL")
  if (tables.length === 0) return
  const { rows: applied } = await session.query<Applied>(
    "SELECT version, name, checksum FROM schema_migrations ORDER BY version",
  )
  refuseEarlierNumbering(migrations, applied)
  const known = new Set(migrations.map(({ version }) => version))
  const newest = applied.findLast(({ version }) => !known.has(version))
  if (newest === undefined) return
  throw new StartError(
    `Este banco de dados foi atualizado por uma versão mais nova do servidor (migração ${newest.name}), e esta só conhece até a ${migrations.at(-1)?.name}: inicie a versão mais nova, ou restaure um backup de antes da atualização.`,
  )
}

/** Held until the session ends. Polls for the lock: a session that waits in a statement would hold back concurrent index builds. */
export async function lockMigrations(session: pg.Client, log: Logger): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    const { rows } = await session.query<{ isLocked: boolean }>(
      'SELECT pg_try_advisory_lock($1::int, $2::int) AS "isLocked"',
      [...migrationLock],
    )
    if (rows[0]?.isLocked === true) return
    if (attempt === 20) log.info("waiting for another node to migrate the database")
    await sleep(50)
  }
}

async function createMigrationsTable(session: pg.Client): Promise<void> {
  await session.query(`CREATE TABLE IF NOT EXISTS schema_migrations (
    version integer CONSTRAINT schema_migrations_by_version PRIMARY KEY,
    name text NOT NULL,
    checksum text NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT now()
  )`)
  await session.query(`GRANT SELECT ON schema_migrations TO ${appRole}`)
}

async function findPending(
  session: pg.Client,
  migrations: Migration[],
): Promise<{ pending: Migration[]; isInUse: boolean }> {
  const { rows: applied } = await session.query<Applied>("SELECT version, name, checksum FROM schema_migrations")
  const checksums = new Map(applied.map(({ version, checksum }) => [version, checksum]))
  const newest = Math.max(0, ...checksums.keys())
  const pending = migrations.filter(({ version, checksum }) => checksums.get(version) !== checksum)
  for (const { version, name } of pending) {
    if (checksums.has(version)) {
      throw new StartError(`A migração ${name} mudou depois de aplicada: restaure o arquivo e crie outra.`)
    }
    if (version < newest) {
      throw new StartError(`A migração ${name} chegou depois da ${newest}: dê a ela um número maior.`)
    }
  }
  return { pending, isInUse: applied.length > 0 }
}

/**
 * One transaction for all: a killed or failed upgrade leaves the schema that the former version knows. Others queue behind a table's lock that
 * is waited for, so it gives up before they do, and before PostgreSQL ends one of them where they wait for each other.
 */
async function applyMigrations(session: pg.Client, pending: Migration[], log: Logger): Promise<void> {
  if (pending.length === 0) return
  const giveUpAt = performance.now() + tablesPatienceMs
  for (let isLogged = false; !(await tryMigrations(session, pending, performance.now() < giveUpAt)); isLogged = true) {
    if (!isLogged) log.info("waiting for tables that are in use to migrate the database")
    await sleep(500 + Math.random() * 500)
  }
  for (const { name } of pending) log.info({ migration: name }, "migration applied")
}

/** False where a table is in use and `mayRetry`; nothing has changed then. */
async function tryMigrations(session: pg.Client, pending: Migration[], mayRetry: boolean): Promise<boolean> {
  let current = ""
  try {
    await session.query(`BEGIN; SET LOCAL lock_timeout = ${lockMs}`)
    for (const migration of pending) {
      current = migration.name
      await runMigration(session, migration)
    }
    await session.query("COMMIT")
    return true
  } catch (error) {
    await session.query("ROLLBACK").catch(() => undefined)
    const isInUse = (error as pg.DatabaseError).code === lockNotAvailable
    if (isInUse && mayRetry) return false
    throw new StartError(
      `A migração ${current} falhou: ${messageOf(error)}. O banco de dados ficou como estava antes da atualização.`,
      { cause: error },
    )
  }
}

/** A dump may come from a PostgreSQL whose transaction ids were ahead of this one's. */
export async function renumberRestoredPayments(session: pg.Client, log: Logger): Promise<void> {
  const { rows: known } = await session.query("SELECT WHERE to_regproc('renumber_restored_payments') IS NOT NULL")
  if (known.length === 0) return
  const { rows } = await session.query<{ done: boolean }>("SELECT renumber_restored_payments() AS done")
  if (rows[0]?.done === true) log.info("the payments of a restored database were renumbered")
}

/** Before the first release the steps were numbered otherwise, and nothing leads from them to its beginning. */
function refuseEarlierNumbering(migrations: Migration[], applied: Applied[]): void {
  const [beginning] = migrations
  const earlier = applied.find(({ version, name }) => version === beginning?.version && name !== beginning.name)
  if (earlier === undefined) return
  throw new StartError(
    `Este banco de dados é de antes da primeira versão (sua primeira migração é ${earlier.name}) e não pode ser atualizado: use um banco vazio em DATABASE_URL, ou outra pasta em DATA_DIR.`,
  )
}

async function runMigration(session: pg.Client, { version, name, sql, checksum }: Migration): Promise<void> {
  await session.query(sql)
  await session.query("INSERT INTO schema_migrations (version, name, checksum) VALUES ($1, $2, $3)", [
    version,
    name,
    checksum,
  ])
}

/** A command on a database that no server has prepared would fail at its first table. */
export async function requireTables(ownerUrl: string, log: Logger): Promise<void> {
  const session = await connectOwner(ownerUrl, log)
  try {
    const { rows } = await session.query("select where to_regclass('schema_migrations') is not null")
    if (rows.length > 0) return
  } finally {
    await session.end().catch(() => undefined)
  }
  throw new StartError("O banco de dados ainda não tem tabelas: inicie o servidor uma vez, com npm start.")
}
