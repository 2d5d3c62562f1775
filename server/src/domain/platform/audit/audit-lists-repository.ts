import type { AuditAction, AuditEntity, AuditSubject } from "@tilinta/contract/vocabulary/audit"
import { type RawBuilder, type SqlBool, sql } from "kysely"
import { foldedPattern } from "#db/holds-text"
import { comesAfter } from "#db/list-range"
import { type Days, momentWithin } from "#db/sao-paulo-days"
import type { Db } from "#db/transaction"
import type { RecordedFields } from "./recorded-changes.ts"

export interface AuditFilter extends Days {
  action?: AuditAction | undefined
  /** The actor's name or e-mail. */
  search?: string | undefined
  entity?: AuditSubject | undefined
  entityId?: string | undefined
}

export interface AuditRow {
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

export function auditConditions(filter: AuditFilter, after?: string): RawBuilder<SqlBool> {
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
export const peopleOfRecords = sql`
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
