-- The parts that serve every noun: settings, audit, mail, idempotency, openings, jobs, nodes.

create table settings (
  key text constraint settings_by_key primary key,
  value jsonb not null,
  type text not null constraint settings_type_is_known check (type in ('number', 'string', 'boolean')),
  category text not null constraint settings_category_is_known check (
    category in ('general', 'fees', 'api', 'notifications')
  ),
  description text not null default '',
  is_public boolean not null default false,
  updated_at timestamptz not null default now(),
  updated_by uuid constraint settings_updater_exists references users (id)
);

comment on table settings is
  'Settings that admins may change while the server runs. A missing row means the default in the code.';
comment on column settings.is_public is 'Whether visitors without login may read it.';

create table audit_records (
  id uuid constraint audit_records_by_id primary key,
  happened_at timestamptz not null,
  actor_id uuid constraint audit_records_actor_exists references users (id),
  actor_address text,
  actor_key_id uuid constraint audit_records_actor_key_exists references api_keys (id),
  action text not null,
  entity text not null,
  entity_id text not null,
  before jsonb,
  after jsonb,
  actor_device text,
  request_id text,
  xid xid8 not null default pg_current_xact_id()
);
create index audit_records_by_xid on audit_records (xid);
create index audit_records_by_time on audit_records (happened_at desc, id desc);
create index audit_records_by_entity on audit_records (entity, entity_id, happened_at desc, id desc);
create index audit_records_by_action on audit_records (action, happened_at desc, id desc);
create index audit_records_by_actor on audit_records (actor_id, happened_at desc, id desc);
create index audit_records_by_charge
on audit_records ((coalesce(after ->> 'chargeId', after ->> 'acceptedChargeId')), happened_at desc, id desc)
where coalesce(after ->> 'chargeId', after ->> 'acceptedChargeId') is not null;

comment on table audit_records is
  'Each action of a person or of the platform, written in the transaction of the change. Append-only.';
comment on column audit_records.actor_id is 'Null for actions of the platform itself.';
comment on column audit_records.actor_address is
  'The IP address of the request; null for actions of the platform itself, and once it is old.';
comment on column audit_records.actor_key_id is 'The API key with which a program acted for the actor; null for a person.';
comment on column audit_records.actor_device is
  'The user agent of the request; null for actions of the platform itself, where the request names none, and once it is old.';
comment on column audit_records.request_id is
  'The X-Request-Id of the answer, which stands in the log, too; null outside requests.';
comment on column audit_records.xid is 'The transaction that wrote it, which gives records an order that can be read on: see chain_head.';
comment on column audit_records.before is 'The changed fields before the change; secrets and personal data are masked.';
comment on index audit_records_by_charge is
  'The records of one charge, including its refunds and the payment accepted as it.';

create trigger audit_records_are_final
before update of id, happened_at, actor_id, actor_key_id, action, entity, entity_id, before, after, request_id
or delete or truncate on audit_records
for each statement execute function refuse_history_change();
comment on trigger audit_records_are_final on audit_records is 'Keeps the audit trail append-only.';

create trigger audit_records_only_forget
before update of actor_address, actor_device on audit_records
for each row when (
  new.actor_address is not null or new.actor_device is not null or old.happened_at > now() - interval '30 days'
) execute function refuse_history_change();
comment on trigger audit_records_only_forget on audit_records is
  'Addresses and devices are erased when they are old (ADDRESS_DAYS), and never changed: nobody can hide what was done lately.';

create table mails (
  id uuid constraint mails_by_id primary key,
  user_id uuid not null,
  to_address text,
  content jsonb not null,
  dedupe_key text collate "C" not null constraint mails_by_dedupe_key unique,
  created_at timestamptz not null,
  send_after timestamptz not null,
  give_up_at timestamptz not null,
  attempts integer not null default 0,
  sent_at timestamptz,
  given_up_at timestamptz,
  last_error text
);
create index mails_waiting on mails (send_after) where sent_at is null and given_up_at is null;
create index mails_done on mails (created_at) where sent_at is not null or given_up_at is not null;
create index mails_given_up on mails (given_up_at desc) where given_up_at is not null;

comment on table mails is
  'The outbox of mails: written in the transaction of the event, sent by a job afterwards (ADR 9).';
comment on column mails.user_id is
  'No foreign key: bookings write here by the hundred, users are never deleted, and sending joins them.';
