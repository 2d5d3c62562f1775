-- Totals kept as rows change, so that no list, card or chart adds up the history. Hot writers only add rows of changes,
-- and a booking not even these: its payments are the changes (ADR 13). A job folds them into the totals, and views add up
-- both, so a total is exact at any moment (ADR 13).
-- Only the functions in this file write these tables.

create table platform_totals (
  subject text not null constraint platform_totals_subject_is_known check (
    subject in ('charge-created', 'charge-paid', 'charge-page', 'withdrawal') or subject like 'unmatched-payment:%'
  ),
  day date not null,
  status text not null,
  count bigint not null,
  gross_cents bigint not null default 0,
  fee_cents bigint not null default 0,
  net_cents bigint not null default 0,
  refunded_cents bigint not null default 0,
  refunded_fee_cents bigint not null default 0,
  constraint platform_totals_by_subject primary key (subject, day, status)
) partition by list (subject);
create table platform_totals_of_charges partition of platform_totals
  for values in ('charge-created', 'charge-paid') with (fillfactor = 70);
create table platform_totals_of_others partition of platform_totals default with (fillfactor = 70);
alter table platform_totals_of_charges rename constraint platform_totals_of_charges_pkey
  to platform_totals_of_charges_by_subject;
alter table platform_totals_of_others rename constraint platform_totals_of_others_pkey
  to platform_totals_of_others_by_subject;

comment on table platform_totals is
  'Totals of the whole platform per subject, day and status, without the rows of platform_changes.';
comment on column platform_totals.day is 'São Paulo''s day of the creation; for ''charge-paid'' that of the payment.';
comment on column platform_totals.refunded_fee_cents is 'The fee''s share of refunded_cents.';
comment on table platform_totals_of_charges is 'A part of its own, so that reports about charges read nothing else.';
comment on table platform_totals_of_others is
  'Pages, withdrawals and payments to be checked (''unmatched-payment:'' and the reason).';

create table platform_changes (
  id bigint generated always as identity constraint platform_changes_by_id primary key,
  subject text not null,
  day date not null,
  status text not null,
  count bigint not null,
  gross_cents bigint not null default 0,
  fee_cents bigint not null default 0,
  net_cents bigint not null default 0,
  refunded_cents bigint not null default 0,
  refunded_fee_cents bigint not null default 0
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);

comment on table platform_changes is
  'Changes that platform_totals does not include yet. Writers only add rows, so that no two wait for each other '
  '(ADR 13).';

create table platform_status_totals (
  subject text not null,
  status text not null,
  count bigint not null,
  gross_cents bigint not null,
  fee_cents bigint not null,
  net_cents bigint not null,
  refunded_cents bigint not null,
  refunded_fee_cents bigint not null default 0,
  constraint platform_status_totals_by_subject primary key (subject, status)
) with (fillfactor = 70);

comment on table platform_status_totals is
  'platform_totals over all days. Kept as days are folded, so that no booking writes it.';

