-- Charge pages, and the charges that payers ask for on them.

-- As charges: columns that a payment changes stand last, and in no index or index condition. What status can't find,
-- active_charge_pages and ended_as do (ADR 27).
create table charge_pages (
  id uuid constraint charge_pages_by_id primary key,
  seller_id uuid not null constraint charge_pages_seller_exists references users (id),
  title text not null,
  description text not null default '',
  amount_cents bigint not null constraint charge_pages_amount_is_possible check (amount_cents between 1 and 999999999),
  max_amount_cents bigint constraint charge_pages_max_amount_is_possible check (
    max_amount_cents between amount_cents and 999999999
  ),
  suggested_cents integer[] not null default '{}' constraint charge_pages_suggest_up_to_six check (
    cardinality(suggested_cents) <= 6
  ),
  unique_link text collate "C" not null constraint charge_pages_by_unique_link unique,
  slug text collate "C" not null,
  allow_anonymous boolean not null,
  require_name boolean not null,
  require_email boolean not null,
  require_phone boolean not null,
  require_cpf boolean not null,
  expires_in_hours integer not null constraint charge_pages_expire_within_a_week check (
    expires_in_hours between 0 and 168
  ),
  expires_at timestamptz,
  max_payments integer constraint charge_pages_limit_is_positive check (max_payments >= 1),
  deleted_at timestamptz,
  suspended_at timestamptz,
  suspended_for text constraint charge_pages_suspended_for_is_known check (
    suspended_for in ('scam', 'impersonation', 'not_delivered', 'illegal', 'other')
  ),
  created_at timestamptz not null,
  search_text text generated always as (fold_text(title)) stored,
  description_text text generated always as (fold_text(description)) stored,
  ended_as text generated always as (case when status in ('expired', 'cancelled') then status end) stored,
  counted_at_once boolean not null default false,
  is_single boolean not null default false,
  is_invoice boolean not null default false,
  is_unlisted boolean not null default false,
  folded_below xid8 not null default '0',
  status text not null constraint charge_pages_status_is_known check (
    status in ('active', 'completed', 'expired', 'cancelled')
  ),
  payments_count integer not null default 0 constraint charge_pages_count_is_not_negative check (payments_count >= 0),
  updated_at timestamptz not null,
  constraint charge_pages_with_limit_are_counted_at_once check (max_payments is null or counted_at_once),
  constraint charge_pages_of_invoices_take_one_payment check (not is_invoice or is_single and max_payments = 1),
  constraint charge_pages_of_invoices_are_unlisted check (not is_invoice or is_unlisted),
  constraint charge_pages_suspended_have_reason check ((suspended_at is null) = (suspended_for is null))
) with (fillfactor = 50);
create index charge_pages_by_seller on charge_pages (seller_id, created_at desc, id desc)
  where deleted_at is null and not is_unlisted;
create index charge_pages_reusable_by_seller on charge_pages (seller_id, created_at desc, id desc)
  where deleted_at is null and not is_single;
create index charge_pages_by_time on charge_pages (created_at desc, id desc)
  where deleted_at is null and not is_unlisted;
create index charge_pages_ended on charge_pages (ended_as, created_at desc, id desc)
  where ended_as is not null and deleted_at is null and not is_unlisted;
create index charge_pages_ended_by_seller on charge_pages (seller_id, ended_as, created_at desc, id desc)
  where ended_as is not null and deleted_at is null and not is_unlisted;
create index charge_pages_by_search_text on charge_pages using gin (search_text gin_trgm_ops);
create index charge_pages_by_description_text on charge_pages using gin (description_text gin_trgm_ops);

comment on table charge_pages is
  'A seller''s page with a public link, on which payers ask for charges. Never deleted, only marked. Half of each block '
  'is left free: a fold counts the payments of all pages in one statement, and each new version needs room beside the old.';
comment on column charge_pages.amount_cents is 'The least, where payers choose the amount.';
comment on column charge_pages.max_amount_cents is 'Set where payers choose the amount.';
comment on column charge_pages.suggested_cents is 'Amounts offered to payers who choose.';
comment on column charge_pages.unique_link is 'The code in the short link, which never changes.';
comment on column charge_pages.slug is 'The readable link of today; charge_page_slugs has all that ever were.';
comment on column charge_pages.expires_in_hours is '0 means never.';
comment on column charge_pages.expires_at is 'Null means never.';
comment on column charge_pages.max_payments is 'Null means no limit.';
comment on column charge_pages.suspended_at is
  'Set while administrators keep payers away from the page. It has no open code then, and gets none; money that comes all '
  'the same is booked as late.';
comment on column charge_pages.suspended_for is 'The reason that its seller is told.';
comment on column charge_pages.counted_at_once is
  'Its payments are counted by the transaction that books them, under the lock of this row, as a limit needs it. Those of '
  'other pages are counted when they are folded, so that nobody who pays waits for this row (ADR 13).';
comment on column charge_pages.is_single is
  'Made by the API for one charge. Lists tell it apart: a shop may have a hundred thousand of them and five pages.';
comment on column charge_pages.is_invoice is
  'Made for an invoice, whose link it is. Its amount is what the invoice asked when it was last shown.';
comment on column charge_pages.is_unlisted is 'In no list, total or event of pages: an invoice''s, and that of a sale at the counter.';
comment on column charge_pages.folded_below is
  'When it began to be counted at once: a payment that is still to be folded is of a transaction below this one.';
comment on column charge_pages.payments_count is
  'Without payments that are not folded yet: page_payments counts those.';
comment on column charge_pages.ended_as is
  'The status of a page that ended without being completed, for lists: a payment doesn''t change it.';
comment on column charge_pages.search_text is 'The title, folded.';
comment on column charge_pages.description_text is 'The description, folded.';

create function refuse_charge_page_removal() returns trigger
language plpgsql as $$
begin
  raise exception 'charge pages are kept: % is refused', tg_op using errcode = 'insufficient_privilege';
end
$$;
comment on function refuse_charge_page_removal() is
  'Stands for the foreign key of charges.page_id, which is checked by count_new_charges().';

create trigger charge_pages_are_kept before delete or truncate on charge_pages
for each statement execute function refuse_charge_page_removal();
comment on trigger charge_pages_are_kept on charge_pages is 'Charges name their page for ever.';

create table active_charge_pages (
  page_id uuid constraint active_charge_pages_by_page primary key,
  seller_id uuid not null,
  created_at timestamptz not null,
  expires_at timestamptz
) with (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 5000);
create index active_charge_pages_by_time on active_charge_pages (created_at desc, page_id desc);
create index active_charge_pages_by_seller on active_charge_pages (seller_id, created_at desc, page_id desc);
create index active_charge_pages_expiring on active_charge_pages (expires_at) where expires_at is not null;

comment on table active_charge_pages is
  'The pages that are active, deleted ones too, without unlisted ones. Only the triggers of charge_pages write it: a payment that completes its '
  'page deletes a narrow row instead of writing an index for each order of pages.';

create function keep_active_charge_page() returns trigger
language plpgsql security definer set search_path = pg_catalog, public as $$
begin
  insert into active_charge_pages (page_id, seller_id, created_at, expires_at)
  values (new.id, new.seller_id, new.created_at, new.expires_at)
  on conflict (page_id) do update set created_at = excluded.created_at, expires_at = excluded.expires_at;
  return null;
end
$$;
comment on function keep_active_charge_page() is 'Repeats an active page in active_charge_pages.';

create trigger charge_pages_keep_their_active_row after update of status, created_at, expires_at on charge_pages
for each row when (
  new.status = 'active' and not new.is_unlisted
  and (old.status, old.created_at, old.expires_at) is distinct from (new.status, new.created_at, new.expires_at)
) execute function keep_active_charge_page();
comment on trigger charge_pages_keep_their_active_row on charge_pages is
  'A page that is saved may be active again or expire at another moment; what ends one is counted anyway.';

create table charge_page_slugs (
  slug text collate "C" constraint charge_page_slugs_by_slug primary key,
  page_id uuid not null constraint charge_page_slugs_page_exists references charge_pages (id),
  created_at timestamptz not null default now()
);

create index charge_page_slugs_by_page on charge_page_slugs (page_id, created_at, slug);

comment on table charge_page_slugs is 'Every slug that a page ever had leads to it and is never given to another page.';

