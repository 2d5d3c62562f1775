-- Double entry, append-only. The chart of accounts and the recipes are in docs/ledger.md.

create table ledger_accounts (
  id text collate "C" constraint ledger_accounts_by_id primary key,
  kind text not null constraint ledger_accounts_kind_is_known check (
    kind in (
      'psp-clearing', 'seller-available', 'seller-held', 'seller-blocked', 'seller-reserved',
      'fee-revenue', 'suspense', 'payouts-under-way', 'refunds-under-way', 'bank-tariffs', 'capital', 'corrections'
    )
  ),
  seller_id uuid,
  balance_cents bigint not null default 0,
  floor_cents bigint not null default 0,
  constraint ledger_accounts_stay_above_floor check (
    balance_cents >= floor_cents or kind in ('psp-clearing', 'bank-tariffs', 'corrections')
  ),
  constraint ledger_accounts_that_may_owe check (
    floor_cents = 0 or (floor_cents < 0 and kind in ('seller-available', 'fee-revenue', 'suspense'))
  )
) with (fillfactor = 70);
create index ledger_accounts_available on ledger_accounts (seller_id) where kind = 'seller-available';

create index ledger_accounts_in_debt on ledger_accounts (id) where floor_cents < 0;

comment on table ledger_accounts is
  'The balance of each account, which exists from its first posting on. Only move_balances() writes it (ADR 4).';
comment on index ledger_accounts_available is
  'For lists of sellers: its keys are a third as long as the ids, so a page of a hundred reads half as many blocks.';
comment on column ledger_accounts.id is 'Its kind, and after a colon its seller or provider.';
comment on column ledger_accounts.balance_cents is
  'Credits - debits: what a provider holds for us is negative, and all accounts add up to zero.';
comment on column ledger_accounts.floor_cents is
  'The balance never goes below it, except those of psp-clearing, bank-tariffs and corrections, which may be by their nature. Below zero it is a '
  'debt: it falls by what may overdraw and follows the balance up, so what comes in pays the debt first (ADR 12).';

create table journal (
  kind text not null constraint journal_has_no_payments check (kind not in ('payment', 'unmatched-payment')),
  reference text collate "C" not null,
  line integer not null,
  may_overdraw boolean not null default false,
  seller_id uuid,
  debit_account text collate "C" not null,
  credit_account text collate "C" not null,
  amount_cents bigint not null constraint journal_amount_is_positive check (amount_cents > 0),
  occurred_at timestamptz not null,
  booked_at timestamptz not null default now(),
  number bigint generated always as identity,
  xid xid8 not null default pg_current_xact_id(),
  constraint journal_by_event primary key (kind, reference, line),
  constraint journal_has_two_sides check (debit_account <> credit_account)
);
create index journal_by_xid on journal (xid);
create index journal_besides_withdrawals on journal (xid)
  where kind not in ('withdrawal', 'payout', 'payout-completed', 'reserve-held', 'reserve-drawn', 'reserve-released');

comment on table journal is
  'The postings of every event but payments, whose own rows are their postings: ledger_postings has both. A line is one '
  'movement of money from a debit account to a credit account, so it can''t be unbalanced. Append-only.';
comment on column journal.reference is
  'The event''s own name: an endToEndId, or the id of a withdrawal, refund or dispute. With its kind it is unique, so '
  'it can''t be booked twice.';
comment on column journal.line is 'The event''s first posting is 1.';
comment on column journal.may_overdraw is
  'Money that has left or may have to leave, whatever we hold: it lowers the floor of the debit account by its amount.';
comment on column journal.booked_at is 'Later than occurred_at where we learnt of it later.';
comment on column journal.number is 'The order of booking.';
comment on column journal.xid is
  'The transaction that booked it, which gives the postings an order that can be read on: see enter_statements().';

