create table withdrawals (
  id uuid primary key,
  seller_id uuid not null references users (id),
  amount_cents bigint not null check (amount_cents between 1 and 999999999),
  method text not null check (method in ('pix', 'bank_transfer')),
  -- The destination as it was asked for: no grant lets the server change it.
  pix_key text,
  pix_key_kind text check (pix_key_kind in ('cpf', 'cnpj', 'email', 'phone', 'evp')),
  bank_data jsonb,
  -- The payout's name at the provider, one for ever: whatever happens, it is never sent under a second.
  payout_id text collate "C" unique check (payout_id ~ '^[A-Za-z0-9]{1,35}$'),
  status text not null default 'pending' check (
    status in ('pending', 'approved', 'processing', 'completed', 'rejected', 'cancelled')
  ),
  -- Whoever pays it out, from the moment that the money is on its way.
  provider text,
  end_to_end_id text collate "C",
  admin_notes text not null default '',
  failure_reason text,
  decided_by uuid references users (id),
  next_attempt_at timestamptz,
  attempts integer not null default 0,
  created_at timestamptz not null,
  approved_at timestamptz,
  processed_at timestamptz,
  check ((method = 'pix') = (pix_key is not null and pix_key_kind is not null and payout_id is not null)),
  check ((method = 'bank_transfer') = (bank_data is not null)),
  check (status not in ('processing', 'completed') or (provider is not null and approved_at is not null)),
  check ((status in ('completed', 'rejected', 'cancelled')) = (processed_at is not null)),
  check (failure_reason is null or status = 'rejected'),
  check (decided_by is null or decided_by <> seller_id)
) with (fillfactor = 80);
create index withdrawals_by_seller on withdrawals (seller_id, created_at desc, id desc);
create index withdrawals_by_time on withdrawals (created_at desc, id desc);
create index withdrawals_by_status on withdrawals (status, created_at desc, id desc);
create index withdrawals_to_pay on withdrawals (next_attempt_at) where status in ('approved', 'processing');

create table withdrawal_totals (
  seller_id uuid not null,
  status text not null,
  count bigint not null,
  amount_cents bigint not null,
  primary key (seller_id, status)
) with (fillfactor = 70);

-- Of the whole platform; `day` is São Paulo's day of the request.
create table withdrawal_day_totals (
  day date not null,
  status text not null,
  count bigint not null,
  amount_cents bigint not null,
  primary key (day, status)
) with (fillfactor = 70);

create type withdrawal_change as (
  seller_id uuid, status text, created_at timestamptz, direction integer, amount_cents bigint
);

create function add_withdrawal_changes(changes withdrawal_change[]) returns void
language plpgsql security definer set search_path = pg_catalog, public as $$
begin
  insert into withdrawal_totals as total (seller_id, status, count, amount_cents)
  select seller_id, status, sum(direction), sum(direction * amount_cents)
  from unnest(changes)
  group by seller_id, status
  order by seller_id, status
  on conflict (seller_id, status) do update set
    count = total.count + excluded.count,
    amount_cents = total.amount_cents + excluded.amount_cents;

  insert into withdrawal_day_totals as total (day, status, count, amount_cents)
  select sao_paulo_day(created_at), status, sum(direction), sum(direction * amount_cents)
  from unnest(changes)
  group by 1, 2
  order by 1, 2
  on conflict (day, status) do update set
    count = total.count + excluded.count,
    amount_cents = total.amount_cents + excluded.amount_cents;
end
$$;

create function count_new_withdrawals() returns trigger
language plpgsql security definer set search_path = pg_catalog, public as $$
begin
  perform add_withdrawal_changes(array(
    select row(seller_id, status, created_at, 1, amount_cents)::withdrawal_change from new_withdrawals
  ));
  return null;
end
$$;

create function count_changed_withdrawals() returns trigger
language plpgsql security definer set search_path = pg_catalog, public as $$
begin
  perform add_withdrawal_changes(array(
    select row(
      change.seller_id, change.status, change.created_at, change.direction, change.amount_cents
    )::withdrawal_change
    from (
      select later.*, 1 as direction
      from new_withdrawals later join old_withdrawals earlier using (id) where later.status <> earlier.status
      union all
      select earlier.*, -1
      from new_withdrawals later join old_withdrawals earlier using (id) where later.status <> earlier.status
    ) change
  ));
  return null;
end
$$;

create trigger withdrawals_are_counted after insert on withdrawals
referencing new table as new_withdrawals for each statement execute function count_new_withdrawals();

create trigger withdrawals_are_recounted after update on withdrawals
referencing old table as old_withdrawals new table as new_withdrawals
for each statement execute function count_changed_withdrawals();

grant select, insert on withdrawals to tilinta_app;
grant update (
  status, provider, end_to_end_id, admin_notes, failure_reason, decided_by, next_attempt_at, attempts, approved_at,
  processed_at
) on withdrawals to tilinta_app;
grant select on withdrawal_totals, withdrawal_day_totals to tilinta_app;
