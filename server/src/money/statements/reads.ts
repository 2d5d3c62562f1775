import type { StatementOrder } from "@tilinta/contract/statements"
import type { Cents } from "@tilinta/contract/vocabulary/money"
import { sql } from "kysely"
import type { Db } from "#db/transaction"
import type { Movement } from "./rules.ts"

interface Difference {
  what: string
  expected: string
  found: string
}

/** Each line follows from the one above it, and the last one, with what is not entered yet, is the balance. */
export async function compareStatements(db: Db): Promise<Difference[]> {
  const { rows } = await sql<Difference>`
    with line as (
      select seller_id, number, at, amount_cents, fee_cents, balance_cents,
        coalesce(lag(balance_cents) over place, 0) + amount_cents - fee_cents as follows,
        coalesce(lag(number) over place, 0) + 1 as next_number, lead(number) over place is null as is_last
      from statement_lines window place as (partition by seller_id order by at, number)
    ), entered as (
      select 'seller-available:' || seller_id as id, balance_cents from line where is_last
    ), waiting as (
      select 'seller-available:' || seller_id as id, sum(amount_cents - fee_cents) as cents
      from balance_movements where xid >= (select below from entered_statements) group by seller_id
    )
    select 'lançamento ' || number || ' do extrato de ' || seller_id || ', número e saldo em centavos' as what,
      next_number || ' / ' || follows as expected, number || ' / ' || balance_cents as found
    from line where balance_cents <> follows or number <> next_number
    union all
    select 'saldo no extrato de ' || account.id || ', em centavos', account.balance_cents::text,
      (coalesce(entered.balance_cents, 0) + coalesce(waiting.cents, 0))::text
    from ledger_accounts account
    left join entered on entered.id = account.id
    left join waiting on waiting.id = account.id
    where account.kind = 'seller-available'
      and account.balance_cents <> coalesce(entered.balance_cents, 0) + coalesce(waiting.cents, 0)
    union all
    select 'dias da conta ' || coalesce(kept.account, booked.account) || ', em centavos',
      coalesce(booked.cents, 0)::text, coalesce(kept.cents, 0)::text
    from (
      select account, sum(cents) as cents
      from (
        select account, credits_cents - debits_cents as cents from account_days where account <> 'seller-debt'
        union all
        select account, change_cents from account_movements where xid >= (select below from entered_statements)
      ) part group by account
    ) kept
    full join (
      select case when seller_id is null then id else kind end as account, sum(balance_cents) as cents
      from ledger_accounts group by 1
    ) booked on booked.account = kept.account
    where coalesce(kept.cents, 0) <> coalesce(booked.cents, 0)
    union all
    select 'saldo da conta ' || account || ' no fim de ' || day || ', em centavos', sum::text, balance_cents::text
    from (
      select account, day, balance_cents, sum(credits_cents - debits_cents) over (partition by account order by day)
      from account_days
    ) of_day
    where balance_cents <> sum
    union all
    select 'dívidas de vendedores nos dias das contas, em centavos', lines.cents::text, days.cents::text
    from (select coalesce(sum(least(balance_cents, 0)), 0) as cents from line where is_last) lines
    cross join (
      select coalesce(sum(credits_cents - debits_cents), 0) as cents from account_days where account = 'seller-debt'
    ) days
    where lines.cents <> days.cents
    union all
    select 'lançamentos nos extratos', movements.count::text, lines.count::text
    from (select count(*) from balance_movements where xid < (select below from entered_statements)) movements
    cross join (select count(*) from statement_lines) lines
    where movements.count <> lines.count`.execute(db)
  return [...rows, ...(await compareAccountDays(db))]
}

/** Credits and debits that were moved alike leave every balance as it was. */
async function compareAccountDays(db: Db): Promise<Difference[]> {
  const { rows } = await sql<Difference>`
    select 'créditos e débitos nos dias da conta ' || account || ', em centavos',
      coalesce(booked.credits, 0) || ' / ' || coalesce(booked.debits, 0),
      coalesce(kept.credits, 0) || ' / ' || coalesce(kept.debits, 0)
    from (
      select account, sum(credits_cents) as credits, sum(debits_cents) as debits
      from account_days where account <> 'seller-debt' group by account
    ) kept
    full join (
      select account, sum(greatest(change_cents, 0)) as credits, sum(greatest(-change_cents, 0)) as debits
      from account_movements where xid < (select below from entered_statements) group by account
    ) booked using (account)
    where (coalesce(kept.credits, 0), coalesce(kept.debits, 0)) <> (coalesce(booked.credits, 0), coalesce(booked.debits, 0))`.execute(
    db,
  )
  return rows
}