create table charge_changes (
  seller_id uuid not null,
  day date not null,
  status text,
  paid_day date,
  status_before text,
  paid_day_before date,
  count bigint not null,
  gross_cents bigint not null,
  fee_cents bigint not null,
  net_cents bigint not null,
  refunded_cents bigint not null default 0,
  refunded_fee_cents bigint not null default 0,
  refunded_cents_before bigint not null default 0,
  refunded_fee_cents_before bigint not null default 0
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
create index charge_changes_by_seller on charge_changes (seller_id);

comment on table charge_changes is
  'Changes that the kept_ totals of sellers do not include yet: one row per transition between statuses (ADR 13).';
comment on column charge_changes.day is 'São Paulo''s day of the creation.';
comment on column charge_changes.status is 'Null counts nowhere, as for a charge that is still being created.';
comment on column charge_changes.paid_day is 'São Paulo''s day of the payment; null unless the charge is paid.';
comment on column charge_changes.status_before is 'Null when there was no charge yet, or it was not yet shown.';
comment on column charge_changes.refunded_cents is
  'Refunded amounts of these charges after the change; those before it are subtracted from the status before.';
comment on column charge_changes.refunded_fee_cents is 'The fee''s share of refunded_cents.';

create table kept_charge_totals (
  seller_id uuid not null,
  status text not null,
  count bigint not null,
  gross_cents bigint not null,
  fee_cents bigint not null,
  net_cents bigint not null,
  refunded_cents bigint not null default 0,
  refunded_fee_cents bigint not null default 0,
  constraint charge_totals_by_seller primary key (seller_id, status)
) with (fillfactor = 70);
create index sellers_by_gross on kept_charge_totals (gross_cents desc, seller_id) where status = 'paid';

comment on table kept_charge_totals is 'A seller''s charges per status, without the rows of charge_changes.';

create table kept_charge_day_totals (
  seller_id uuid not null,
  day date not null,
  status text not null,
  count bigint not null,
  gross_cents bigint not null,
  fee_cents bigint not null,
  net_cents bigint not null,
  refunded_cents bigint not null default 0,
  refunded_fee_cents bigint not null default 0,
  constraint charge_day_totals_by_seller primary key (seller_id, day, status)
) with (fillfactor = 70);

comment on table kept_charge_day_totals is
  'A seller''s charges per day and status, without the rows of charge_changes.';
comment on column kept_charge_day_totals.day is 'São Paulo''s day of the creation.';

create table kept_paid_day_totals (
  seller_id uuid not null,
  day date not null,
  count bigint not null,
  gross_cents bigint not null,
  fee_cents bigint not null,
  net_cents bigint not null,
  refunded_cents bigint not null default 0,
  refunded_fee_cents bigint not null default 0,
  constraint paid_day_totals_by_seller primary key (seller_id, day)
) with (fillfactor = 70);
create index paid_day_totals_by_day on kept_paid_day_totals (day, seller_id);

comment on table kept_paid_day_totals is
  'Amounts paid to a seller per day and not reversed, without the rows of charge_changes.';
comment on column kept_paid_day_totals.day is 'São Paulo''s day of the payment.';

create table seller_month_totals (
  seller_id uuid not null,
  month date not null,
  count bigint not null,
  gross_cents bigint not null,
  constraint seller_month_totals_by_seller primary key (seller_id, month)
) with (fillfactor = 80);
create index seller_months_by_gross on seller_month_totals (month, gross_cents desc, count desc, seller_id);

comment on table seller_month_totals is
  'kept_paid_day_totals per month, for rankings: the best sellers are found without reading the others.';
comment on column seller_month_totals.month is 'Its first day.';

create table charge_page_totals (
  seller_id uuid not null,
  status text not null,
  count bigint not null,
  constraint charge_page_totals_by_seller primary key (seller_id, status)
) with (fillfactor = 70);

comment on table charge_page_totals is 'A seller''s pages per status, without deleted ones.';

create table withdrawal_totals (
  seller_id uuid not null,
  status text not null,
  count bigint not null,
  amount_cents bigint not null,
  constraint withdrawal_totals_by_seller primary key (seller_id, status)
) with (fillfactor = 70);

comment on table withdrawal_totals is 'A seller''s withdrawals per status.';

-- Views: each adds up folded totals and rows not yet folded.

create view unfolded_charge_changes as
select
  seller_id, day, status, paid_day, status_before, paid_day_before, count, gross_cents, fee_cents, net_cents,
  refunded_cents, refunded_fee_cents, refunded_cents_before, refunded_fee_cents_before
from charge_changes
union all
select
  seller_id, charge_day, 'paid', paid_day, status_before, null, 1, amount_cents, fee_cents, amount_cents - fee_cents,
  0, 0, 0, 0
from unfolded_payments;
comment on view unfolded_charge_changes is 'Transitions of charges that no total of a seller includes yet.';

create view unfolded_platform_changes as
select subject, day, status, count, gross_cents, fee_cents, net_cents, refunded_cents, refunded_fee_cents
from platform_changes
union all
select
  side.subject, side.day, side.status, side.direction, side.direction * amount_cents, side.direction * fee_cents,
  side.direction * (amount_cents - fee_cents), 0, 0
from unfolded_payments
cross join lateral (values
  ('charge-created', charge_day, 'paid', 1), ('charge-created', charge_day, status_before, -1),
  ('charge-paid', paid_day, 'paid', 1)
) side (subject, day, status, direction)
where side.status is not null;
comment on view unfolded_platform_changes is 'Changes that platform_totals does not include yet.';

create view platform_day_totals as
select
  subject, day, status, sum(count)::bigint as count, sum(gross_cents)::bigint as gross_cents,
  sum(fee_cents)::bigint as fee_cents, sum(net_cents)::bigint as net_cents,
  sum(refunded_cents)::bigint as refunded_cents, sum(refunded_fee_cents)::bigint as refunded_fee_cents
from (
  select subject, day, status, count, gross_cents, fee_cents, net_cents, refunded_cents, refunded_fee_cents
  from platform_totals
  union all
  select subject, day, status, count, gross_cents, fee_cents, net_cents, refunded_cents, refunded_fee_cents
  from unfolded_platform_changes
) part
group by subject, day, status;
comment on view platform_day_totals is 'Totals of the platform per subject, day and status, exact at any moment.';

create view platform_all_time_totals as
select
  subject, status, sum(count)::bigint as count, sum(gross_cents)::bigint as gross_cents,
  sum(fee_cents)::bigint as fee_cents, sum(net_cents)::bigint as net_cents,
  sum(refunded_cents)::bigint as refunded_cents, sum(refunded_fee_cents)::bigint as refunded_fee_cents
from (
  select subject, status, count, gross_cents, fee_cents, net_cents, refunded_cents, refunded_fee_cents
  from platform_status_totals
  union all
  select subject, status, count, gross_cents, fee_cents, net_cents, refunded_cents, refunded_fee_cents
  from unfolded_platform_changes
) part
group by subject, status;
comment on view platform_all_time_totals is
  'Totals of the platform per subject and status over all days, exact at any moment.';

create view charge_totals as
select
  seller_id, status, sum(count)::bigint as count, sum(gross_cents)::bigint as gross_cents,
  sum(fee_cents)::bigint as fee_cents, sum(net_cents)::bigint as net_cents,
  sum(refunded_cents)::bigint as refunded_cents, sum(refunded_fee_cents)::bigint as refunded_fee_cents
from (
  select seller_id, status, count, gross_cents, fee_cents, net_cents, refunded_cents, refunded_fee_cents
  from kept_charge_totals
  union all
  select
    moved.seller_id, side.status, side.direction * moved.count, side.direction * moved.gross_cents,
    side.direction * moved.fee_cents, side.direction * moved.net_cents, side.direction * side.refunded_cents,
    side.direction * side.refunded_fee_cents
  from unfolded_charge_changes moved
  cross join lateral (values
    (1, moved.status, moved.paid_day, moved.refunded_cents, moved.refunded_fee_cents),
    (-1, moved.status_before, moved.paid_day_before, moved.refunded_cents_before, moved.refunded_fee_cents_before)
  ) side (direction, status, paid_day, refunded_cents, refunded_fee_cents)
  where side.status is not null
) part
group by seller_id, status;
comment on view charge_totals is
  'A seller''s charges per status, exact at any moment. Conditions on the grouped columns reach both halves.';

create view charge_day_totals as
select
  seller_id, day, status, sum(count)::bigint as count, sum(gross_cents)::bigint as gross_cents,
  sum(fee_cents)::bigint as fee_cents, sum(net_cents)::bigint as net_cents,
  sum(refunded_cents)::bigint as refunded_cents, sum(refunded_fee_cents)::bigint as refunded_fee_cents
from (
  select seller_id, day, status, count, gross_cents, fee_cents, net_cents, refunded_cents, refunded_fee_cents
  from kept_charge_day_totals
  union all
  select
    moved.seller_id, moved.day, side.status, side.direction * moved.count, side.direction * moved.gross_cents,
    side.direction * moved.fee_cents, side.direction * moved.net_cents, side.direction * side.refunded_cents,
    side.direction * side.refunded_fee_cents
  from unfolded_charge_changes moved
  cross join lateral (values
    (1, moved.status, moved.paid_day, moved.refunded_cents, moved.refunded_fee_cents),
    (-1, moved.status_before, moved.paid_day_before, moved.refunded_cents_before, moved.refunded_fee_cents_before)
  ) side (direction, status, paid_day, refunded_cents, refunded_fee_cents)
  where side.status is not null
) part
group by seller_id, day, status;
comment on view charge_day_totals is 'A seller''s charges per day of creation and status, exact at any moment.';

create view paid_day_parts as
select seller_id, day, count, gross_cents, fee_cents, net_cents, refunded_cents, refunded_fee_cents
from kept_paid_day_totals
union all
select
  moved.seller_id, side.paid_day, side.direction * moved.count, side.direction * moved.gross_cents,
  side.direction * moved.fee_cents, side.direction * moved.net_cents, side.direction * side.refunded_cents,
  side.direction * side.refunded_fee_cents
from unfolded_charge_changes moved
cross join lateral (values
  (1, moved.paid_day, moved.refunded_cents, moved.refunded_fee_cents),
  (-1, moved.paid_day_before, moved.refunded_cents_before, moved.refunded_fee_cents_before)
) side (direction, paid_day, refunded_cents, refunded_fee_cents)
where side.paid_day is not null;
comment on view paid_day_parts is 'The parts of paid_day_totals, for queries that group them by something else.';

create view paid_day_totals as
select
  seller_id, day, sum(count)::bigint as count, sum(gross_cents)::bigint as gross_cents,
  sum(fee_cents)::bigint as fee_cents, sum(net_cents)::bigint as net_cents,
  sum(refunded_cents)::bigint as refunded_cents, sum(refunded_fee_cents)::bigint as refunded_fee_cents
from paid_day_parts
group by seller_id, day;
comment on view paid_day_totals is 'Amounts paid to a seller per day of payment and not reversed, exact at any moment.';

create view unfolded_paid_days as
select
  moved.seller_id, side.day, side.direction * moved.count as count, side.direction * moved.gross_cents as gross_cents
from unfolded_charge_changes moved
cross join lateral (values (1, moved.paid_day), (-1, moved.paid_day_before)) side (direction, day)
where side.day is not null;
comment on view unfolded_paid_days is 'Days that seller_month_totals does not include yet.';

-- Charges.

create type charge_change as (
  seller_id uuid, status text, created_at timestamptz, paid_at timestamptz, direction integer,
  amount_cents bigint, fee_cents bigint, net_cents bigint, refunded_cents bigint, refunded_fee_cents bigint
);
comment on type charge_change is 'Input of add_charge_changes(): a charge that enters a status (1) or leaves it (-1).';

create function add_charge_changes(changes charge_change[]) returns void
language plpgsql security definer set search_path = pg_catalog, public as $$
begin
  insert into charge_changes (
    seller_id, day, status, paid_day, count, gross_cents, fee_cents, net_cents, refunded_cents, refunded_fee_cents
  )
  select
    seller_id, sao_paulo_day(created_at), status, case when status = 'paid' then sao_paulo_day(paid_at) end,
    sum(direction), sum(direction * amount_cents), sum(direction * fee_cents), sum(direction * net_cents),
    sum(direction * refunded_cents), sum(direction * refunded_fee_cents)
  from unnest(changes)
  where status <> 'creating'
  group by 1, 2, 3, 4;
end
$$;
comment on function add_charge_changes(charge_change[]) is
  'Adds new charges to charge_changes, without those that are still being created.';

create function count_new_charges() returns trigger
language plpgsql security definer set search_path = pg_catalog, public set enable_seqscan = off as $$
declare
  counted charge_change[];
begin
  if exists (
    select from new_charges charge
    where (select seller.id from users seller where seller.id = charge.seller_id) is null
      or charge.page_id is not null
        and (select page.id from charge_pages page where page.id = charge.page_id) is null
  ) then
    raise exception 'a charge names no seller or page of ours' using errcode = 'foreign_key_violation';
  end if;

  insert into open_charges (charge_id, seller_id, page_id, created_at, expires_at)
  select id, seller_id, page_id, created_at, expires_at from new_charges where status in ('creating', 'pending');

  insert into unfinished_charges (charge_id, created_at)
  select id, created_at from new_charges where status = 'creating';

  insert into charge_wordings (page_id, digest, seller_id, folded)
  select page_id, md5(folded)::uuid, seller_id, folded
  from (
    select distinct charge.page_id, charge.seller_id, charge_wording(charge) as folded
    from new_charges charge where charge.page_id is not null
  ) worded
  order by 1, 2
  on conflict do nothing;

  insert into charge_search_texts (charge_id, source, folded)
  select id, 'charge', fold_text(payer_name) from new_charges where page_id is not null and payer_name is not null
  union all
  select charge.id, 'charge', charge_search_text(charge) from new_charges charge where charge.page_id is null
  union all
  select id, 'payment', fold_text(end_to_end_id) from new_charges where end_to_end_id is not null;

  counted := array(
    select row(
      seller_id, status, created_at, paid_at, 1, amount_cents, fee_cents, net_cents, refunded_cents, refunded_fee_cents
    )::charge_change
    from new_charges where status <> 'creating'
  );
  if cardinality(counted) = 0 then return null; end if;
  perform add_charge_changes(counted);

  insert into platform_changes (
    subject, day, status, count, gross_cents, fee_cents, net_cents, refunded_cents, refunded_fee_cents
  )
  select
    kept.subject, sao_paulo_day(kept.moment), charge.status, count(*), sum(charge.amount_cents),
    sum(charge.fee_cents), sum(charge.net_cents), sum(charge.refunded_cents), sum(charge.refunded_fee_cents)
  from new_charges charge
  cross join lateral (values
    ('charge-created', charge.created_at), ('charge-paid', charge.paid_at)
  ) kept (subject, moment)
  where charge.status <> 'creating' and (kept.subject = 'charge-created' or charge.status = 'paid')
  group by 1, 2, 3;
  return null;
end
$$;
comment on function count_new_charges() is
  'Does everything that new charges need once per statement: checks seller and page in place of foreign keys, '
  'writes open_charges, unfinished_charges and the texts for search, and counts what is not still being created.';

create function count_changed_charges() returns trigger
language plpgsql security definer set search_path = pg_catalog, public set enable_seqscan = off as $$
declare
  earlier record;
  later record;
begin
  delete from open_charges
  where charge_id = any (array(select id from new_charges where status not in ('creating', 'pending')));

  if exists (select from old_charges where status = 'creating') then
    delete from unfinished_charges
    where charge_id = any (array(select id from new_charges where status <> 'creating'));
  end if;

  select
    min(status) as status, max(status) as other, count(paid_at) as paid, count(end_to_end_id) as by_payment,
    sum(refunded_cents) as refunded
  into earlier from old_charges;
  select
    min(status) as status, max(status) as other, count(*) as count, count(end_to_end_id) as by_payment,
    sum(refunded_cents) as refunded
  into later from new_charges;
  if earlier.by_payment = 0 and later.by_payment = later.count then return null; end if;

  insert into event_drafts (occurred_at, seller_id, subject_id, type, state)
  select
    charge.updated_at, charge.seller_id, charge.id,
    case charge.status
      when 'pending' then 'charge.created' when 'expired' then 'charge.expired' when 'cancelled' then 'charge.cancelled'
      else 'charge.refunded'
    end,
    case when charge.refunded_cents > 0 then charge_state(charge) end
  from new_charges charge
  join old_charges before using (id)
  where charge.status <> before.status and charge.status in ('pending', 'expired', 'cancelled')
    or charge.refunded_cents > before.refunded_cents
  order by charge.id;

  -- An expiry or an opening takes all of its charges from one status to one other, and none was paid before: then
  -- nothing says which old row belongs to which new one.
  if later.by_payment = 0 and earlier.status = earlier.other and later.status = later.other and earlier.status <> later.status
    and earlier.paid = 0 and earlier.refunded = 0 and later.refunded = 0 then
    with moved as materialized (
      select
        seller_id, sao_paulo_day(created_at) as day, nullif(later.status, 'creating') as status,
        case when later.status = 'paid' then sao_paulo_day(paid_at) end as paid_day,
        nullif(earlier.status, 'creating') as status_before, count(*) as count, sum(amount_cents) as gross_cents,
        sum(fee_cents) as fee_cents, sum(net_cents) as net_cents
      from new_charges
      group by seller_id, 2, 4
    ), of_platform as (
      insert into platform_changes (subject, day, status, count, gross_cents, fee_cents, net_cents)
      select
        kept.subject, kept.day, kept.status, sum(kept.direction * count), sum(kept.direction * gross_cents),
        sum(kept.direction * fee_cents), sum(kept.direction * net_cents)
      from moved
      cross join lateral (values
        ('charge-created', moved.day, status, 1), ('charge-created', moved.day, status_before, -1),
        ('charge-paid', paid_day, status, 1)
      ) kept (subject, day, status, direction)
      where kept.day is not null and kept.status is not null
      group by 1, 2, 3
    )
    insert into charge_changes (
      seller_id, day, status, paid_day, status_before, count, gross_cents, fee_cents, net_cents
    )
    select seller_id, day, status, paid_day, status_before, count, gross_cents, fee_cents, net_cents from moved;
    return null;
  end if;

  with charge as (
    select
      seller_id, sao_paulo_day(created_at) as day, amount_cents, fee_cents, net_cents,
      max(status) filter (where is_new) as status, max(status) filter (where not is_new) as status_before,
      sao_paulo_day(max(paid_at) filter (where is_new and status = 'paid')) as paid_day,
      sao_paulo_day(max(paid_at) filter (where not is_new and status = 'paid')) as paid_day_before,
      coalesce(max(refunded_cents) filter (where is_new), 0) as refunded_cents,
      coalesce(max(refunded_cents) filter (where not is_new), 0) as refunded_cents_before,
      coalesce(max(refunded_fee_cents) filter (where is_new), 0) as refunded_fee_cents,
      coalesce(max(refunded_fee_cents) filter (where not is_new), 0) as refunded_fee_cents_before
    from (
      select
        true as is_new, id, seller_id, created_at, amount_cents, fee_cents, net_cents, refunded_cents,
        refunded_fee_cents, paid_at, nullif(status, 'creating') as status, end_to_end_id
      from new_charges
      union all
      select
        false, id, seller_id, created_at, amount_cents, fee_cents, net_cents, refunded_cents,
        refunded_fee_cents, paid_at, nullif(status, 'creating'), end_to_end_id
      from old_charges
    ) side
    group by id, seller_id, created_at, amount_cents, fee_cents, net_cents
    having count(end_to_end_id) filter (where is_new) = count(end_to_end_id) filter (where not is_new)
  ), moved as materialized (
    select
      seller_id, day, status, paid_day, status_before, paid_day_before, count(*) as count,
      sum(amount_cents)::bigint as gross_cents, sum(fee_cents)::bigint as fee_cents,
      sum(net_cents)::bigint as net_cents, sum(refunded_cents)::bigint as refunded_cents,
      sum(refunded_cents_before)::bigint as refunded_cents_before,
      sum(refunded_fee_cents)::bigint as refunded_fee_cents,
      sum(refunded_fee_cents_before)::bigint as refunded_fee_cents_before
    from charge
    where status is distinct from status_before or paid_day is distinct from paid_day_before
      or refunded_cents <> refunded_cents_before
    group by seller_id, day, status, paid_day, status_before, paid_day_before
  ), of_platform as (
    insert into platform_changes (
      subject, day, status, count, gross_cents, fee_cents, net_cents, refunded_cents, refunded_fee_cents
    )
    select
      kept.subject, kept.day, kept.status, sum(kept.direction * count), sum(kept.direction * gross_cents),
      sum(kept.direction * fee_cents), sum(kept.direction * net_cents), sum(kept.direction * kept.refunded),
      sum(kept.direction * kept.refunded_fee)
    from moved
    cross join lateral (values
      ('charge-created', moved.day, status, 1, refunded_cents, refunded_fee_cents),
      ('charge-created', moved.day, status_before, -1, refunded_cents_before, refunded_fee_cents_before),
      ('charge-paid', paid_day, status, 1, refunded_cents, refunded_fee_cents),
      ('charge-paid', paid_day_before, status_before, -1, refunded_cents_before, refunded_fee_cents_before)
    ) kept (subject, day, status, direction, refunded, refunded_fee)
    where kept.day is not null and kept.status is not null
    group by 1, 2, 3
  )
  insert into charge_changes (
    seller_id, day, status, paid_day, status_before, paid_day_before, count, gross_cents, fee_cents, net_cents,
    refunded_cents, refunded_fee_cents, refunded_cents_before, refunded_fee_cents_before
  )
  select
    seller_id, day, status, paid_day, status_before, paid_day_before, count, gross_cents, fee_cents, net_cents,
    refunded_cents, refunded_fee_cents, refunded_cents_before, refunded_fee_cents_before
  from moved;
  return null;
end
$$;
comment on function count_changed_charges() is
  'Keeps open_charges and unfinished_charges, and adds one row of changes per transition between statuses, with the refunded amount, and an event '
  'for each charge. A charge that gets the endToEndId of its payment is left out: the payment is the change (ADR 13) and the '
  'event (ADR 37).';

create trigger charges_are_counted after insert on charges
referencing new table as new_charges for each statement execute function count_new_charges();
comment on trigger charges_are_counted on charges is 'Checks, counts and makes searchable.';

create trigger charges_are_recounted after update on charges
referencing old table as old_charges new table as new_charges
for each statement execute function count_changed_charges();
comment on trigger charges_are_recounted on charges is 'Keeps the totals of charges.';

-- Charge pages.

create type counted_charge_change as (
  seller_id uuid, day date, status text, paid_day date, direction integer, amount_cents bigint, fee_cents bigint,
  net_cents bigint, refunded_cents bigint
);
comment on type counted_charge_change is
  'Rows that count_charge_pages() collects; it uses the first three columns and the direction.';

create function count_new_charge_pages() returns trigger
language plpgsql security definer set search_path = pg_catalog, public as $$
begin
  insert into active_charge_pages (page_id, seller_id, created_at, expires_at)
  select id, seller_id, created_at, expires_at from new_pages where status = 'active' and not is_unlisted;

  insert into charge_page_totals as total (seller_id, status, count)
  select seller_id, status, count(*)
  from new_pages
  where deleted_at is null and not is_unlisted
  group by seller_id, status
  order by seller_id, status
  on conflict (seller_id, status) do update set count = total.count + excluded.count;
  return null;
end
$$;
comment on function count_new_charge_pages() is 'Adds new pages to charge_page_totals and active_charge_pages.';

create function count_new_charge_pages_of_platform() returns trigger
language plpgsql security definer set search_path = pg_catalog, public as $$
begin
  insert into platform_changes (subject, day, status, count)
  select 'charge-page', sao_paulo_day(created_at), status, count(*)
  from new_pages where deleted_at is null and not is_unlisted group by 2, 3;
  return null;
end
$$;
comment on function count_new_charge_pages_of_platform() is 'Adds new pages to platform_changes.';

create function count_charge_pages() returns trigger
language plpgsql security definer set search_path = pg_catalog, public set enable_seqscan = off as $$
declare
  changes counted_charge_change[];
begin
  delete from active_charge_pages where page_id = any (array(select id from new_pages where status <> 'active'));

  changes := array(
    select row(
      seller_id, sao_paulo_day(created_at), status, null, sum(direction), 0, 0, 0, 0
    )::counted_charge_change
    from (
      select seller_id, created_at, status, 1 as direction from new_pages where deleted_at is null and not is_unlisted
      union all
      select seller_id, created_at, status, -1 from old_pages where deleted_at is null and not is_unlisted
    ) state
    group by seller_id, created_at, status
    having sum(direction) <> 0
  );
  if cardinality(changes) = 0 then return null; end if;

  -- Not by a clause for conflicts, which would log a lock for each row: nearly all of them exist.
  insert into charge_page_totals (seller_id, status, count)
  select distinct seller_id, status, 0
  from unnest(changes) change
  where not exists (
    select from charge_page_totals total
    where total.seller_id = any (array[change.seller_id]) and total.status = any (array[change.status])
  )
  order by seller_id, status
  on conflict do nothing;
  with added as materialized (
    select seller_id, status, sum(direction) as count
    from unnest(changes) group by seller_id, status having sum(direction) <> 0 order by seller_id, status
  )
  update charge_page_totals total set count = total.count + added.count
  from added
  where total.seller_id = any (array[added.seller_id]) and total.status = any (array[added.status]);

  insert into platform_changes (subject, day, status, count)
  select 'charge-page', day, status, sum(direction)
  from unnest(changes)
  group by day, status
  having sum(direction) <> 0;
  return null;
end
$$;
comment on function count_charge_pages() is
  'Moves pages between statuses in both totals, and out of active_charge_pages. Many changes of a page only count a '
  'payment, and end at once.';

create trigger charge_pages_are_counted after insert on charge_pages
referencing new table as new_pages for each statement execute function count_new_charge_pages();
comment on trigger charge_pages_are_counted on charge_pages is 'Keeps charge_page_totals.';

create trigger charge_pages_are_counted_for_platform after insert on charge_pages
referencing new table as new_pages for each statement execute function count_new_charge_pages_of_platform();
comment on trigger charge_pages_are_counted_for_platform on charge_pages is 'Keeps the platform''s total of pages.';

create trigger charge_pages_are_recounted after update on charge_pages
referencing old table as old_pages new table as new_pages
for each statement execute function count_charge_pages();
comment on trigger charge_pages_are_recounted on charge_pages is 'Keeps both totals of pages.';

-- Withdrawals.

create type withdrawal_change as (
  seller_id uuid, status text, created_at timestamptz, direction integer, amount_cents bigint
);
comment on type withdrawal_change is
  'Input of add_withdrawal_changes(): a withdrawal that enters a status (1) or leaves it (-1).';

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

  insert into platform_changes (subject, day, status, count, gross_cents)
  select 'withdrawal', sao_paulo_day(created_at), status, sum(direction), sum(direction * amount_cents)
  from unnest(changes)
  group by 2, 3
  having sum(direction) <> 0 or sum(direction * amount_cents) <> 0;
end
$$;
comment on function add_withdrawal_changes(withdrawal_change[]) is
  'Adds withdrawals to their seller''s totals and to platform_changes.';

create function count_new_withdrawals() returns trigger
language plpgsql security definer set search_path = pg_catalog, public as $$
begin
  perform add_withdrawal_changes(array(
    select row(seller_id, status, created_at, 1, amount_cents)::withdrawal_change from new_withdrawals
  ));
  return null;
end
$$;
comment on function count_new_withdrawals() is 'Adds new withdrawals to both totals.';

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
comment on function count_changed_withdrawals() is 'Moves withdrawals between statuses in both totals.';

create trigger withdrawals_are_counted after insert on withdrawals
referencing new table as new_withdrawals for each statement execute function count_new_withdrawals();
comment on trigger withdrawals_are_counted on withdrawals is 'Keeps the totals of withdrawals.';

create trigger withdrawals_are_recounted after update on withdrawals
referencing old table as old_withdrawals new table as new_withdrawals
for each statement execute function count_changed_withdrawals();
comment on trigger withdrawals_are_recounted on withdrawals is 'Keeps the totals of withdrawals.';

-- Payments to be checked.

create function count_new_unmatched_payments() returns trigger
language plpgsql security definer set search_path = pg_catalog, public as $$
begin
  insert into platform_changes (subject, day, status, count, gross_cents)
  select 'unmatched-payment:' || reason, sao_paulo_day(received_at), status, count(*), sum(amount_cents)
  from new_unmatched_payments group by 1, 2, 3;
  return null;
end
$$;
comment on function count_new_unmatched_payments() is 'Adds new unmatched payments to platform_changes.';

create function count_changed_unmatched_payments() returns trigger
language plpgsql security definer set search_path = pg_catalog, public as $$
begin
  insert into platform_changes (subject, day, status, count, gross_cents)
  select 'unmatched-payment:' || reason, sao_paulo_day(received_at), status, sum(direction), sum(direction * amount_cents)
  from (
    select reason, received_at, status, amount_cents, 1 as direction from new_unmatched_payments
    union all
    select reason, received_at, status, amount_cents, -1 from old_unmatched_payments
  ) change
  group by 1, 2, 3
  having sum(direction) <> 0 or sum(direction * amount_cents) <> 0;
  return null;
end
$$;
comment on function count_changed_unmatched_payments() is
  'Moves unmatched payments between statuses in platform_changes.';

create trigger unmatched_payments_are_counted after insert on unmatched_payments
referencing new table as new_unmatched_payments for each statement execute function count_new_unmatched_payments();
comment on trigger unmatched_payments_are_counted on unmatched_payments is
  'Keeps the platform''s totals of payments to be checked.';

create trigger unmatched_payments_are_recounted after update on unmatched_payments
referencing old table as old_unmatched_payments new table as new_unmatched_payments
for each statement execute function count_changed_unmatched_payments();
comment on trigger unmatched_payments_are_recounted on unmatched_payments is
  'Keeps the platform''s totals of payments to be checked.';

-- Folding.

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
      subject, day, status, count, gross_cents, fee_cents, net_cents, refunded_cents, refunded_fee_cents
    )
    select
      subject, day, status, sum(count), sum(gross_cents), sum(fee_cents), sum(net_cents), sum(refunded_cents),
      sum(refunded_fee_cents)
    from taken
    group by subject, day, status
    order by subject, day, status
    on conflict (subject, day, status) do update set
      count = total.count + excluded.count,
      gross_cents = total.gross_cents + excluded.gross_cents,
      fee_cents = total.fee_cents + excluded.fee_cents,
      net_cents = total.net_cents + excluded.net_cents,
      refunded_cents = total.refunded_cents + excluded.refunded_cents,
      refunded_fee_cents = total.refunded_fee_cents + excluded.refunded_fee_cents
  )
  select count(*) into folded from taken;
  return folded;
