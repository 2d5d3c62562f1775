-- As before, but where as many charges come into a status as leave it in one statement, their amounts still differ.
create or replace function count_changed_charges() returns trigger
language plpgsql security definer set search_path = pg_catalog, public set enable_seqscan = off as $$
declare
  changes counted_charge_change[];
begin
  insert into charge_search_texts (charge_id, source, folded)
  select later.id, 'payment', fold_text(later.end_to_end_id)
  from new_charges later join old_charges earlier using (id)
  where later.end_to_end_id is not null and later.end_to_end_id is distinct from earlier.end_to_end_id
  on conflict (charge_id, source) do update set folded = excluded.folded;

  changes := array(
    select row(
      change.seller_id, change.day, state.status, state.paid_day, state.direction, change.amount_cents,
      change.fee_cents, change.net_cents, state.refunded_cents
    )::counted_charge_change
    from (
      select
        later.seller_id, sao_paulo_day(later.created_at) as day, later.amount_cents, later.fee_cents, later.net_cents,
        later.status, earlier.status as status_before, later.refunded_cents,
        earlier.refunded_cents as refunded_cents_before,
        case when later.status = 'paid' then sao_paulo_day(later.paid_at) end as paid_day,
        case when earlier.status = 'paid' then sao_paulo_day(earlier.paid_at) end as paid_day_before
      from new_charges later join old_charges earlier using (id)
      where later.status <> earlier.status or later.refunded_cents <> earlier.refunded_cents
    ) change
    cross join lateral (values
      (1, change.status, change.paid_day, change.refunded_cents),
      (-1, change.status_before, change.paid_day_before, change.refunded_cents_before)
    ) state (direction, status, paid_day, refunded_cents)
    where state.status <> 'creating'
  );
  if cardinality(changes) = 0 then return null; end if;

  insert into charge_totals as total (seller_id, status, count, gross_cents, fee_cents, net_cents)
  select
    seller_id, status, sum(direction), sum(direction * amount_cents), sum(direction * fee_cents),
    sum(direction * net_cents)
  from unnest(changes)
  group by seller_id, status
  having sum(direction) <> 0 or sum(direction * amount_cents) <> 0
    or sum(direction * fee_cents) <> 0 or sum(direction * net_cents) <> 0
  order by seller_id, status
  on conflict (seller_id, status) do update set
    count = total.count + excluded.count,
    gross_cents = total.gross_cents + excluded.gross_cents,
    fee_cents = total.fee_cents + excluded.fee_cents,
    net_cents = total.net_cents + excluded.net_cents;

  insert into charge_day_totals as total (seller_id, day, status, count, gross_cents, fee_cents, net_cents)
  select
    seller_id, day, status, sum(direction), sum(direction * amount_cents), sum(direction * fee_cents),
    sum(direction * net_cents)
  from unnest(changes)
  group by seller_id, day, status
  having sum(direction) <> 0 or sum(direction * amount_cents) <> 0
    or sum(direction * fee_cents) <> 0 or sum(direction * net_cents) <> 0
  order by seller_id, day, status
  on conflict (seller_id, day, status) do update set
    count = total.count + excluded.count,
    gross_cents = total.gross_cents + excluded.gross_cents,
    fee_cents = total.fee_cents + excluded.fee_cents,
    net_cents = total.net_cents + excluded.net_cents;

  insert into paid_day_totals as total (seller_id, day, count, gross_cents, fee_cents, net_cents)
  select
    seller_id, paid_day, sum(direction), sum(direction * amount_cents), sum(direction * fee_cents),
    sum(direction * net_cents)
  from unnest(changes)
  where status = 'paid'
  group by seller_id, paid_day
  having sum(direction) <> 0 or sum(direction * amount_cents) <> 0
    or sum(direction * fee_cents) <> 0 or sum(direction * net_cents) <> 0
  order by seller_id, paid_day
  on conflict (seller_id, day) do update set
    count = total.count + excluded.count,
    gross_cents = total.gross_cents + excluded.gross_cents,
    fee_cents = total.fee_cents + excluded.fee_cents,
    net_cents = total.net_cents + excluded.net_cents;

  insert into platform_changes (subject, day, status, count, gross_cents, fee_cents, net_cents, refunded_cents)
  select
    kept.subject, kept.day, change.status, sum(change.direction), sum(change.direction * change.amount_cents),
    sum(change.direction * change.fee_cents), sum(change.direction * change.net_cents),
    sum(change.direction * change.refunded_cents)
  from unnest(changes) change
  cross join lateral (values ('charge-created', change.day), ('charge-paid', change.paid_day)) kept (subject, day)
  where kept.day is not null
  group by 1, 2, 3;
  return null;
end
$$;
