import { sql } from "kysely"
import { arrayLiteral } from "#db/array-literal"
import type { Db, Tx } from "#db/transaction"
import type { AuditEntry } from "./audit-entry.ts"

export async function insertAuditRecords(tx: Tx, records: readonly (AuditEntry & { id: string })[]): Promise<void> {
  await sql`/* prepared insert-audit-records */
    insert into audit_records (
      id, happened_at, actor_id, actor_address, action, entity, entity_id, before, after
    )
    select * from unnest(
      ${arrayLiteral(records.map(({ id }) => id))}::uuid[],
      ${arrayLiteral(records.map(({ happenedAt }) => happenedAt))}::timestamptz[],
      ${arrayLiteral(records.map(({ actor }) => actor?.id ?? null))}::uuid[],
      ${arrayLiteral(records.map(({ actor }) => actor?.address ?? null))}::text[],
      ${arrayLiteral(records.map(({ action }) => action))}::text[],
      ${arrayLiteral(records.map(({ entity }) => entity))}::text[],
      ${arrayLiteral(records.map(({ entityId }) => entityId))}::text[],
      ${arrayLiteral(records.map(({ before }) => jsonOrNull(before)))}::jsonb[],
      ${arrayLiteral(records.map(({ after }) => jsonOrNull(after)))}::jsonb[]
    )`.execute(tx)
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