comment on column mails.to_address is 'Null for the address that the user has when the mail is sent.';
comment on column mails.content is
  'Kind and data of the text. Emptied once the mail is sent or given up, because it may hold a link that opens an '
  'account.';
comment on column mails.dedupe_key is 'The same event enqueues one mail, however often it is handled.';
comment on column mails.send_after is 'The next attempt; a worker''s claim moves it into the future.';

create table notices (
  id uuid constraint notices_by_id primary key,
  user_id uuid not null,
  told_at timestamptz not null,
  topic text collate "C" not null constraint notices_topic_is_known check (topic in ('activity', 'security')),
  content jsonb not null,
  dedupe_key text collate "C" not null,
  read_at timestamptz,
  constraint notices_by_dedupe_key unique (user_id, dedupe_key)
);
create index notices_by_user on notices (user_id, told_at desc, id desc);
create index notices_by_topic on notices (user_id, topic, told_at desc, id desc);
create index notices_unread on notices (user_id, topic) where read_at is null;
create index notices_by_time on notices (told_at);

comment on table notices is
  'News for users, listed on their screen; most kinds are mailed, too. Written in the transaction of the event. A job '
  'deletes old ones.';
comment on column notices.user_id is
  'No foreign key: its lock of the user would meet those who change users, who are never deleted.';
comment on column notices.told_at is 'The last time: a notice whose subject goes on, as a withdrawal does, is written over and is unread again.';
comment on column notices.content is 'Kind and facts, from which the text is written when it is shown.';
comment on column notices.dedupe_key is 'The same event is told once, however often it is handled; of what goes on, the subject.';
comment on column notices.read_at is 'Null until the user saw it in the list.';

create table outbox_mails (
  id uuid constraint outbox_mails_by_id primary key,
  to_address text not null,
  to_key text collate "C" not null,
  subject text not null,
  text text not null,
  html text not null,
  sent_at timestamptz not null
);
create index outbox_mails_by_time on outbox_mails (sent_at desc, id desc);
create index outbox_mails_by_address on outbox_mails (to_key, sent_at desc, id desc);

comment on table outbox_mails is 'The sandbox''s mailbox: mails that were delivered here instead of by SMTP.';
comment on column outbox_mails.id is 'The mail''s own id, so a repeated delivery finds the first.';
comment on column outbox_mails.to_key is 'The address in lower case.';

create table idempotency_keys (
  owner_id uuid not null,
  key text collate "C" not null,
  request_hash bytea not null,
  resource_id uuid not null,
  created_at timestamptz not null default now(),
  constraint idempotency_keys_by_owner primary key (owner_id, key)
);

comment on table idempotency_keys is 'The same key of the same owner creates one resource.';
comment on column idempotency_keys.request_hash is 'A key that comes back with another request is refused.';

create table page_opening_totals (
  seller_id uuid not null,
  day date not null,
  count bigint not null,
  constraint page_opening_totals_by_seller primary key (seller_id, day)
) with (fillfactor = 70);

comment on table page_opening_totals is 'How often visitors opened a seller''s public pages.';
comment on column page_opening_totals.day is 'São Paulo''s.';

create table job_runs (
  name text constraint job_runs_by_name primary key,
  every_seconds integer not null,
  last_started_at timestamptz not null,
  last_duration_ms integer not null,
  last_succeeded_at timestamptz,
  last_failed_at timestamptz,
  last_error text,
  failures_in_row integer not null default 0
);

comment on table job_runs is 'The last run of each job, on whichever node.';

create table backups (
  id uuid constraint backups_by_id primary key,
  started_at timestamptz not null,
  finished_at timestamptz,
  requested_by uuid constraint backups_requester_exists references users (id),
  file text not null,
  size_bytes bigint,
  error text
);
create index backups_by_time on backups (started_at desc, id desc);
create index backups_done on backups (started_at desc) where size_bytes is not null;

comment on table backups is
  'Each backup that the server made by itself. Unfinished while its advisory lock is free: the process died.';
comment on column backups.requested_by is 'Null for the daily one.';
comment on column backups.file is 'The name in BACKUP_DIR, which may have been deleted since: docs/operations.md says how long each is kept.';
comment on column backups.size_bytes is 'Null until the file is whole.';

create table restore_checks (
  id uuid constraint restore_checks_by_id primary key,
  finished_at timestamptz not null,
  checked_by text not null,
  file text not null,
  taken_at timestamptz,
  row_count bigint,
  difference_count integer,
  seconds integer not null,
  error text,
  constraint restore_check_has_an_end check ((difference_count is null) <> (error is null))
);
create index restore_checks_by_time on restore_checks (finished_at desc, id desc);

