import { finished, type Readable } from "node:stream"
import type { AuditAction } from "@tilinta/contract/vocabulary/audit"
import type { ExportFormat } from "@tilinta/contract/vocabulary/files"
import { csvOf, type Table, type TableExports } from "#db/exports"
import type { Db, Tx } from "#db/transaction"
import type { Clock } from "#kit/clock"
import { DomainError, invariant } from "#kit/errors"
import { newId } from "#kit/ids"
import { type AuditFilter, auditRecordsForAdmin } from "./reads.ts"
import { recordAudit } from "./record.ts"
import type { Actor } from "./rules.ts"

export interface ExportDeps {
  db: Db
  clock: Clock
  tableExports: TableExports
}

interface ExportRequest {
  action: Extract<AuditAction, `${string}.exported`>
  actor: Actor
  audience: "seller" | "admin"
  filter: object
  /** Refuses, or tells others, in the transaction of the audit record. */
  before?(tx: Tx, now: Date): Promise<void>
}

/** In which format, and who asks. */
export interface ExportTo {
  format: ExportFormat
  actor: Actor
}

interface StartExportInput extends ExportRequest, ExportTo {
  table: Table
}

/** Sellers can't take the last slots, because anybody may register as one. */
const limits = { seller: { atOnce: 4, perPerson: 2 }, admin: { atOnce: 6, perPerson: 2 } }
export const mostExports = limits.admin.atOnce

const retryAfterSeconds = 10

const enterSlot = createExportSlots()

/** The table as a file, generated while it is read, and an audit record of the download. */
export function startExport(deps: ExportDeps, { table, format, ...request }: StartExportInput): Promise<Readable> {
  const { tableExports } = deps
  return startFile(deps, request, () =>
    format === "xlsx" ? tableExports.openXlsx(table) : tableExports.open(csvOf(table)),
  )
}

/** The same for a file of another kind. */
export async function startFile(
  { db, clock }: Pick<ExportDeps, "db" | "clock">,
  request: ExportRequest,
  open: () => Promise<Readable>,
): Promise<Readable> {
  const leaveSlot = enterSlot(request.actor.id, limits[request.audience])
  try {
    await db.transaction().execute((tx) => recordExport(tx, request, clock.now()))
    const file = await open()
    finished(file, leaveSlot)
    return file
  } catch (error) {
    leaveSlot()
    throw error
  }
}

async function recordExport(tx: Tx, { action, actor, filter, before }: ExportRequest, now: Date): Promise<void> {
  await before?.(tx, now)
  const entry = { actor, happenedAt: now, action, entity: "export", entityId: newId() } as const
  await recordAudit(tx, { ...entry, before: null, after: filter })
}

export function exportAuditRecords(
  deps: ExportDeps,
  filter: AuditFilter,
  { format, actor }: ExportTo,
): Promise<Readable> {
  const table = auditRecordsForAdmin(filter)
  return startExport(deps, { action: "audit_records.exported", audience: "admin", actor, filter, format, table })
}

interface SlotLimits {
  /** Slots of everybody together, as this caller counts them. */
  atOnce: number
  perPerson: number
}

/** An export holds a connection as long as its reader takes, so requests beyond the limit are refused at once. */
export function createExportSlots() {
  const people: string[] = []

  /** Returns a function that releases the slot, at most once. */
  return function enter(person: string, { atOnce, perPerson }: SlotLimits): () => void {
    const own = people.filter((each) => each === person)
    if (people.length >= atOnce || own.length >= perPerson) {
      throw new DomainError("too_many_exports", { retryAfterSeconds })
    }
    people.push(person)
    let hasLeft = false
    return () => {
      if (hasLeft) return
      hasLeft = true
      const place = people.indexOf(person)
      invariant(place !== -1, "an export released a slot that it did not hold")
      people.splice(place, 1)
    }
  }
}
