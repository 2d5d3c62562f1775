-- One row for each way from a status to another, where there was one for the status that was left and one for the new;
-- and what a statement names is looked up by one walk through the index, not row by row.
lock table charges, payments, ledger_postings, charge_changes in share row exclusive mode;

create or replace function apply_ledger_postings() returns trigger
language plpgsql security definer set search_path = pg_catalog, public set enable_seqscan = off
set enable_indexonlyscan = off
set enable_nestloop = off as $$
declare
  named uuid[];
  ids text[];
  changes bigint[];
  debts bigint[];
begin
  named := array(select distinct transaction_id from new_postings);
  if (select count(*) from ledger_transactions where id = any (named)) < cardinality(named) then
    raise exception 'a posting belongs to no ledger transaction' using errcode = 'foreign_key_violation';
  end if;

  -- Sellers first, then the platform's accounts: the order that every writer keeps.
  select array_agg(moved.id), array_agg(moved.change), array_agg(moved.taken)
  into ids, changes, debts
  from (
    select move.id, sum(move.change)::bigint as change, sum(move.taken)::bigint as taken
    from (
      select credit_account as id, amount_cents as change, 0 as taken from new_postings
      union all
      select debit_account, -amount_cents, case
        when (credit_account like 'psp-clearing:%' or credit_account like 'seller-blocked:%') and exists (
          select from ledger_transactions booked
          where booked.id = any (array[new_postings.transaction_id])
            and booked.kind = case
              when credit_account like 'psp-clearing:%' then 'refund-by-bank' else 'dispute-blocked'
            end
        ) then amount_cents else 0
      end
      from new_postings
    ) move
    group by move.id
    order by move.id not like 'seller-%', move.id
  ) moved;

  if (select count(*) from ledger_accounts where id = any (ids)) < cardinality(ids) then
    insert into ledger_accounts (id, kind, seller_id, floor_cents)
    select
      touched.id,
      split_part(touched.id, ':', 1),
      case when touched.id like 'seller-%' then split_part(touched.id, ':', 2)::uuid end,
      case when touched.id like 'psp-clearing:%' then null else 0 end
    from unnest(ids) with ordinality as touched (id, place)
    where not exists (select from ledger_accounts existing where existing.id = any (array[touched.id]))
    order by touched.place
    on conflict (id) do nothing;
  end if;

  perform from ledger_accounts account
  where account.id = any (ids)
  order by account.id not like 'seller-%', account.id
  for update;

  update ledger_accounts account
  set balance_cents = account.balance_cents + moved.change,
    floor_cents = case
      when account.floor_cents is not null
      then least(0, greatest(account.balance_cents + moved.change, account.floor_cents - moved.taken))
    end
  from unnest(ids, changes, debts) moved (id, change, taken)
  where account.id = moved.id and account.id = any (ids);
  return null;
end
$$;

create or replace function refuse_unknown_charges() returns trigger
language plpgsql security definer set search_path = pg_catalog, public set enable_seqscan = off
set enable_indexonlyscan = off as $$
declare
  named uuid[];
begin
  named := array(select distinct charge_id from new_payments where charge_id is not null);
  if (select count(*) from charges where id = any (named)) < cardinality(named) then
    raise exception 'a payment names no charge of ours' using errcode = 'foreign_key_violation';
  end if;
  return null;
end
$$;

-- A status that is null counts nowhere: there was no charge yet, or nobody had seen it.
alter table charge_changes alter column status drop not null;
alter table charge_changes add column status_before text, add column paid_day_before date;

create or replace view charge_totals as
select
  seller_id, status, sum(count)::bigint as count, sum(gross_cents)::bigint as gross_cents,
  sum(fee_cents)::bigint as fee_cents, sum(net_cents)::bigint as net_cents