create function move_balances(ids text[], changes bigint[], debts bigint[]) returns void
language plpgsql security definer set search_path = pg_catalog, public set enable_seqscan = off
set enable_indexonlyscan = off as $$
begin
  if (select count(*) from ledger_accounts where id = any (ids)) < cardinality(ids) then
    insert into ledger_accounts (id, kind, seller_id)
    select
      touched.id,
      split_part(touched.id, ':', 1),
      case when touched.id like 'seller-%' then split_part(touched.id, ':', 2)::uuid end
    from unnest(ids) as touched (id)
    where not exists (select from ledger_accounts existing where existing.id = any (array[touched.id]))
    order by touched.id not like 'seller-%', touched.id
    on conflict (id) do nothing;
  end if;

  -- Sellers first, then the platform's accounts: the order that every writer keeps.
  with moved as materialized (
    select * from unnest(ids, changes, debts) moved (id, change, debt) order by id not like 'seller-%', id
  )
  update ledger_accounts account
  set balance_cents = account.balance_cents + moved.change,
    floor_cents = least(0, greatest(account.balance_cents + moved.change, account.floor_cents - moved.debt))
  from moved
  where account.id = any (array[moved.id]);
end
$$;
comment on function move_balances(text[], bigint[], bigint[]) is
  'Moves the balances of these accounts, each named once, and locks them in one order (sellers, then the platform''s) so '
  'that writers can''t deadlock (ADR 4). The settings leave only lookups by key: the plan of the first statement is kept '
  'while the tables grow (ADR 27). Only the triggers of journal and payments call it.';
revoke execute on function move_balances(text[], bigint[], bigint[]) from public;

create function apply_journal() returns trigger
language plpgsql security definer set search_path = pg_catalog, public as $$
begin
  perform move_balances(array_agg(moved.id), array_agg(moved.change), array_agg(moved.debt))
  from (
    select move.id, sum(move.change)::bigint as change, sum(move.debt)::bigint as debt
    from (
      select credit_account as id, amount_cents as change, 0 as debt from new_lines
      union all
      select debit_account, -amount_cents, case when may_overdraw then amount_cents else 0 end from new_lines
    ) move
    group by move.id
  ) moved
  having count(*) > 0;
  return null;
end
$$;
comment on function apply_journal() is 'Moves the balances with the postings, once per statement and account (ADR 4).';

create trigger journal_moves_balances after insert on journal
referencing new table as new_lines for each statement execute function apply_journal();
comment on trigger journal_moves_balances on journal is
  'With payments_move_balances the only way a balance moves (ADR 4).';

create trigger journal_is_final before update or delete or truncate on journal
for each statement execute function refuse_history_change();
comment on trigger journal_is_final on journal is 'Keeps the ledger append-only.';

create function hold_balances(account_ids text[]) returns table (id text, balance_cents bigint)
language sql security definer set search_path = pg_catalog, public as $$
  select account.id, account.balance_cents from ledger_accounts account
  where account.id = any (account_ids)
  order by account.id not like 'seller-%', account.id
  for update
$$;
comment on function hold_balances(text[]) is
  'Locks accounts until the end of the transaction, in the order that every writer keeps, and returns their balances: '
  'the serving role may decide over them but still can''t change them.';
revoke execute on function hold_balances(text[]) from public;

create table ledger_checks (
  id uuid constraint ledger_checks_by_id primary key,
  started_at timestamptz not null,
  finished_at timestamptz,
  requested_by uuid constraint ledger_checks_requester_exists references users (id),
  posting_count bigint,
  difference_count integer,
  differences jsonb,
  error text
);
create index ledger_checks_by_time on ledger_checks (started_at desc, id desc);

comment on table ledger_checks is
  'Each verification of the books. Unfinished while its advisory lock is free: the process died.';
comment on column ledger_checks.requested_by is 'Null for the one of the night.';
comment on column ledger_checks.differences is 'The first of them, each with what, expected and found.';

grant select on ledger_accounts to tilinta_app;
grant select, insert on journal to tilinta_app;
grant execute on function hold_balances(text[]) to tilinta_app;
grant select, insert, update on ledger_checks to tilinta_app;
