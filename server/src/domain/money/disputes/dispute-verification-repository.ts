import { releasedDisputeStates } from "@tilinta/contract/vocabulary/dispute-status"
import { type RawBuilder, sql } from "kysely"
import { wordList } from "#db/sql-part"
import type { Db } from "#db/transaction"
import { postingName } from "#ledger/posting-name"

export interface DisputeDifference {
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