/** From the first moment on, and before the last. */
export interface Span {
  sellerId: string
  from: Date
  to: Date
}

interface SliceQuery extends Span {
  order: StatementOrder
  /** The position of a movement. */
  after: string | null
  limit: number
}

interface KeptMovement extends Movement {
  /** No movement may still come before it. */
  isSettled: boolean
}

interface Slice {
  openingCents: Cents
  closingCents: Cents
  isClosed: boolean
  movements: KeptMovement[]
}

/** More than a moment brings: only a transaction that stays open for long leaves so many unsettled. */
const MOST_UNENTERED = 1_000

type SliceRow = Omit<Slice, "movements"> & { [Field in keyof KeptMovement]: KeptMovement[Field] | null }

/**
 * In one statement, and thus as of one moment: one movement more than wanted, and unsettled ones where the newest stand, at
 * the end or, newest first, at the beginning.
 */
export async function readSlice(db: Db, { sellerId, from, to, order, after, limit }: SliceQuery): Promise<Slice> {
  const balanceBefore = (moment: Date) => sql`coalesce(
    (select balance_cents from tail where at < ${moment} order by number desc limit 1),
    (select balance_cents from statement_lines where seller_id = ${sellerId} and at < ${moment}
     order by at desc, number desc limit 1),
    0)`
  // A month's first page begins with the movement that tells the balance before it.
  const firstOpening = sql`(select balance_cents - amount_cents + fee_cents from page order by page.number limit 1)`
  const opening =
    after === null && order === "asc" ? sql`coalesce(${firstOpening}, ${balanceBefore(from)})` : balanceBefore(from)
  const comparison = order === "asc" ? sql`>` : sql`<`
  const beyond = after === null ? sql`true` : sql`(at, number) ${comparison} ${placeOf(after)}`
  const wanted = sql`at >= ${from} and at < ${to} and ${beyond}`
  const direction = order === "asc" ? sql`asc` : sql`desc`
  // A gap between settled movements of the tail and entered ones would break the balance: all that may be left out is older.
  const ofTail =
    order === "asc"
      ? sql`order by number limit ${MOST_UNENTERED}`
      : sql`and (not is_settled or number >= (select max(number) from tail where is_settled and ${wanted}) - ${limit})`
  const { rows } = await sql<SliceRow>`
    with tail as materialized (
      -- Into a month that is closed nothing comes any more.
      select unentered.* from entered_statements mark cross join lateral statement_tail(${sellerId}) unentered
      where mark.closed_until < ${to}
    ), page as (
      (select at, number, kind, reference, charge_id, amount_cents, fee_cents, balance_cents, true as is_settled
       from statement_lines where seller_id = ${sellerId} and ${wanted}
       order by at ${direction}, number ${direction} limit ${limit + 1})
      union all
      (select at, number, kind, reference, charge_id, amount_cents, fee_cents, balance_cents, is_settled
       from tail where ${wanted} ${ofTail})
    )
    select
      ${opening} as "openingCents", ${balanceBefore(to)} as "closingCents",
      (select closed_until >= ${to} from entered_statements) as "isClosed",
      at, ${position} as position, kind, reference,
      charge_id as "chargeId", amount_cents as "amountCents", fee_cents as "feeCents", balance_cents as "balanceCents",
      is_settled as "isSettled"
    from (select) present left join page on true
    order by page.number ${direction}`.execute(db)
  const [{ openingCents, closingCents, isClosed }] = rows as [SliceRow]
  const movements = rows.filter((row) => row.position !== null) as unknown as KeptMovement[]
  return { openingCents, closingCents, isClosed, movements }
}

/**
 * The titles that their pages had when these charges were asked for, so that no line of an ended month ever changes. A
 * seller's sales stand near one another: a scan for all ids reads fewer pages of the index than a lookup for each.
 */
export async function findPageTitles(db: Db, chargeIds: readonly string[]): Promise<Map<string, string>> {
  if (chargeIds.length === 0) return new Map()
  const { rows } = await sql<{ id: string; title: string }>`
    select id, page_title as title from charges
    where id = any (${[...chargeIds]}::uuid[]) and page_id is not null`.execute(db)
  return new Map(rows.map(({ id, title }) => [id, title]))
}

