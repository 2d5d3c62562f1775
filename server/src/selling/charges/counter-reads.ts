import type { Cents } from "@tilinta/contract/vocabulary/money"
import type { RefundRequestState, TransactionStatus } from "@tilinta/contract/vocabulary/transactions"
import { sql } from "kysely"
import type { Db } from "#db/transaction"
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

/** Sales of one day in São Paulo, newest first. */
export async function listCounterSales(db: Db, sellerId: string, day: string): Promise<CounterSale[]> {
  const { rows } = await sql<CounterSale>`
    select charge.id, charge.amount_cents as "amountCents", charge.refunded_cents as "refundedCents", charge.description,
      charge.payer_name as "payerName", charge.status, person.id as "soldById", person.name as "soldByName", charge.created_at as "createdAt",
      charge.expires_at as "expiresAt", charge.paid_at as "paidAt", (
        select case when decided_at is null then 'waiting' when refund_id is null then 'declined' else 'confirmed' end
        from refund_requests where charge_id = charge.id order by asked_at desc, id desc limit 1
      ) as "refundRequest"
    from counter_sales sale
    join charges charge on charge.id = sale.charge_id and charge.status <> 'failed'
    join users person on person.id = sale.sold_by
    where sale.seller_id = ${sellerId} and sale.created_at >= ${startOf(day)} and sale.created_at < ${startOf(day)} + interval '1 day'
    order by sale.created_at desc, sale.charge_id desc limit ${mostListed}`.execute(db)
  return rows
}

interface CounterSum {
  id: string
  name: string
  count: number
  amountCents: Cents
}

/** Each person's paid sales of the day, less what went back; one that went back whole is none. */
export async function sumCounterSales(db: Db, sellerId: string, day: string): Promise<CounterSum[]> {
  const { rows } = await sql<CounterSum>`
    select person.id, person.name, count(*) filter (where charge.refunded_cents < charge.amount_cents) as count, sum(charge.amount_cents - charge.refunded_cents)::bigint as "amountCents"
    from counter_sales sale
    join charges charge on charge.id = sale.charge_id and charge.paid_at is not null
    join users person on person.id = sale.sold_by
    where sale.seller_id = ${sellerId} and sale.created_at >= ${startOf(day)} and sale.created_at < ${startOf(day)} + interval '1 day'
    group by person.id, person.name order by person.name, person.id`.execute(db)
  return rows
}

export async function readFavourites(db: Db, sellerId: string): Promise<Favourite[]> {
  const query = db.selectFrom("counter_favourites").select("favourites").where("seller_id", "=", sellerId)
  return (await query.executeTakeFirst())?.favourites ?? []
}

function startOf(day: string) {
  return sql<Date>`(${day}::date::timestamp at time zone 'America/Sao_Paulo')`
}