comment on table restore_checks is
  'Each try of a restore (npm run restore -- FILE --verify) that reached this database to tell of it. Append-only.';
comment on column restore_checks.checked_by is 'Account and name of the machine that tried it.';
comment on column restore_checks.file is 'The file''s name, without its folder.';
comment on column restore_checks.taken_at is 'The moment of the backup; null where the file could not be read so far.';
comment on column restore_checks.row_count is 'Restored rows; null where it failed.';
comment on column restore_checks.difference_count is 'How many npm run verify found in the restored database; null where it could not be restored.';
comment on column restore_checks.error is 'Why it could not be restored.';

create table server_nodes (
  id uuid constraint server_nodes_by_id primary key,
  host text not null,
  version text not null,
  started_at timestamptz not null,
  seen_at timestamptz not null,
  clock_skew_seconds integer
);

comment on table server_nodes is 'The running servers. A row that has not been seen for a while is deleted.';
comment on column server_nodes.seen_at is 'The heartbeat, every few seconds.';
comment on column server_nodes.clock_skew_seconds is
  'How far its clock is ahead of the provider''s; null before the provider''s first answer.';

create table money_kind (
  kind text constraint money_kind_by_kind primary key constraint money_kind_is_known check (
    kind in ('sandbox', 'homologation', 'real')
  ),
  chosen_at timestamptz not null default now()
);
create unique index money_kind_is_one on money_kind ((true));

comment on table money_kind is
  'The one kind of money that this database holds, from its first start on: money of one kind never becomes another. '
  'Append-only.';
comment on column money_kind.kind is
  'The simulator''s, a bank''s test environment''s, or real.';
comment on index money_kind_is_one is 'There is one row at most.';

create trigger money_kind_is_final
before update or delete or truncate on money_kind
for each statement execute function refuse_history_change();
comment on trigger money_kind_is_final on money_kind is 'Not even the owner of the database relabels its money by accident.';

create table sandbox_clock (
  is_only boolean not null default true constraint sandbox_clock_has_one_row primary key,
  ahead_ms bigint not null,
  constraint sandbox_clock_is_only check (is_only),
  constraint sandbox_clock_is_never_behind check (ahead_ms >= 0)
);

comment on table sandbox_clock is
  'How far the days of invoices, reminders, subscriptions and reserves are ahead of the true time. Empty with real money.';
comment on column sandbox_clock.ahead_ms is
  'Grows with the simulated bank''s clock, and never shrinks: what was due and told can''t be taken back.';

create table legal_texts (
  kind text not null constraint legal_texts_kind_is_known check (kind in ('terms', 'privacy')),
  version integer not null constraint legal_texts_version_counts_from_one check (version >= 1),
  body text not null,
  published_at timestamptz not null,
  published_by uuid constraint legal_texts_publisher_exists references users (id),
  constraint legal_texts_by_version primary key (kind, version)
);
insert into legal_texts (kind, version, body, published_at) values ('terms', 1, '', now()), ('privacy', 1, '', now());

comment on table legal_texts is
  'Terms of service and privacy policy, every version that was ever in force; the last one is. Append-only, because people accepted '
  'these very words.';
comment on column legal_texts.body is 'Empty for the text that comes with the software.';
comment on column legal_texts.published_by is 'Null for what was in force from the beginning.';

create trigger legal_texts_are_final before update or delete or truncate on legal_texts
for each statement execute function refuse_history_change();
comment on trigger legal_texts_are_final on legal_texts is 'An accepted text stays readable, as it was.';

create table legal_acceptances (
  user_id uuid not null constraint legal_acceptances_user_exists references users (id),
  kind text not null,
  version integer not null,
  accepted_at timestamptz not null,
  constraint legal_acceptances_by_user primary key (user_id, kind, version),
  constraint legal_acceptances_text_exists foreign key (kind, version) references legal_texts (kind, version)
);

comment on table legal_acceptances is 'Versions that users accepted, and when: at the sign-up, or when a new one came. Append-only.';

create trigger legal_acceptances_are_final before update or delete or truncate on legal_acceptances
for each statement execute function refuse_history_change();
comment on trigger legal_acceptances_are_final on legal_acceptances is 'An acceptance is proof for both sides.';