from (
  select seller_id, status, count, gross_cents, fee_cents, net_cents from kept_charge_totals
  union all
  select
    moved.seller_id, side.status, side.direction * moved.count, side.direction * moved.gross_cents,
    side.direction * moved.fee_cents, side.direction * moved.net_cents
  from charge_changes moved
  cross join lateral (values
    (1, moved.status, moved.paid_day), (-1, moved.status_before, moved.paid_day_before)
  ) side (direction, status, paid_day)
  where side.status is not null
) part
group by seller_id, status;

create or replace view charge_day_totals as
select
  seller_id, day, status, sum(count)::bigint as count, sum(gross_cents)::bigint as gross_cents,
  sum(fee_cents)::bigint as fee_cents, sum(net_cents)::bigint as net_cents
from (
  select seller_id, day, status, count, gross_cents, fee_cents, net_cents from kept_charge_day_totals
  union all
  select
    moved.seller_id, moved.day, side.status, side.direction * moved.count, side.direction * moved.gross_cents,
    side.direction * moved.fee_cents, side.direction * moved.net_cents
  from charge_changes moved
  cross join lateral (values
    (1, moved.status, moved.paid_day), (-1, moved.status_before, moved.paid_day_before)
  ) side (direction, status, paid_day)
  where side.status is not null
) part
group by seller_id, day, status;

-- As it stands, for whoever adds it up by something else.
create view paid_day_parts as
select seller_id, day, count, gross_cents, fee_cents, net_cents from kept_paid_day_totals
union all
select
  moved.seller_id, side.paid_day, side.direction * moved.count, side.direction * moved.gross_cents,
    side.direction * moved.fee_cents, side.direction * moved.net_cents
from charge_changes moved
  cross join lateral (values
    (1, moved.status, moved.paid_day), (-1, moved.status_before, moved.paid_day_before)
  ) side (direction, status, paid_day)
where side.paid_day is not null;
grant select on paid_day_parts to tilinta_app;

create or replace view paid_day_totals as
select
  seller_id, day, sum(count)::bigint as count, sum(gross_cents)::bigint as gross_cents,
  sum(fee_cents)::bigint as fee_cents, sum(net_cents)::bigint as net_cents
from paid_day_parts
group by seller_id, day;

create or replace function fold_charge_changes(at_most integer) returns bigint
language plpgsql security definer set search_path = pg_catalog, public as $$
declare
  folded bigint;
begin
  -- The numbers stand in db/advisory-locks.ts.
  if not pg_try_advisory_xact_lock(1953066089, 4) then return 0; end if;

  with taken as (
    delete from charge_changes where ctid = any (array(select ctid from charge_changes limit at_most)) returning *
  ), state as (
    select
      taken.seller_id, taken.day, side.status, side.paid_day, side.direction * taken.count as count,
      side.direction * taken.gross_cents as gross_cents, side.direction * taken.fee_cents as fee_cents,
      side.direction * taken.net_cents as net_cents
    from taken
    cross join lateral (values
      (1, taken.status, taken.paid_day), (-1, taken.status_before, taken.paid_day_before)
    ) side (direction, status, paid_day)
    where side.status is not null
  ), added_by_seller as (
    insert into kept_charge_totals as total (seller_id, status, count, gross_cents, fee_cents, net_cents)
    select seller_id, status, sum(count), sum(gross_cents), sum(fee_cents), sum(net_cents)
    from state
    group by seller_id, status
    on conflict (seller_id, status) do update set
      count = total.count + excluded.count,
      gross_cents = total.gross_cents + excluded.gross_cents,
      fee_cents = total.fee_cents + excluded.fee_cents,
      net_cents = total.net_cents + excluded.net_cents
  ), added_by_day as (
    insert into kept_charge_day_totals as total (seller_id, day, status, count, gross_cents, fee_cents, net_cents)
    select seller_id, day, status, sum(count), sum(gross_cents), sum(fee_cents), sum(net_cents)
    from state
    group by seller_id, day, status
    on conflict (seller_id, day, status) do update set
      count = total.count + excluded.count,
      gross_cents = total.gross_cents + excluded.gross_cents,
      fee_cents = total.fee_cents + excluded.fee_cents,
      net_cents = total.net_cents + excluded.net_cents
  ), added_by_paid_day as (
    insert into kept_paid_day_totals as total (seller_id, day, count, gross_cents, fee_cents, net_cents)
    select seller_id, paid_day, sum(count), sum(gross_cents), sum(fee_cents), sum(net_cents)
    from state
    where paid_day is not null
    group by seller_id, paid_day
    on conflict (seller_id, day) do update set
      count = total.count + excluded.count,
      gross_cents = total.gross_cents + excluded.gross_cents,
      fee_cents = total.fee_cents + excluded.fee_cents,
      net_cents = total.net_cents + excluded.net_cents
  )
  select count(*) into folded from taken;
  return folded;
