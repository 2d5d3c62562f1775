-- What a charge is called is its page's wording: that is kept once for a page, and not with its trigrams for each
-- charge. Ids are found by their own indexes. A text that stands for a charge already stays and is still looked at.
lock table charges in share row exclusive mode;

drop trigger if exists paid_charges_are_searchable on charges;
drop function if exists note_paid_charge_texts();

create function charge_wording(charge charges) returns text
language sql stable parallel safe
return fold_text(concat_ws(chr(31), charge.description, nullif(charge.page_title, charge.description)));

-- More than one where the page was renamed.
create table charge_wordings (
  page_id uuid not null,
  digest uuid not null,
  seller_id uuid not null,
  folded text not null,
  primary key (page_id, digest)
);
create index charge_wordings_by_trigram on charge_wordings using gin (folded gin_trgm_ops) with (fastupdate = off);
grant select on charge_wordings to tilinta_app;

-- Whoever writes when the list of what waits is full brings all of it into the index: never for a second.
alter index charge_search_texts_by_trigram set (gin_pending_list_limit = 256);

-- Leads to all charges of a page, and keeps a key from making two.
create unique index charges_by_page on charges (page_id, (case when status <> 'failed' then idempotency_key end));
drop index charges_by_idempotency_key;

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
