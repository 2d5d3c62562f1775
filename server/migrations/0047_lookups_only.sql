-- What a trigger prepares keeps its plan while the tables grow, and the first statement may have one row. So nothing
-- here joins rows that a statement changed to each other, and `key = any (array[other.key])` leaves no other plan than
-- a look-up by key, once neither tables nor indexes are to be read whole.
lock table charges, charge_pages, payments, ledger_postings in share row exclusive mode;

create or replace function apply_ledger_postings() returns trigger
language plpgsql security definer set search_path = pg_catalog, public set enable_seqscan = off
set enable_indexonlyscan = off as $$
declare
  ids text[];
  changes bigint[];
  debts bigint[];
begin
  if exists (
    select from new_postings posted
    where not exists (select from ledger_transactions booked where booked.id = any (array[posted.transaction_id]))
  ) then
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
  where account.id = any (array[moved.id]);
  return null;
end
$$;

create or replace function refuse_unknown_charges() returns trigger
language plpgsql security definer set search_path = pg_catalog, public set enable_seqscan = off
set enable_indexonlyscan = off as $$
begin
  if exists (
    select from new_payments payment
    where payment.charge_id is not null
      and not exists (select from charges charge where charge.id = any (array[payment.charge_id]))
  ) then
    raise exception 'a payment names no charge of ours' using errcode = 'foreign_key_violation';
  end if;
  return null;
end
$$;

-- A charge's search text never changes but for what its payment is called.
create function note_paid_charge_texts() returns trigger
language plpgsql security definer set search_path = pg_catalog, public set enable_seqscan = off
set enable_indexonlyscan = off as $$
begin
  insert into charge_search_texts (charge_id, source, folded)
  select id, 'payment', fold_text(end_to_end_id)
  from (
    select id, end_to_end_id from new_charges where end_to_end_id is not null
    except
    select id, end_to_end_id from old_charges
  ) paid
  on conflict (charge_id, source) do update set folded = excluded.folded;
  return null;
end
$$;

create trigger paid_charges_are_searchable after update on charges
referencing old table as old_charges new table as new_charges
for each statement execute function note_paid_charge_texts();

-- What stays as it was adds up to nothing.
create or replace function count_changed_charges() returns trigger
language plpgsql security definer set search_path = pg_catalog, public set enable_seqscan = off
set enable_indexonlyscan = off as $$
declare
  changes counted_charge_change[];
begin
  changes := array(
    select row(
      seller_id, day, status, paid_day, sum(direction), sum(direction * amount_cents), sum(direction * fee_cents),
      sum(direction * net_cents), sum(direction * refunded_cents)
    )::counted_charge_change
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
  );
  if cardinality(changes) = 0 then return null; end if;

  insert into charge_totals as total (seller_id, status, count, gross_cents, fee_cents, net_cents)
  select seller_id, status, sum(direction), sum(amount_cents), sum(fee_cents), sum(net_cents)
  from unnest(changes)
  group by seller_id, status
  having sum(direction) <> 0 or sum(amount_cents) <> 0 or sum(fee_cents) <> 0 or sum(net_cents) <> 0
  order by seller_id, status
  on conflict (seller_id, status) do update set
    count = total.count + excluded.count,
    gross_cents = total.gross_cents + excluded.gross_cents,
    fee_cents = total.fee_cents + excluded.fee_cents,
    net_cents = total.net_cents + excluded.net_cents;

  insert into charge_day_totals as total (seller_id, day, status, count, gross_cents, fee_cents, net_cents)
  select seller_id, day, status, sum(direction), sum(amount_cents), sum(fee_cents), sum(net_cents)
  from unnest(changes)
  group by seller_id, day, status
  having sum(direction) <> 0 or sum(amount_cents) <> 0 or sum(fee_cents) <> 0 or sum(net_cents) <> 0
  order by seller_id, day, status
  on conflict (seller_id, day, status) do update set
    count = total.count + excluded.count,
    gross_cents = total.gross_cents + excluded.gross_cents,
    fee_cents = total.fee_cents + excluded.fee_cents,
    net_cents = total.net_cents + excluded.net_cents;

  insert into paid_day_totals as total (seller_id, day, count, gross_cents, fee_cents, net_cents)
  select seller_id, paid_day, sum(direction), sum(amount_cents), sum(fee_cents), sum(net_cents)
  from unnest(changes)
  where paid_day is not null
  group by seller_id, paid_day
  having sum(direction) <> 0 or sum(amount_cents) <> 0 or sum(fee_cents) <> 0 or sum(net_cents) <> 0
  order by seller_id, paid_day
  on conflict (seller_id, day) do update set
    count = total.count + excluded.count,
    gross_cents = total.gross_cents + excluded.gross_cents,
    fee_cents = total.fee_cents + excluded.fee_cents,
    net_cents = total.net_cents + excluded.net_cents;

  insert into platform_changes (subject, day, status, count, gross_cents, fee_cents, net_cents, refunded_cents)
  select
    kept.subject, kept.day, change.status, sum(change.direction), sum(change.amount_cents), sum(change.fee_cents),
    sum(change.net_cents), sum(change.refunded_cents)
  from unnest(changes) change
  cross join lateral (values ('charge-created', change.day), ('charge-paid', change.paid_day)) kept (subject, day)
  where kept.day is not null
  group by 1, 2, 3;
  return null;
end
$$;

-- Most changes of a page only count a payment.
create or replace function count_charge_pages() returns trigger
language plpgsql security definer set search_path = pg_catalog, public as $$
declare
  changes counted_charge_change[];
begin
  changes := array(
    select row(
      seller_id, sao_paulo_day(created_at), status, null, sum(direction), 0, 0, 0, 0
    )::counted_charge_change
    from (
      select seller_id, created_at, status, 1 as direction from new_pages where deleted_at is null
      union all
      select seller_id, created_at, status, -1 from old_pages where deleted_at is null
    ) state
    group by seller_id, created_at, status
    having sum(direction) <> 0
  );
  if cardinality(changes) = 0 then return null; end if;

  insert into charge_page_totals as total (seller_id, status, count)
  select seller_id, status, sum(direction)
  from unnest(changes)
  group by seller_id, status
  having sum(direction) <> 0
  order by seller_id, status
  on conflict (seller_id, status) do update set count = total.count + excluded.count;

  insert into platform_changes (subject, day, status, count)
  select 'charge-page', day, status, sum(direction)
  from unnest(changes)
  group by day, status
  having sum(direction) <> 0;
  return null;
end
$$;
