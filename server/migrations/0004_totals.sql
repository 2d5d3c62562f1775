-- Totals kept as rows change, so that no list, card or chart ever adds up the history.
create table charge_totals (
  seller_id uuid not null,
  status text not null,
  count bigint not null,
  gross_cents bigint not null,
  fee_cents bigint not null,
  net_cents bigint not null,
  primary key (seller_id, status)
) with (fillfactor = 70);

-- `day` is São Paulo's day of the charge's creation.
create table charge_day_totals (
  seller_id uuid not null,
  day date not null,
  status text not null,
  count bigint not null,
  gross_cents bigint not null,
  fee_cents bigint not null,
  net_cents bigint not null,
  primary key (seller_id, day, status)
) with (fillfactor = 70);

-- `day` is São Paulo's day of the payment.
create table paid_day_totals (
  seller_id uuid not null,
  day date not null,
  count bigint not null,
  gross_cents bigint not null,
  fee_cents bigint not null,
  net_cents bigint not null,
  primary key (seller_id, day)
) with (fillfactor = 70);

create table charge_page_totals (
  seller_id uuid not null,
  status text not null,
  count bigint not null,
  primary key (seller_id, status)
) with (fillfactor = 70);

create function sao_paulo_day(moment timestamptz) returns date
language sql stable parallel safe
return (moment at time zone 'America/Sao_Paulo')::date;

create type charge_change as (
  seller_id uuid, status text, created_at timestamptz, paid_at timestamptz, direction integer,
  amount_cents bigint, fee_cents bigint, net_cents bigint
);

-- A charge that is still being created counts nowhere: nobody has seen it.
create function add_charge_changes(changes charge_change[]) returns void
language plpgsql security definer set search_path = pg_catalog, public as $$
begin
  insert into charge_totals as total (seller_id, status, count, gross_cents, fee_cents, net_cents)
  select
    seller_id, status, sum(direction), sum(direction * amount_cents), sum(direction * fee_cents),
    sum(direction * net_cents)
  from unnest(changes)
  where status <> 'creating'
  group by seller_id, status
  order by seller_id, status
  on conflict (seller_id, status) do update set
    count = total.count + excluded.count,
    gross_cents = total.gross_cents + excluded.gross_cents,
    fee_cents = total.fee_cents + excluded.fee_cents,
    net_cents = total.net_cents + excluded.net_cents;

  insert into charge_day_totals as total (seller_id, day, status, count, gross_cents, fee_cents, net_cents)
  select
    seller_id, sao_paulo_day(created_at), status, sum(direction), sum(direction * amount_cents),
    sum(direction * fee_cents), sum(direction * net_cents)
  from unnest(changes)
  where status <> 'creating'
  group by 1, 2, 3
  order by 1, 2, 3
  on conflict (seller_id, day, status) do update set
    count = total.count + excluded.count,
    gross_cents = total.gross_cents + excluded.gross_cents,
    fee_cents = total.fee_cents + excluded.fee_cents,
    net_cents = total.net_cents + excluded.net_cents;

  insert into paid_day_totals as total (seller_id, day, count, gross_cents, fee_cents, net_cents)
  select
    seller_id, sao_paulo_day(paid_at), sum(direction), sum(direction * amount_cents),
    sum(direction * fee_cents), sum(direction * net_cents)
  from unnest(changes)
  where status = 'paid'
  group by 1, 2
  order by 1, 2
  on conflict (seller_id, day) do update set
    count = total.count + excluded.count,
    gross_cents = total.gross_cents + excluded.gross_cents,
    fee_cents = total.fee_cents + excluded.fee_cents,
    net_cents = total.net_cents + excluded.net_cents;
end
$$;

create function count_new_charges() returns trigger
language plpgsql security definer set search_path = pg_catalog, public as $$
begin
  perform add_charge_changes(array(
    select row(seller_id, status, created_at, paid_at, 1, amount_cents, fee_cents, net_cents)::charge_change
    from new_charges where status <> 'creating'
  ));
  return null;
end
$$;

create function count_changed_charges() returns trigger
language plpgsql security definer set search_path = pg_catalog, public as $$
begin
  perform add_charge_changes(array(
    select row(
      change.seller_id, change.status, change.created_at, change.paid_at, change.direction,
      change.amount_cents, change.fee_cents, change.net_cents
    )::charge_change
    from (
      select later.*, 1 as direction
      from new_charges later join old_charges earlier using (id) where later.status <> earlier.status
      union all
      select earlier.*, -1
      from new_charges later join old_charges earlier using (id) where later.status <> earlier.status
    ) change
  ));
  return null;
end
$$;

create trigger charges_are_counted after insert on charges
referencing new table as new_charges for each statement execute function count_new_charges();

create trigger charges_are_recounted after update on charges
referencing old table as old_charges new table as new_charges
for each statement execute function count_changed_charges();

create function count_charge_pages() returns trigger
language plpgsql security definer set search_path = pg_catalog, public as $$
begin
  insert into charge_page_totals as total (seller_id, status, count)
  select seller_id, status, sum(direction)
  from (
    select seller_id, status, 1 as direction from new_pages where deleted_at is null
    union all
    select seller_id, status, -1 from old_pages where deleted_at is null
  ) change
  group by seller_id, status
  having sum(direction) <> 0
  order by seller_id, status
  on conflict (seller_id, status) do update set count = total.count + excluded.count;
  return null;
end
$$;

create function count_new_charge_pages() returns trigger
language plpgsql security definer set search_path = pg_catalog, public as $$
begin
  insert into charge_page_totals as total (seller_id, status, count)
  select seller_id, status, count(*)
  from new_pages
  where deleted_at is null
  group by seller_id, status
  order by seller_id, status
  on conflict (seller_id, status) do update set count = total.count + excluded.count;
  return null;
end
$$;

create trigger charge_pages_are_counted after insert on charge_pages
referencing new table as new_pages for each statement execute function count_new_charge_pages();

create trigger charge_pages_are_recounted after update on charge_pages
referencing old table as old_pages new table as new_pages
for each statement execute function count_charge_pages();

grant select on charge_totals, charge_day_totals, paid_day_totals, charge_page_totals to tilinta_app;