create table page_reports (
  id uuid constraint page_reports_by_id primary key,
  page_id uuid not null constraint page_reports_page_exists references charge_pages (id),
  status text not null constraint page_reports_status_is_known check (
    status in ('open', 'suspended', 'dismissed', 'lifted')
  ),
  reasons text[] not null constraint page_reports_reason_is_known check (
    reasons <@ array['scam', 'impersonation', 'not_delivered', 'illegal', 'other']
  ),
  reporters text[] not null,
  created_at timestamptz not null,
  last_reported_at timestamptz not null,
  suspended_for text,
  decided_by uuid constraint page_reports_decider_exists references users (id),
  decided_at timestamptz,
  lifted_by uuid constraint page_reports_lifter_exists references users (id),
  lifted_at timestamptz,
  constraint page_reports_are_few check (cardinality(reasons) between 1 and 500 and cardinality(reporters) <= 500),
  constraint page_reports_open_is_undecided check ((status = 'open') = (decided_at is null)),
  constraint page_reports_suspended_have_reason check ((status in ('suspended', 'lifted')) = (suspended_for is not null)),
  constraint page_reports_lifted_have_moment check ((status = 'lifted') = (lifted_at is not null))
);
create unique index page_reports_open on page_reports (page_id) where status = 'open';
create index page_reports_by_page on page_reports (page_id, status);
create index page_reports_by_time on page_reports (created_at desc, id desc);
create index page_reports_by_status on page_reports (status, created_at desc, id desc);

comment on table page_reports is
  'Payers'' reports of pages: one row holds all reports of a page that wait for one decision.';
comment on column page_reports.reasons is 'One for each report that counted.';
comment on column page_reports.reporters is
  'Digests of page, network and day, so that each network counts once a day. Emptied by the decision: nobody learns who '
  'reported.';
comment on column page_reports.suspended_for is 'The reason that the administrator chose, as the seller is told.';
comment on index page_reports_open is 'A page has one open row, which further reports join.';

create table orders (
  page_id uuid constraint orders_by_page primary key constraint orders_page_exists references charge_pages (id),
  seller_id uuid not null,
  external_reference text collate "C" constraint orders_reference_is_short check (
    length(external_reference) between 1 and 100
  ),
  metadata jsonb not null constraint orders_metadata_is_object check (jsonb_typeof(metadata) = 'object'),
  return_url text,
  is_released boolean not null default false,
  reference_text text generated always as (fold_text(external_reference)) stored
);
create unique index orders_by_reference on orders (seller_id, external_reference) where not is_released;
create index orders_by_reference_text on orders using gin (reference_text gin_trgm_ops);

comment on table orders is
  'The seller''s own name and facts for what a page charges for. Apart from charges and charge_pages, whose rows payments change: '
  'an order costs a payment nothing, and a page without one has no row (docs/orders.md).';
comment on column orders.seller_id is 'As of the page, for the index: one seller never has a reference twice.';
comment on column orders.metadata is 'The seller''s own pairs of texts.';
comment on column orders.return_url is
  'The address to which the payer goes on after paying. Its origin is checked again whenever the link is shown.';
comment on column orders.is_released is
  'The page was deleted without ever being paid, so that its reference may be charged again. Its transactions keep it.';
comment on column orders.reference_text is 'The reference, folded.';

create table return_origins (
  seller_id uuid constraint return_origins_by_seller primary key
    constraint return_origins_seller_exists references users (id),
  origins text[] not null constraint return_origins_are_few check (cardinality(origins) <= 20),
  key_id text not null,
  sealed_key bytea not null,
  updated_at timestamptz not null
);

comment on table return_origins is
  'The sites to which a seller''s payers may be sent back. No row: none was ever allowed, and there is no key yet.';
comment on column return_origins.key_id is 'Names the key of SECRETS_KEY that sealed the signing key.';
comment on column return_origins.sealed_key is
  'Signs the way back. Encrypted and no digest, because each signature needs it and its owner reads it under Integrações.';

create table customers (
  id uuid constraint customers_by_id primary key,
  seller_id uuid not null constraint customers_seller_exists references users (id),
  name text not null constraint customers_name_is_short check (length(name) <= 140),
  document text collate "C" constraint customers_document_is_cpf_or_cnpj check (length(document) in (11, 14)),
  email text,
  phone text,
  address jsonb not null default '{}' constraint customers_address_is_object check (jsonb_typeof(address) = 'object'),
  notes text not null default '',
  external_reference text collate "C" constraint customers_reference_is_short check (
    length(external_reference) between 1 and 100
  ),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  archived_at timestamptz,
  last_used_at timestamptz not null,
  erasure_asked_at timestamptz,
  erased_at timestamptz,
  reminders_ended_at timestamptz,
  mail_token uuid not null default gen_random_uuid() constraint customers_by_mail_token unique,
  name_key text collate "C" not null generated always as (fold_text(name)) stored,
  search_text text generated always as (
    fold_text(
      name || chr(31) || coalesce(document, '') || chr(31) || coalesce(email, '') || chr(31) || coalesce(phone, '')
      || chr(31) || coalesce(external_reference, '')
    )
  ) stored,
  constraint customers_erased_are_nobody check (
    case
      when erased_at is null then name <> ''
      else name = '' and address = '{}' and notes = ''
        and coalesce(document, email, phone, external_reference) is null
    end
  )
);
create index customers_by_name on customers (seller_id, name_key, id) where archived_at is null and erased_at is null;
create index customers_archived on customers (seller_id, name_key, id)
  where archived_at is not null and erased_at is null;
create unique index customers_by_document on customers (seller_id, document) where archived_at is null;
create unique index customers_by_reference on customers (seller_id, external_reference) where archived_at is null;
create index customers_by_email on customers (seller_id, lower(email)) where archived_at is null;
create index customers_by_search_text on customers using gin (search_text gin_trgm_ops);
create index customers_by_use on customers (last_used_at) where erased_at is null;
create index customers_asking_erasure on customers (erasure_asked_at)
  where erasure_asked_at is not null and erased_at is null;

comment on table customers is
  'People and companies that a seller charges again and again. Never deleted, as invoices name their customer: archived, and in the end erased.';
comment on column customers.document is 'A person''s CPF, eleven digits, or a company''s CNPJ, fourteen signs; null when unknown.';
comment on column customers.notes is 'The seller''s own, which the customer is never shown but on request.';
comment on column customers.external_reference is 'The customer''s name in the seller''s own system.';
comment on column customers.last_used_at is
  'The customer was last changed or charged then, or later: the job that erases them looks again when this is old.';
comment on column customers.erasure_asked_at is 'When the customer asked for it; their data go once nothing of theirs is open.';
comment on column customers.reminders_ended_at is 'When the customer asked for no more reminders by e-mail; null while they are sent.';
comment on column customers.mail_token is 'Ends the reminders, in the links of their mails.';
comment on column customers.erased_at is 'Their data were erased, by time or because they asked for it. Their invoices stay.';
comment on column customers.name_key is 'The name, folded: the order of the list.';
comment on column customers.search_text is 'All by which a customer is found, folded.';
comment on index customers_by_document is 'A customer who is back may be entered anew while the archived one stays.';

-- Columns that a payment changes stand last, and in no index or index condition, so that its update stays in the page
-- of the row and writes no index (HOT). What status can't find, open_charges and closed_as do (ADR 27). Nor does an index
-- name the code: a row is inserted without it, grows by it a moment later, and needs the room that the fill factor leaves.
create table charges (
  id uuid constraint charges_by_id primary key,
  seller_id uuid not null,
  page_id uuid,
  amount_cents bigint not null constraint charges_amount_is_positive check (amount_cents > 0),
  fee_cents bigint not null constraint charges_fee_is_not_negative check (fee_cents >= 0),
  net_cents bigint not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  fee_basis_points integer not null constraint charges_fee_rate_is_a_share check (fee_basis_points between 0 and 10000),
  txid text collate "C" constraint charges_by_txid unique,
  provider text not null,
  page_title text not null,
  description text not null default '',
  payer_name text,
  payer_email text,
  payer_document text,
  payer_phone text,
  payer_erased_at timestamptz,
  idempotency_key text collate "C",
  request_hash bytea,
  pix_code text,
  closed_as text generated always as (case when status in ('expired', 'cancelled', 'failed') then status end) stored,
  removal text not null default 'none' constraint charges_removal_is_known check (
    removal in ('none', 'due', 'done', 'given_up')
  ),
  removal_not_before timestamptz not null default '-infinity',
  refunded_cents bigint not null default 0,
  refunded_fee_cents bigint not null default 0,
  opened_at timestamptz,
  is_late boolean not null default false,
  is_duplicate boolean not null default false,
  updated_at timestamptz not null,
  paid_at timestamptz,
  status text not null constraint charges_status_is_known check (
    status in ('creating', 'pending', 'paid', 'expired', 'cancelled', 'failed', 'refunded')
  ),
  end_to_end_id text collate "C",
  asked_for jsonb,
  constraint charges_net_is_amount_less_fee check (net_cents = amount_cents - fee_cents and net_cents >= 0),
  constraint charges_refunded_within_amount check (refunded_cents between 0 and amount_cents),
  constraint charges_refunded_fee_within_fee check (refunded_fee_cents between 0 and fee_cents),
  constraint charges_paid_has_moment check ((status in ('paid', 'refunded')) = (paid_at is not null)),
  constraint charges_payable_has_code check (
    status in ('creating', 'failed', 'cancelled') or pix_code is not null or paid_at is not null
  ),
  constraint charges_with_txid_have_page check (txid is null or page_id is not null),
  constraint charges_erased_have_no_payer check (
    payer_erased_at is null or coalesce(payer_name, payer_email, payer_document, payer_phone) is null
  ),
  constraint charges_without_txid_are_paid check (txid is not null or status in ('paid', 'refunded'))
) with (fillfactor = 60);
create index charges_by_time on charges (created_at desc, id desc);
create index charges_by_seller on charges (seller_id, created_at desc, id desc);
create unique index charges_by_page
  on charges (page_id, (case when closed_as is distinct from 'failed' then idempotency_key end));
