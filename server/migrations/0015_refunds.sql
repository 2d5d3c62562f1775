-- Money that came for no charge of ours and was accepted becomes a charge without page and txid.
alter table charges
  alter column page_id drop not null,
  alter column txid drop not null,
  add column refunded_fee_cents bigint not null default 0,
  add check (refunded_fee_cents between 0 and fee_cents),
  add check (txid is null or page_id is not null),
  add check (txid is not null or status in ('paid', 'refunded'));

create table refunds (
  id uuid primary key,
  end_to_end_id text collate "C" not null references payments (end_to_end_id),
  -- Its name at the provider, one for ever: ours, or the bank's where the bank began it.
  psp_refund_id text collate "C" not null check (psp_refund_id ~ '^[A-Za-z0-9]{1,35}$'),
  provider text not null,
  -- Null where the money goes back from suspense: nobody had been credited.
  charge_id uuid references charges (id),
  seller_id uuid references users (id),
  amount_cents bigint not null check (amount_cents > 0),
  -- The part of the fee that goes back with it; the rest of the amount is the seller's.
  fee_cents bigint not null check (fee_cents between 0 and amount_cents),
  origin text not null check (origin in ('seller', 'admin', 'bank')),
  status text not null check (status in ('processing', 'completed', 'refused')),
  reason text not null default '',
  -- Kept when the provider pays after all: then both are true.
  failure_reason text,
  return_id text collate "C",
  requested_by uuid references users (id),
  next_attempt_at timestamptz,
  attempts integer not null default 0,
  created_at timestamptz not null,
  processed_at timestamptz,
  unique (end_to_end_id, psp_refund_id),
  check ((charge_id is null) = (seller_id is null)),
  check (charge_id is not null or fee_cents = 0),
  check ((origin = 'bank') = (requested_by is null)),
  check (origin <> 'bank' or (status = 'completed' and failure_reason is null)),
  check ((status = 'processing') = (next_attempt_at is not null)),
  check ((status = 'processing') = (processed_at is null)),
  check (status = 'completed' or (status = 'refused') = (failure_reason is not null))
) with (fillfactor = 80);
create index refunds_by_charge on refunds (charge_id, created_at, id) where charge_id is not null;
create index refunds_to_settle on refunds (next_attempt_at) where status = 'processing';

grant select, insert on refunds to tilinta_app;
grant update (status, failure_reason, return_id, next_attempt_at, attempts, processed_at) on refunds to tilinta_app;

-- Payments that a person should look at: those in suspense, and those that were credited late or twice.
create table payment_reviews (
  id uuid primary key,
  end_to_end_id text collate "C" not null unique references payments (end_to_end_id),
  reason text not null check (
    reason in ('unknown_txid', 'wrong_amount', 'charge_already_paid', 'late', 'duplicate')
  ),
  status text not null default 'open' check (status in ('open', 'accepted', 'returning', 'returned')),
  -- What an accepted payment became; one that was credited before has its charge already.
  accepted_charge_id uuid unique references charges (id),
  refund_id uuid references refunds (id),
  decided_by uuid references users (id),
  decided_at timestamptz,
  admin_notes text not null default '',
  received_at timestamptz not null,
  check ((status = 'accepted' and reason not in ('late', 'duplicate')) = (accepted_charge_id is not null)),
  check (status <> 'returning' or refund_id is not null)
);
create index payment_reviews_by_time on payment_reviews (received_at, id);
create index payment_reviews_open on payment_reviews (received_at, id) where status = 'open';
create index payment_reviews_by_refund on payment_reviews (refund_id) where refund_id is not null;

grant select, insert on payment_reviews to tilinta_app;
grant update (status, accepted_charge_id, refund_id, decided_by, decided_at, admin_notes) on payment_reviews
  to tilinta_app;

-- Ids as the server makes them, version 7: the moment first, then chance.
insert into payment_reviews (id, end_to_end_id, reason, received_at)
select
  (
    lpad(to_hex((extract(epoch from found.received_at) * 1000)::bigint), 12, '0')
    || '7' || substr(found.chance, 1, 3) || '8' || substr(found.chance, 4, 15)
  )::uuid,
  found.end_to_end_id, found.reason, found.received_at
from (
  select
    payment.end_to_end_id, payment.received_at,
    replace(gen_random_uuid()::text, '-', '') as chance,
    coalesce(payment.reason, case when charge.is_duplicate then 'duplicate' when charge.is_late then 'late' end)
      as reason
  from payments payment left join charges charge on charge.id = payment.charge_id
) found
where found.reason is not null;

alter table ledger_accounts
  drop constraint ledger_accounts_kind_check,
  add constraint ledger_accounts_kind_check check (
    kind in (
      'psp-clearing', 'seller-available', 'seller-held', 'seller-blocked',
      'fee-revenue', 'suspense', 'payouts-under-way', 'refunds-under-way'
    )
  ),
  -- A floor below zero is a debt. Only a refund by the bank makes one: that money has left, whatever we hold.
  add constraint ledger_accounts_debt_check check (
    floor_cents is null or floor_cents = 0
    or (floor_cents < 0 and kind in ('seller-available', 'fee-revenue', 'suspense'))
  );

-- As before, and: what the bank took lowers the floor by as much. A floor below zero follows the balance up,
-- so that of what comes in nothing can be spent before the debt is paid.
create or replace function apply_ledger_postings() returns trigger
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
  set balance_cents = account.balance_cents + moved.change,
    floor_cents = case
      when account.floor_cents is not null
      then least(0, greatest(account.balance_cents + moved.change, account.floor_cents - moved.taken_by_bank))
    end
  from (
    select move.id, sum(move.change)::bigint as change, sum(move.taken_by_bank)::bigint as taken_by_bank
    from (
      select credit_account as id, amount_cents as change, 0 as taken_by_bank from new_postings
      union all
      select debit_account, -amount_cents, case
        when credit_account like 'psp-clearing:%' and exists (
          select from ledger_transactions booked
          where booked.id = new_postings.transaction_id and booked.kind = 'refund-by-bank'
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