end
$$;
comment on function fold_platform_changes(integer) is
  'Moves at most so many rows of platform_changes into platform_totals and returns how many. Two at once take '
  'different rows.';
revoke execute on function fold_platform_changes(integer) from public;

create function fold_payments_below(bound xid8) returns bigint
language plpgsql security definer set search_path = pg_catalog, public set enable_seqscan = off
set enable_indexonlyscan = off as $$
declare
  done xid8;
  folded bigint;
begin
  select below into done from folded_payments for update;
  -- In the order that every writer of pages keeps.
  perform from charge_pages
  where id = any (array(
    select page_id from payments where charge_day is not null and page_id is not null and xid >= done and xid < bound
  ))
  order by id::text for update;

  with paid as materialized (
    select
      seller_id, page_id, charge_day, sao_paulo_day(paid_at) as paid_day, status_before, count(*) as count,
      sum(amount_cents)::bigint as gross_cents, sum(fee_cents)::bigint as fee_cents,
      sum(amount_cents - fee_cents)::bigint as net_cents, max(received_at) as received_at
    from payments
    where charge_day is not null and xid >= done and xid < bound
    group by 1, 2, 3, 4, 5
  ), of_sellers as (
    insert into charge_changes (
      seller_id, day, status, paid_day, status_before, count, gross_cents, fee_cents, net_cents
    )
    select
      seller_id, charge_day, 'paid', paid_day, status_before, sum(count), sum(gross_cents), sum(fee_cents), sum(net_cents)
    from paid group by seller_id, charge_day, paid_day, status_before
  ), of_platform as (
    insert into platform_changes (subject, day, status, count, gross_cents, fee_cents, net_cents)
    select
      side.subject, side.day, side.status, sum(side.direction * count), sum(side.direction * gross_cents),
      sum(side.direction * fee_cents), sum(side.direction * net_cents)
    from paid
    cross join lateral (values
      ('charge-created', charge_day, 'paid', 1), ('charge-created', charge_day, status_before, -1),
      ('charge-paid', paid_day, 'paid', 1)
    ) side (subject, day, status, direction)
    where side.status is not null
    group by 1, 2, 3
  ), of_pages as (
    update charge_pages page
    set payments_count = page.payments_count + counted.count,
      updated_at = greatest(page.updated_at, counted.received_at)
    from (
      select page_id, sum(count) as count, max(received_at) as received_at from paid where page_id is not null group by page_id
    ) counted
    where page.id = any (array[counted.page_id])
  ), marked as (
    update folded_payments set below = bound where below < bound
  )
  select coalesce(sum(count), 0) into folded from paid;
  return folded;
