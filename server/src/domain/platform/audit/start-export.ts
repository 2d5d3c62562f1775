import { finished, type Readable } from "node:stream"
import type { AuditAction } from "@tilinta/contract/vocabulary/audit"
import type { RawBuilder } from "kysely"
import type { CsvExports } from "#db/csv-exports"
import type { Db } from "#db/transaction"
import { createExportSlots } from "#domain/platform/exports/export-slots"
import type { Clock } from "#kit/clock"
import { newId } from "#kit/ids"
import type { Actor } from "./audit-entry.ts"
import { recordAudit } from "./record-audit.ts"

export interface ExportDeps {
  db: Db
  clock: Clock
  csvExports: CsvExports
}

interface FileWish {
  action: Extract<AuditAction, `${string}.exported`>
  actor: Actor
  audience: "seller" | "admin"
  filter: object
}

interface Wish extends FileWish {
  rows: RawBuilder<unknown>
}

/** Sellers can't take the last slots, because anybody may register as one. */
const limits = { seller: { atOnce: 4, perPerson: 2 }, admin: { atOnce: 6, perPerson: 2 } }
export const mostExports = limits.admin.atOnce

const enterSlot = createExportSlots()

/** The rows as a file, generated while it is read, and an audit record of the download. */
export function startExport(deps: ExportDeps, { rows, ...wish }: Wish): Promise<Readable> {
  return startFile(deps, wish, () => deps.csvExports.open(rows))
}

/** The same for a file of another kind. */
export async function startFile(
  { db, clock }: Pick<ExportDeps, "db" | "clock">,
  wish: FileWish,
  open: () => Promise<Readable>,
): Promise<Readable> {
  const leaveSlot = enterSlot(wish.actor.id, limits[wish.audience])
  try {
    const { action, actor, filter } = wish
    const entry = { actor, happenedAt: clock.now(), action, entity: "export", entityId: newId() } as const
    await db.transaction().execute((tx) => recordAudit(tx, { ...entry, before: null, after: filter }))
    const file = await open()
    finished(file, leaveSlot)
    return file
  } catch (error) {
    leaveSlot()
    throw error
  }
}
