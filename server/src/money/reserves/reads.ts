import { addCents, type Cents, noMoney, subtractCents } from "@tilinta/contract/vocabulary/money"
import { type RawBuilder, sql } from "kysely"
import type { Db, Tx } from "#db/transaction"
import type { Day } from "#kit/clock"
import { sellerAvailable, sellerReserved } from "#ledger/accounts"
import { postingName } from "#ledger/post-transactions"
import { readBalance } from "#ledger/reads"
import { type ReserveRules, readReserveRules } from "#platform/settings/reads"
import type { HeldShare } from "./rules.ts"

/** Sellers' balances as they may be withdrawn: without what will be reserved of the last sales. */
export async function readWithdrawables(db: Db, balances: ReadonlyMap<string, Cents>): Promise<Map<string, Cents>> {
  const rules = await readReserveRules(db)
  const unheld = rules === null ? new Map<string, Cents>() : await sumUnheld(db, [...balances.keys()], rules)
  return new Map([...balances].map(([id, cents]) => [id, withdrawable(cents, unheld.get(id) ?? noMoney)]))
}

/** The same of one seller, by rules that were read before. */
export async function readWithdrawable(
  db: Db,
  { sellerId, balanceCents }: { sellerId: string; balanceCents: Cents },
  rules: ReserveRules | null,
): Promise<Cents> {
  if (rules === null) return balanceCents
  return withdrawable(balanceCents, (await sumUnheld(db, [sellerId], rules)).get(sellerId) ?? noMoney)
}

/** Never below zero, unless it is a debt. */
function withdrawable(balanceCents: Cents, unheldCents: Cents): Cents {
  if (balanceCents <= noMoney) return balanceCents
  return Math.max(subtractCents(balanceCents, unheldCents), 0) as Cents
}

/** The seller's money that becomes available on a later day. */
export async function readToCome(db: Db, sellerId: string): Promise<Cents> {
  const [rules, reservedCents] = await Promise.all([readReserveRules(db), readBalance(db, sellerReserved(sellerId))])
  if (rules === null) return reservedCents
  const balanceCents = await readBalance(db, sellerAvailable(sellerId))
  const withdrawableCents = await readWithdrawable(db, { sellerId, balanceCents }, rules)
  return addCents(reservedCents, subtractCents(balanceCents, withdrawableCents))
}

interface Difference {
  what: string
  expected: string
  found: string
}

/** One statement per check and thus one snapshot each, consistent even next to a running server. */
const checks: RawBuilder<Difference>[] = [
  sql`select 'conta ' || coalesce(account.id, held.id) || ', em centavos' as what,
      coalesce(held.cents, 0)::text as expected, coalesce(account.balance_cents, 0)::text as found
    from (select id, balance_cents from ledger_accounts where kind = 'seller-reserved') account
    full join (
      select 'seller-reserved:' || seller_id as id, sum(held_cents - drawn_cents) as cents
      from reserve_holds where released_at is null group by seller_id
    ) held on held.id = account.id
    where coalesce(held.cents, 0) <> coalesce(account.balance_cents, 0)`,
  sql`select ${postingName("posting")} as what, 'um dia da reserva' as expected, 'nenhum' as found
    from journal posting
    where posting.kind = 'reserve-held' and not exists (
      select from reserve_holds
      where seller_id || '/' || to_char(due_on, 'YYYY-MM-DD')
        = split_part(posting.reference, '/', 1) || '/' || split_part(posting.reference, '/', 2)
    )`,
  sql`select 'retido do vendedor ' || hold.seller_id || ' até ' || hold.due_on || ', em centavos' as what,
      hold.held_cents::text as expected, coalesce(posted.cents, 0)::text as found
    from reserve_holds hold
    left join (
      select split_part(reference, '/', 1) || '/' || split_part(reference, '/', 2) as name, sum(amount_cents) as cents
      from journal where kind = 'reserve-held' group by 1
    ) posted on posted.name = hold.seller_id || '/' || to_char(hold.due_on, 'YYYY-MM-DD')
    where hold.held_cents <> coalesce(posted.cents, 0)`,
  sql`with hold as (
      select seller_id || '/' || to_char(due_on, 'YYYY-MM-DD') as reference, 1 as line, held_cents - drawn_cents as cents
      from reserve_holds where released_at is not null and held_cents > drawn_cents
    ), posting as (
      select * from journal where kind = 'reserve-released'
    )
    select coalesce(${postingName("posting")}, 'reserva ' || reference) || ', liberado em centavos' as what,
      coalesce(hold.cents, 0)::text as expected, coalesce(posting.amount_cents, 0)::text as found
    from hold full join posting using (reference, line) where hold.cents is distinct from posting.amount_cents`,
  sql`select ${postingName("drawn")} as what, 'o débito que precisou dele' as expected, 'nenhum' as found
    from journal drawn
    where drawn.kind = 'reserve-drawn' and not exists (
      select from journal debit
      where debit.kind = split_part(drawn.reference, '/', 1)
        and debit.reference = substr(drawn.reference, length(split_part(drawn.reference, '/', 1)) + 2)
        and debit.debit_account = drawn.credit_account
    )`,
  sql`select 'retirado da reserva do vendedor ' || coalesce(hold.seller_id, posted.seller_id) || ', em centavos' as what,
      coalesce(hold.cents, 0)::text as expected, coalesce(posted.cents, 0)::text as found
    from (select seller_id::text, sum(drawn_cents) as cents from reserve_holds group by 1) hold
    full join (
      select split_part(debit_account, ':', 2) as seller_id, sum(amount_cents) as cents
      from journal where kind = 'reserve-drawn' group by 1
    ) posted on posted.seller_id = hold.seller_id
    where coalesce(hold.cents, 0) <> coalesce(posted.cents, 0)`,
]