end
$$;
comment on function fold_payments_below(xid8) is
  'Adds the payments of transactions below this one to the changes and to the counts of pages, and returns how many.';
revoke execute on function fold_payments_below(xid8) from public;

create function fold_payments(at_most integer, at_least integer) returns bigint
language plpgsql security definer set search_path = pg_catalog, public set enable_seqscan = off as $$
declare
  done xid8;
  ended xid8 := pg_snapshot_xmin(pg_current_snapshot());
  bound xid8;
begin
  select below into done from folded_payments for update skip locked;
  if not found or done >= ended then return 0; end if;
  if at_least > (
    select count(*) from (select from payments where xid >= done and xid < ended order by xid limit at_least) waiting
  ) then
    return 0;
  end if;
  select xid into bound from payments where xid >= done and xid < ended order by xid offset at_most limit 1;
  -- A transaction of more payments than that is taken whole.
  if bound = (select xid from payments where xid >= done order by xid limit 1) then
    select xid into bound from payments where xid > bound and xid < ended order by xid limit 1;
  end if;
  return fold_payments_below(coalesce(bound, ended));
end
$$;
comment on function fold_payments(integer, integer) is
  'Folds the oldest payments, about so many, whole transactions only, if so many wait, and returns how many. All transactions below the '
  'oldest that is under way have ended, so no payment is passed that commits late. While another one folds, it returns 0.';
