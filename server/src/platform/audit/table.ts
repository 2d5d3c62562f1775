import { sql } from "kysely"
import { prepared } from "#db/prepared"
import { jsonb, type NewRow, rowsOf, text, timestamptz, uuid } from "#db/rows-of"
import type { Tx } from "#db/transaction"
import { currentDevice, currentRequestId } from "#kit/request-scope"
import type { Mark, Passed } from "#platform/retention/retention"
import { type AuditEntry, personOf } from "./rules.ts"

/** The next records behind the mark, in the order of their time, without the addresses and devices that they held. */
export async function eraseNextAddresses(
  tx: Tx,
  { after, happenedBefore, limit }: { after: Mark; happenedBefore: Date; limit: number },
): Promise<Passed> {
  const { rows } = await sql<Mark & { count: number }>`
    with passed as materialized (
      select record.id, record.happened_at, record.actor_address, record.actor_device from audit_records record
      where (record.happened_at, record.id) > (${after.moment}::timestamptz, ${after.id}::uuid)
        and record.happened_at < ${happenedBefore}
      order by record.happened_at, record.id limit ${limit}
    ), erased as (
      update audit_records record set actor_address = null, actor_device = null
      from passed
      where record.id = passed.id and (passed.actor_address is not null or passed.actor_device is not null)
    )
    select id, happened_at::text as moment, count(*) over () as count from passed
    order by happened_at desc, id desc limit 1`.execute(tx)
  const [last] = rows
  return last === undefined
    ? { count: 0, last: null }
    : { count: last.count, last: { moment: last.moment, id: last.id } }
}

type NewRecord = AuditEntry & { id: string }

const newRecords = rowsOf<NewRecord, NewRow<"audit_records", "xid">>("record", {
  id: uuid(({ id }) => id),
  happened_at: timestamptz(({ happenedAt }) => happenedAt),
  actor_id: uuid(({ actor }) => (actor ? personOf(actor) : null)),
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