end
$$;

create or replace function count_changed_charges() returns trigger
language plpgsql security definer set search_path = pg_catalog, public as $$
begin
  with charge as (
    select
      seller_id, sao_paulo_day(created_at) as day, amount_cents, fee_cents, net_cents,
      max(status) filter (where is_new) as status, max(status) filter (where not is_new) as status_before,
      sao_paulo_day(max(paid_at) filter (where is_new and status = 'paid')) as paid_day,
      sao_paulo_day(max(paid_at) filter (where not is_new and status = 'paid')) as paid_day_before,
      coalesce(max(refunded_cents) filter (where is_new), 0) as refunded_cents,
      coalesce(max(refunded_cents) filter (where not is_new), 0) as refunded_cents_before
    from (
      select
        true as is_new, id, seller_id, created_at, amount_cents, fee_cents, net_cents, refunded_cents, paid_at,
        nullif(status, 'creating') as status
      from new_charges
      union all
      select
        false, id, seller_id, created_at, amount_cents, fee_cents, net_cents, refunded_cents, paid_at,
        nullif(status, 'creating')
      from old_charges
    ) side
    group by id, seller_id, created_at, amount_cents, fee_cents, net_cents
  ), moved as materialized (
    select
      seller_id, day, status, paid_day, status_before, paid_day_before, count(*) as count,
      sum(amount_cents)::bigint as gross_cents, sum(fee_cents)::bigint as fee_cents,
      sum(net_cents)::bigint as net_cents, sum(refunded_cents)::bigint as refunded_cents,
      sum(refunded_cents_before)::bigint as refunded_cents_before
    from charge
    where status is distinct from status_before or paid_day is distinct from paid_day_before
      or refunded_cents <> refunded_cents_before
    group by seller_id, day, status, paid_day, status_before, paid_day_before
  ), of_platform as (
    insert into platform_changes (subject, day, status, count, gross_cents, fee_cents, net_cents, refunded_cents)
    select
      kept.subject, kept.day, kept.status, sum(kept.direction * count), sum(kept.direction * gross_cents),
      sum(kept.direction * fee_cents), sum(kept.direction * net_cents), sum(kept.direction * kept.refunded)
    from moved
    cross join lateral (values
      ('charge-created', moved.day, status, 1, refunded_cents),
      ('charge-created', moved.day, status_before, -1, refunded_cents_before),
      ('charge-paid', paid_day, status, 1, refunded_cents),
      ('charge-paid', paid_day_before, status_before, -1, refunded_cents_before)
    ) kept (subject, day, status, direction, refunded)
    where kept.day is not null and kept.status is not null
    group by 1, 2, 3
  )
  insert into charge_changes (
    seller_id, day, status, paid_day, status_before, paid_day_before, count, gross_cents, fee_cents, net_cents
  )
  select
    seller_id, day, status, paid_day, status_before, paid_day_before, count, gross_cents, fee_cents, net_cents
  from moved
  where status is distinct from status_before or paid_day is distinct from paid_day_before;
  return null;
end
$$;