/** Each seller's reserved balance is what the days hold, and each posting of the reserve is one of theirs. */
export async function verifyReserves(db: Db): Promise<Difference[]> {
  const results = await Promise.all(checks.map((check) => check.execute(db)))
  return results.flatMap(({ rows }) => rows)
}

/** From a transaction on, and before another. */
export interface Span {
  from: string
  to: string
  /** More sales may come after it. */
  isFull: boolean
}

/** The part of a sale's net that is kept back, half up to the centavo. */
const reserveOf = (net: ReturnType<typeof sql>, { reserveBasisPoints }: ReserveRules) =>
  sql`(${net} * ${reserveBasisPoints}::bigint + 5000) / 10000`

/** The part of a sale that waits: the whole net until it is settled, or the reserve. */
const waitingOf = (net: ReturnType<typeof sql>, rules: ReserveRules) =>
  rules.settlementDays > 0 ? net : reserveOf(net, rules)

/** All parts of these sales that are due after this day. */
export async function sumShares(tx: Tx, { from, to }: Span, rules: ReserveRules, today: Day): Promise<HeldShare[]> {
  const { settlementDays, reserveDays } = rules
  const { rows } = await sql<HeldShare>`
    with sale as materialized (
      select seller_id, sao_paulo_day(min(at)) as day, sum(amount_cents - fee_cents)::bigint as net
      from balance_movements
      where xid >= ${from}::xid8 and xid < ${to}::xid8 and kind in ('payment', 'payment-accepted')
      group by seller_id, reference
    ), split as (
      select seller_id, day, net, ${reserveOf(sql`net`, rules)} as reserve from sale
    ), part as (
      select seller_id, day + ${Math.max(settlementDays, reserveDays)}::integer as due_on, reserve as cents from split
      union all
      select seller_id, day + ${settlementDays}::integer, net - reserve from split
    )
    select seller_id as "sellerId", to_char(due_on, 'YYYY-MM-DD') as "dueOn", sum(cents)::bigint as cents
    from part where due_on > ${today}::date and cents > 0
    group by seller_id, due_on order by seller_id, due_on`.execute(tx)
  return rows
}

/** The waiting parts of sales that are not in seller-reserved yet: those of the last seconds. */
async function sumUnheld(db: Db, sellerIds: readonly string[], rules: ReserveRules): Promise<Map<string, Cents>> {
  const since = sql`xid >= (select below from reserve_progress) and xid <= '9223372036854775807'`
  const { rows } = await sql<{ sellerId: string; cents: Cents }>`
    select seller.id as "sellerId", sum(${waitingOf(sql`sale.net`, rules)})::bigint as cents
    from unnest(${[...sellerIds]}::uuid[]) seller (id)
    cross join lateral (
      select amount_cents - fee_cents as net from payments
      where seller_id = seller.id and charge_day is not null and ${since}
      union all
      select sum(case when credit_account like 'seller-available:%' then amount_cents else -amount_cents end)::bigint
      from journal where kind = 'payment-accepted' and seller_id = seller.id and ${since}
      group by reference
      offset 0
    ) sale
    group by seller.id`.execute(db)
  return new Map(rows.map(({ sellerId, cents }) => [sellerId, cents]))
}

/** The sellers with money that is due by now, by their ids. */
export async function findDueSellers(db: Db, today: Day, atMost: number): Promise<string[]> {
  const { rows } = await sql<{ sellerId: string }>`
    select distinct seller_id as "sellerId" from (
      select seller_id from reserve_holds where released_at is null and due_on <= ${today}::date
      order by due_on, seller_id limit ${atMost}
    ) due order by 1`.execute(db)
  return rows.map(({ sellerId }) => sellerId)
}

/** The rest that each of the seller's days holds, the last day first. Call it under the lock of the balances. */
export async function listHeld(tx: Tx, sellerId: string): Promise<HeldShare[]> {
  const { rows } = await sql<HeldShare>`
    select seller_id as "sellerId", to_char(due_on, 'YYYY-MM-DD') as "dueOn", held_cents - drawn_cents as cents
    from reserve_holds where seller_id = ${sellerId} and released_at is null and held_cents > drawn_cents
    order by due_on desc`.execute(tx)
  return rows
}
