create extension if not exists pg_trgm;

lock table charge_pages, charges in share row exclusive mode;

-- Of the whole platform, kept as rows change. `day` is São Paulo's: of the creation, or of the payment.
create table platform_totals (
  subject text not null check (subject in ('charge-created', 'charge-paid', 'charge-page')),
  day date not null,
  status text not null,
  count bigint not null,
  gross_cents bigint not null default 0,
  fee_cents bigint not null default 0,
  net_cents bigint not null default 0,
  refunded_cents bigint not null default 0,
  primary key (subject, day, status)
) with (fillfactor = 70);

-- What the totals don't hold yet: writers only ever add rows here, so that no two of them wait for each
-- other. A job folds them into the totals; whoever reads adds up both, in one statement.
create table platform_changes (
  id bigint generated always as identity primary key,
  subject text not null,
  day date not null,
  status text not null,
  count bigint not null,
  gross_cents bigint not null default 0,
  fee_cents bigint not null default 0,
  net_cents bigint not null default 0,
  refunded_cents bigint not null default 0
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);

create view platform_day_totals as
select
  subject, day, status, sum(count)::bigint as count, sum(gross_cents)::bigint as gross_cents,
  sum(fee_cents)::bigint as fee_cents, sum(net_cents)::bigint as net_cents,
  sum(refunded_cents)::bigint as refunded_cents
from (
  select subject, day, status, count, gross_cents, fee_cents, net_cents, refunded_cents from platform_totals
  union all
  select subject, day, status, count, gross_cents, fee_cents, net_cents, refunded_cents from platform_changes
) part
group by subject, day, status;

-- Answers how many it folded. Two at once take different rows.
create function fold_platform_changes(at_most integer) returns bigint
language plpgsql security definer set search_path = pg_catalog, public as $$
declare
  folded bigint;
begin
  with waiting as (
    select id from platform_changes order by id limit at_most for update skip locked
  ), taken as (
    delete from platform_changes change using waiting where change.id = waiting.id returning change.*
  ), added as (
    insert into platform_totals as total (
      subject, day, status, count, gross_cents, fee_cents, net_cents, refunded_cents
    )
    select
      subject, day, status, sum(count), sum(gross_cents), sum(fee_cents), sum(net_cents), sum(refunded_cents)
    from taken
    group by subject, day, status
    order by subject, day, status
    on conflict (subject, day, status) do update set
      count = total.count + excluded.count,
      gross_cents = total.gross_cents + excluded.gross_cents,
      fee_cents = total.fee_cents + excluded.fee_cents,
      net_cents = total.net_cents + excluded.net_cents,
      refunded_cents = total.refunded_cents + excluded.refunded_cents
  )
  select count(*) into folded from taken;
  return folded;
end
$$;
revoke execute on function fold_platform_changes(integer) from public;
grant execute on function fold_platform_changes(integer) to tilinta_app;

-- A charge that is still being created counts nowhere: nobody has seen it.
create function count_new_charges_of_platform() returns trigger
language plpgsql security definer set search_path = pg_catalog, public as $$
begin
  insert into platform_changes (subject, day, status, count, gross_cents, fee_cents, net_cents, refunded_cents)
  select
    kept.subject, sao_paulo_day(kept.moment), charge.status, count(*), sum(charge.amount_cents),
    sum(charge.fee_cents), sum(charge.net_cents), sum(charge.refunded_cents)
  from new_charges charge
  cross join lateral (values ('charge-created', charge.created_at), ('charge-paid', charge.paid_at)) kept (subject, moment)
  where charge.status <> 'creating' and (kept.subject = 'charge-created' or charge.status = 'paid')
  group by 1, 2, 3;
  return null;
end
$$;

create function count_changed_charges_of_platform() returns trigger
language plpgsql security definer set search_path = pg_catalog, public as $$
begin
  insert into platform_changes (subject, day, status, count, gross_cents, fee_cents, net_cents, refunded_cents)
  select
    kept.subject, sao_paulo_day(kept.moment), state.status, sum(state.direction),
    sum(state.direction * later.amount_cents), sum(state.direction * later.fee_cents),
    sum(state.direction * later.net_cents), sum(state.direction * state.refunded_cents)
  from new_charges later
  join old_charges earlier using (id)
  cross join lateral (values
    (1, later.status, later.refunded_cents, later.paid_at),
    (-1, earlier.status, earlier.refunded_cents, earlier.paid_at)
  ) state (direction, status, refunded_cents, paid_at)
  cross join lateral (values
    ('charge-created', later.created_at), ('charge-paid', state.paid_at)
  ) kept (subject, moment)
  where (later.status <> earlier.status or later.refunded_cents <> earlier.refunded_cents)
    and state.status <> 'creating' and (kept.subject = 'charge-created' or state.status = 'paid')
  group by 1, 2, 3;
  return null;
end
$$;

create trigger charges_are_counted_for_platform after insert on charges
referencing new table as new_charges for each statement execute function count_new_charges_of_platform();

