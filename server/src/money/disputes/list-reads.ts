import {
  type DisputeFilterWord,
  type DisputeReason,
  type DisputeState,
  releasedDisputeStates,
} from "@tilinta/contract/vocabulary/dispute-status"
import type { Cents } from "@tilinta/contract/vocabulary/money"
import { type RawBuilder, type Selectable, sql } from "kysely"
import { holdsText } from "#db/list-range"
import { wordList } from "#db/prepared"
import type { Schema } from "#db/schema"
import type { Db } from "#db/transaction"
import { postingName } from "#ledger/post-transactions"
import { toDispute } from "./reads.ts"
import type { Dispute } from "./rules.ts"

export interface DisputeFilter {
  status: DisputeFilterWord
  reason?: DisputeReason | undefined
  search?: string | undefined
}

export interface ListedDispute extends Dispute {
  payment: { amountCents: Cents; paidAt: Date }
  charge: { id: string; pageId: string | null; pageTitle: string; amountCents: Cents } | null
  seller: { id: string; name: string; email: string } | null
}

export interface DisputeTotals {
  state: DisputeState
  count: number
  amountCents: Cents
  blockedCents: Cents
}

type Row = Selectable<Schema["disputes"]> & {
  payment_cents: Cents
  paid_at: Date
  page_id: string | null
  page_title: string
  charge_cents: Cents
  seller_name: string
  seller_email: string
}

const found = sql`disputes dispute
  join payments payment on payment.end_to_end_id = dispute.end_to_end_id
  left join charges charge on charge.id = dispute.charge_id
  left join users seller on seller.id = dispute.seller_id`

const searchedColumns = ["dispute.end_to_end_id", "dispute.psp_dispute_id", "seller.name", "seller.email"]

const whichStatus = {
  live: sql`dispute.settled_at is null`,
  accepted: sql`dispute.state = 'accepted'`,
  released: sql`dispute.state in ${wordList(releasedDisputeStates)}`,
  all: sql`true`,
} as const satisfies Record<DisputeFilterWord, RawBuilder<unknown>>

function conditions({ status, reason, search }: DisputeFilter): RawBuilder<unknown> {
  const conditions: RawBuilder<unknown>[] = [whichStatus[status]]
  if (reason !== undefined) conditions.push(sql`dispute.reason = ${reason}`)
  if (search) conditions.push(holdsText(searchedColumns, search))
  return sql.join(conditions, sql` and `)
}

/** Live disputes are sorted by deadline, others by age. */
export async function listDisputeRows(
  db: Db,
  filter: DisputeFilter,
  { offset, limit }: { offset: number; limit: number },
): Promise<ListedDispute[]> {
  const order =
    filter.status === "live"
      ? sql`dispute.respond_until nulls last, dispute.id`
      : sql`dispute.opened_at desc, dispute.id desc`
  return readRows(db, sql`${conditions(filter)} order by ${order} limit ${limit} offset ${offset}`)
}

export async function findListedDispute(db: Db, id: string): Promise<ListedDispute | null> {
  const [dispute] = await readRows(db, sql`dispute.id = ${id}`)
  return dispute ?? null
}

/** Newest first. */
export async function listDisputesOfPayment(db: Db, endToEndId: string): Promise<ListedDispute[]> {
  return readRows(db, sql`dispute.end_to_end_id = ${endToEndId} order by dispute.opened_at desc, dispute.id desc`)
}

const MOST_LIVE = 100

/** The seller's live disputes, by deadline. */
export async function listLiveOfSeller(db: Db, sellerId: string): Promise<ListedDispute[]> {
  const live = sql`dispute.seller_id = ${sellerId} and dispute.settled_at is null`
  return readRows(db, sql`${live} order by dispute.respond_until nulls last, dispute.id limit ${MOST_LIVE}`)
}

async function readRows(db: Db, which: RawBuilder<unknown>): Promise<ListedDispute[]> {
  const { rows } = await sql<Row>`
    select dispute.*, payment.amount_cents as payment_cents, payment.paid_at,
      charge.page_id, charge.page_title, charge.amount_cents as charge_cents,
      seller.name as seller_name, seller.email as seller_email
    from ${found} where ${which}`.execute(db)
  return rows.map(toListedDispute)
}