revoke execute on function fold_payments(integer, integer) from public;

create function fold_charge_changes(at_most integer) returns bigint
language plpgsql security definer set search_path = pg_catalog, public set enable_seqscan = off as $$
declare
  folded bigint;
begin
  -- The numbers stand in db/advisory-locks.ts.
  if not pg_try_advisory_xact_lock(1953066089, 4) then return 0; end if;

  -- Nearly all totals exist. A clause for conflicts would log a lock for each, so the few others are inserted apart:
  -- nobody else adds one meanwhile.
  with taken as (
    delete from charge_changes where ctid = any (array(select ctid from charge_changes limit at_most)) returning *
  ), state as (
    select
      taken.seller_id, taken.day, side.status, side.paid_day, side.direction * taken.count as count,
      side.direction * taken.gross_cents as gross_cents, side.direction * taken.fee_cents as fee_cents,
      side.direction * taken.net_cents as net_cents, side.direction * side.refunded_cents as refunded_cents,
      side.direction * side.refunded_fee_cents as refunded_fee_cents
    from taken
    cross join lateral (values
      (1, taken.status, taken.paid_day, taken.refunded_cents, taken.refunded_fee_cents),
      (-1, taken.status_before, taken.paid_day_before, taken.refunded_cents_before, taken.refunded_fee_cents_before)
    ) side (direction, status, paid_day, refunded_cents, refunded_fee_cents)
    where side.status is not null
  ), by_seller as materialized (
    select
      seller_id, status, sum(count) as count, sum(gross_cents) as gross_cents,
      sum(fee_cents) as fee_cents, sum(net_cents) as net_cents, sum(refunded_cents) as refunded_cents,
      sum(refunded_fee_cents) as refunded_fee_cents
    from state
    group by 1, 2 order by 1, 2
  ), moved_by_seller as (
    update kept_charge_totals total set
      count = total.count + change.count,
      gross_cents = total.gross_cents + change.gross_cents,
      fee_cents = total.fee_cents + change.fee_cents,
      net_cents = total.net_cents + change.net_cents,
      refunded_cents = total.refunded_cents + change.refunded_cents,
      refunded_fee_cents = total.refunded_fee_cents + change.refunded_fee_cents
    from by_seller change
    where total.seller_id = any (array[change.seller_id]) and total.status = any (array[change.status])
  ), added_by_seller as (
    insert into kept_charge_totals (
      seller_id, status, count, gross_cents, fee_cents, net_cents, refunded_cents, refunded_fee_cents
    )
    select
      change.seller_id, change.status, change.count, change.gross_cents, change.fee_cents,
      change.net_cents, change.refunded_cents, change.refunded_fee_cents
    from by_seller change
    where not exists (
      select from kept_charge_totals total
      where total.seller_id = any (array[change.seller_id]) and total.status = any (array[change.status])
    )
  ), by_day as materialized (
    select
      seller_id, day, status, sum(count) as count, sum(gross_cents) as gross_cents,
      sum(fee_cents) as fee_cents, sum(net_cents) as net_cents, sum(refunded_cents) as refunded_cents,
      sum(refunded_fee_cents) as refunded_fee_cents
    from state
    group by 1, 2, 3 order by 1, 2, 3
  ), moved_by_day as (
    update kept_charge_day_totals total set
      count = total.count + change.count,
      gross_cents = total.gross_cents + change.gross_cents,
      fee_cents = total.fee_cents + change.fee_cents,
      net_cents = total.net_cents + change.net_cents,
      refunded_cents = total.refunded_cents + change.refunded_cents,
      refunded_fee_cents = total.refunded_fee_cents + change.refunded_fee_cents
    from by_day change
    where total.seller_id = any (array[change.seller_id]) and total.day = any (array[change.day])
      and total.status = any (array[change.status])
  ), added_by_day as (
    insert into kept_charge_day_totals (
      seller_id, day, status, count, gross_cents, fee_cents, net_cents, refunded_cents, refunded_fee_cents
    )
    select
      change.seller_id, change.day, change.status, change.count, change.gross_cents, change.fee_cents,
      change.net_cents, change.refunded_cents, change.refunded_fee_cents
    from by_day change
    where not exists (
      select from kept_charge_day_totals total
      where total.seller_id = any (array[change.seller_id]) and total.day = any (array[change.day])
        and total.status = any (array[change.status])
    )
  ), by_paid_day as materialized (
    select
      seller_id, paid_day as day, sum(count) as count, sum(gross_cents) as gross_cents,
      sum(fee_cents) as fee_cents, sum(net_cents) as net_cents, sum(refunded_cents) as refunded_cents,
      sum(refunded_fee_cents) as refunded_fee_cents
    from state
    where paid_day is not null
    group by 1, 2 order by 1, 2
  ), moved_by_paid_day as (
    update kept_paid_day_totals total set
      count = total.count + change.count,
      gross_cents = total.gross_cents + change.gross_cents,
      fee_cents = total.fee_cents + change.fee_cents,
      net_cents = total.net_cents + change.net_cents,
      refunded_cents = total.refunded_cents + change.refunded_cents,
      refunded_fee_cents = total.refunded_fee_cents + change.refunded_fee_cents
    from by_paid_day change
    where total.seller_id = any (array[change.seller_id]) and total.day = any (array[change.day])
  ), added_by_paid_day as (
    insert into kept_paid_day_totals (
      seller_id, day, count, gross_cents, fee_cents, net_cents, refunded_cents, refunded_fee_cents
    )
    select
      change.seller_id, change.day, change.count, change.gross_cents, change.fee_cents,
      change.net_cents, change.refunded_cents, change.refunded_fee_cents
    from by_paid_day change
    where not exists (
      select from kept_paid_day_totals total
      where total.seller_id = any (array[change.seller_id]) and total.day = any (array[change.day])
    )
  )
  select count(*) into folded from taken;
  return folded;
