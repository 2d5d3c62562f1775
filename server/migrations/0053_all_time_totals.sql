lock table withdrawals, payment_reviews, platform_totals, platform_changes in access exclusive mode;

-- Withdrawals, and payments that somebody should look at, are counted like charges: by added rows, so that no two
-- writers wait for each other. In a part of their own, so that a report about charges never reads past them.
drop view platform_day_totals;
alter table platform_totals rename to earlier_totals;
alter index platform_totals_pkey rename to earlier_totals_pkey;
create table platform_totals (
  subject text not null check (
    subject in ('charge-created', 'charge-paid', 'charge-page', 'withdrawal') or subject like 'review:%'
  ),
  day date not null,
  status text not null,
  count bigint not null,
  gross_cents bigint not null default 0,
  fee_cents bigint not null default 0,
  net_cents bigint not null default 0,
  refunded_cents bigint not null default 0,
  primary key (subject, day, status)
) partition by list (subject);
create table platform_totals_of_charges partition of platform_totals
  for values in ('charge-created', 'charge-paid') with (fillfactor = 70);
create table platform_totals_of_others partition of platform_totals default with (fillfactor = 70);

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
grant select on platform_totals, platform_day_totals to tilinta_app;

-- What a payment never changes stands beside its review: a list or a total of reviews looks up no payments.
alter table payment_reviews
  add column txid text collate "C",
  add column amount_cents bigint,
  add column paid_at timestamptz,
  -- The charge that the payment names.
  add column named_charge_id uuid;
update payment_reviews review
set txid = payment.txid, amount_cents = payment.amount_cents, paid_at = payment.paid_at,
  named_charge_id = payment.charge_id
from payments payment where payment.end_to_end_id = review.end_to_end_id;
alter table payment_reviews alter column amount_cents set not null, alter column paid_at set not null;

-- The plan is kept from when there were few payments.
create function describe_reviewed_payment() returns trigger
language plpgsql set enable_seqscan = off as $$
begin
  select payment.txid, payment.amount_cents, payment.paid_at, payment.charge_id
  into new.txid, new.amount_cents, new.paid_at, new.named_charge_id
  from payments payment where payment.end_to_end_id = new.end_to_end_id;
  return new;
end
$$;

create trigger payment_reviews_tell_their_payment before insert on payment_reviews
for each row execute function describe_reviewed_payment();

create function count_new_reviews() returns trigger
language plpgsql security definer set search_path = pg_catalog, public as $$
begin
  insert into platform_changes (subject, day, status, count, gross_cents)
  select 'review:' || reason, sao_paulo_day(received_at), status, count(*), sum(amount_cents)
  from new_reviews group by 1, 2, 3;
  return null;
end
$$;

create function count_changed_reviews() returns trigger
language plpgsql security definer set search_path = pg_catalog, public as $$
begin
  insert into platform_changes (subject, day, status, count, gross_cents)
  select 'review:' || reason, sao_paulo_day(received_at), status, sum(direction), sum(direction * amount_cents)
  from (
    select reason, received_at, status, amount_cents, 1 as direction from new_reviews
    union all
    select reason, received_at, status, amount_cents, -1 from old_reviews
  ) change
  group by 1, 2, 3
  having sum(direction) <> 0 or sum(direction * amount_cents) <> 0;
  return null;
end
$$;

create trigger payment_reviews_are_counted after insert on payment_reviews
referencing new table as new_reviews for each statement execute function count_new_reviews();

create trigger payment_reviews_are_recounted after update on payment_reviews
referencing old table as old_reviews new table as new_reviews
for each statement execute function count_changed_reviews();

create or replace function add_withdrawal_changes(changes withdrawal_change[]) returns void
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

insert into platform_totals (subject, day, status, count, gross_cents, fee_cents, net_cents, refunded_cents)
select subject, day, status, count, gross_cents, fee_cents, net_cents, refunded_cents
from (
  select subject, day, status, count, gross_cents, fee_cents, net_cents, refunded_cents from earlier_totals
  union all
  select 'withdrawal', day, status, count, amount_cents, 0, 0, 0 from withdrawal_day_totals
  union all
  select 'review:' || reason, sao_paulo_day(received_at), status, count(*), sum(amount_cents), 0, 0, 0
  from payment_reviews group by 1, 2, 3
) kept
order by subject, day, status;

drop table earlier_totals, withdrawal_day_totals;

-- Rows that were filled in have moved: what is listed together lies together again.
cluster payment_reviews using payment_reviews_by_time;
analyze platform_totals, payment_reviews;

-- Of all days, for whoever asks for no days: kept as the days are folded, so that no booking writes it.
create table platform_status_totals (
  subject text not null,
  status text not null,
  count bigint not null,
  gross_cents bigint not null,
  fee_cents bigint not null,
  net_cents bigint not null,
  refunded_cents bigint not null,
  primary key (subject, status)
) with (fillfactor = 70);

insert into platform_status_totals
  (subject, status, count, gross_cents, fee_cents, net_cents, refunded_cents)
select
  subject, status, sum(count), sum(gross_cents), sum(fee_cents), sum(net_cents), sum(refunded_cents)
from platform_totals group by subject, status;

create function add_folded_days() returns trigger
language plpgsql security definer set search_path = pg_catalog, public as $$
begin
  insert into platform_status_totals as total
    (subject, status, count, gross_cents, fee_cents, net_cents, refunded_cents)
  select
    subject, status, sum(count), sum(gross_cents), sum(fee_cents), sum(net_cents), sum(refunded_cents)
  from new_days group by subject, status order by subject, status
  on conflict (subject, status) do update set
    count = total.count + excluded.count,
    gross_cents = total.gross_cents + excluded.gross_cents,
    fee_cents = total.fee_cents + excluded.fee_cents,
    net_cents = total.net_cents + excluded.net_cents,
    refunded_cents = total.refunded_cents + excluded.refunded_cents;
  return null;
end
$$;

create function add_refolded_days() returns trigger
language plpgsql security definer set search_path = pg_catalog, public as $$
begin
  insert into platform_status_totals as total
    (subject, status, count, gross_cents, fee_cents, net_cents, refunded_cents)
  select
    subject, status, sum(direction * count), sum(direction * gross_cents), sum(direction * fee_cents),
    sum(direction * net_cents), sum(direction * refunded_cents)
  from (select *, 1 as direction from new_days union all select *, -1 from old_days) change
  group by subject, status order by subject, status
  on conflict (subject, status) do update set
    count = total.count + excluded.count,
    gross_cents = total.gross_cents + excluded.gross_cents,
    fee_cents = total.fee_cents + excluded.fee_cents,
    net_cents = total.net_cents + excluded.net_cents,
    refunded_cents = total.refunded_cents + excluded.refunded_cents;
  return null;
end
$$;

create trigger platform_totals_are_added after insert on platform_totals
referencing new table as new_days for each statement execute function add_folded_days();

create trigger platform_totals_are_added_again after update on platform_totals
referencing old table as old_days new table as new_days
for each statement execute function add_refolded_days();

create view platform_all_time_totals as
select
  subject, status, sum(count)::bigint as count, sum(gross_cents)::bigint as gross_cents,
  sum(fee_cents)::bigint as fee_cents, sum(net_cents)::bigint as net_cents,
  sum(refunded_cents)::bigint as refunded_cents
from (
  select subject, status, count, gross_cents, fee_cents, net_cents, refunded_cents from platform_status_totals
  union all
  select subject, status, count, gross_cents, fee_cents, net_cents, refunded_cents from platform_changes
) part
group by subject, status;

grant select on platform_status_totals, platform_all_time_totals to tilinta_app;