create index charges_closed on charges (closed_as, created_at desc, id desc) where closed_as is not null;
create index charges_closed_by_seller on charges (seller_id, closed_as, created_at desc, id desc)
  where closed_as is not null;
create index charges_refunded on charges (created_at desc, id desc) where refunded_cents > 0;
create index charges_refunded_by_seller on charges (seller_id, created_at desc, id desc) where refunded_cents > 0;
create index charges_removal_due on charges (provider, removal_not_before) where removal = 'due';

comment on table charges is
  'One Pix that a payer asked for, or an accepted payment that matched none. The triggers check the seller and the '
  'page '
  'once per statement, in place of foreign keys that would check row by row.';
comment on column charges.page_id is 'Null for money that came for no charge of ours and was accepted.';
comment on column charges.txid is
  'Our name for it at the provider, chosen before the provider is asked. Null as page_id.';
comment on column charges.status is
  '''creating'': the provider may or may not know it and nobody has seen its code, so it is in no list and no total.';
comment on column charges.fee_basis_points is
  'The rate when the charge was created; later changes of the setting don''t touch it.';
comment on column charges.closed_as is
  'The status of a charge that ended without money, for lists: unlike status it may stand in indexes, as a payment in '
  'time doesn''t change it.';
comment on column charges.refunded_cents is 'The amount returned to the payer, as far as the provider confirmed it.';
comment on column charges.refunded_fee_cents is 'The part of the fee in refunded_cents.';
comment on column charges.page_title is 'The title of the page when the charge was created.';
comment on column charges.pix_code is 'Copy-and-paste text (BR Code). Null until the provider has the charge.';
comment on column charges.opened_at is 'When the payer could first see the code.';
comment on column charges.request_hash is
  'Hash of the request under idempotency_key: the key with another request is refused. It goes with the payer''s data, of '
  'which it is made.';
comment on column charges.end_to_end_id is 'The payment that paid it.';
comment on column charges.asked_for is
  'Amount, fee and net until an accepted payment of another amount paid it, for the events of before; null otherwise.';
comment on column charges.is_late is 'Paid after it had expired or was cancelled.';
comment on column charges.is_duplicate is 'Paid though its page had all its payments.';
comment on column charges.payer_document is 'A person''s CPF, eleven digits, or a company''s CNPJ, fourteen signs.';
comment on column charges.payer_erased_at is
  'When the payer''s data were erased: after PAYER_DATA_DAYS, or because the payer asked for it. Money and events stay.';
comment on column charges.removal is
  '''due'': it must not be paid any more, and must be removed at the provider. ''given_up'': the provider never did.';
comment on column charges.removal_not_before is
  'The lease of the job that tells the provider; afterwards it is retried.';
comment on index charges_by_page is 'Finds the charges of a page, and keeps an idempotency key from creating two.';

create function refuse_charge_removal() returns trigger
language plpgsql as $$
begin
  raise exception 'charges are kept: % is refused', tg_op using errcode = 'insufficient_privilege';
end
$$;
comment on function refuse_charge_removal() is
  'Stands for the foreign key of payments.charge_id, which is checked by apply_payments().';

create trigger charges_are_kept before delete or truncate on charges
for each statement execute function refuse_charge_removal();
comment on trigger charges_are_kept on charges is 'Payments name their charge for ever.';

create function refuse_changed_terms() returns trigger
language plpgsql as $$
begin
  if old.paid_at is null
    and (old.txid, old.seller_id, old.page_id, old.provider, old.fee_basis_points)
      is not distinct from (new.txid, new.seller_id, new.page_id, new.provider, new.fee_basis_points)
    and exists (
      select from payments
      where end_to_end_id = new.end_to_end_id and charge_id = new.id and reason = 'wrong_amount'
        and amount_cents >= new.amount_cents
      union all
      -- The bank computes what the code of a due charge asks: it has the amount that comes, before that is booked.
      select from due_payments
      where charge_id = new.id and amount_cents = new.amount_cents and new.paid_at is null
    )
  then
    return null;
  end if;
  raise exception 'amounts stay as they are and paid stays paid: an update of % is refused', tg_table_name
    using errcode = 'insufficient_privilege';
end
$$;
comment on function refuse_changed_terms() is
  'Like refuse_changed_facts(), but for the one moment in which a charge is paid with another amount than it asked for: then '
  'the payment that names it says how much.';

create trigger charges_keep_their_terms
after update of txid, seller_id, page_id, provider, amount_cents, fee_basis_points, fee_cents, net_cents on charges
for each row when (
  (old.txid, old.seller_id, old.page_id, old.provider, old.amount_cents, old.fee_basis_points, old.fee_cents, old.net_cents)
  is distinct from
  (new.txid, new.seller_id, new.page_id, new.provider, new.amount_cents, new.fee_basis_points, new.fee_cents, new.net_cents)
) execute function refuse_changed_terms();
comment on trigger charges_keep_their_terms on charges is
  'The amount and the fee are those that the payer agreed to, for the owner too. Like the next one an after trigger: a '
  'trigger that fires before an update locks each row first, and logs that.';

create trigger charges_stay_paid
after update of status, paid_at, end_to_end_id, refunded_cents, refunded_fee_cents on charges
for each row when (
  old.paid_at is not null and (
    new.status <> old.status and new.status <> 'refunded'
    or new.paid_at is distinct from old.paid_at
    or new.end_to_end_id is distinct from old.end_to_end_id
    or new.refunded_cents < old.refunded_cents
    or new.refunded_fee_cents < old.refunded_fee_cents
  )
) execute function refuse_changed_facts();
comment on trigger charges_stay_paid on charges is
  'A paid charge may only become refunded, and what went back stays returned.';

create table open_charges (
  charge_id uuid constraint open_charges_by_charge primary key,
  seller_id uuid not null,
  page_id uuid not null,
  created_at timestamptz not null,
  expires_at timestamptz not null
) with (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 5000);
create index open_charges_by_time on open_charges (created_at desc, charge_id desc);
create index open_charges_by_seller on open_charges (seller_id, created_at desc, charge_id desc);
create index open_charges_by_page on open_charges (page_id);
create index open_charges_expiring on open_charges (expires_at);

comment on table open_charges is
  'The charges that are being created or pending, which are few however long the history is. Only the triggers of '
  'charges write it: a payment deletes a narrow row instead of writing an index for each order of charges.';

create table counter_shifts (
  id uuid constraint counter_shifts_by_id primary key,
  seller_id uuid not null,
  person_id uuid not null constraint counter_shifts_person_exists references users (id),
  closed_at timestamptz not null
);
create index counter_shifts_by_seller on counter_shifts (seller_id, closed_at, id);
create index counter_shifts_by_person on counter_shifts (person_id, seller_id, closed_at);

comment on table counter_shifts is 'Shifts that people at a shop''s counter closed. Nothing is opened: a shift begins where the one before it was closed.';

create table counter_sales (
  charge_id uuid constraint counter_sales_by_charge primary key,
  seller_id uuid not null,
  sold_by uuid not null constraint counter_sales_seller_exists references users (id),
  created_at timestamptz not null,
  shift_id uuid constraint counter_sales_shift_exists references counter_shifts (id)
);
create index counter_sales_by_seller on counter_sales (seller_id, created_at desc, charge_id desc);
create index counter_sales_by_person on counter_sales (sold_by);
create index counter_sales_by_shift on counter_sales (shift_id) where shift_id is not null;

comment on table counter_sales is 'The charges that were made at a shop''s counter, with the person who made each.';
comment on column counter_sales.sold_by is 'The seller, or who of their team stood at the counter.';
comment on column counter_sales.shift_id is 'The first shift that its person closed after it was paid; null until then.';

create table counter_favourites (
  seller_id uuid constraint counter_favourites_by_seller primary key
    constraint counter_favourites_seller_exists references users (id),
  favourites jsonb not null,
  updated_at timestamptz not null
);

comment on table counter_favourites is 'Named prices of things that a shop sells at its counter again and again. No row: none was ever named.';
comment on column counter_favourites.favourites is 'A list of {name, amountCents}, in the order in which the till shows them.';

