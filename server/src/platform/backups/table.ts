import type { ChangedRow, NewRow } from "#db/rows-of"
import type { Db, Tx } from "#db/transaction"

export interface Backup {
  id: string
  startedAt: Date
  finishedAt: Date | null
  requestedBy: string | null
  file: string
  sizeBytes: number | null
  error: string | null
}

export async function insertBackup(
  tx: Tx,
  { id, startedAt, requestedBy, file }: { id: string; startedAt: Date; requestedBy: string | null; file: string },
): Promise<void> {
  const result = { finished_at: null, size_bytes: null, error: null }
  await tx
    .insertInto("backups")
    .values({ id, started_at: startedAt, requested_by: requestedBy, file, ...result } satisfies NewRow<"backups">)
    .execute()
}

export async function finishBackupRow(
  tx: Tx,
  id: string,
  result: { finishedAt: Date; sizeBytes: number | null; error: string | null },
): Promise<void> {
  await tx
    .updateTable("backups")
    .set({
      finished_at: result.finishedAt,
      size_bytes: result.sizeBytes,
      error: result.error,
    } satisfies ChangedRow<"backups", "id" | "started_at" | "requested_by" | "file">)
    .where("id", "=", id)
    .execute()
}

function backups(db: Db) {
  return db
    .selectFrom("backups")
    .leftJoin("users", "users.id", "backups.requested_by")
    .select([
      "backups.id",
      "started_at as startedAt",
      "finished_at as finishedAt",
      "users.name as requestedBy",
      "file",
      "size_bytes as sizeBytes",
      "error",
    ])
    .orderBy("started_at", "desc")
    .limit(1)
}

export async function findLatestBackup(db: Db): Promise<Backup | undefined> {
  return backups(db).orderBy("backups.id", "desc").executeTakeFirst()
}

/** The last one whose file is whole. */
export async function findLatestDone(db: Db): Promise<Backup | undefined> {
  return backups(db).where("size_bytes", "is not", null).executeTakeFirst()
}

/** A try of a restore, as whoever made it told this database. */
export interface RestoreCheck {
  finishedAt: Date
  /** Account and name of the machine. */
  checkedBy: string
  file: string
  /** The moment of the backup. */
  takenAt: Date | null
  rowCount: number | null
  /** Null where it could not be restored; then there is an error. */
  differenceCount: number | null
  seconds: number
  error: string | null
}

export async function insertRestoreCheck(tx: Tx, check: RestoreCheck & { id: string }): Promise<void> {
  await tx
    .insertInto("restore_checks")
    .values({
      id: check.id,
      finished_at: check.finishedAt,
      checked_by: check.checkedBy,
      file: check.file,
      taken_at: check.takenAt,
      row_count: check.rowCount,
      difference_count: check.differenceCount,
      seconds: check.seconds,
      error: check.error,
    } satisfies NewRow<"restore_checks">)
    .execute()
}

export async function findLatestRestoreCheck(db: Db): Promise<RestoreCheck | undefined> {
  return db
    .selectFrom("restore_checks")
    .select([
      "finished_at as finishedAt",
      "checked_by as checkedBy",
      "file",
      "taken_at as takenAt",
      "row_count as rowCount",
      "difference_count as differenceCount",
      "seconds",
      "error",
    ])
    .orderBy("finished_at", "desc")
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst()
}
