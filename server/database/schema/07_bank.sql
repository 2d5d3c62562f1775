-- Webhooks and connections of the providers, and the comparison of our days with theirs.

create table psp_inbox (
  id bigint generated always as identity constraint psp_inbox_by_id primary key,
  provider text not null,
  body bytea not null,
  lengths integer[] not null,
  received_at timestamptz not null default now(),
  next_attempt_at timestamptz not null default now(),
  processed_at timestamptz,
  attempts integer not null default 0,
  last_error text
);
alter table psp_inbox alter body set storage external;
create index psp_inbox_waiting on psp_inbox (next_attempt_at, id) where processed_at is null;
create index psp_inbox_processed on psp_inbox (processed_at) where processed_at is not null;

comment on table psp_inbox is
  'Webhooks as the provider sent them, stored before anything is done with them. Those that arrived together share a '
  'row, because a row costs far more than its content. A job deletes processed ones.';
comment on column psp_inbox.body is
  'The raw bodies, one behind the other, as gzip. Kept outside the row, which its claim and its end write anew.';
comment on column psp_inbox.lengths is 'The length of each body in bytes, before it was compressed.';
comment on column psp_inbox.next_attempt_at is 'When it may be claimed; a worker''s claim moves it into the future.';

create table psp_connections (
  provider text constraint psp_connections_by_provider primary key,
  webhook_secret text not null,
  receipts_seen_until timestamptz not null,
  payouts_seen_until timestamptz not null default now(),
  connected_at timestamptz not null default now(),
  last_contact_at timestamptz,
  last_webhook_at timestamptz,
  last_failure_at timestamptz,
  last_failure_call text,
  last_failure text,
  webhook_registered_at timestamptz,
  is_connected boolean not null default true,
  stamps_missing_hours integer not null default 0
);

comment on table psp_connections is
  'How the connection to each provider goes, as all nodes see it. Collected in memory and written every few seconds.';
comment on column psp_connections.webhook_secret is
  'The last part of the webhook''s address, which only the provider knows.';
comment on column psp_connections.receipts_seen_until is
  'The reconciliation has seen every receipt before this moment.';
comment on column psp_connections.payouts_seen_until is
  'The reconciliation has seen the end of every payout that was requested before this moment.';
comment on column psp_connections.connected_at is 'No day before this one is closed.';
comment on column psp_connections.is_connected is
  'The server has this provider''s variables, as the present bank or as the former one. Set at each start.';
comment on column psp_connections.stamps_missing_hours is
  'Hours to add to the times that this provider writes, as its charges showed: some write Brasília''s time with a Z.';
comment on column psp_connections.last_failure_call is 'The call that failed, by its name in Psp.';

create table daily_closes (
  id uuid constraint daily_closes_by_id primary key,
  provider text not null,
  day date not null,
  closed_at timestamptz,
  comparisons integer not null default 0,
  attempts integer not null default 0,
  last_error text,
  difference_count integer not null default 0,
  mended_count integer not null default 0,
  next_attempt_at timestamptz,
  run_id uuid,
  constraint daily_closes_by_provider_and_day unique (provider, day)
) with (fillfactor = 80);
create index daily_closes_by_day on daily_closes (day desc, provider);
create index daily_closes_due on daily_closes (next_attempt_at) where next_attempt_at is not null;

comment on table daily_closes is 'One day at one provider: our books against the bank''s lists (ADR 6).';
comment on column daily_closes.day is 'São Paulo''s.';
comment on column daily_closes.closed_at is 'Null until the day was compared for the first time.';
comment on column daily_closes.comparisons is 'How often the day was compared.';
comment on column daily_closes.attempts is 'Failed comparisons since the last one that succeeded.';
comment on column daily_closes.mended_count is 'Differences that the close booked by itself.';
comment on column daily_closes.next_attempt_at is
  'Null when nothing is left to do; during a comparison the end of its lease.';
comment on column daily_closes.run_id is 'The comparison that holds the lease.';

create table bank_balances (
  close_id uuid constraint bank_balances_by_close primary key
    constraint bank_balances_close_exists references daily_closes (id),
  at timestamptz not null,
  bank_cents bigint not null,
  our_cents bigint not null,
  difference_cents bigint not null,
  typed_by uuid constraint bank_balances_typist_exists references users (id),
  read_again_until timestamptz
);

create index bank_balances_open on bank_balances (close_id) where read_again_until is not null;

comment on table bank_balances is 'The bank''s balance as it was read at a day''s close, beside that of our account.';
comment on column bank_balances.at is 'The moment of both balances: when the provider told it, or the end of the day for a typed one.';
comment on column bank_balances.difference_cents is
  'The part of the bank''s balance less ours that money under way does not explain.';
comment on column bank_balances.typed_by is 'The administrator who typed it in; null when the provider told it.';
comment on column bank_balances.read_again_until is
  'Until then the balances are compared again, as what the bank has may be booked seconds later. Null when the difference is final.';

create table daily_close_totals (
  close_id uuid not null constraint daily_close_totals_close_exists references daily_closes (id),
  kind text not null constraint daily_close_totals_kind_is_known check (kind in ('receipt', 'refund', 'payout')),
  our_count bigint not null,
  our_cents bigint not null,
  bank_count bigint not null,
  bank_cents bigint not null,
  constraint daily_close_totals_by_close primary key (close_id, kind)
);

