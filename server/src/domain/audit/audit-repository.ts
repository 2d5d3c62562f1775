import type { Db, Tx } from "#db/transaction"
import type { AuditEntry } from "./audit-entry.ts"

export async function insertAuditRecord(tx: Tx, id: string, entry: AuditEntry): Promise<void> {
  await tx
    .insertInto("audit_records")
    .values({
      id,
      happened_at: entry.happenedAt,
      actor_id: entry.actor?.id ?? null,
      actor_address: entry.actor?.address ?? null,
      action: entry.action,
      entity: entry.entity,
      entity_id: entry.entityId,
      before: entry.before === null ? null : JSON.stringify(entry.before),
      after: entry.after === null ? null : JSON.stringify(entry.after),
    })
    .execute()
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
