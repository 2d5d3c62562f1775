import { sql } from "kysely"
import type { Tx } from "#db/transaction"
import type { Mark, Passed } from "#domain/platform/retention/read-on"

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
