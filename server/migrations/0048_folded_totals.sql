-- Who books adds rows and changes none: five totals of each seller were most of what a payment cost. A job folds the
-- rows into the totals, many payments of a seller at once, and whoever reads adds up both in one statement.
lock table charges in share row exclusive mode;

alter table charge_totals rename to kept_charge_totals;
alter table charge_day_totals rename to kept_charge_day_totals;
alter table paid_day_totals rename to kept_paid_day_totals;

-- `day` is São Paulo's day of the creation, `paid_day` that of the payment while the charge is paid.
create table charge_changes (
  seller_id uuid not null,
  day date not null,
  status text not null,
  paid_day date,
  count bigint not null,
  gross_cents bigint not null,
  fee_cents bigint not null,
  net_cents bigint not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
create index charge_changes_by_seller on charge_changes (seller_id);

-- Conditions on what they are grouped by reach both halves.
create view charge_totals as
select
  seller_id, status, sum(count)::bigint as count, sum(gross_cents)::bigint as gross_cents,
  sum(fee_cents)::bigint as fee_cents, sum(net_cents)::bigint as net_cents
from (
  select seller_id, status, count, gross_cents, fee_cents, net_cents from kept_charge_totals
  union all
  select seller_id, status, count, gross_cents, fee_cents, net_cents from charge_changes
) part
group by seller_id, status;

create view charge_day_totals as
select
  seller_id, day, status, sum(count)::bigint as count, sum(gross_cents)::bigint as gross_cents,
  sum(fee_cents)::bigint as fee_cents, sum(net_cents)::bigint as net_cents
from (
  select seller_id, day, status, count, gross_cents, fee_cents, net_cents from kept_charge_day_totals
  union all
  select seller_id, day, status, count, gross_cents, fee_cents, net_cents from charge_changes
) part
group by seller_id, day, status;

create view paid_day_totals as
select
  seller_id, day, sum(count)::bigint as count, sum(gross_cents)::bigint as gross_cents,
  sum(fee_cents)::bigint as fee_cents, sum(net_cents)::bigint as net_cents
from (
  select seller_id, day, count, gross_cents, fee_cents, net_cents from kept_paid_day_totals
  union all
  select seller_id, paid_day, count, gross_cents, fee_cents, net_cents from charge_changes
  where paid_day is not null
) part
group by seller_id, day;

grant select on charge_changes, charge_totals, charge_day_totals, paid_day_totals to tilinta_app;

-- Answers how many it folded. One at a time: what another one folds needs no second.
create function fold_charge_changes(at_most integer) returns bigint
language plpgsql security definer set search_path = pg_catalog, public as $$
declare
  folded bigint;
begin
  -- The numbers stand in db/advisory-locks.ts.
  if not pg_try_advisory_xact_lock(1953066089, 4) then return 0; end if;

  with taken as (
    delete from charge_changes where ctid = any (array(select ctid from charge_changes limit at_most)) returning *
  ), added_by_seller as (
    insert into kept_charge_totals as total (seller_id, status, count, gross_cents, fee_cents, net_cents)
    select seller_id, status, sum(count), sum(gross_cents), sum(fee_cents), sum(net_cents)
    from taken
    group by seller_id, status
    on conflict (seller_id, status) do update set
      count = total.count + excluded.count,
      gross_cents = total.gross_cents + excluded.gross_cents,
      fee_cents = total.fee_cents + excluded.fee_cents,
      net_cents = total.net_cents + excluded.net_cents
  ), added_by_day as (
    insert into kept_charge_day_totals as total (seller_id, day, status, count, gross_cents, fee_cents, net_cents)
    select seller_id, day, status, sum(count), sum(gross_cents), sum(fee_cents), sum(net_cents)
    from taken
    group by seller_id, day, status
    on conflict (seller_id, day, status) do update set
      count = total.count + excluded.count,
      gross_cents = total.gross_cents + excluded.gross_cents,
      fee_cents = total.fee_cents + excluded.fee_cents,
      net_cents = total.net_cents + excluded.net_cents
  ), added_by_paid_day as (
    insert into kept_paid_day_totals as total (seller_id, day, count, gross_cents, fee_cents, net_cents)
    select seller_id, paid_day, sum(count), sum(gross_cents), sum(fee_cents), sum(net_cents)
    from taken
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
revoke execute on function fold_charge_changes(integer) from public;
grant execute on function fold_charge_changes(integer) to tilinta_app;

create or replace function add_charge_changes(changes charge_change[]) returns void
language plpgsql security definer set search_path = pg_catalog, public as $$
begin
  insert into charge_changes (seller_id, day, status, paid_day, count, gross_cents, fee_cents, net_cents)
  select
    seller_id, sao_paulo_day(created_at), status, case when status = 'paid' then sao_paulo_day(paid_at) end,
    sum(direction), sum(direction * amount_cents), sum(direction * fee_cents), sum(direction * net_cents)
  from unnest(changes)
  where status <> 'creating'
  group by 1, 2, 3, 4;
end
$$;

-- What stays as it was adds up to nothing.
create or replace function count_changed_charges() returns trigger
language plpgsql security definer set search_path = pg_catalog, public as $$
begin
  with changed as materialized (
    select
      seller_id, day, status, paid_day, sum(direction) as count, sum(direction * amount_cents)::bigint as gross_cents,
      sum(direction * fee_cents)::bigint as fee_cents, sum(direction * net_cents)::bigint as net_cents,
      sum(direction * refunded_cents)::bigint as refunded_cents
    from (
      select
        1 as direction, seller_id, sao_paulo_day(created_at) as day, status, amount_cents, fee_cents, net_cents,
        refunded_cents, case when status = 'paid' then sao_paulo_day(paid_at) end as paid_day
      from new_charges where status <> 'creating'
      union all
      select
        -1, seller_id, sao_paulo_day(created_at), status, amount_cents, fee_cents, net_cents, refunded_cents,
        case when status = 'paid' then sao_paulo_day(paid_at) end
      from old_charges where status <> 'creating'
    ) state
    group by seller_id, day, status, paid_day
    having sum(direction) <> 0 or sum(direction * amount_cents) <> 0 or sum(direction * fee_cents) <> 0
      or sum(direction * net_cents) <> 0 or sum(direction * refunded_cents) <> 0
  ), of_platform as (
    insert into platform_changes (subject, day, status, count, gross_cents, fee_cents, net_cents, refunded_cents)
    select
      kept.subject, kept.day, changed.status, sum(changed.count), sum(changed.gross_cents), sum(changed.fee_cents),
      sum(changed.net_cents), sum(changed.refunded_cents)
    from changed
    cross join lateral (values ('charge-created', changed.day), ('charge-paid', changed.paid_day)) kept (subject, day)
    where kept.day is not null
    group by 1, 2, 3
  )
  insert into charge_changes (seller_id, day, status, paid_day, count, gross_cents, fee_cents, net_cents)
  select seller_id, day, status, paid_day, count, gross_cents, fee_cents, net_cents
  from changed
  where count <> 0 or gross_cents <> 0 or fee_cents <> 0 or net_cents <> 0;
  return null;
end
$$;
