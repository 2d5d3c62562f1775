lock table kept_charge_totals, kept_paid_day_totals in share row exclusive mode;

-- Of what was paid in a month of São Paulo and is paid still: kept as days are folded, so that no booking writes it,
-- and in the order of a ranking, so that the best are found without a look at the others.
create table seller_month_totals (
  seller_id uuid not null,
  -- Its first day.
  month date not null,
  count bigint not null,
  gross_cents bigint not null,
  primary key (seller_id, month)
) with (fillfactor = 80);

insert into seller_month_totals (seller_id, month, count, gross_cents)
select seller_id, date_trunc('month', day)::date, sum(count), sum(gross_cents)
from kept_paid_day_totals group by 1, 2 order by 1, 2;

create index seller_months_by_gross on seller_month_totals (month, gross_cents desc, count desc, seller_id);
create index sellers_by_gross on kept_charge_totals (gross_cents desc, seller_id) where status = 'paid';

create function add_folded_paid_days() returns trigger
language plpgsql security definer set search_path = pg_catalog, public as $$
begin
  insert into seller_month_totals as total (seller_id, month, count, gross_cents)
  select seller_id, date_trunc('month', day)::date, sum(count), sum(gross_cents)
  from new_days group by 1, 2 order by 1, 2
  on conflict (seller_id, month) do update set
    count = total.count + excluded.count,
    gross_cents = total.gross_cents + excluded.gross_cents;
  return null;
end
$$;

create function add_refolded_paid_days() returns trigger
language plpgsql security definer set search_path = pg_catalog, public as $$
begin
  insert into seller_month_totals as total (seller_id, month, count, gross_cents)
  select seller_id, date_trunc('month', day)::date, sum(count), sum(gross_cents)
  from (
    select seller_id, day, count, gross_cents from new_days
    union all
    select seller_id, day, -count, -gross_cents from old_days
  ) change
  group by 1, 2
  having sum(count) <> 0 or sum(gross_cents) <> 0
  order by 1, 2
  on conflict (seller_id, month) do update set
    count = total.count + excluded.count,
    gross_cents = total.gross_cents + excluded.gross_cents;
  return null;
end
$$;

create trigger paid_days_are_added after insert on kept_paid_day_totals
referencing new table as new_days for each statement execute function add_folded_paid_days();

create trigger paid_days_are_added_again after update on kept_paid_day_totals
referencing old table as old_days new table as new_days
for each statement execute function add_refolded_paid_days();

-- What the ranking doesn't hold yet.
create view unfolded_paid_days as
select
  moved.seller_id, side.day, side.direction * moved.count as count, side.direction * moved.gross_cents as gross_cents
from charge_changes moved
cross join lateral (values (1, moved.paid_day), (-1, moved.paid_day_before)) side (direction, day)
where side.day is not null;

analyze seller_month_totals;

grant select on seller_month_totals, unfolded_paid_days to tilinta_app;
