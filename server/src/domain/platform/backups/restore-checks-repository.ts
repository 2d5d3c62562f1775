import type { NewRow } from "#db/row-types"
import type { Db, Tx } from "#db/transaction"

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
