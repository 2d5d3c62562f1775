import { liveRefundStatuses } from "@tilinta/contract/vocabulary/transactions"
import { type RawBuilder, type SqlBool, sql } from "kysely"
import { wordList } from "#db/prepared"
import type { Db } from "#db/transaction"
import type { RefundRequest } from "./rules.ts"

export async function isSoldAtCounter(db: Db, chargeId: string): Promise<boolean> {
  const query = db.selectFrom("counter_sales").select("charge_id").where("charge_id", "=", chargeId)
  return (await query.executeTakeFirst()) !== undefined
}

/** Those that wait and can still be done, the oldest first. */
export async function listWaitingRequests(db: Db, sellerId: string): Promise<RefundRequest[]> {
  const requests = await readRequests(db, sql`request.seller_id = ${sellerId} and request.decided_at is null`)
  return requests.filter(({ leftCents }) => leftCents > 0)
}

/** In the order in which they were made. */
export async function listRequestsOfCharge(db: Db, chargeId: string): Promise<RefundRequest[]> {
  return readRequests(db, sql`request.charge_id = ${chargeId}`)
}

async function readRequests(db: Db, condition: RawBuilder<SqlBool>): Promise<RefundRequest[]> {
  const { rows } = await sql<RefundRequest>`
    select request.id, request.charge_id as "chargeId", request.seller_id as "sellerId", charge.amount_cents - coalesce((
        select sum(amount_cents)::bigint from refunds
        where charge_id = request.charge_id and status in ${wordList(liveRefundStatuses)}
      ), 0) as "leftCents",
      charge.description, request.reason, ${personAt("sale.sold_by")} as "soldBy",
      ${personAt("request.asked_by")} as "askedBy", ${personAt("request.decided_by")} as "decidedBy",
      request.asked_at as "askedAt", request.decided_at as "decidedAt", request.refund_id as "refundId",
      coalesce(refund.status = 'refused', false) as "isRefused"
    from refund_requests request
    join charges charge on charge.id = request.charge_id
    join counter_sales sale on sale.charge_id = request.charge_id
    left join refunds refund on refund.id = request.refund_id
    where ${condition} order by request.asked_at, request.id limit 200`.execute(db)
  return rows
}

function personAt(column: string): RawBuilder<unknown> {
  return sql`(select jsonb_build_object('_id', id, 'name', name) from users where id = ${sql.ref(column)})`
}