comment on table daily_close_totals is 'A day''s totals in our books and at the bank.';

create table daily_close_differences (
  close_id uuid not null constraint daily_close_differences_close_exists references daily_closes (id),
  kind text not null constraint daily_close_differences_kind_is_known check (
    kind in ('receipt', 'refund', 'payout', 'balance')
  ),
  reference text collate "C" not null,
  problem text not null constraint daily_close_differences_problem_is_known check (
    problem in ('missing_with_us', 'missing_at_bank', 'other_amount', 'other_state', 'unreadable')
  ),
  our_cents bigint,
  bank_cents bigint,
  our_state text,
  bank_state text,
  happened_at timestamptz,
  is_mended boolean not null default false,
  found_at timestamptz not null,
  run_id uuid,
  constraint daily_close_differences_by_close primary key (close_id, kind, reference)
);

comment on table daily_close_differences is 'Each movement in which our books and the bank''s lists differ.';
comment on column daily_close_differences.reference is 'The bank''s name for it, or our account.';
comment on column daily_close_differences.is_mended is
  'It was missing with us, and the close booked it; or it can''t be read, and an admin closed it.';
comment on column daily_close_differences.run_id is
  'The comparison that saw it last; null where a check other than the close found it.';

create unlogged table daily_close_entries (
  run_id uuid not null,
  kind text not null,
  reference text collate "C" not null,
  amount_cents bigint,
  state text not null,
  happened_at timestamptz,
  constraint daily_close_entries_by_run primary key (run_id, kind, reference)
);

comment on table daily_close_entries is
  'The bank''s side of a comparison under way. Unlogged: after a crash the day is compared anew.';

create table unreadable_entries (
  provider text not null,
  kind text not null constraint unreadable_entries_kind_is_known check (kind in ('receipt', 'refund', 'payout')),
  reference text collate "C" not null,
  amount_text text not null,
  happened_at timestamptz not null,
  first_seen_at timestamptz not null,
  id uuid not null constraint unreadable_entries_by_id unique,
  closed_at timestamptz,
  closed_by uuid constraint unreadable_entries_closer_exists references users (id),
  close_reason text,
  constraint unreadable_entries_by_reference primary key (provider, kind, reference),
  constraint unreadable_entries_closed_have_reason check (
    (closed_at is null) = (closed_by is null) and (closed_at is null) = (close_reason is null)
  )
);

comment on table unreadable_entries is
  'Entries of the providers'' lists that could not be read and so are in no book of ours: for people, and for the daily '
  'close. A job deletes those that were read later.';
comment on column unreadable_entries.reference is 'The provider''s name for it, else a digest of its text.';
comment on column unreadable_entries.amount_text is 'As the provider wrote it.';
comment on column unreadable_entries.happened_at is 'As the provider wrote it, else when we first saw it.';
comment on column unreadable_entries.closed_at is
  'When an admin closed it: nobody is asked to look it up any more. The daily close keeps it.';

create table bank_statements (
  id uuid constraint bank_statements_by_id primary key,
  digest text collate "C" not null constraint bank_statements_by_digest unique,
  debit_keys text[] not null,
  imported_by uuid not null constraint bank_statements_importer_exists references users (id),
  imported_at timestamptz not null
);

comment on table bank_statements is 'Files of the platform''s bank that administrators imported, each once. Their debits stand in bank_debits.';
comment on column bank_statements.digest is 'SHA-256 of the file, which is not kept.';

create table bank_debits (
  id uuid constraint bank_debits_by_id primary key,
  key text collate "C" not null constraint bank_debits_by_key unique,
  day date not null,
  amount_cents bigint not null constraint bank_debits_amount_is_positive check (amount_cents > 0),
  text text not null,
  withdrawal_id uuid constraint bank_debits_by_withdrawal unique
    constraint bank_debits_withdrawal_exists references withdrawals (id)
);
create index bank_debits_by_day on bank_debits (day);

comment on table bank_debits is
  'Debits of the bank''s statements that administrators imported. Credits are only compared with payments.';
comment on column bank_debits.key is
  'Digest of the account, the bank''s words and which of equal entries it is: a second file tells it once.';
comment on column bank_debits.withdrawal_id is 'The withdrawal that it was confirmed to have paid.';

grant select, insert on bank_statements to tilinta_app;
grant select, insert, update (withdrawal_id) on bank_debits to tilinta_app;
grant select, insert, update, delete on psp_inbox to tilinta_app;
grant select, insert, delete on unreadable_entries to tilinta_app;
grant update (closed_at, closed_by, close_reason) on unreadable_entries to tilinta_app;
grant select, insert, update on psp_connections, daily_closes, daily_close_totals to tilinta_app;
grant select, insert on bank_balances to tilinta_app;
grant update (at, bank_cents, our_cents, difference_cents, typed_by, read_again_until) on bank_balances to tilinta_app;
grant select, insert, update, delete on daily_close_differences, daily_close_entries to tilinta_app;
