-- A charge is stored before the bank is asked and shown afterwards: until then it counts nowhere. What was checked and
-- counted row by row, or by three triggers, is done once per statement, and every plan is a look-up by key.
lock table charges in share row exclusive mode;

alter table charges drop constraint charges_seller_id_fkey;
alter table charges drop constraint charges_page_id_fkey;

-- A user with a page is kept by the page's own reference.
create function refuse_charge_page_removal() returns trigger
language plpgsql as $$
begin
  raise exception 'charge pages are kept: % is refused', tg_op using errcode = 'insufficient_privilege';
end
$$;

create trigger charge_pages_are_kept before delete or truncate on charge_pages
for each statement execute function refuse_charge_page_removal();

drop trigger charges_are_counted_for_platform on charges;
drop function count_new_charges_of_platform();
drop trigger charges_are_searchable on charges;
drop function note_new_charge_texts();

create or replace function count_new_charges() returns trigger
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

  insert into charge_search_texts (charge_id, source, folded)
  select charge.id, 'charge', charge_search_text(charge) from new_charges charge
  union all
  select id, 'payment', fold_text(end_to_end_id) from new_charges where end_to_end_id is not null;

  counted := array(
    select row(seller_id, status, created_at, paid_at, 1, amount_cents, fee_cents, net_cents)::charge_change
    from new_charges where status <> 'creating'
  );
  if cardinality(counted) = 0 then return null; end if;
  perform add_charge_changes(counted);

  insert into platform_changes (subject, day, status, count, gross_cents, fee_cents, net_cents, refunded_cents)
  select
    kept.subject, sao_paulo_day(kept.moment), charge.status, count(*), sum(charge.amount_cents),
    sum(charge.fee_cents), sum(charge.net_cents), sum(charge.refunded_cents)
  from new_charges charge
  cross join lateral (values
    ('charge-created', charge.created_at), ('charge-paid', charge.paid_at)
  ) kept (subject, moment)
  where charge.status <> 'creating' and (kept.subject = 'charge-created' or charge.status = 'paid')
  group by 1, 2, 3;
  return null;
end
$$;