create table shop_screens (
  id uuid constraint shop_screens_by_id primary key,
  shop_id uuid not null constraint shop_screens_shop_exists references users (id),
  created_by uuid not null constraint shop_screens_creator_exists references users (id),
  code_hash bytea constraint shop_screens_by_code_hash unique,
  code_expires_at timestamptz not null,
  token_hash bytea constraint shop_screens_by_token_hash unique,
  charge_id uuid,
  created_at timestamptz not null,
  paired_at timestamptz,
  constraint shop_screens_have_code_or_token check (
    (code_hash is null) = (token_hash is not null) and (paired_at is null) = (token_hash is null)
  )
);
create index shop_screens_by_shop on shop_screens (shop_id, created_at);
create index shop_screens_by_creator on shop_screens (created_by);

comment on table shop_screens is
  'Devices at a counter that show payers the sale. They end with their creator''s place in the team and with a freeze.';
comment on column shop_screens.code_hash is 'SHA-256 of the code, until a device has used it.';
comment on column shop_screens.token_hash is 'SHA-256 of the device''s secret: a reader of the table can''t use it.';
comment on column shop_screens.charge_id is 'The sale that is shown; null between sales.';

create table unfinished_charges (
  charge_id uuid constraint unfinished_charges_by_charge primary key,
  created_at timestamptz not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

comment on table unfinished_charges is
  'The charges that are being created, for the job that ends those that nobody finishes. A handful, so it is read whole. Only '
  'the triggers of charges write it.';

create function move_open_charge() returns trigger
language plpgsql security definer set search_path = pg_catalog, public as $$
begin
  update open_charges set created_at = new.created_at, expires_at = new.expires_at where charge_id = new.id;
  update unfinished_charges set created_at = new.created_at where charge_id = new.id;
  return null;
end
$$;
comment on function move_open_charge() is 'Repeats the moments of a charge in open_charges and unfinished_charges.';

create trigger charges_move_their_open_row after update of created_at, expires_at on charges
for each row execute function move_open_charge();
comment on trigger charges_move_their_open_row on charges is
  'No server changes these moments; whoever corrects them by hand needs to know nothing of open_charges.';

create table charge_search_texts (
  charge_id uuid not null,
  source text not null constraint charge_search_texts_source_is_known check (source in ('charge', 'payment')),
  folded text not null,
  constraint charge_search_texts_by_charge primary key (charge_id, source)
);
create index charge_search_texts_by_trigram on charge_search_texts using gin (folded gin_trgm_ops)
  with (gin_pending_list_limit = 256);

comment on table charge_search_texts is
  'Search texts of charges in addition to charge_wordings (ADR 27). Apart from charges, where every change '
  'of a row would write all its trigrams again. Only count_new_charges() and reword_payer() write it.';
comment on column charge_search_texts.source is
  '''charge'': the payer''s name, or all of a charge without page; ''payment'': the endToEndId.';
comment on column charge_search_texts.folded is 'By fold_text.';
comment on index charge_search_texts_by_trigram is
  'A short pending list: the insert that finds it full moves all of it into the index, which must never take a second.';

create function charge_search_text(charge charges) returns text
language sql stable parallel safe
return fold_text(concat_ws(
  chr(31), charge.description, nullif(charge.page_title, charge.description), charge.payer_name, charge.txid
));
comment on function charge_search_text(charges) is 'All texts by which a charge without page is found.';

create function charge_wording(charge charges) returns text
language sql stable parallel safe
return fold_text(concat_ws(chr(31), charge.description, nullif(charge.page_title, charge.description)));
comment on function charge_wording(charges) is 'The words that a charge has from its page.';

create function reword_payer() returns trigger
language plpgsql security definer set search_path = pg_catalog, public as $$
begin
  if new.page_id is null then
    update charge_search_texts set folded = charge_search_text(new) where charge_id = new.id and source = 'charge';
  elsif new.payer_name is null then
    delete from charge_search_texts where charge_id = new.id and source = 'charge';
  else
    insert into charge_search_texts (charge_id, source, folded) values (new.id, 'charge', fold_text(new.payer_name))
    on conflict (charge_id, source) do update set folded = excluded.folded;
  end if;
  return null;
end
$$;
comment on function reword_payer() is 'Lets a search find a payer by the present name alone, and by none that was erased.';

create trigger charges_reword_their_payer after update of payer_name on charges
for each row when (old.payer_name is distinct from new.payer_name) execute function reword_payer();
comment on trigger charges_reword_their_payer on charges is 'Keeps charge_search_texts when a payer''s name is corrected or erased.';

create table payer_data_waiting (
  charge_id uuid constraint payer_data_waiting_by_charge primary key,
  look_at timestamptz not null,
  asked_at timestamptz
);
create index payer_data_waiting_by_time on payer_data_waiting (look_at);

comment on table payer_data_waiting is
  'Charges whose payer''s data could not be erased when retention_marks passed them, as money was still in dispute or news of '
  'them was young; or whose payer asked for it meanwhile. A job looks again.';
comment on column payer_data_waiting.asked_at is 'When the payer asked for it; null where only the time has come.';

create function charge_state(charge charges) returns jsonb
language sql stable parallel safe
return jsonb_build_object(
  'status', charge.status, 'refunded_cents', charge.refunded_cents, 'refunded_fee_cents', charge.refunded_fee_cents,
  'updated_at', charge.updated_at
);
comment on function charge_state(charges) is
  'The part of a paid charge that may still change, for its events.';

create table payer_token_key (
  key bytea not null constraint payer_token_key_is_long check (octet_length(key) = 32)
);
create unique index payer_token_key_is_one on payer_token_key ((true));
insert into payer_token_key (key)
values (sha256(convert_to(gen_random_uuid()::text || gen_random_uuid() || gen_random_uuid(), 'UTF8')));

comment on table payer_token_key is
  'One row with 366 random bits, from which the token of each charge''s payer is computed: so none is stored.';
comment on index payer_token_key_is_one is 'There is one row at most.';

create table charge_wordings (
  page_id uuid not null,
  digest uuid not null,
  seller_id uuid not null,
  folded text not null,
  constraint charge_wordings_by_page primary key (page_id, digest)
);
create index charge_wordings_by_trigram on charge_wordings using gin (folded gin_trgm_ops) with (fastupdate = off);

comment on table charge_wordings is
  'The wording of a page''s charges, once per page instead of once per charge (ADR 27); several where the page was '
  'renamed. Only count_new_charges() writes it.';
comment on column charge_wordings.digest is 'MD5 of folded.';
comment on column charge_wordings.folded is 'By fold_text.';

create table plans (
  id uuid constraint plans_by_id primary key,
  seller_id uuid not null constraint plans_seller_exists references users (id),
  slug text collate "C" not null constraint plans_by_slug unique,
  title text not null constraint plans_title_is_short check (length(title) between 1 and 100),
  description text not null,
  amount_cents bigint not null constraint plans_amount_is_possible check (amount_cents between 100 and 999999999),
  period text not null constraint plans_period_is_known check (
    period in ('weekly', 'monthly', 'quarterly', 'half_yearly', 'yearly')
  ),
  cycles integer constraint plans_cycles_are_possible check (cycles between 1 and 600),
  lead_days integer not null,
  days_after_due integer not null constraint plans_end_within_a_year check (days_after_due between 0 and 365),
  terms jsonb not null constraint plans_terms_are_object check (jsonb_typeof(terms) = 'object'),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  archived_at timestamptz
);
create index plans_by_seller on plans (seller_id, created_at desc, id desc);

comment on table plans is 'Subscriptions as a seller offers them: each has a public page on which a customer subscribes.';
comment on column plans.slug is 'Names its public page.';
comment on column plans.terms is 'Fine and interest, as the calculator takes them.';
comment on column plans.archived_at is 'Nobody subscribes any more; who did goes on.';

create table subscriptions (
  id uuid constraint subscriptions_by_id primary key,
  seller_id uuid not null constraint subscriptions_seller_exists references users (id),
  customer_id uuid not null constraint subscriptions_customer_exists references customers (id),
  plan_id uuid constraint subscriptions_plan_exists references plans (id),
  unique_link text collate "C" not null constraint subscriptions_by_link unique,
  method text not null constraint subscriptions_method_is_known check (method in ('invoice', 'automatic')),
  title text not null constraint subscriptions_title_is_short check (length(title) between 1 and 100),
  period text not null constraint subscriptions_period_is_known check (
    period in ('weekly', 'monthly', 'quarterly', 'half_yearly', 'yearly')
  ),
  first_due_day date not null,
  amount_cents bigint not null constraint subscriptions_amount_is_possible check (amount_cents between 100 and 999999999),
  days_after_due integer not null constraint subscriptions_end_within_a_year check (days_after_due between 0 and 365),
  terms jsonb not null constraint subscriptions_terms_are_object check (jsonb_typeof(terms) = 'object'),
  ends_on date,
  cycles integer constraint subscriptions_cycles_are_possible check (cycles between 1 and 600),
  lead_days integer not null,
  issued integer not null constraint subscriptions_issued_is_not_negative check (issued >= 0),
  position integer not null constraint subscriptions_position_is_not_negative check (position >= 0),
  next_due_day date,
  next_issue_day date,
  created_at timestamptz not null,
  paused_at timestamptz,
  ended_at timestamptz,
  status text not null constraint subscriptions_status_is_known check (
    status in ('active', 'paused', 'past_due', 'completed', 'cancelled')
  ),
  updated_at timestamptz not null,
  constraint subscriptions_end_one_way check (ends_on is null or cycles is null),
  constraint subscriptions_next_has_both_days check ((next_due_day is null) = (next_issue_day is null)),
  constraint subscriptions_paused_since check ((status = 'paused') = (paused_at is not null)),
  constraint subscriptions_ended_at check ((status in ('completed', 'cancelled')) = (ended_at is not null)),
  constraint subscriptions_next_is_of_running_ones check (next_due_day is null or status in ('active', 'past_due'))
);
create index subscriptions_by_seller on subscriptions (seller_id, created_at desc, id desc);
create index subscriptions_by_customer on subscriptions (customer_id);
create index subscriptions_by_plan on subscriptions (plan_id) where plan_id is not null;
create index subscriptions_to_issue on subscriptions (next_issue_day) where next_issue_day is not null;
create index subscriptions_past_due on subscriptions (id) where status = 'past_due';
create index subscriptions_ending on subscriptions (id)
  where next_due_day is null and status in ('active', 'past_due');
create unique index subscriptions_of_plan on subscriptions (plan_id, customer_id)
  where status in ('active', 'paused', 'past_due');

comment on table subscriptions is
  'A customer pays again each period: a job makes an invoice of each cycle, lead_days before it is due.';
comment on column subscriptions.plan_id is 'The plan by whose page the customer subscribed.';
comment on column subscriptions.unique_link is 'Names the customer''s own page: whoever holds it may pay, cancel and correct.';
comment on column subscriptions.method is
  '''invoice'': the customer pays each cycle by its link. ''automatic'': a mandate debits it, and the link is there all the same.';
comment on column subscriptions.terms is
  'Fine, interest and discount of the first cycle, as the calculator takes them; later cycles shift the days of discounts.';
comment on column subscriptions.ends_on is 'No cycle is due after it.';
comment on column subscriptions.cycles is 'So many cycles are charged; without it and ends_on there is no end.';
comment on column subscriptions.issued is 'The cycles that were charged, as many as subscription_cycles has.';
comment on column subscriptions.position is
  'The periods between first_due_day and the next cycle: more than issued where a pause left some out.';
comment on column subscriptions.next_due_day is 'The next cycle''s; null where none comes, and while it is paused.';
comment on column subscriptions.next_issue_day is 'The job makes the next cycle''s invoice on this day, or later if it missed it.';
comment on index subscriptions_of_plan is 'A customer who sends the form of a plan twice subscribes once.';

create table invoices (
  id uuid constraint invoices_by_id primary key,
  seller_id uuid not null constraint invoices_seller_exists references users (id),
  customer_id uuid not null constraint invoices_customer_exists references customers (id),
  page_id uuid not null constraint invoices_by_page unique constraint invoices_page_exists references charge_pages (id),
  mode text not null constraint invoices_mode_is_known check (mode in ('daily', 'bank')),
  amount_cents bigint not null constraint invoices_amount_is_possible check (amount_cents between 100 and 999999999),
  due_day date not null,
  days_after_due integer not null constraint invoices_end_within_a_year check (days_after_due between 0 and 365),
  fee_basis_points integer not null constraint invoices_fee_rate_is_a_share check (fee_basis_points between 0 and 10000),
  terms jsonb not null constraint invoices_terms_are_object check (jsonb_typeof(terms) = 'object'),
  adjusted_due_day date not null,
  last_day date not null,
  series_id uuid,
  subscription_id uuid constraint invoices_subscription_exists references subscriptions (id),
  unique_link text collate "C" not null,
  customer jsonb not null constraint invoices_customer_is_object check (jsonb_typeof(customer) = 'object'),
  order_data jsonb not null constraint invoices_order_is_object check (jsonb_typeof(order_data) = 'object'),
  description text not null,
  revision integer not null default 1 constraint invoices_revision_is_positive check (revision >= 1),
  created_at timestamptz not null,
  settled_for text,
  overdue_published_at timestamptz,
  opened_at timestamptz,
  refunded_at timestamptz,
  charge_id uuid constraint invoices_by_charge unique,
  paid_cents bigint,
  paid_at timestamptz,
  paid_parts jsonb,
  pix_code text,
  bank_revision integer,
  bank_refusal text,
  bank_ask_at timestamptz not null default '-infinity',
  debit_from timestamptz,
  search_text text generated always as (
    fold_text(
      (customer ->> 'name') || chr(31) || coalesce(customer ->> 'document', '') || chr(31)
      || coalesce(customer ->> 'email', '') || chr(31) || coalesce(customer ->> 'phone', '') || chr(31) || description
      || chr(31) || coalesce(order_data ->> 'externalReference', '')
    )
  ) stored,
  status text not null constraint invoices_status_is_known check (
    status in ('creating', 'open', 'paid', 'cancelled', 'expired', 'settled_outside')
  ),
  updated_at timestamptz not null,
  constraint invoices_days_are_in_order check (due_day <= adjusted_due_day and adjusted_due_day <= last_day),
  constraint invoices_paid_name_their_charge check (
    (status = 'paid') = (charge_id is not null) and (charge_id is null) = (paid_cents is null)
    and (charge_id is null) = (paid_at is null)
  ),
  constraint invoices_with_code_have_revision check ((pix_code is null) = (bank_revision is null)),
  constraint invoices_settled_outside_have_reason check (status <> 'settled_outside' or settled_for is not null)
) with (fillfactor = 80);
create index invoices_by_seller on invoices (seller_id, due_day, id);
create index invoices_open_by_seller on invoices (seller_id, due_day, id)
  include (amount_cents, days_after_due, terms, adjusted_due_day, last_day) where status = 'open';
create index invoices_paid_by_seller on invoices (seller_id, due_day, id) where status = 'paid';
create index invoices_ended_by_seller on invoices (seller_id, due_day, id)
  where status in ('cancelled', 'expired', 'settled_outside');
create index invoices_by_due_day on invoices (due_day, id);
create index invoices_by_customer on invoices (customer_id, due_day, id);
create index invoices_by_series on invoices (series_id, due_day, id) where series_id is not null;
create index invoices_open_of_subscriptions on invoices (due_day, subscription_id)
  where status = 'open' and subscription_id is not null;
create index invoices_ending on invoices (last_day) include (id) where status = 'open';
create index invoices_by_overdue_to_publish on invoices (due_day) where status = 'open' and overdue_published_at is null;
create index invoices_by_adjusted_day on invoices (adjusted_due_day, seller_id) where status = 'open';
create index invoices_with_unsent_terms on invoices (bank_ask_at)
  where mode = 'bank' and status = 'open' and bank_revision is distinct from revision;
create index invoices_new on invoices (created_at) where status = 'open';
create index invoices_by_search_text on invoices using gin (search_text gin_trgm_ops);

comment on table invoices is
  'A customer''s debt, due by a day. Its link, its Pix codes and what became of their money are those of a charge page of its '
  'own: each code is a charge, of the amount that the invoice had that day, or of the original one where the bank computes it.';
comment on column invoices.fee_basis_points is 'The rate when it was made; it is of what is paid.';
comment on column invoices.mode is
  '''daily'': each day has a code of its own. ''bank'': the provider keeps one code, and computes what it asks.';
comment on column invoices.terms is 'Fine, interest and discount, as the calculator takes them.';
comment on column invoices.adjusted_due_day is 'The due day, or the next business day: computed, as SQL knows no holidays.';
comment on column invoices.last_day is 'Nothing can be paid after it, whenever the job marks it.';
comment on column invoices.series_id is 'Shared by those that one call made: instalments, or one for each of many customers.';
comment on column invoices.subscription_id is 'The subscription whose cycle it is.';
comment on column invoices.unique_link is 'Repeats its page''s, so that a list reads one table.';
comment on column invoices.customer is 'Repeats the name, document and contact of its customer, as they are now.';
comment on column invoices.order_data is 'Repeats the reference, the pairs and the return URL of its page''s order.';
comment on column invoices.search_text is 'Its customer, description and reference, folded.';
comment on column invoices.paid_parts is
  'Repeats the amounts of invoice_payments, beside ours: that of our calculator for the day, where the bank computes it.';
comment on column invoices.pix_code is 'In mode ''bank'' the code of its whole life, once the bank has given it.';
comment on column invoices.bank_revision is 'The revision whose terms its code asks for, as the bank confirmed them.';
comment on column invoices.bank_refusal is 'Why the bank refused a code for its whole life, so that its mode became ''daily''.';
comment on column invoices.bank_ask_at is 'The end of the lease of the process that sends its terms to the bank.';
comment on column invoices.debit_from is
  'From here on its money comes by a debit, so its page makes no code; null where none is under way.';
comment on column invoices.revision is 'Counts the edits of its terms: see invoice_revisions.';
comment on column invoices.settled_for is 'The seller''s words about money that came another way.';
comment on column invoices.overdue_published_at is 'When integrators were told of it, once.';
comment on column invoices.opened_at is
  'When its link was first on the screen of somebody who runs scripts, and is not logged in here as its seller is.';
comment on column invoices.refunded_at is 'When all that was paid had gone back to the payer.';
comment on column invoices.charge_id is 'The charge that paid it, as paid_cents and paid_at.';
comment on column invoices.status is
  'Whether an open one is due, overdue or over is what its days say; ''creating'' is for mode ''bank'', while the provider is asked.';

create table invoice_revisions (
  invoice_id uuid constraint invoice_revisions_invoice_exists references invoices (id),
  revision integer,
  amount_cents bigint not null,
  due_day date not null,
  days_after_due integer not null,
  terms jsonb not null,
  made_at timestamptz not null,
  constraint invoice_revisions_by_invoice primary key (invoice_id, revision)
);

comment on table invoice_revisions is 'The terms that an invoice ever had, which its payments are judged by.';

create table invoice_days (
  invoice_id uuid constraint invoice_days_invoice_exists references invoices (id),
  revision integer,
  day date,
  amount_cents bigint not null constraint invoice_days_amount_is_positive check (amount_cents > 0),
  original_cents bigint not null,
  discount_cents bigint not null,
  fine_cents bigint not null,
  interest_cents bigint not null,
  constraint invoice_days_by_invoice primary key (invoice_id, revision, day),
  constraint invoice_days_parts_add_up check (
    amount_cents = original_cents - discount_cents + fine_cents + interest_cents
    and least(original_cents, discount_cents, fine_cents, interest_cents) >= 0
  )
);

comment on table invoice_days is
  'The amount of an invoice on a day on which a code of it was made, so that a payment knows the parts of its amount.';

create table invoice_payments (
  end_to_end_id text collate "C" constraint invoice_payments_by_end_to_end_id primary key,
  invoice_id uuid not null constraint invoice_payments_by_invoice unique
    constraint invoice_payments_invoice_exists references invoices (id),
  paid_cents bigint not null constraint invoice_payments_amount_is_positive check (paid_cents > 0),
  original_cents bigint not null,
  discount_cents bigint not null,
  fine_cents bigint not null,
  interest_cents bigint not null,
  difference_cents bigint not null,
  computed_by text not null constraint invoice_payments_computed_by_is_known check (computed_by in ('us', 'bank')),
  constraint invoice_payments_parts_add_up check (
    paid_cents = original_cents - discount_cents + fine_cents + interest_cents + difference_cents
  )
);

comment on table invoice_payments is 'The payment of an invoice, in parts. Only pay_invoices() writes it.';
comment on column invoice_payments.difference_cents is
  'The difference that an administrator accepted; 0 of a payment that fits.';

create table due_payments (
  end_to_end_id text collate "C" constraint due_payments_by_end_to_end_id primary key,
  charge_id uuid not null,
  amount_cents bigint not null constraint due_payments_amount_is_positive check (amount_cents > 0),
  original_cents bigint not null,
  discount_cents bigint not null,
  fine_cents bigint not null,
  interest_cents bigint not null,
  difference_cents bigint not null,
  our_cents bigint not null,
  computed_by text not null constraint due_payments_computed_by_is_known check (computed_by in ('us', 'bank')),
  constraint due_payments_parts_add_up check (
    amount_cents = original_cents - discount_cents + fine_cents + interest_cents + difference_cents
  )
);
create index due_payments_by_charge on due_payments (charge_id);

comment on table due_payments is
  'The parts of a payment of an invoice''s code in mode ''bank'', written with its booking: by the bank''s words where they '
  'add up, else by our calculator. A payment that fits no terms has none, and is checked by a person.';
comment on column due_payments.our_cents is 'The amount of our calculator for that day.';
comment on column due_payments.difference_cents is 'The bank''s amount less ours: banks round and count days differently.';

create table subscription_cycles (
  subscription_id uuid constraint subscription_cycles_subscription_exists references subscriptions (id),
  cycle_no integer constraint subscription_cycles_number_is_positive check (cycle_no >= 1),
  due_day date not null,
  invoice_id uuid not null constraint subscription_cycles_by_invoice unique
    constraint subscription_cycles_invoice_exists references invoices (id),
  constraint subscription_cycles_by_number primary key (subscription_id, cycle_no),
  constraint subscription_cycles_by_day unique (subscription_id, due_day)
);

comment on table subscription_cycles is
  'The cycles that were charged. A row is written in the transaction of its invoice, so that no cycle is charged twice.';
comment on column subscription_cycles.due_day is 'As the subscription has it; an invoice that came late is due later.';

create table automatic_sellers (
  seller_id uuid constraint automatic_sellers_by_seller primary key
    constraint automatic_sellers_seller_exists references users (id),
  reason text not null,
  enabled_by uuid not null constraint automatic_sellers_enabler_exists references users (id),
  enabled_at timestamptz not null
);

comment on table automatic_sellers is
  'The sellers who may ask customers for authorisations of Pix Automático: the customer''s bank shows the platform''s name, and '
  'one seller can cost all the product.';

create table mandates (
  id uuid constraint mandates_by_id primary key,
  seller_id uuid not null constraint mandates_seller_exists references users (id),
  subscription_id uuid not null constraint mandates_subscription_exists references subscriptions (id),
  provider text not null,
  contract text collate "C" not null constraint mandates_by_contract unique,
  journey integer not null constraint mandates_journey_is_in_range check (journey between 2 and 4),
  retry_policy text not null constraint mandates_retry_policy_is_known check (
    retry_policy in ('none', 'three_in_seven_days')
  ),
  amount_cents bigint not null constraint mandates_amount_is_positive check (amount_cents > 0),
  starts_on date not null,
  first_txid text collate "C",
  expires_at timestamptz not null,
  created_at timestamptz not null,
  recurrence_id text collate "C" constraint mandates_by_recurrence unique,
  pix_code text,
  ended_code text,
  cancel_since timestamptz,
  rests_for text constraint mandates_rest_is_known check (
    rests_for in ('disputed', 'same_bank', 'account_closed', 'debtor_differs', 'receiver_differs')
  ),
  missed_at timestamptz,
  approved_at timestamptz,
  ended_at timestamptz,
  ask_at timestamptz not null,
  status text not null constraint mandates_status_is_known check (
    status in (
      'draft', 'waiting', 'approved', 'rejected', 'expired', 'cancelled_by_payer', 'cancelled_by_us', 'cancelled_by_bank'
    )
  ),
  updated_at timestamptz not null,
  constraint mandates_ended_at check ((status not in ('draft', 'waiting', 'approved')) = (ended_at is not null)),
  constraint mandates_known_have_recurrence check (status in ('draft', 'cancelled_by_us') or recurrence_id is not null)
);
create unique index mandates_pending on mandates (subscription_id) where status in ('draft', 'waiting');
create index mandates_by_subscription on mandates (subscription_id, created_at desc);
create index mandates_by_seller on mandates (seller_id);
create index mandates_by_time on mandates (created_at desc, id desc);
create index mandates_to_ask on mandates (provider, ask_at) where status in ('draft', 'waiting', 'approved');

comment on table mandates is
  'Authorisations of Pix Automático: a customer''s bank may debit each cycle of a subscription. Amount, period and policy never '
  'change; a new price is a new authorisation.';
comment on column mandates.contract is 'Ours: by it an authorisation is found whose making the bank didn''t answer.';
comment on column mandates.first_txid is 'The code that is paid with the authorisation, in journeys 3 and 4.';
comment on column mandates.recurrence_id is 'The bank''s own id; null until it answered.';
comment on column mandates.cancel_since is 'It is to end at the bank, which has not confirmed it.';
comment on column mandates.rests_for is 'Nothing is debited until the seller goes on with it, or asks for a new one.';
comment on column mandates.missed_at is 'The first of two searches by its contract that found nothing; only then it is asked for again.';
comment on column mandates.ask_at is 'The bank is asked next, or the lease of the process that does it ends.';
comment on index mandates_pending is 'A customer is asked for one authorisation at a time; the one before lives until the new one is given.';

create table debits (
  id uuid constraint debits_by_id primary key,
  seller_id uuid not null constraint debits_seller_exists references users (id),
  mandate_id uuid not null constraint debits_mandate_exists references mandates (id),
  invoice_id uuid not null constraint debits_by_invoice unique
    constraint debits_invoice_exists references invoices (id),
  provider text not null,
  txid text collate "C" not null constraint debits_by_txid unique,
  amount_cents bigint not null constraint debits_amount_is_positive check (amount_cents > 0),
  due_day date not null,
  created_at timestamptz not null,
  is_sent boolean not null,
  attempts jsonb not null constraint debits_attempts_are_list check (jsonb_typeof(attempts) = 'array'),
  ended_code text,
  cancel_since timestamptz,
  retry_day date,
  retry_sent_at timestamptz,
  ended_at timestamptz,
  ask_at timestamptz not null,
  status text not null constraint debits_status_is_known check (
    status in ('created', 'scheduled', 'paid', 'failed', 'cancelled')
  ),
  updated_at timestamptz not null
);
create index debits_by_mandate on debits (mandate_id, due_day desc);
create index debits_by_seller on debits (seller_id);
create index debits_to_ask on debits (provider, ask_at) where ended_at is null;
create index debits_failed on debits (created_at) where status = 'failed';

comment on table debits is
  'Debits that the bank of a customer is asked for, one for each cycle''s invoice: a second one would take the money twice.';
comment on column debits.txid is 'Ours: its money is a receipt that names it, and becomes a charge of the invoice then.';
comment on column debits.is_sent is 'The bank knows it. Until then it may or may not.';
comment on column debits.attempts is 'As the bank tells them: kind, day, outcome and code.';
comment on column debits.cancel_since is 'It is to end at the bank, which has not confirmed it.';
comment on column debits.retry_day is 'The day of the next attempt; the bank is told the day before.';
comment on column debits.ended_at is 'Nothing more becomes of it: paid, cancelled, or failed with no attempt to come.';

create table invoice_totals (
  seller_id uuid,
  status text,
  count bigint not null,
  paid_cents bigint not null,
  constraint invoice_totals_by_seller primary key (seller_id, status)
) with (fillfactor = 50);

comment on table invoice_totals is
  'A seller''s invoices and what they brought, by status. What open ones ask changes each day, and is computed from them.';

create function count_invoice() returns trigger
language plpgsql security definer set search_path = pg_catalog, public as $$
begin
  if tg_op = 'UPDATE' then
    update invoice_totals set count = count - 1, paid_cents = paid_cents - coalesce(old.paid_cents, 0)
    where seller_id = old.seller_id and status = old.status;
  end if;
  insert into invoice_totals as total (seller_id, status, count, paid_cents)
  values (new.seller_id, new.status, 1, coalesce(new.paid_cents, 0))
  on conflict (seller_id, status) do update
  set count = total.count + 1, paid_cents = total.paid_cents + excluded.paid_cents;
  return null;
end
$$;
comment on function count_invoice() is 'Moves an invoice between the rows of invoice_totals.';

create trigger invoices_are_counted after insert on invoices
for each row execute function count_invoice();
comment on trigger invoices_are_counted on invoices is 'Keeps invoice_totals.';

create trigger invoices_are_recounted after update of status on invoices
for each row when (old.status <> new.status) execute function count_invoice();
comment on trigger invoices_are_recounted on invoices is 'Keeps invoice_totals.';

create trigger invoice_revisions_are_final before update or delete or truncate on invoice_revisions
for each statement execute function refuse_history_change();
comment on trigger invoice_revisions_are_final on invoice_revisions is 'Payments are judged by the terms of their time.';

create trigger invoice_days_are_final before update or delete or truncate on invoice_days
for each statement execute function refuse_history_change();
comment on trigger invoice_days_are_final on invoice_days is 'A code that was shown asks what it asked.';

create trigger invoice_payments_are_final before update or delete or truncate on invoice_payments
for each statement execute function refuse_history_change();
comment on trigger invoice_payments_are_final on invoice_payments is 'Money that came stays as it came.';

create trigger due_payments_are_final before update or delete or truncate on due_payments
for each statement execute function refuse_history_change();
comment on trigger due_payments_are_final on due_payments is 'Money that came stays as it came.';

create trigger subscription_cycles_are_final before update or delete or truncate on subscription_cycles
for each statement execute function refuse_history_change();
comment on trigger subscription_cycles_are_final on subscription_cycles is 'A cycle that was charged stays charged.';

create function subscription_state(subscription subscriptions) returns jsonb
language sql stable set search_path = pg_catalog, public as $$
  select jsonb_build_object(
    'title', subscription.title, 'amount_cents', subscription.amount_cents, 'days_after_due', subscription.days_after_due,
    'terms', subscription.terms, 'ends_on', subscription.ends_on, 'cycles', subscription.cycles,
    'method', subscription.method, 'lead_days', subscription.lead_days, 'issued', subscription.issued, 'position', subscription.position,
    'next_due_day', subscription.next_due_day, 'next_issue_day', subscription.next_issue_day,
    'paused_at', subscription.paused_at, 'ended_at', subscription.ended_at, 'status', subscription.status,
    'updated_at', subscription.updated_at
  )
$$;
comment on function subscription_state(subscriptions) is
  'The part of a subscription that may change, as its events keep it. Its customer''s data are no part of them.';

create function mandate_state(mandate mandates) returns jsonb
language sql stable set search_path = pg_catalog, public as $$
  select jsonb_build_object(
    'recurrence_id', mandate.recurrence_id, 'pix_code', mandate.pix_code, 'ended_code', mandate.ended_code,
    'rests_for', mandate.rests_for, 'approved_at', mandate.approved_at, 'ended_at', mandate.ended_at,
    'status', mandate.status, 'updated_at', mandate.updated_at
  )
$$;
comment on function mandate_state(mandates) is 'The part of a mandate that may change, as its events keep it.';

create function debit_state(debit debits) returns jsonb
language sql stable set search_path = pg_catalog, public as $$
  select jsonb_build_object(
    'attempts', debit.attempts, 'ended_code', debit.ended_code, 'retry_day', debit.retry_day, 'ended_at', debit.ended_at,
    'status', debit.status, 'updated_at', debit.updated_at
  )
$$;
comment on function debit_state(debits) is 'The part of a debit that may change, as its events keep it.';

create function invoice_state(invoice invoices) returns jsonb
language sql stable set search_path = pg_catalog, public as $$
  select jsonb_build_object(
    'amount_cents', invoice.amount_cents, 'due_day', invoice.due_day, 'days_after_due', invoice.days_after_due,
    'terms', invoice.terms, 'adjusted_due_day', invoice.adjusted_due_day, 'last_day', invoice.last_day,
    'order_data', invoice.order_data, 'description', invoice.description, 'revision', invoice.revision,
    'settled_for', invoice.settled_for, 'refunded_at', invoice.refunded_at, 'charge_id', invoice.charge_id,
    'paid_cents', invoice.paid_cents, 'paid_at', invoice.paid_at, 'paid_parts', invoice.paid_parts,
    'status', invoice.status, 'updated_at', invoice.updated_at
  )
$$;
comment on function invoice_state(invoices) is
  'The parts of an invoice that may change, as its events keep them. Its customer''s data are no part of them.';

create function copy_customer() returns trigger
language plpgsql security definer set search_path = pg_catalog, public as $$
begin
  update invoices
  set customer = jsonb_build_object(
    'name', new.name, 'document', new.document, 'email', new.email, 'phone', new.phone
  )
  where customer_id = new.id;
  return null;
end
$$;
comment on function copy_customer() is 'Repeats a customer on their invoices.';

create trigger customers_are_copied after update of name, document, email, phone on customers
for each row when ((old.name, old.document, old.email, old.phone) is distinct from (new.name, new.document, new.email, new.phone))
execute function copy_customer();
comment on trigger customers_are_copied on customers is
  'Lists of invoices read no customers. Whoever makes an invoice has locked its customer.';

create function pay_invoices(charge_ids uuid[], booked_at timestamptz) returns void
language plpgsql security definer set search_path = pg_catalog, public set enable_seqscan = off as $$
declare
  paid record;
begin
  -- One at a time in this order, which is that of invoice_totals too.
  for paid in
    select invoice.id, charge.id as charge_id, charge.end_to_end_id, charge.amount_cents, charge.paid_at,
      coalesce(due.original_cents, asked.original_cents, invoice.amount_cents) as original_cents,
      coalesce(due.discount_cents, asked.discount_cents, 0) as discount_cents,
      coalesce(due.fine_cents, asked.fine_cents, 0) as fine_cents,
      coalesce(due.interest_cents, asked.interest_cents, 0) as interest_cents,
      coalesce(due.amount_cents - due.difference_cents, asked.amount_cents, invoice.amount_cents) as asked_cents,
      coalesce(due.our_cents, asked.amount_cents, invoice.amount_cents) as our_cents,
      coalesce(due.computed_by, 'us') as computed_by
    from charges charge
    join invoices invoice on invoice.page_id = charge.page_id and invoice.charge_id is null
    left join lateral (
      -- The key of a day's code begins with the day, which the sandbox may have moved. A charge that was accepted with another
      -- amount asked for another one before.
      select * from invoice_days
      where invoice_id = invoice.id and day::text = split_part(charge.idempotency_key, ' ', 1)
        and amount_cents = coalesce((charge.asked_for ->> 'amount_cents')::bigint, charge.amount_cents)
      order by revision desc limit 1
    ) asked on true
    left join due_payments due on due.end_to_end_id = charge.end_to_end_id and due.charge_id = charge.id
    where charge.id = any (charge_ids)
    order by invoice.seller_id, invoice.id, charge.is_duplicate, charge.paid_at
  loop
    update invoices
    set status = 'paid', charge_id = paid.charge_id, paid_cents = paid.amount_cents, paid_at = paid.paid_at,
      paid_parts = jsonb_build_object(
        'paidCents', paid.amount_cents, 'originalCents', paid.original_cents, 'discountCents', paid.discount_cents,
        'fineCents', paid.fine_cents, 'interestCents', paid.interest_cents,
        'differenceCents', paid.amount_cents - paid.asked_cents, 'ourCents', paid.our_cents
      ),
      updated_at = booked_at
    where id = paid.id and charge_id is null;
    -- Its other code may be paid in the same batch: the first one pays it, the other is a duplicate.
    if not found then continue; end if;
    insert into invoice_payments (
      end_to_end_id, invoice_id, paid_cents, original_cents, discount_cents, fine_cents, interest_cents, difference_cents,
      computed_by
    ) values (
      paid.end_to_end_id, paid.id, paid.amount_cents, paid.original_cents, paid.discount_cents, paid.fine_cents,
      paid.interest_cents, paid.amount_cents - paid.asked_cents, paid.computed_by
    );
    insert into event_drafts (occurred_at, seller_id, subject_id, type, state)
    select booked_at, seller_id, id, 'invoice.paid', invoice_state(invoice) from invoices invoice where id = paid.id;
  end loop;
end
$$;
comment on function pay_invoices(uuid[], timestamptz) is
  'Marks the invoices paid whose pages'' charges were paid, in the transaction that books their money. What else comes for '
  'them is a duplicate of their page.';
revoke execute on function pay_invoices(uuid[], timestamptz) from public;

create function refund_invoice() returns trigger
language plpgsql security definer set search_path = pg_catalog, public as $$
begin
  update invoices set refunded_at = new.updated_at where charge_id = new.id;
  return null;
end
$$;
comment on function refund_invoice() is 'Repeats on an invoice that its charge was refunded whole.';

create trigger charges_refund_their_invoice after update of status on charges
for each row when (new.status = 'refunded' and old.status <> 'refunded') execute function refund_invoice();
comment on trigger charges_refund_their_invoice on charges is 'Lists of invoices read no charges.';

create table reminder_settings (
  seller_id uuid constraint reminder_settings_by_seller primary key
    constraint reminder_settings_seller_exists references users (id),
  enabled boolean not null default false,
  enabled_at timestamptz,
  steps jsonb not null default '{}' constraint reminder_settings_steps_are_object check (jsonb_typeof(steps) = 'object'),
  updated_at timestamptz not null,
  constraint reminder_settings_enabled_know_since check (not enabled or enabled_at is not null)
);

comment on table reminder_settings is 'Which reminders go by themselves. A seller without a row never said yes.';
comment on column reminder_settings.enabled_at is 'Invoices made before this moment were not announced, and stay so.';
comment on column reminder_settings.steps is 'The seller''s changes: a switch or a text of their own for each step.';

create table reminders (
  id uuid constraint reminders_by_id primary key,
  seller_id uuid not null constraint reminders_seller_exists references users (id),
  customer_id uuid not null constraint reminders_customer_exists references customers (id),
  invoice_id uuid not null constraint reminders_invoice_exists references invoices (id),
  step text constraint reminders_step_is_known check (
    step in ('created', 'before_3', 'due', 'after_1', 'after_7', 'before_last_day')
  ),
  channel text not null constraint reminders_channel_is_known check (channel in ('email', 'whatsapp')),
  day date not null,
  amount_cents bigint not null constraint reminders_amount_is_positive check (amount_cents > 0),
  mail_key text collate "C" constraint reminders_mails_have_key check ((channel = 'email') = (mail_key is not null)),
  status text not null constraint reminders_status_is_known check (status in ('queued', 'sent', 'bounced', 'withheld')),
  created_at timestamptz not null,
  sent_at timestamptz,
  constraint reminders_sent_know_when check ((status = 'sent') = (sent_at is not null))
);
create unique index reminders_by_step on reminders (invoice_id, step, day)
where step is not null and status <> 'withheld';
create unique index reminders_of_creation on reminders (invoice_id) where step = 'created' and status <> 'withheld';
create unique index reminders_by_hand on reminders (invoice_id, day) where channel = 'whatsapp';
create index reminders_by_customer on reminders (customer_id, day);
create index reminders_by_seller on reminders (seller_id, day) where mail_key is not null;
create index reminders_by_invoice on reminders (invoice_id, id);
create index reminders_queued on reminders (id) where status = 'queued';

comment on table reminders is
  'A reminder of an invoice, written in the transaction that queues its mail: whoever writes the row sends it, once. One mail may '
  'remind of several invoices.';
comment on column reminders.step is 'Null of one that the seller sent.';
comment on column reminders.day is 'São Paulo''s, on which the customer was reminded.';
comment on column reminders.amount_cents is 'The invoice''s amount of that day.';
comment on column reminders.mail_key is 'The dedupe_key of the mail.';
comment on column reminders.status is
  'Copied from the mail, whose row is deleted after a while; withheld when something changed while the mail waited.';
comment on index reminders_by_step is
  'An invoice that is due on another day is reminded of again, and one whose mail was taken back on the same day.';
comment on index reminders_by_hand is 'A second tap on the same day notes nothing.';

grant select, insert on charge_pages to tilinta_app;
grant update (
  title, description, amount_cents, max_amount_cents, suggested_cents, slug, allow_anonymous, require_name, require_email,
  require_phone, require_cpf, expires_in_hours, expires_at, max_payments, deleted_at, suspended_at, suspended_for, status,
  payments_count, updated_at
) on charge_pages to tilinta_app;
grant select, insert on page_reports to tilinta_app;
grant update (
  status, reasons, reporters, last_reported_at, suspended_for, decided_by, decided_at, lifted_by, lifted_at
) on page_reports to tilinta_app;
grant select, insert on charges, counter_sales, counter_shifts to tilinta_app;
grant update (shift_id) on counter_sales to tilinta_app;
grant select, insert, update (favourites, updated_at), delete on counter_favourites to tilinta_app;
grant select, insert, update (code_hash, token_hash, paired_at, charge_id), delete on shop_screens to tilinta_app;
grant update (
  status, pix_code, opened_at, end_to_end_id, paid_at, is_late, is_duplicate, refunded_cents, refunded_fee_cents,
  removal, removal_not_before, updated_at, payer_name, payer_email, payer_document, payer_phone, payer_erased_at,
  request_hash
) on charges to tilinta_app;
grant select, insert, update (look_at, asked_at), delete on payer_data_waiting to tilinta_app;
grant select, insert on charge_page_slugs to tilinta_app;
grant select, insert, update (external_reference, metadata, return_url, is_released) on orders to tilinta_app;
grant select, insert, update (origins, key_id, sealed_key, updated_at) on return_origins to tilinta_app;
grant select, insert on customers to tilinta_app;
grant update (
  name, document, email, phone, address, notes, external_reference, updated_at, archived_at, last_used_at,
  erasure_asked_at, erased_at, reminders_ended_at
) on customers to tilinta_app;
grant select, insert on plans, subscriptions, subscription_cycles to tilinta_app;
grant select, insert, update (reason, enabled_by, enabled_at), delete on automatic_sellers to tilinta_app;
grant select, insert on mandates, debits to tilinta_app;
grant update (
  recurrence_id, pix_code, ended_code, cancel_since, rests_for, missed_at, approved_at, ended_at, ask_at, status, updated_at
) on mandates to tilinta_app;
grant update (
  is_sent, attempts, ended_code, cancel_since, retry_day, retry_sent_at, ended_at, ask_at, status, updated_at
) on debits to tilinta_app;
grant update (
  title, description, amount_cents, cycles, lead_days, days_after_due, terms, updated_at, archived_at
) on plans to tilinta_app;
grant update (
  method, title, amount_cents, days_after_due, terms, ends_on, cycles, lead_days, issued, position, next_due_day,
  next_issue_day, paused_at, ended_at, status, updated_at
) on subscriptions to tilinta_app;
grant select, insert on invoices, invoice_revisions, invoice_days to tilinta_app;
grant update (
  amount_cents, due_day, days_after_due, terms, adjusted_due_day, last_day, order_data, description, revision, settled_for,
  overdue_published_at, opened_at, status, updated_at, mode, pix_code, bank_revision, bank_refusal, bank_ask_at,
  debit_from
) on invoices to tilinta_app;
grant select on invoice_payments, due_payments, invoice_totals to tilinta_app;
grant select, insert, update (enabled, enabled_at, steps, updated_at), delete on reminder_settings to tilinta_app;
grant select, insert, update (status, sent_at) on reminders to tilinta_app;
grant select on payer_token_key, charge_search_texts, charge_wordings, open_charges, unfinished_charges, active_charge_pages to tilinta_app;