/** The charges that these refunds were of, by the refund. */
export async function findRefundedCharges(db: Db, references: readonly string[]): Promise<Map<string, string>> {
  if (references.length === 0) return new Map()
  const { rows } = await sql<{ id: string; chargeId: string }>`
    select id, charge_id as "chargeId" from refunds
    where id = any (${[...references]}::uuid[]) and charge_id is not null`.execute(db)
  return new Map(rows.map(({ id, chargeId }) => [id, chargeId]))
}

interface WithdrawalLine {
  id: string
  number: number
  position: string
}

/** The lines that took these withdrawals out of the balance. A line's moment is never before that of its booking. */
export async function findWithdrawalLines(
  db: Db,
  sellerId: string,
  withdrawals: readonly { id: string; createdAt: Date }[],
): Promise<WithdrawalLine[]> {
  const { rows } = await sql<WithdrawalLine>`
    with tail as materialized (
      select at, number, reference from statement_tail(${sellerId}) where kind = 'withdrawal'
    )
    select given.id, line.number, ${position} as position
    from unnest(
      ${withdrawals.map(({ id }) => id)}::text[], ${withdrawals.map(({ createdAt }) => createdAt.toISOString())}::timestamptz[]
    ) given (id, booked_at)
    cross join lateral (
      (select at, number from tail where reference = given.id)
      union all
      (select at, number from statement_lines
       where seller_id = ${sellerId} and at >= given.booked_at and kind = 'withdrawal' and reference = given.id
       order by at, number limit 1)
      limit 1
    ) line`.execute(db)
  return rows
}

/** Sales alone, whose charge is known: a page of them, oldest first, between two lines. */
export async function readSales(
  db: Db,
  { sellerId, after, before, limit }: { sellerId: string; after: string | null; before: string; limit: number },
): Promise<KeptMovement[]> {
  const wanted = sql`kind in ('payment', 'payment-accepted') and (at, number) > ${placeOf(after ?? "0.0")}
    and (at, number) < ${placeOf(before)}`
  const columns = sql`at, number, kind, reference, charge_id, amount_cents, fee_cents, balance_cents`
  const { rows } = await sql<KeptMovement>`
    select
      at, ${position} as position, kind, reference,
      charge_id as "chargeId", amount_cents as "amountCents", fee_cents as "feeCents", balance_cents as "balanceCents",
      is_settled as "isSettled"
    from (
      (select ${columns}, true as is_settled from statement_lines
       where seller_id = ${sellerId} and ${wanted} order by at, statement_lines.number limit ${limit + 1})
      union all
      (select ${columns}, is_settled from statement_tail(${sellerId}) where ${wanted} order by number limit ${limit + 1})
    ) sale
    order by number limit ${limit + 1}`.execute(db)
  return rows
}

const position = sql`(extract(epoch from at) * 1000000)::bigint || '.' || number`

function placeOf(cursor: string) {
  const [micros, number] = cursor.split(".").map(Number)
  return sql`(timestamptz 'epoch' + ${micros} * interval '1 microsecond', ${number}::bigint)`
}

/** Some seconds' worth wait for the next run; older ones mean that payments keep the server busy. */
export async function waitsSince(db: Db, moment: Date): Promise<boolean> {
  const { rows } = await sql<{ waits: boolean }>`
    select exists (
      select from (
        (select received_at as at from payments where xid >= (select below from entered_statements) order by xid limit 1)
        union all
        (select booked_at from journal where xid >= (select below from entered_statements) order by xid limit 1)
      ) oldest where at < ${moment}
    ) as waits`.execute(db)
  return rows[0]?.waits ?? false
}

/** Lines are numbered without holes, so the first and the last say how many there are. */
export async function countMovements(db: Db, { sellerId, from, to }: Span): Promise<number> {
  const last = (moment: Date) => sql`coalesce(
    (select max(number) from statement_tail(${sellerId}) where at < ${moment}),
    (select number from statement_lines where seller_id = ${sellerId} and at < ${moment} order by at desc, number desc limit 1),
    0)`
  const { rows } = await sql<{ count: number }>`select ${last(to)} - ${last(from)} as count`.execute(db)
  return rows[0]?.count ?? 0
}