create trigger charges_are_recounted_for_platform after update on charges
referencing old table as old_charges new table as new_charges
for each statement execute function count_changed_charges_of_platform();

create function count_new_charge_pages_of_platform() returns trigger
language plpgsql security definer set search_path = pg_catalog, public as $$
begin
  insert into platform_changes (subject, day, status, count)
  select 'charge-page', sao_paulo_day(created_at), status, count(*)
  from new_pages where deleted_at is null group by 2, 3;
  return null;
end
$$;

create function count_changed_charge_pages_of_platform() returns trigger
language plpgsql security definer set search_path = pg_catalog, public as $$
begin
  insert into platform_changes (subject, day, status, count)
  select 'charge-page', sao_paulo_day(later.created_at), state.status, sum(state.direction)
  from new_pages later
  join old_pages earlier using (id)
  cross join lateral (values
    (1, later.status, later.deleted_at), (-1, earlier.status, earlier.deleted_at)
  ) state (direction, status, deleted_at)
  where (later.status <> earlier.status or (later.deleted_at is null) <> (earlier.deleted_at is null))
    and state.deleted_at is null
  group by 2, 3;
  return null;
end
$$;

create trigger charge_pages_are_counted_for_platform after insert on charge_pages
referencing new table as new_pages for each statement execute function count_new_charge_pages_of_platform();

create trigger charge_pages_are_recounted_for_platform after update on charge_pages
referencing old table as old_pages new table as new_pages
for each statement execute function count_changed_charge_pages_of_platform();

insert into platform_totals (subject, day, status, count, gross_cents, fee_cents, net_cents, refunded_cents)
select
  'charge-created', sao_paulo_day(created_at), status, count(*), sum(amount_cents), sum(fee_cents), sum(net_cents),
  sum(refunded_cents)
from charges where status <> 'creating' group by 2, 3
union all
select
  'charge-paid', sao_paulo_day(paid_at), status, count(*), sum(amount_cents), sum(fee_cents), sum(net_cents),
  sum(refunded_cents)
from charges where status = 'paid' group by 2, 3
union all
select 'charge-page', sao_paulo_day(created_at), status, count(*), 0, 0, 0, 0
from charge_pages where deleted_at is null group by 2, 3;

grant select on platform_totals, platform_changes, platform_day_totals to tilinta_app;

-- When the payer could first see the code.
alter table charges add column opened_at timestamptz;

-- In the lists' order. What is still being created is in none.
create index charges_by_time on charges (created_at desc, id desc) where status <> 'creating';
create index charges_by_status on charges (status, created_at desc, id desc) where status <> 'creating';
create index charge_pages_by_time on charge_pages (created_at desc, id desc) where deleted_at is null;
create index charge_pages_by_status on charge_pages (status, created_at desc, id desc) where deleted_at is null;
create index paid_day_totals_by_day on paid_day_totals (day, seller_id);

-- What a search looks at, folded. Apart from the charges, because every change of a charge would write
-- all its trigrams again; here each text is written once.
create table charge_search_texts (
  charge_id uuid not null references charges (id),
  source text not null check (source in ('charge', 'payment')),
  folded text not null,
  primary key (charge_id, source)
);

create function charge_search_text(charge charges) returns text
language sql stable parallel safe
return fold_text(concat_ws(
  chr(31), charge.description, nullif(charge.page_title, charge.description), charge.payer_name, charge.txid
));

create function note_new_charge_texts() returns trigger
language plpgsql security definer set search_path = pg_catalog, public as $$
begin
  insert into charge_search_texts (charge_id, source, folded)
  select charge.id, 'charge', charge_search_text(charge) from new_charges charge
  union all
  select id, 'payment', fold_text(end_to_end_id) from new_charges where end_to_end_id is not null;
  return null;
end
$$;

create function note_paid_charge_texts() returns trigger
language plpgsql security definer set search_path = pg_catalog, public as $$
begin
  insert into charge_search_texts (charge_id, source, folded)
  select later.id, 'payment', fold_text(later.end_to_end_id)
  from new_charges later join old_charges earlier using (id)
  where later.end_to_end_id is not null and later.end_to_end_id is distinct from earlier.end_to_end_id
  on conflict (charge_id, source) do update set folded = excluded.folded;
  return null;
end
$$;

create trigger charges_are_searchable after insert on charges
referencing new table as new_charges for each statement execute function note_new_charge_texts();

create trigger paid_charges_are_searchable after update on charges
referencing old table as old_charges new table as new_charges
for each statement execute function note_paid_charge_texts();

insert into charge_search_texts (charge_id, source, folded)
select charge.id, 'charge', charge_search_text(charge) from charges charge
union all
select id, 'payment', fold_text(end_to_end_id) from charges where end_to_end_id is not null;

create index charge_search_texts_by_trigram on charge_search_texts using gin (folded gin_trgm_ops);

grant select on charge_search_texts to tilinta_app;
