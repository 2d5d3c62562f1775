-- As before, but the locks are a statement of their own again: the one that moves the balances then begins after
-- the wait and sees what the others left, instead of finding out row by row that it has to look again.
create or replace function apply_ledger_postings() returns trigger
language plpgsql security definer set search_path = pg_catalog, public set enable_seqscan = off as $$
begin
  if exists (
    select from new_postings posted
    where not exists (select from ledger_transactions booked where booked.id = posted.transaction_id)
  ) then
    raise exception 'a posting belongs to no ledger transaction' using errcode = 'foreign_key_violation';
  end if;

  insert into ledger_accounts (id, kind, seller_id, floor_cents)
  select
    touched.id,
    split_part(touched.id, ':', 1),
    case when touched.id like 'seller-%' then split_part(touched.id, ':', 2)::uuid end,
    case when touched.id like 'psp-clearing:%' then null else 0 end
  from (
    select debit_account as id from new_postings union select credit_account from new_postings
  ) touched
  where not exists (select from ledger_accounts existing where existing.id = touched.id)
  order by touched.id not like 'seller-%', touched.id
  on conflict (id) do nothing;

  -- Sellers first, then the platform's accounts: the order that every writer keeps.
  perform from ledger_accounts account
  where account.id in (select debit_account from new_postings union select credit_account from new_postings)
  order by account.id not like 'seller-%', account.id
  for update;

  update ledger_accounts account
  set balance_cents = account.balance_cents + moved.change,
    floor_cents = case
      when account.floor_cents is not null
      then least(0, greatest(account.balance_cents + moved.change, account.floor_cents - moved.taken))
    end
  from (
    select move.id, sum(move.change)::bigint as change, sum(move.taken)::bigint as taken
    from (
      select credit_account as id, amount_cents as change, 0 as taken from new_postings
      union all
      select debit_account, -amount_cents, case
        when (credit_account like 'psp-clearing:%' or credit_account like 'seller-blocked:%') and exists (
          select from ledger_transactions booked
          where booked.id = new_postings.transaction_id
            and booked.kind = case
              when credit_account like 'psp-clearing:%' then 'refund-by-bank' else 'dispute-blocked'
            end
        ) then amount_cents else 0
      end
      from new_postings
    ) move
    group by move.id
  ) moved
  where account.id = moved.id;
  return null;
end
$$;