end
$$;
comment on function fold_charge_changes(integer) is
  'Moves at most so many rows of charge_changes into the kept_ totals and returns how many. One at a time: while '
  'another '
  'one folds, it returns 0.';
revoke execute on function fold_charge_changes(integer) from public;

create function add_folded_days() returns trigger
language plpgsql security definer set search_path = pg_catalog, public as $$
begin
  insert into platform_status_totals as total
    (subject, status, count, gross_cents, fee_cents, net_cents, refunded_cents, refunded_fee_cents)
  select
    subject, status, sum(count), sum(gross_cents), sum(fee_cents), sum(net_cents), sum(refunded_cents),
    sum(refunded_fee_cents)
  from new_days group by subject, status order by subject, status
  on conflict (subject, status) do update set
    count = total.count + excluded.count,
    gross_cents = total.gross_cents + excluded.gross_cents,
    fee_cents = total.fee_cents + excluded.fee_cents,
    net_cents = total.net_cents + excluded.net_cents,
    refunded_cents = total.refunded_cents + excluded.refunded_cents,
    refunded_fee_cents = total.refunded_fee_cents + excluded.refunded_fee_cents;
  return null;
end
$$;
comment on function add_folded_days() is 'Adds new days of platform_totals to platform_status_totals.';

create function add_refolded_days() returns trigger
language plpgsql security definer set search_path = pg_catalog, public as $$
begin
  insert into platform_status_totals as total
    (subject, status, count, gross_cents, fee_cents, net_cents, refunded_cents, refunded_fee_cents)
  select
    subject, status, sum(direction * count), sum(direction * gross_cents), sum(direction * fee_cents),
    sum(direction * net_cents), sum(direction * refunded_cents), sum(direction * refunded_fee_cents)
  from (select *, 1 as direction from new_days union all select *, -1 from old_days) change
  group by subject, status order by subject, status
  on conflict (subject, status) do update set
    count = total.count + excluded.count,
    gross_cents = total.gross_cents + excluded.gross_cents,
    fee_cents = total.fee_cents + excluded.fee_cents,
    net_cents = total.net_cents + excluded.net_cents,
    refunded_cents = total.refunded_cents + excluded.refunded_cents,
    refunded_fee_cents = total.refunded_fee_cents + excluded.refunded_fee_cents;
  return null;
