-- Bookings write by the hundred. What was checked or added up row by row is done once per statement here, and no
-- statement's plan may fall back on reading a table whole: what is prepared on a new database stays so as it grows.
lock table charges, payments, ledger_transactions, ledger_postings in share row exclusive mode;

-- The trigger below looks at all postings of a statement at once. Transactions are final, so none goes away later.
alter table ledger_postings drop constraint ledger_postings_transaction_id_fkey;

create or replace function apply_ledger_postings() returns trigger
language plpgsql security definer set search_path = pg_catalog, public set enable_seqscan = off as $$
begin
  if exists (
    select from new_postings posted
    where not exists (select from ledger_transactions booked where booked.id = posted.transaction_id)
  ) then
    raise exception 'a posting belongs to no ledger transaction' using errcode = 'foreign_key_violation';
  end if;

  insert into ledger_accounts (id, kind, seller_id, floor_cents)
  select
    touched.id,
    split_part(touched.id, ':', 1),
    case when touched.id like 'seller-%' then split_part(touched.id, ':', 2)::uuid end,
    case when touched.id like 'psp-clearing:%' then null else 0 end
  from (
    select debit_account as id from new_postings union select credit_account from new_postings
  ) touched
  where not exists (select from ledger_accounts existing where existing.id = touched.id)
  order by touched.id not like 'seller-%', touched.id
  on conflict (id) do nothing;

  -- Sellers first, then the platform's accounts: the order that every writer keeps.
  with moved as materialized (
    select move.id, sum(move.change)::bigint as change, sum(move.taken)::bigint as taken
    from (
      select credit_account as id, amount_cents as change, 0 as taken from new_postings
      union all
      select debit_account, -amount_cents, case
        when (credit_account like 'psp-clearing:%' or credit_account like 'seller-blocked:%') and exists (
          select from ledger_transactions booked
          where booked.id = new_postings.transaction_id
            and booked.kind = case
              when credit_account like 'psp-clearing:%' then 'refund-by-bank' else 'dispute-blocked'
            end
        ) then amount_cents else 0
      end
      from new_postings
    ) move
    group by move.id
  ), locked as materialized (
    select account.id, moved.change, moved.taken
    from moved join ledger_accounts account on account.id = moved.id
    order by account.id not like 'seller-%', account.id
    for update of account
  )
  update ledger_accounts account
  set balance_cents = account.balance_cents + locked.change,
    floor_cents = case
      when account.floor_cents is not null
      then least(0, greatest(account.balance_cents + locked.change, account.floor_cents - locked.taken))
    end
  from locked
  where account.id = locked.id;
  return null;
end
$$;

alter table payments drop constraint payments_charge_id_fkey;
alter table charge_search_texts drop constraint charge_search_texts_charge_id_fkey;

create function refuse_unknown_charges() returns trigger
language plpgsql security definer set search_path = pg_catalog, public set enable_seqscan = off as $$
begin
  if exists (
    select from new_payments payment
    where payment.charge_id is not null and not exists (select from charges where charges.id = payment.charge_id)
  ) then
    raise exception 'a payment names no charge of ours' using errcode = 'foreign_key_violation';
  end if;
  return null;
end
$$;

create trigger payments_name_charges after insert on payments
referencing new table as new_payments for each statement execute function refuse_unknown_charges();

create trigger renamed_payments_name_charges after update on payments
referencing new table as new_payments for each statement execute function refuse_unknown_charges();

create function refuse_charge_removal() returns trigger
language plpgsql as $$
begin
  raise exception 'charges are kept: % is refused', tg_op using errcode = 'insufficient_privilege';
end
$$;

create trigger charges_are_kept before delete or truncate on charges
for each statement execute function refuse_charge_removal();

-- All that is kept about a charge's change, from one look at the changed rows. Sellers' totals are locked in one
-- order; the platform's are only added to.
drop trigger charges_are_recounted_for_platform on charges;
drop trigger paid_charges_are_searchable on charges;
drop function count_changed_charges_of_platform();
drop function note_paid_charge_texts();

create type counted_charge_change as (
  seller_id uuid, day date, status text, paid_day date, direction integer, amount_cents bigint, fee_cents bigint,
  net_cents bigint, refunded_cents bigint
);

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
  having sum(direction) <> 0
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
  having sum(direction) <> 0
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
  having sum(direction) <> 0
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

-- Most changes of a page only count a payment.
create or replace function count_charge_pages() returns trigger
language plpgsql security definer set search_path = pg_catalog, public as $$
begin
  if not exists (
    select from new_pages later join old_pages earlier using (id)
    where later.status <> earlier.status or (later.deleted_at is null) <> (earlier.deleted_at is null)
  ) then
    return null;
  end if;

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

drop trigger charge_pages_are_recounted_for_platform on charge_pages;
drop function count_changed_charge_pages_of_platform();

-- A page's count is written where its row is.
alter table charge_pages set (fillfactor = 80);
