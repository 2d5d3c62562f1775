-- Balance = credits - debits, so what a provider holds for us is negative and all accounts sum to zero.
create table ledger_accounts (
  id text collate "C" primary key,
  kind text not null check (
    kind in (
      'psp-clearing', 'seller-available', 'seller-held', 'seller-blocked',
      'fee-revenue', 'suspense', 'payouts-under-way'
    )
  ),
  seller_id uuid,
  balance_cents bigint not null default 0,
  -- Null where the balance may go below zero by its nature.
  floor_cents bigint default 0,
  check (floor_cents is null or balance_cents >= floor_cents)
) with (fillfactor = 70);

create table ledger_transactions (
  id uuid primary key,
  kind text not null,
  reference text collate "C" not null,
  seller_id uuid,
  occurred_at timestamptz not null,
  booked_at timestamptz not null default now(),
  unique (kind, reference)
);

create table ledger_postings (
  id bigint generated always as identity primary key,
  transaction_id uuid not null references ledger_transactions (id),
  seller_id uuid,
  debit_account text collate "C" not null,
  credit_account text collate "C" not null,
  amount_cents bigint not null check (amount_cents > 0),
  check (debit_account <> credit_account)
);
create index ledger_postings_by_transaction on ledger_postings (transaction_id);

-- The only way a balance moves: with the postings, once per statement and account, in the order that
-- every writer keeps (sellers first, then the platform's accounts), so that writers can't deadlock.
create function apply_ledger_postings() returns trigger
language plpgsql security definer set search_path = pg_catalog, public as $$
begin
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

  perform from ledger_accounts account
  where account.id in (select debit_account from new_postings union select credit_account from new_postings)
  order by account.id not like 'seller-%', account.id
  for update;

  update ledger_accounts account
  set balance_cents = account.balance_cents + moved.change
  from (
    select move.id, sum(move.change)::bigint as change
    from (
      select credit_account as id, amount_cents as change from new_postings
      union all
      select debit_account, -amount_cents from new_postings
    ) move
    group by move.id
  ) moved
  where account.id = moved.id;
  return null;
end
$$;

create trigger ledger_postings_move_balances
after insert on ledger_postings
referencing new table as new_postings
for each statement execute function apply_ledger_postings();

create function refuse_history_change() returns trigger
language plpgsql as $$
begin
  raise exception 'the ledger is append-only: % on % is refused', tg_op, tg_table_name
    using errcode = 'insufficient_privilege';
end
$$;

create trigger ledger_postings_are_final
before update or delete or truncate on ledger_postings
for each statement execute function refuse_history_change();

create trigger ledger_transactions_are_final
before update or delete or truncate on ledger_transactions
for each statement execute function refuse_history_change();

grant select, insert on ledger_transactions, ledger_postings to tilinta_app;
grant select on ledger_accounts to tilinta_app;
