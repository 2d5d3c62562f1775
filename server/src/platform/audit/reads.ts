import {
  type AuditAction,
  type AuditEntity,
  type AuditSubject,
  auditActionLabels,
  auditEntityLabels,
  auditFieldLabels,
} from "@tilinta/contract/vocabulary/audit"
import { type RawBuilder, type SqlBool, sql } from "kysely"
import { labelColumn, labelOf, momentColumn, type Table, textColumn, valueColumn } from "#db/exports"
import { comesAfter, type Days, foldedPattern, momentWithin, requireRowBefore } from "#db/list-range"
import type { Db } from "#db/transaction"
import { type AuditEntry, type RecordedChange, type RecordedFields, recordedChanges } from "./rules.ts"

export interface AuditRecord extends AuditRow {
  changes: RecordedChange[]
}

interface AuditPart {
  records: AuditRecord[]
  /** Cursor of the next part; null at the end. */
  next: string | null
}

export async function listAuditRecords(
  db: Db,
  filter: AuditFilter,
  { limit, after }: { limit: number; after?: string | undefined },
): Promise<AuditPart> {
  const rows = await listAuditRows(db, filter, { limit: limit + 1, after })
  await requireRowBefore(db, "audit_records", { after }, rows)
  const records = rows.slice(0, limit).map((row) => ({ ...row, changes: recordedChanges(row.before, row.after) }))
  return { records, next: rows.length > limit ? (records.at(-1)?.id ?? null) : null }
}

const fieldLabels = { ...auditFieldLabels, amountCents: "Valor", feeCents: "Taxa" }

/** Names of the changed fields without their values: a file travels further than a screen. */
const changedFields = sql`(
  select string_agg(${labelOf(sql.ref("field"), fieldLabels)}, ', ' order by field)
  from jsonb_object_keys(coalesce(record.before, '{}') || coalesce(record.after, '{}')) field
  where record.before -> field is distinct from record.after -> field
)`

export function auditRecordsForAdmin(filter: AuditFilter): Table {
  return {
    columns: [
      momentColumn("Data", "record.happened_at"),
      labelColumn("Ação", "record.action", auditActionLabels),
      textColumn("Quem", "actor.name"),
      textColumn("E-mail de quem fez", "actor.email"),
      textColumn("Endereço IP", "record.actor_address"),
      textColumn("Chave de API", "actor_key.name"),
      labelColumn("Sobre", "record.entity", auditEntityLabels),
      textColumn("Identificador", "record.entity_id"),
      textColumn("Usuário", "owner.name"),
      valueColumn("Campos alterados", changedFields),
      valueColumn("ID do registro", "record.id"),
      textColumn("Aparelho", "record.actor_device"),
      textColumn("ID da requisição", "record.request_id"),
    ],
    source: sql`audit_records record ${peopleOfRecords}
      where ${auditConditions(filter)}
      order by record.happened_at desc, record.id desc`,
  }
}

export interface AuditFilter extends Days {
  action?: AuditAction | undefined
  /** The actor's name or e-mail. */
  search?: string | undefined
  entity?: AuditSubject | undefined
  entityId?: string | undefined
}

interface AuditRow {
  id: string
  happened_at: Date
  action: AuditAction
  actor_id: string | null
  actor_name: string | null
  actor_email: string | null
  actor_address: string | null
  actor_key_id: string | null
  actor_key_name: string | null
  entity: AuditEntity
  entity_id: string
  owner_id: string | null
  owner_name: string | null
  charge_id: string | null
  before: RecordedFields | null
  after: RecordedFields | null
  actor_device: string | null
  request_id: string | null
}

/** Written exactly like the index's expression. */
const chargeId = sql`coalesce(record.after ->> 'chargeId', record.after ->> 'acceptedChargeId')`

function isAbout({ entity, entityId }: AuditFilter): RawBuilder<SqlBool>[] {
  const parts: RawBuilder<SqlBool>[] = []
  if (entity === "transaction") parts.push(entityId ? sql`${chargeId} = ${entityId}` : sql`${chargeId} is not null`)
  else {
    if (entity !== undefined) parts.push(sql`record.entity = ${entity}`)
    if (entityId) parts.push(sql`record.entity_id = ${entityId}`)
  }
  return parts
}

function auditConditions(filter: AuditFilter, after?: string): RawBuilder<SqlBool> {
  const parts = [sql<SqlBool>`true`, ...momentWithin("record.happened_at", filter), ...isAbout(filter)]
  if (filter.action !== undefined) parts.push(sql`record.action = ${filter.action}`)
  if (filter.search) {
    const found = sql`select id from users where search_text like ${foldedPattern(filter.search)}`
    parts.push(sql`record.actor_id in (${found})`)
  }
  if (after !== undefined) parts.push(comesAfter("audit_records", "record", after))
  return sql.join(parts, sql` and `)
}

/** The owner of the record's subject: the user's own account, the one signed in to, or the seller whose money it was. */
const peopleOfRecords = sql`
  left join users actor on actor.id = record.actor_id
  left join api_keys actor_key on actor_key.id = record.actor_key_id
  left join users owner on owner.id = case
    when record.entity = 'user' then record.entity_id::uuid
    when record.entity = 'session' then (record.after ->> 'userId')::uuid
    else (record.after ->> 'sellerId')::uuid
  end`

export async function listAuditRows(
  db: Db,
  filter: AuditFilter,
  { limit, after }: { limit: number; after?: string | undefined },
): Promise<AuditRow[]> {
  const { rows } = await sql<AuditRow>`
    select record.id, record.happened_at, record.action, record.actor_id, actor.name as actor_name,
      actor.email as actor_email, record.actor_address, record.actor_key_id, actor_key.name as actor_key_name,
      record.entity, record.entity_id,
      owner.id as owner_id, owner.name as owner_name, ${chargeId} as charge_id, record.before, record.after,
      record.actor_device, record.request_id
    from (
      select * from audit_records record where ${auditConditions(filter, after)}
      order by record.happened_at desc, record.id desc limit ${limit}
    ) record
    ${peopleOfRecords}
    order by record.happened_at desc, record.id desc`.execute(db)
  return rows
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
