create table charge_pages (
  id uuid primary key,
  seller_id uuid not null references users (id),
  title text not null,
  description text not null default '',
  amount_cents bigint not null check (amount_cents between 1 and 999999999),
  unique_link text collate "C" not null unique,
  slug text collate "C" not null,
  status text not null check (status in ('active', 'completed', 'expired', 'cancelled')),
  allow_anonymous boolean not null,
  require_name boolean not null,
  require_email boolean not null,
  require_phone boolean not null,
  require_cpf boolean not null,
  -- 0 means never.
  expires_in_hours integer not null check (expires_in_hours between 0 and 168),
  expires_at timestamptz,
  -- Null means no limit.
  max_payments integer check (max_payments >= 1),
  payments_count integer not null default 0 check (payments_count >= 0),
  deleted_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index charge_pages_by_seller on charge_pages (seller_id, created_at desc, id desc) where deleted_at is null;
create index charge_pages_by_seller_status on charge_pages (seller_id, status, created_at desc, id desc)
  where deleted_at is null;
create index charge_pages_expiring on charge_pages (expires_at) where status = 'active';

-- Every slug that a page ever had leads to it and is never given to another page.
create table charge_page_slugs (
  slug text collate "C" primary key,
  page_id uuid not null references charge_pages (id),
  created_at timestamptz not null default now()
);

create table charges (
  id uuid primary key,
  seller_id uuid not null references users (id),
  page_id uuid not null references charge_pages (id),
  txid text collate "C" not null unique,
  provider text not null,
  -- 'creating': the provider may or may not know it yet; nobody has seen its code.
  status text not null check (
    status in ('creating', 'pending', 'paid', 'expired', 'cancelled', 'failed', 'refunded')
  ),
  amount_cents bigint not null check (amount_cents > 0),
  fee_basis_points integer not null check (fee_basis_points between 0 and 10000),
  fee_cents bigint not null check (fee_cents >= 0),
  net_cents bigint not null check (net_cents = amount_cents - fee_cents and net_cents >= 0),
  refunded_cents bigint not null default 0 check (refunded_cents between 0 and amount_cents),
  page_title text not null,
  description text not null default '',
  pix_code text,
  expires_at timestamptz not null,
  payer_name text,
  payer_email text,
  payer_cpf text,
  payer_phone text,
  idempotency_key text collate "C",
  request_hash bytea,
  end_to_end_id text collate "C",
  paid_at timestamptz,
  is_late boolean not null default false,
  is_duplicate boolean not null default false,
  -- 'due': nobody may pay it any more, and the provider must be told.
  removal text not null default 'none' check (removal in ('none', 'due', 'done')),
  -- Whoever tries keeps it until then; afterwards it is tried again.
  removal_not_before timestamptz not null default '-infinity',
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check ((status in ('paid', 'refunded')) = (paid_at is not null)),
  check (status in ('creating', 'failed', 'cancelled') or pix_code is not null or paid_at is not null)
) with (fillfactor = 80);
create unique index charges_by_idempotency_key on charges (page_id, idempotency_key)
  where idempotency_key is not null and status <> 'failed';
create index charges_by_seller on charges (seller_id, created_at desc, id desc);
create index charges_by_seller_status on charges (seller_id, status, created_at desc, id desc);
create index charges_open_by_page on charges (page_id) where status in ('creating', 'pending');
create index charges_expiring on charges (expires_at) where status = 'pending';
create index charges_unfinished on charges (created_at) where status = 'creating';
create index charges_removal_due on charges (removal_not_before) where removal = 'due';

create table payments (
  end_to_end_id text collate "C" primary key,
  provider text not null,
  txid text collate "C",
  charge_id uuid references charges (id),
  seller_id uuid,
  amount_cents bigint not null check (amount_cents > 0),
  paid_at timestamptz not null,
  received_at timestamptz not null default now(),
  disposition text not null check (disposition in ('credited', 'suspense')),
  reason text check (reason in ('unknown_txid', 'wrong_amount', 'charge_already_paid')),
  check ((disposition = 'suspense') = (reason is not null)),
  check (disposition = 'suspense' or (charge_id is not null and seller_id is not null))
);
create index payments_by_charge on payments (charge_id) where charge_id is not null;
create index payments_in_suspense on payments (received_at, end_to_end_id) where disposition = 'suspense';

-- Raw bodies as the provider sent them, kept before anything is done with them.
create table psp_inbox (
  id bigint generated always as identity primary key,
  provider text not null,
  body bytea not null,
  received_at timestamptz not null default now(),
  next_attempt_at timestamptz not null default now(),
  processed_at timestamptz,
  attempts integer not null default 0,
  last_error text
);
create index psp_inbox_waiting on psp_inbox (next_attempt_at, id) where processed_at is null;

create table psp_connections (
  provider text primary key,
  webhook_secret text not null,
  -- Every receipt before this moment has been seen by the reconciliation.
  receipts_seen_until timestamptz not null,
  last_contact_at timestamptz,
  last_webhook_at timestamptz
);

grant select, insert, update on charge_pages, charges, payments, psp_inbox, psp_connections to tilinta_app;
grant select, insert on charge_page_slugs to tilinta_app;
grant delete on psp_inbox to tilinta_app;