end
$$;
comment on function add_refolded_days() is 'Adds changes of platform_totals'' days to platform_status_totals.';

create trigger platform_totals_are_added after insert on platform_totals
referencing new table as new_days for each statement execute function add_folded_days();
comment on trigger platform_totals_are_added on platform_totals is 'Keeps platform_status_totals.';

create trigger platform_totals_are_added_again after update on platform_totals
referencing old table as old_days new table as new_days
for each statement execute function add_refolded_days();
comment on trigger platform_totals_are_added_again on platform_totals is 'Keeps platform_status_totals.';

create function add_folded_paid_days() returns trigger
language plpgsql security definer set search_path = pg_catalog, public set enable_seqscan = off as $$
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
comment on function add_folded_paid_days() is 'Adds new days of kept_paid_day_totals to seller_month_totals.';

create function add_refolded_paid_days() returns trigger
language plpgsql security definer set search_path = pg_catalog, public set enable_seqscan = off as $$
begin
  with change as materialized (
    select seller_id, date_trunc('month', day)::date as month, sum(count) as count, sum(gross_cents) as gross_cents
    from (
      select seller_id, day, count, gross_cents from new_days
      union all
      select seller_id, day, -count, -gross_cents from old_days
    ) side
    group by 1, 2
    having sum(count) <> 0 or sum(gross_cents) <> 0
    order by 1, 2
  ), moved as (
    update seller_month_totals total
    set count = total.count + change.count, gross_cents = total.gross_cents + change.gross_cents
    from change
    where total.seller_id = any (array[change.seller_id]) and total.month = any (array[change.month])
  )
  insert into seller_month_totals (seller_id, month, count, gross_cents)
  select seller_id, month, count, gross_cents from change
  where not exists (
    select from seller_month_totals total
    where total.seller_id = any (array[change.seller_id]) and total.month = any (array[change.month])
  );
  return null;
end
$$;
comment on function add_refolded_paid_days() is 'Adds changes of kept_paid_day_totals'' days to seller_month_totals.';

create trigger paid_days_are_added after insert on kept_paid_day_totals
referencing new table as new_days for each statement execute function add_folded_paid_days();
comment on trigger paid_days_are_added on kept_paid_day_totals is 'Keeps seller_month_totals.';

create trigger paid_days_are_added_again after update on kept_paid_day_totals
referencing old table as old_days new table as new_days
for each statement execute function add_refolded_paid_days();
comment on trigger paid_days_are_added_again on kept_paid_day_totals is 'Keeps seller_month_totals.';

grant select on
  platform_totals, platform_changes, platform_status_totals, platform_day_totals, platform_all_time_totals,
  charge_changes, kept_charge_totals, kept_charge_day_totals, kept_paid_day_totals, seller_month_totals,
  charge_totals, charge_day_totals, paid_day_parts, paid_day_totals, unfolded_paid_days, unfolded_charge_changes,
  unfolded_platform_changes,
  charge_page_totals, withdrawal_totals
to tilinta_app;
grant execute on function number_events(integer), fold_payments(integer, integer), fold_platform_changes(integer), fold_charge_changes(integer)
to tilinta_app;
