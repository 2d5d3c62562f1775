import { type RawBuilder, sql } from "kysely"
import type { Db } from "#db/transaction"
import { postingName } from "#ledger/posting-name"

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
export async function findReserveDifferences(db: Db): Promise<Difference[]> {
  const results = await Promise.all(checks.map((check) => check.execute(db)))
  return results.flatMap(({ rows }) => rows)
}
