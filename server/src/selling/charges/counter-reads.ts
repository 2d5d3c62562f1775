import type { Cents } from "@tilinta/contract/vocabulary/money"
import type { RefundRequestState, TransactionStatus } from "@tilinta/contract/vocabulary/transactions"
import { type RawBuilder, type SqlBool, sql } from "kysely"
import type { Db } from "#db/transaction"
import { daysAfter, startOfDay } from "#kit/clock"
import type { Favourite } from "./rules.ts"

interface CounterSale {
  id: string
  amountCents: Cents
  refundedCents: Cents
  description: string
  status: TransactionStatus | "creating"
  payerName: string | null
  soldById: string
  soldByName: string
  createdAt: Date
  expiresAt: Date
  paidAt: Date | null
  refundRequest: RefundRequestState | null
}

const mostListed = 200

/** Sales of one day in São Paulo, newest first, and the day before's of a person's open shift. */
export async function listCounterSales(
  db: Db,
  sellerId: string,
  { day, withShiftOf }: { day: string; withShiftOf: string | null },
): Promise<CounterSale[]> {
  const isOfShift = sql<SqlBool>`sale.sold_by = ${withShiftOf} and sale.shift_id is null and charge.paid_at is not null`
  const { rows } = await sql<CounterSale>`
    select charge.id, charge.amount_cents as "amountCents", charge.refunded_cents as "refundedCents", charge.description,
      charge.payer_name as "payerName", charge.status, person.id as "soldById", person.name as "soldByName", charge.created_at as "createdAt",
      charge.expires_at as "expiresAt", charge.paid_at as "paidAt", (
        select case
            when request.decided_at is null then 'waiting'
            when refund.status = 'refused' then 'refused'
            when request.refund_id is null then 'declined'
            else 'confirmed'
          end
        from refund_requests request left join refunds refund on refund.id = request.refund_id
        where request.charge_id = charge.id order by request.asked_at desc, request.id desc limit 1
      ) as "refundRequest"
    from counter_sales sale
    join charges charge on charge.id = sale.charge_id and charge.status <> 'failed'
    join users person on person.id = sale.sold_by
    where sale.seller_id = ${sellerId} and sale.created_at < ${startOfDay(daysAfter(day, 1))}
      and sale.created_at >= ${startOfDay(withShiftOf === null ? day : daysAfter(day, -1))}
      and (sale.created_at >= ${startOfDay(day)} or ${isOfShift})
    order by sale.created_at desc, sale.charge_id desc limit ${mostListed}`.execute(db)
  return rows
}

/** Less what went back; one that went back whole is none. */
const sums = sql`count(*) filter (where charge.refunded_cents < charge.amount_cents) as count,
  sum(charge.amount_cents - charge.refunded_cents)::bigint as "amountCents"`

interface CounterSum {
  id: string
  name: string
  count: number
  amountCents: Cents
}

/** Each person's paid sales of the day. */
export async function sumCounterSales(db: Db, sellerId: string, day: string): Promise<CounterSum[]> {
  const { rows } = await sql<CounterSum>`
    select person.id, person.name, ${sums}
    from counter_sales sale
    join charges charge on charge.id = sale.charge_id and charge.paid_at is not null
    join users person on person.id = sale.sold_by
    where sale.seller_id = ${sellerId} and sale.created_at >= ${startOfDay(day)} and sale.created_at < ${startOfDay(daysAfter(day, 1))}
    group by person.id, person.name order by person.name, person.id`.execute(db)
  return rows
}

export interface CounterShift extends CounterSum {
  firstSaleAt: Date
  /** Null while it is open. */
  closedAt: Date | null
}

/** Shifts that were closed on the day, whole. */
export async function listClosedShifts(db: Db, sellerId: string, day: string): Promise<CounterShift[]> {
  return readShifts(
    db,
    sql`sale.shift_id in (
      select id from counter_shifts where seller_id = ${sellerId}
        and closed_at >= ${startOfDay(day)} and closed_at < ${startOfDay(daysAfter(day, 1))}
    )`,
  )
}

/** Sales since the day that nobody has closed yet. */
export async function listOpenShifts(db: Db, sellerId: string, sinceDay: string): Promise<CounterShift[]> {
  return readShifts(
    db,
    sql`sale.seller_id = ${sellerId} and sale.shift_id is null and sale.created_at >= ${startOfDay(sinceDay)}`,
  )
}

export async function findLastShift(
  db: Db,
  { sellerId, personId }: { sellerId: string; personId: string },
): Promise<CounterShift | null> {
  const [last] = await readShifts(
    db,
    sql`sale.shift_id = (
      select id from counter_shifts where person_id = ${personId} and seller_id = ${sellerId}
      order by closed_at desc, id desc limit 1
    )`,
  )
  return last ?? null
}

async function readShifts(db: Db, condition: RawBuilder<SqlBool>): Promise<CounterShift[]> {
  const { rows } = await sql<CounterShift>`
    select person.id, person.name, min(sale.created_at) as "firstSaleAt", shift.closed_at as "closedAt", ${sums}
    from counter_sales sale
    join charges charge on charge.id = sale.charge_id and charge.paid_at is not null
    join users person on person.id = sale.sold_by
    left join counter_shifts shift on shift.id = sale.shift_id
    where ${condition}
    group by person.id, person.name, shift.id order by shift.closed_at, person.name, person.id`.execute(db)
  return rows
}

export async function readFavourites(db: Db, sellerId: string): Promise<Favourite[]> {
  const query = db.selectFrom("counter_favourites").select("favourites").where("seller_id", "=", sellerId)
  return (await query.executeTakeFirst())?.favourites ?? []
}
