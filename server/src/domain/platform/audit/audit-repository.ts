import type { AuditAction } from "@tilinta/contract/vocabulary/audit"
import { prepared } from "#db/prepared"
import type { NewRow } from "#db/row-types"
import { jsonb, rowsOf, text, timestamptz, uuid } from "#db/rows-of"
import type { Db, Tx } from "#db/transaction"
import { currentDevice, currentRequestId } from "#kit/request-scope"
import type { AuditEntry } from "./audit-entry.ts"

type NewRecord = AuditEntry & { id: string }

const newRecords = rowsOf<NewRecord, NewRow<"audit_records", "xid">>("record", {
  id: uuid(({ id }) => id),
  happened_at: timestamptz(({ happenedAt }) => happenedAt),
  actor_id: uuid(({ actor }) => actor?.id ?? null),
  actor_address: text(({ actor, whence }) => (actor ?? whence)?.address ?? null),
  actor_key_id: uuid(({ actor }) => actor?.apiKeyId ?? null),
  action: text(({ action }) => action),
  entity: text(({ entity }) => entity),
  entity_id: text(({ entityId }) => entityId),
  before: jsonb(({ before }) => jsonOrNull(before)),
  after: jsonb(({ after }) => jsonOrNull(after)),
  actor_device: text(({ actor, whence }) => deviceOf(actor ?? whence)),
  request_id: text(({ actor, whence }) => (actor ?? whence)?.requestId ?? currentRequestId()),
})

export async function insertAuditRecords(tx: Tx, records: readonly NewRecord[]): Promise<void> {
  await prepared("insert-audit-records")`
    insert into audit_records (${newRecords.columns}) select * from ${newRecords.of(records)}`.execute(tx)
}

/** Null where the platform acts, even while it serves a request. */
function deviceOf(whence: AuditEntry["whence"] | null): string | null {
  return whence === undefined || whence === null ? null : (whence.device ?? currentDevice())
}

function jsonOrNull(value: object | null): string | null {
  return value === null ? null : JSON.stringify(value)
}

export async function existsAuditRecord(
  db: Db,
  { action, entity, entityId }: Pick<AuditEntry, "action" | "entity" | "entityId">,
): Promise<boolean> {
  const row = await db
    .selectFrom("audit_records")
    .select("id")
    .where("entity", "=", entity)
    .where("entity_id", "=", entityId)
    .where("action", "=", action)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** The moments since when a person did this, oldest first. */
export async function findMomentsOf(
  db: Db,
  { action, actorId, since }: { action: AuditAction; actorId: string; since: Date },
): Promise<Date[]> {
  const rows = await db
    .selectFrom("audit_records")
    .select("happened_at")
    .where("actor_id", "=", actorId)
    .where("happened_at", ">", since)
    .where("action", "=", action)
    .orderBy("happened_at")
    .execute()
  return rows.map((row) => row.happened_at)
}

export async function countRecordsAbout(
  db: Db,
  { entity, entityId, since }: Pick<AuditEntry, "entity" | "entityId"> & { since: Date },
): Promise<number> {
  const row = await db
    .selectFrom("audit_records")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("entity", "=", entity)
    .where("entity_id", "=", entityId)
    .where("happened_at", ">", since)
    .executeTakeFirstOrThrow()
  return row.count
}
