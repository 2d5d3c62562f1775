-- Payments that payers contest at their bank (MED). What is disputed and not decided is blocked.
create table disputes (
  id uuid primary key,
  provider text not null,
  -- The bank's name for it; null where an admin registered what the bank told by other ways.
  psp_dispute_id text collate "C",
  end_to_end_id text collate "C" not null references payments (end_to_end_id),
  -- Null for money in suspense: nobody had been credited.
  charge_id uuid references charges (id),
  seller_id uuid references users (id),
  -- All or a part of the payment.
  amount_cents bigint not null check (amount_cents > 0),
  -- What lies in the seller's blocked account for it now.
  blocked_cents bigint not null default 0 check (blocked_cents between 0 and amount_cents),
  -- What the bank has taken for it.
  debited_cents bigint not null default 0 check (debited_cents >= 0),
  -- How often money was blocked or released for it: each movement has a name of its own.
  movements integer not null default 0,
  reason text not null check (
    reason in ('fraud', 'account_takeover', 'coercion', 'unauthorised_access', 'operational', 'other')
  ),
  details text not null default '',
  state text not null check (state in ('open', 'defended', 'accepted', 'rejected', 'cancelled')),
  respond_until timestamptz,
  opened_at timestamptz not null,
  -- When the bank last changed it, as far as it tells: older news is no news.
  told_at timestamptz,
  closed_at timestamptz,
  -- Nothing is blocked for it any more, nor will be.
  settled_at timestamptz,
  analysis text not null default '',
  defence text,
  defence_state text not null default 'none' check (defence_state in ('none', 'waiting', 'sent', 'kept', 'refused')),
  defended_by uuid references users (id),
  defended_at timestamptz,
  next_attempt_at timestamptz,
  attempts integer not null default 0,
  registered_by uuid references users (id),
  closed_by uuid references users (id),
  admin_notes text not null default '',
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (provider, psp_dispute_id),
  check ((charge_id is null) = (seller_id is null)),
  check (charge_id is not null or blocked_cents = 0),
  check ((psp_dispute_id is null) = (registered_by is not null)),
  check ((state in ('open', 'defended')) = (closed_at is null)),
  check (settled_at is null or (closed_at is not null and blocked_cents = 0)),
  check ((defence is null) = (defence_state = 'none')),
  check ((defence_state = 'waiting') = (next_attempt_at is not null))
) with (fillfactor = 80);
create index disputes_by_payment on disputes (end_to_end_id, opened_at, id);
create index disputes_by_seller on disputes (seller_id, opened_at desc, id desc) where seller_id is not null;
create index disputes_by_time on disputes (opened_at desc, id desc);
create index disputes_live on disputes (respond_until, id) where settled_at is null;
create index disputes_to_defend on disputes (next_attempt_at) where defence_state = 'waiting';

grant select, insert on disputes to tilinta_app;
grant update (
  amount_cents, blocked_cents, debited_cents, movements, reason, details, state, respond_until, told_at, closed_at,
  settled_at, analysis, defence, defence_state, defended_by, defended_at, next_attempt_at, attempts, closed_by,
  admin_notes, updated_at
) on disputes to tilinta_app;

-- What the bank took because of a dispute; which one, as far as it is known. Of the old ones nobody knows, and
-- taking too many for a dispute's blocks less than it might, never twice.
alter table refunds
  add column is_dispute boolean not null default false,
  add column dispute_id uuid references disputes (id),
  add check (origin = 'bank' or not is_dispute),
  add check (dispute_id is null or is_dispute);
update refunds set is_dispute = true where origin = 'bank';
create index refunds_by_dispute on refunds (dispute_id) where dispute_id is not null;

-- The name too: what an admin booked by hand takes the bank's name when the bank tells of it.
grant update (dispute_id, psp_refund_id) on refunds to tilinta_app;

-- As before, and: what a dispute blocks lowers the floor as what the bank takes does. A seller who has withdrawn
-- disputed money owes it, and what comes in is blocked first.
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