/** Exact totals per state of everything that the filter finds. */
export async function readDisputeTotals(db: Db, filter: DisputeFilter): Promise<DisputeTotals[]> {
  const { rows } = await sql<DisputeTotals>`
    select dispute.state, count(*) as count, sum(dispute.amount_cents)::bigint as "amountCents",
      sum(dispute.blocked_cents)::bigint as "blockedCents"
    from ${found} where ${conditions(filter)} group by dispute.state`.execute(db)
  return rows
}

function toListedDispute(row: Row): ListedDispute {
  const { charge_id, seller_id } = row
  return {
    ...toDispute(row),
    payment: { amountCents: row.payment_cents, paidAt: row.paid_at },
    charge:
      charge_id === null
        ? null
        : { id: charge_id, pageId: row.page_id, pageTitle: row.page_title, amountCents: row.charge_cents },
    seller: seller_id === null ? null : { id: seller_id, name: row.seller_name, email: row.seller_email },
  }
}

interface DisputeDifference {
  what: string
  expected: string
  found: string
}

/** One statement per check and thus one snapshot each, consistent even next to a running server. */
const checks: RawBuilder<DisputeDifference>[] = [
  sql`select 'conta ' || coalesce(account.id, real.id) || ', em centavos' as what,
      coalesce(real.amount, 0)::text as expected, coalesce(account.balance_cents, 0)::text as found
    from (select id, balance_cents from ledger_accounts where kind = 'seller-blocked') account
    full join (
      select 'seller-blocked:' || seller_id as id, sum(blocked_cents) as amount
      from disputes where seller_id is not null group by 1
    ) real on real.id = account.id
    where coalesce(real.amount, 0) <> coalesce(account.balance_cents, 0)`,
  sql`select 'lançamentos da contestação ' || dispute.id || ' (' || dispute.state || '), bloqueado em centavos' as what,
      dispute.blocked_cents::text as expected, coalesce(booked.amount, 0)::text as found
    from disputes dispute
    left join (
      select moved.id, sum(moved.amount) as amount
      from (
        select split_part(reference, '/', 1) as id,
          case when kind = 'dispute-blocked' then amount_cents else -amount_cents end as amount
        from journal where kind in ('dispute-blocked', 'dispute-released')
        union all
        select refund.dispute_id::text, -posting.amount_cents
        from refunds refund
        join journal posting on posting.kind = 'refund-by-bank' and posting.reference = refund.id::text
        where refund.dispute_id is not null and posting.debit_account like 'seller-blocked:%'
      ) moved
      group by moved.id
    ) booked on booked.id = dispute.id::text
    where coalesce(booked.amount, 0) <> dispute.blocked_cents`,
  sql`select ${postingName("posting")} as what, 'uma contestação' as expected, 'nenhuma' as found
    from journal posting
    where kind in ('dispute-blocked', 'dispute-released') and not exists (
      select from disputes
      where id::text = split_part(posting.reference, '/', 1) and movements >= case
        when posting.reference ~ '^[^/]+/[1-9][0-9]{0,8}$' then split_part(posting.reference, '/', 2)::integer
      end
    )`,
  sql`select 'devolvido pela contestação ' || dispute.id || ', em centavos' as what,
      coalesce(sum(refund.amount_cents), 0)::text as expected, dispute.debited_cents::text as found
    from disputes dispute left join refunds refund on refund.dispute_id = dispute.id and refund.status = 'completed'
    group by dispute.id
    having coalesce(sum(refund.amount_cents), 0) <> dispute.debited_cents`,
  sql`select 'fim da contestação ' || id || ' (' || state || ')' as what, 'acertada' as expected,
      'em aberto' as found
    from disputes where state in ${wordList(releasedDisputeStates)} and settled_at is null`,
]

export async function findDisputeDifferences(db: Db): Promise<DisputeDifference[]> {
  const results = await Promise.all(checks.map((check) => check.execute(db)))
  return results.flatMap(({ rows }) => rows)
}