create table retention_marks (
  subject text constraint retention_marks_by_subject primary key
    constraint retention_marks_subject_is_known check (subject in ('charge', 'audit_record')),
  reached_at timestamptz not null default '-infinity',
  reached_id uuid not null default '00000000-0000-0000-0000-000000000000'
);
insert into retention_marks (subject) values ('charge'), ('audit_record');

comment on table retention_marks is
  'How far the job that erases personal data has read each table, from its oldest rows on: it reads no row twice, however long the '
  'history is. Its lock lets one server read on at a time.';
comment on column retention_marks.reached_at is 'The moment and the id of the last row that was read.';

create table event_drafts (
  id bigint generated always as identity,
  xid xid8 not null default pg_current_xact_id(),
  occurred_at timestamptz not null,
  seller_id uuid not null,
  subject_id uuid not null,
  type text collate "C" not null constraint event_drafts_type_is_known check (
    type in (
      'charge.created', 'charge.paid', 'charge.expired', 'charge.cancelled', 'charge.refunded', 'charge.disputed',
      'withdrawal.requested', 'withdrawal.approved', 'withdrawal.completed', 'withdrawal.rejected',
      'withdrawal.cancelled', 'withdrawal.returned', 'withdrawal.held',
      'page.created', 'page.updated', 'page.completed', 'page.expired', 'page.deleted', 'payment.unmatched',
      'invoice.created', 'invoice.updated', 'invoice.overdue', 'invoice.paid', 'invoice.expired', 'invoice.cancelled',
      'subscription.created', 'subscription.updated', 'subscription.past_due', 'subscription.completed',
      'subscription.cancelled', 'mandate.approved', 'mandate.rejected', 'mandate.cancelled', 'mandate.expired',
      'debit.scheduled', 'debit.paid', 'debit.failed', 'debit.cancelled', 'reminder.sent'
    )
  ),
  state jsonb
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

comment on table event_drafts is
  'Events of the last moments, written in the transaction of the change, which have no number yet (ADR 37). Without an index, '
  'because it is read whole.';
comment on column event_drafts.id is 'Events of one subject have ids in the order in which they happened: their writers lock its row.';
comment on column event_drafts.state is 'See events.state.';

create table event_sequences (
  seller_id uuid constraint event_sequences_by_seller primary key,
  last_sequence bigint not null
) with (fillfactor = 70);

comment on table event_sequences is
  'The number of each seller''s last event. Like events and numbered_events only number_events_until() writes it.';

create table events (
  sequence bigint not null,
  occurred_at timestamptz not null,
  seller_id uuid not null,
  subject_id uuid not null,
  type text collate "C" not null constraint events_type_is_known check (
    type in (
      'charge.created', 'charge.paid', 'charge.expired', 'charge.cancelled', 'charge.refunded', 'charge.disputed',
      'withdrawal.requested', 'withdrawal.approved', 'withdrawal.completed', 'withdrawal.rejected',
      'withdrawal.cancelled', 'withdrawal.returned', 'withdrawal.held',
      'page.created', 'page.updated', 'page.completed', 'page.expired', 'page.deleted', 'payment.unmatched',
      'invoice.created', 'invoice.updated', 'invoice.overdue', 'invoice.paid', 'invoice.expired', 'invoice.cancelled',
      'subscription.created', 'subscription.updated', 'subscription.past_due', 'subscription.completed',
      'subscription.cancelled', 'mandate.approved', 'mandate.rejected', 'mandate.cancelled', 'mandate.expired',
      'debit.scheduled', 'debit.paid', 'debit.failed', 'debit.cancelled', 'reminder.sent'
    )
  ),
  state jsonb,
  constraint events_by_seller primary key (seller_id, sequence)
);

comment on table events is
  'The facts about a seller''s charges, withdrawals, pages, invoices and reminders, numbered 1, 2, 3 … without holes for each seller (ADR 37). '
  'A job deletes old ones; the numbers go on.';
comment on column events.subject_id is
  'The charge, withdrawal, page or unmatched payment. Its row holds what never changes, so an event copies no such fact.';
comment on column events.state is
  'The columns of the subject''s row that may change, as they were; null where the type says it all.';

create table numbered_events (
  until xid8 not null default '0',
  is_only boolean not null default true constraint numbered_events_has_one_row primary key,
  constraint numbered_events_is_only check (is_only)
);
insert into numbered_events default values;

comment on table numbered_events is
  'How far the payments, whose rows are events too, have been numbered: those of this transaction and of earlier ones are. '
  'Its lock lets one server number at a time.';

create table push_keys (
  public_key text collate "C" not null,
  key_id text not null,
  sealed_key bytea not null,
  created_at timestamptz not null,
  is_only boolean not null default true constraint push_keys_have_one_row primary key,
  constraint push_keys_are_only check (is_only)
);

comment on table push_keys is
  'The key of P-256 (VAPID) by which browsers'' push services know this installation. Subscriptions are bound to it: it is never changed.';
comment on column push_keys.key_id is 'The key of SECRETS_KEY that seals the private key.';

create table push_subscriptions (
  id uuid constraint push_subscriptions_by_id primary key,
  user_id uuid not null constraint push_subscriptions_user_exists references users (id),
  session_id uuid not null constraint push_subscriptions_session_exists references sessions (id) on delete cascade,
  endpoint text collate "C" not null constraint push_subscriptions_by_endpoint unique,
  allows_local boolean not null,
  p256dh text collate "C" not null,
  auth text collate "C" not null,
  device text not null,
  hide_amounts boolean not null,
  created_at timestamptz not null
);
create index push_subscriptions_by_user on push_subscriptions (user_id, created_at);
create index push_subscriptions_by_session on push_subscriptions (session_id);

comment on table push_subscriptions is
  'Browsers that show a person''s notices. They end with the session that asked for them: who is signed out reads nothing more.';
comment on column push_subscriptions.endpoint is 'The address at the browser''s push service: whoever has it and the keys may send.';
comment on column push_subscriptions.allows_local is
  'It was saved by a caller who may steer the sandbox''s bank, so its endpoint may lead to this machine.';
comment on column push_subscriptions.device is 'The user agent.';

create table pushes (
  id bigint generated always as identity constraint pushes_by_id primary key,
  subscription_id uuid not null constraint pushes_subscription_exists references push_subscriptions (id) on delete cascade,
  content jsonb not null,
  tag text collate "C" not null,
  created_at timestamptz not null,
  send_after timestamptz not null,
  attempts integer not null default 0
);
create index pushes_waiting on pushes (send_after);
create index pushes_by_subscription on pushes (subscription_id);

comment on table pushes is 'Notices on their way to a browser; a row goes when it was taken, or is of no use any more.';
comment on column pushes.tag is 'The notice''s subject: the browser shows the last word on it.';

create function push_notice() returns trigger
language plpgsql security definer set search_path = pg_catalog, public as $$
begin
  insert into pushes (subscription_id, content, tag, created_at, send_after)
  select id, new.content, new.dedupe_key, new.told_at, new.told_at from push_subscriptions where user_id = new.user_id;
  return null;
end
$$;
comment on function push_notice() is 'Sends a notice to the browsers of its reader.';

create trigger notices_are_pushed after insert or update of told_at on notices
for each row when (
  new.content ->> 'kind' in (
    'payment_received', 'payments_received', 'dispute_opened', 'withdrawal_step', 'withdrawal_held', 'withdrawal_returned',
    'invoices_overdue', 'approval_waits', 'refund_asked'
  )
) execute function push_notice();
comment on trigger notices_are_pushed on notices is 'Only what people want to hear at once.';

create table signing_keys (
  id text collate "C" constraint signing_keys_by_id primary key,
  purpose text not null constraint signing_keys_purpose_is_known check (purpose in ('checkpoint', 'receipt')),
  public_key bytea not null constraint signing_keys_public_key_is_whole check (octet_length(public_key) = 32),
  key_id text not null,
  sealed_key bytea not null,
  created_at timestamptz not null,
  retired_at timestamptz
);
create unique index signing_keys_in_use on signing_keys (purpose) where retired_at is null;

comment on table signing_keys is
  'Ed25519 keys that sign checkpoints of the chain and receipts. One of each purpose signs; the public keys of retired ones stay published.';
comment on column signing_keys.id is 'A digest of the public key.';
comment on column signing_keys.key_id is 'The key of SECRETS_KEY that seals the private key.';
comment on column signing_keys.sealed_key is
  'The private key, sealed. A row whose box doesn''t open, or holds the key to another public key, is not published: nobody '
  'adds a key of their own with the database alone.';
comment on index signing_keys_in_use is 'One key of a purpose signs at a time.';

create table chain_blocks (
  number bigint constraint chain_blocks_by_number primary key,
  sealed_at timestamptz not null,
  row_count integer not null constraint chain_blocks_hold_rows check (row_count > 0),
  previous bytea not null,
  root bytea not null,
  keys text[] not null,
  hashes bytea not null,
  nodes bytea not null,
  first_at timestamptz,
  last_at timestamptz,
  constraint chain_blocks_hash_each_row check (
    cardinality(keys) = row_count and octet_length(hashes) = 32 * row_count
  )
);
create index chain_blocks_by_time on chain_blocks using gist (tstzrange(first_at, last_at, '[]')) where first_at is not null;

comment on table chain_blocks is
  'Rows of the books and audit records, sealed in the order of their transactions: docs/chain.md. Blocks are the leaves of the Merkle tree '
  'whose root checkpoints sign. Append-only.';
comment on column chain_blocks.number is '0, 1, 2 … without holes.';
comment on column chain_blocks.previous is 'The hash of the block before it; 32 zero bytes in the first one.';
comment on column chain_blocks.root is 'The root of the Merkle tree of its rows.';
comment on column chain_blocks.keys is 'The letter of the table and the primary key of each row, in the order in which they were sealed.';
comment on column chain_blocks.hashes is 'The hash of each row, in the same order.';
comment on column chain_blocks.nodes is
  'The nodes of the tree of blocks that this block completes, from its own hash upwards: whatever is proved reads as many blocks as '
  'the tree is high.';
comment on column chain_blocks.first_at is 'The first booking in it, of payments and journal; null where it holds neither.';
comment on index chain_blocks_by_time is 'Finds the block of a row by the moment of its booking.';

create trigger chain_blocks_are_final before update or delete or truncate on chain_blocks
for each statement execute function refuse_history_change();
comment on trigger chain_blocks_are_final on chain_blocks is 'A sealed block never changes.';

create table chain_head (
  until xid8 not null default '0',
  block_count bigint not null default 0,
  note text,
  is_only boolean not null default true constraint chain_head_has_one_row primary key,
  constraint chain_head_is_only check (is_only)
);
insert into chain_head default values;

comment on table chain_head is
  'How far the rows are sealed: those of this transaction and of earlier ones are. Its lock lets one server seal at a time.';
comment on column chain_head.note is
  'The latest checkpoint: a note that the key of checkpoints signed. The first one, of an empty chain, comes with the first key: without a note '
  'somebody removed it.';

create table chain_checkpoints (
  day date constraint chain_checkpoints_by_day primary key,
  note text not null,
  signed_at timestamptz not null,
  xid xid8 not null default pg_current_xact_id()
);
create index chain_checkpoints_by_xid on chain_checkpoints (xid);

comment on table chain_checkpoints is
  'The first checkpoint of each of São Paulo''s days, as it was mailed to the administrators. A later block seals it. Append-only.';
comment on column chain_checkpoints.xid is 'The transaction that wrote it: see chain_head.';

create trigger chain_checkpoints_are_final
before update of day, note, signed_at or delete or truncate on chain_checkpoints
for each statement execute function refuse_history_change();
comment on trigger chain_checkpoints_are_final on chain_checkpoints is 'A mailed checkpoint stays as it was mailed.';

grant select, insert, update on sandbox_clock, settings, page_opening_totals, job_runs to tilinta_app;
grant select, insert, update (finished_at, size_bytes, error) on backups to tilinta_app;
grant select, insert on restore_checks to tilinta_app;
grant select, insert on audit_records, idempotency_keys, money_kind, legal_texts, legal_acceptances to tilinta_app;
grant update (actor_address, actor_device) on audit_records to tilinta_app;
grant select, update (reached_at, reached_id) on retention_marks to tilinta_app;
grant update (resource_id) on idempotency_keys to tilinta_app;
grant select, insert, update, delete on mails, server_nodes to tilinta_app;
grant select, insert, update (told_at, topic, content, read_at), delete on notices to tilinta_app;
grant select, insert, delete on outbox_mails to tilinta_app;
grant select, insert, update (key_id, sealed_key) on push_keys to tilinta_app;
grant select, insert, update, delete on push_subscriptions to tilinta_app;
grant select, update, delete on pushes to tilinta_app;
grant select, insert on event_drafts to tilinta_app;
grant select on event_sequences to tilinta_app;
grant select, update (until) on numbered_events to tilinta_app;
grant select, delete on events to tilinta_app;
grant select, insert, update (key_id, sealed_key, retired_at) on signing_keys to tilinta_app;
grant select, insert on chain_blocks, chain_checkpoints to tilinta_app;
grant select, update (until, block_count, note) on chain_head to tilinta_app;
