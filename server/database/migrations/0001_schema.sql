-- The base of every floor: folded text, days of São Paulo, append-only tables.

create extension if not exists pg_trgm;

create function refuse_history_change() returns trigger
language plpgsql as $$
begin
  raise exception 'the ledger is append-only: % on % is refused', tg_op, tg_table_name
    using errcode = 'insufficient_privilege';
end
$$;
comment on function refuse_history_change() is
  'Refuses every update, delete and truncate: a trigger of tables whose rows are evidence (ADR 4). Not even the owner '
  'changes them by accident.';

create function refuse_changed_facts() returns trigger
language plpgsql as $$
begin
  raise exception 'amounts stay as they are and paid stays paid: an update of % is refused', tg_table_name
    using errcode = 'insufficient_privilege';
end
$$;
comment on function refuse_changed_facts() is
  'Refuses an update that would change a fact of money: each trigger that calls it says in its condition which.';

create function sao_paulo_day(moment timestamptz) returns date
language sql stable parallel safe
return (moment at time zone 'America/Sao_Paulo')::date;
comment on function sao_paulo_day(timestamptz) is
  'The calendar day of São Paulo: every total, report and daily close counts in these days.';

create function new_id(moment timestamptz) returns uuid
language sql volatile as $$
  select (
    lpad(to_hex((extract(epoch from moment) * 1000)::bigint), 12, '0')
    || overlay(substr(replace(gen_random_uuid()::text, '-', ''), 13) placing '7' from 1)
  )::uuid
$$;
comment on function new_id(timestamptz) is 'As kit/ids.ts makes them (UUID 7), also where PostgreSQL has no uuidv7() yet.';

create function fold_text(value text) returns text
language sql immutable parallel safe
return case
  when octet_length(value) = char_length(value) then lower(value)
  else translate(
    lower(value),
    'ÁÀÂÃÄÉÈÊËÍÌÎÏÓÒÔÕÖÚÙÛÜÇÑáàâãäéèêëíìîïóòôõöúùûüçñ',
    'aaaaaeeeeiiiiooooouuuucnaaaaaeeeeiiiiooooouuuucn'
  )
end;
comment on function fold_text(text) is
  'The text in lower case and without accents, so that search ignores both whatever the locale of the database. '
  'Plain ASCII skips translate(), which is fifteen times as slow and runs for every charge.';

comment on table schema_migrations is
  'The migrations that were applied. Only server/src/db/migrate.ts writes it, which also creates it.';
comment on column schema_migrations.checksum is 'SHA-256 of the file: an applied migration never changes.';

create table write_probes (
  is_only boolean default true constraint write_probes_by_only primary key,
  probed_at timestamptz not null default now(),
  constraint write_probes_have_one_row check (is_only)
);
insert into write_probes default values;

comment on table write_probes is 'One row, which GET /readyz updates: a database that answers reads may take no writes.';
comment on column write_probes.is_only is 'Always true, so there is no second row.';

grant select, update on write_probes to tilinta_app;

create table server_logins (
  role_name text collate "C" constraint server_logins_by_role primary key,
  password text not null,
  created_at timestamptz not null default now()
);

comment on table server_logins is
  'The login role that the servers of this database use, so that no request runs in a session of the owner (ADR 26). '
  'Only the owner reads it.';
comment on column server_logins.password is 'Random, made by the first server that starts.';
-- Users and how they log in.

create table users (
  id uuid constraint users_by_id primary key,
  name text not null,
  email text not null,
  email_key text not null constraint users_by_email unique,
  password_hash text,
  cpf text not null default '',
  phone text not null default '',
  address jsonb not null default '{}',
  bank_account jsonb not null default '{}',
  role text not null constraint users_role_is_known check (role in ('user', 'admin')),
  active boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  search_text text generated always as (fold_text(name || chr(31) || email || chr(31) || cpf)) stored,
  payment_mails text not null default 'each'
    constraint users_payment_mails_are_known check (payment_mails in ('each', 'daily', 'none')),
  mail_token uuid not null default gen_random_uuid() constraint users_by_mail_token unique,
  recovered_at timestamptz,
  email_state text not null default 'unasked'
    constraint users_email_state_is_known check (email_state in ('unasked', 'unconfirmed', 'confirmed')),
  any_name boolean not null default false,
  password_is_initial boolean not null default false,
  admin_rights_from timestamptz,
  erased_at timestamptz,
  constraint users_erased_are_nobody check (
    erased_at is null
    or (not active and password_hash is null and cpf = '' and phone = '' and address = '{}' and bank_account = '{}')
  )
);
create index users_by_time on users (created_at desc, id desc);
create index users_by_state on users (active, created_at desc, id desc);
create index users_by_role on users (role, created_at desc, id desc);
create index users_by_name_text on users using gin (fold_text(name) gin_trgm_ops);
create index users_by_email_text on users using gin (fold_text(email) gin_trgm_ops);
create index users_by_search_text on users using gin (search_text gin_trgm_ops);
create index users_by_daily_mail on users (id) where payment_mails = 'daily';

comment on table users is
  'Sellers and admins. Never deleted: a user who leaves becomes inactive, and loses their personal data when they ask for it.';
comment on column users.email_key is 'The e-mail in lower case: addresses are unique whatever their case.';
comment on column users.password_hash is
  'Argon2id. Null for an invited user who has not used the link of the invitation.';
comment on column users.password_is_initial is
  'True while the password is the one that the first start made and printed.';
comment on column users.cpf is 'Digits only; empty when unknown.';
comment on column users.bank_account is 'The default destination of withdrawals.';
comment on column users.role is 'A seller is a ''user''.';
comment on column users.search_text is 'Name, e-mail and CPF, folded once per change instead of at every search.';
comment on column users.payment_mails is 'How often the seller hears of payments by mail.';
comment on column users.mail_token is
  'Stands in the links that end those mails. Knowing it allows nothing else.';
comment on column users.recovered_at is
  'When somebody last got into the account, or changed it, without its password: by a new one through the mail, or as an administrator.';
comment on column users.email_state is
  'An unconfirmed address keeps the seller''s pages closed and gets no mail but the one that asks for confirmation.';
comment on column users.any_name is
  'True where an administrator allowed names and titles that belong to banks, authorities or the platform.';
comment on column users.erased_at is
  'When the account was deleted at its owner''s wish: what it sold and was paid stays, nobody''s.';
comment on column users.admin_rights_from is
  'When a new administrator may do more than look; null where they could from the start.';

create table sessions (
  id uuid not null,
  token_hash bytea constraint sessions_by_token_hash primary key,
  user_id uuid not null constraint sessions_user_exists references users (id),
  created_at timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  expires_at timestamptz not null,
  address text not null default '',
  user_agent text not null default '',
  stepped_up_at timestamptz,
  last_address text not null default ''
);
create unique index sessions_by_id on sessions (id);
create index sessions_by_user on sessions (user_id);
create index sessions_by_expiry on sessions (expires_at);

comment on table sessions is 'Logins that are still valid. A job deletes expired ones.';
comment on column sessions.id is 'Names the session in the owner''s list, since the token''s hash is not for display.';
comment on column sessions.token_hash is 'SHA-256 of the token: a reader of the table can''t use it.';
comment on column sessions.address is 'The IP address of the login.';
comment on column sessions.last_address is 'The IP address of the latest request, accurate to about five minutes.';
comment on column sessions.stepped_up_at is
  'When its user last proved in this very session who they are, which opens the endpoints that move money for minutes.';

create table api_keys (
  id uuid constraint api_keys_by_id primary key,
  user_id uuid not null constraint api_keys_user_exists references users (id),
  token_hash bytea not null constraint api_keys_by_token_hash unique,
  name text not null,
  hint text not null,
  scopes text[] not null
    constraint api_keys_scopes_are_some check (cardinality(scopes) > 0)
    constraint api_keys_scope_is_known check (scopes <@ array[
      'pages:read', 'pages:write', 'transactions:read', 'refunds:write', 'withdrawals:read', 'withdrawals:write',
      'events:read', 'webhooks:write'
    ]),
  created_at timestamptz not null,
  expires_at timestamptz constraint api_keys_expire_after_creation check (expires_at > created_at),
  last_used_at timestamptz,
  last_used_address text,
  revoked_at timestamptz,
  constraint api_keys_use_has_address check ((last_used_at is null) = (last_used_address is null))
);
create index api_keys_with_address on api_keys (last_used_at) where last_used_address <> '';
create index api_keys_by_user on api_keys (user_id, created_at desc, id desc) where revoked_at is null;

comment on table api_keys is
  'Keys with which programs act for a seller. Never deleted: a withdrawal names the key that requested it.';
comment on column api_keys.token_hash is
  'SHA-256 of the whole key, whose 238 random bits can''t be guessed: a reader of the table can''t use it.';
comment on column api_keys.hint is 'The key''s beginning and end, by which its owner recognises it.';
comment on column api_keys.scopes is 'Nobody changes them: another key is created instead.';
comment on column api_keys.expires_at is 'Null for a key that doesn''t expire.';
comment on column api_keys.last_used_at is 'Written once a minute at most, so that a request costs no write.';
comment on column api_keys.last_used_address is 'The IP address of that use; empty once it is old.';

create table failed_logins (
  id bigint generated always as identity constraint failed_logins_by_id primary key,
  account_key text not null,
  address text not null,
  failed_at timestamptz not null default now()
);
create index failed_logins_by_account on failed_logins (account_key, address, failed_at);
create index failed_logins_by_address on failed_logins (address, failed_at);
create index failed_logins_by_account_time on failed_logins (account_key, failed_at);
create index failed_logins_by_time on failed_logins (failed_at);

comment on table failed_logins is
  'Counted for the rate limit of logins, per account and per address. A job deletes old ones.';
comment on column failed_logins.account_key is 'The e-mail in lower case, whether or not there is such an account.';
comment on column failed_logins.address is
  'The client''s IPv4 address or IPv6 /64, or the known device that failed: devices have limits of their own.';

create table signup_attempts (
  id bigint generated always as identity constraint signup_attempts_by_id primary key,
  address text not null,
  attempted_at timestamptz not null,
  met_account boolean not null default false
);
create index signup_attempts_by_address on signup_attempts (address, attempted_at);

comment on table signup_attempts is 'Counted for the rate limit of sign-ups per address. A job deletes old ones.';
comment on column signup_attempts.address is 'The client''s IPv4 address, or the /64 of its IPv6 address.';
comment on column signup_attempts.met_account is
  'True where the e-mail had an account, which the answer tells: few of these are let through.';

create table known_devices (
  token_hash bytea constraint known_devices_by_token_hash primary key,
  user_id uuid not null constraint known_devices_user_exists references users (id),
  created_at timestamptz not null
);
create index known_devices_by_user on known_devices (user_id, created_at);

comment on table known_devices is
  'Browsers on which a user logged in with the right password: the account-wide brake on wrong ones doesn''t stop them.';
comment on column known_devices.token_hash is 'SHA-256 of the cookie''s value: a reader of the table can''t use it.';

create table password_reset_requests (
  id bigint generated always as identity constraint password_reset_requests_by_id primary key,
  email_key text not null,
  requested_at timestamptz not null
);

comment on table password_reset_requests is
  'Requests of anybody for any address. A job finds out later whether there is an account, so the reply never tells.';

create table password_resets (
  token_hash bytea constraint password_resets_by_token_hash primary key,
  user_id uuid not null constraint password_resets_user_exists references users (id),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz
);
create index password_resets_by_user on password_resets (user_id, created_at);
create index password_resets_by_expiry on password_resets (expires_at);

comment on table password_resets is 'Links that set a new password, also those of invitations.';
comment on column password_resets.token_hash is 'SHA-256 of the token: a reader of the table can''t use it.';
comment on column password_resets.ended_at is 'When it was used, or replaced by a newer one.';

create table email_confirmations (
  token_hash bytea constraint email_confirmations_by_token_hash primary key,
  user_id uuid not null constraint email_confirmations_user_exists references users (id),
  email_key text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index email_confirmations_by_user on email_confirmations (user_id, created_at);
create index email_confirmations_by_expiry on email_confirmations (expires_at);

comment on table email_confirmations is
  'Links that prove that a user reads the mail of their address. Used ones and old ones are deleted.';
comment on column email_confirmations.token_hash is 'SHA-256 of the token: a reader of the table can''t use it.';
comment on column email_confirmations.email_key is
  'The address that it proves, in lower case: it proves nothing once the user has another.';

create table secrets_key (
  key_id text constraint secrets_key_by_id primary key,
  chosen_at timestamptz not null
);
create unique index secrets_key_is_one on secrets_key ((true));

comment on table secrets_key is
  'Which key of SECRETS_KEY seals: nodes that share this database must share the key, and the start checks it.';
comment on column secrets_key.key_id is 'A digest of the key, which itself is never stored here.';
comment on index secrets_key_is_one is 'There is one row at most.';

create table totp_factors (
  user_id uuid constraint totp_factors_by_user primary key constraint totp_factors_user_exists references users (id),
  id uuid not null,
  key_id text not null,
  sealed_secret bytea not null,
  created_at timestamptz not null,
  confirmed_at timestamptz,
  last_step bigint,
  constraint totp_factors_used_once_confirmed check ((confirmed_at is null) = (last_step is null))
);

comment on table totp_factors is 'Authenticator apps: the secret that each shares with us, one per user.';
comment on column totp_factors.id is 'Another secret gets another id, to which its box is bound.';
comment on column totp_factors.key_id is 'The key of SECRETS_KEY that sealed the secret.';
comment on column totp_factors.sealed_secret is 'AES-256-GCM: nonce, secret, tag. A reader of the table can''t use it.';
comment on column totp_factors.confirmed_at is 'Null until a first code proved that the app has the secret: it isn''t asked for before.';
comment on column totp_factors.last_step is 'The 30 seconds of the newest code that was used: it and older ones are refused.';

create table recovery_codes (
  code_hash bytea constraint recovery_codes_by_hash primary key,
  user_id uuid not null constraint recovery_codes_user_exists references users (id),
  created_at timestamptz not null,
  used_at timestamptz
);
create index recovery_codes_by_user on recovery_codes (user_id);

comment on table recovery_codes is 'Codes for the day when the second factor is lost. Each works once.';
comment on column recovery_codes.code_hash is
  'SHA-256 of the user''s id and the code, whose 120 random bits can''t be guessed: a reader of the table can''t use it.';

create table freezes (
  id uuid constraint freezes_by_id primary key,
  user_id uuid not null constraint freezes_user_exists references users (id),
  frozen_at timestamptz not null,
  address text not null,
  trusts_factors_until timestamptz not null,
  ended_at timestamptz,
  ended_by uuid constraint freezes_ender_exists references users (id),
  constraint freezes_end_by_somebody check ((ended_at is null) = (ended_by is null))
);
create unique index freezes_under_way on freezes (user_id) where ended_at is null;
create index freezes_with_address on freezes (frozen_at) where address <> '';
create index freezes_by_user on freezes (user_id, ended_at);

comment on table freezes is
  'Accounts whose owner said that something was not them: nothing is paid out until the freeze ends.';
comment on column freezes.address is 'The IP address that asked for it, with the link of a mail; empty once it is old.';
comment on column freezes.trusts_factors_until is
  'A second factor that was enrolled before this moment ends the freeze; a thief may have enrolled a later one.';
comment on column freezes.ended_by is 'The owner, who signed in with a second factor, or an administrator.';
comment on index freezes_under_way is 'An account is frozen once.';

create table not_me_links (
  token_hash bytea constraint not_me_links_by_token_hash primary key,
  user_id uuid not null constraint not_me_links_user_exists references users (id),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index not_me_links_by_expiry on not_me_links (expires_at);

comment on table not_me_links is
  'Links of mails by which an owner says that something was not them. They freeze withdrawals and open nothing.';
comment on column not_me_links.token_hash is 'SHA-256 of the token: a reader of the table can''t use it.';
comment on column not_me_links.used_at is 'Each works once.';

create table passkey_owners (
  user_id uuid constraint passkey_owners_by_user primary key
    constraint passkey_owners_user_exists references users (id),
  handle bytea not null constraint passkey_owners_by_handle unique,
  created_at timestamptz not null
);

comment on table passkey_owners is 'How authenticators know a user: never by an id that means something elsewhere.';
comment on column passkey_owners.handle is 'WebAuthn''s user handle, 32 random bytes, the same for all passkeys of a user.';

create table passkeys (
  id uuid constraint passkeys_by_id primary key,
  user_id uuid not null constraint passkeys_user_exists references users (id),
  credential_id bytea not null constraint passkeys_by_credential unique,
  public_key bytea not null,
  sign_count bigint not null,
  transports text[] not null,
  rp_id text not null,
  name text not null,
  created_at timestamptz not null,
  last_used_at timestamptz
);
create index passkeys_by_user on passkeys (user_id, created_at, id);

comment on table passkeys is 'Public halves of the key pairs with which users sign in (WebAuthn), ten per user at most.';
comment on column passkeys.credential_id is 'Chosen by the authenticator.';
comment on column passkeys.public_key is 'COSE_Key, as the authenticator gave it: a reader of the table can''t sign with it.';
comment on column passkeys.sign_count is
  'The authenticator''s counter at the last use; one that doesn''t grow tells of a copy. Always 0 where it doesn''t count.';
comment on column passkeys.transports is 'How the browser may reach the authenticator.';
comment on column passkeys.rp_id is 'The host name of the public address then: under another one the passkey doesn''t answer.';
comment on column passkeys.last_used_at is 'Null until its first use.';

create table passkey_challenges (
  challenge bytea constraint passkey_challenges_by_challenge primary key,
  purpose text not null
    constraint passkey_challenges_purpose_is_known check (purpose in ('enrolment', 'sign_in', 'step_up')),
  session_hash bytea,
  expires_at timestamptz not null,
  constraint passkey_challenges_are_bound check ((purpose = 'sign_in') = (session_hash is null))
);
create index passkey_challenges_by_expiry on passkey_challenges (expires_at);

comment on table passkey_challenges is
  'Random texts that authenticators sign. Each is deleted by its first use, on whichever node; a job deletes expired ones.';
comment on column passkey_challenges.session_hash is
  'The token_hash of the session that asked, and so its user: no other session can use it. Null for a sign-in.';

create table second_approvals (
  id uuid constraint second_approvals_by_id primary key,
  act text not null constraint second_approvals_act_is_known check (
    act in (
      'withdrawal.approve', 'withdrawal.return', 'unmatched_payment.accept', 'unmatched_payment.return',
      'refund.request', 'dispute.close', 'user.create', 'user.change', 'user.unfreeze', 'setting.create',
      'setting.change'
    )
  ),
  subject_id text not null,
  subject_name text not null,
  changes jsonb not null,
  digest bytea not null,
  asked_by uuid not null constraint second_approvals_asker_exists references users (id),
  asked_at timestamptz not null,
  expires_at timestamptz not null,
  constraint second_approvals_one_per_subject unique (act, subject_id)
);

comment on table second_approvals is
  'Wishes of one administrator that another must share. A row ends with the act, a refusal or its time; the audit '
  'trail keeps what became of it.';
comment on column second_approvals.subject_id is 'The id of the thing, the key of the setting, or the new user''s e-mail.';
comment on column second_approvals.changes is 'Fields with their values before and after, as the second person sees them.';
comment on column second_approvals.digest is 'SHA-256 of act, subject and changes: the second person wants the very same.';

create table email_changes (
  user_id uuid constraint email_changes_by_user primary key constraint email_changes_user_exists references users (id),
  token_hash bytea not null constraint email_changes_by_token_hash unique,
  email text not null,
  asked_by uuid not null constraint email_changes_asker_exists references users (id),
  created_at timestamptz not null,
  expires_at timestamptz not null
);

comment on table email_changes is
  'New addresses that administrators entered, until a link mailed there proves them. One per user.';
comment on column email_changes.token_hash is 'SHA-256 of the link''s token: a reader of the table can''t use it.';

create table user_totals (
  role text not null,
  active boolean not null,
  count bigint not null,
  constraint user_totals_by_role_and_state primary key (role, active)
) with (fillfactor = 70);

comment on table user_totals is 'How many users there are. Only the triggers of users write it.';

create function count_new_users() returns trigger
language plpgsql security definer set search_path = pg_catalog, public as $$
begin
  insert into user_totals as total (role, active, count)
  select role, active, count(*)
  from new_users
  group by role, active
  order by role, active
  on conflict (role, active) do update set count = total.count + excluded.count;
  return null;
end
$$;
comment on function count_new_users() is 'Adds new users to user_totals.';

create function count_changed_users() returns trigger
language plpgsql security definer set search_path = pg_catalog, public as $$
begin
  insert into user_totals as total (role, active, count)
  select role, active, sum(direction)
  from (
    select role, active, 1 as direction from new_users
    union all
    select role, active, -1 from old_users
  ) change
  group by role, active
  having sum(direction) <> 0
  order by role, active
  on conflict (role, active) do update set count = total.count + excluded.count;
  return null;
end
$$;
comment on function count_changed_users() is
  'Moves users whose role or state changed from one row of user_totals to another.';

create trigger users_are_counted after insert on users
referencing new table as new_users for each statement execute function count_new_users();
comment on trigger users_are_counted on users is 'Keeps user_totals.';

create trigger users_are_recounted after update on users
referencing old table as old_users new table as new_users
for each statement execute function count_changed_users();
comment on trigger users_are_recounted on users is 'Keeps user_totals.';

create table user_renamings (
  count bigint not null
);
insert into user_renamings (count) values (0);

comment on table user_renamings is
  'One row that counts renamings: each server''s cache of user names is stale once the count differs. Only a trigger '
  'of users writes it.';

create function count_renaming() returns trigger
language plpgsql security definer set search_path = pg_catalog, public as $$
begin
  update user_renamings set count = count + 1;
  return null;
end
$$;
comment on function count_renaming() is 'Makes every server''s cache of user names stale.';

create trigger users_are_renamed after update on users
for each row when (old.name is distinct from new.name or old.email is distinct from new.email)
execute function count_renaming();
comment on trigger users_are_renamed on users is 'Counts changes of users'' names.';

grant select, insert, update on users to tilinta_app;
grant select, insert, update, delete on sessions, failed_logins, password_reset_requests, password_resets to tilinta_app;
grant select, insert, delete on signup_attempts, known_devices, email_confirmations to tilinta_app;
grant select on user_totals, user_renamings to tilinta_app;
grant select, insert, update (last_used_at, last_used_address, revoked_at, name) on api_keys to tilinta_app;
grant select, insert, update (key_id, chosen_at) on secrets_key to tilinta_app;
grant select, insert, update, delete on totp_factors to tilinta_app;
grant select, insert, update (trusts_factors_until, ended_at, ended_by, address) on freezes to tilinta_app;
grant select, insert, update (used_at), delete on not_me_links to tilinta_app;
grant select, insert, update (used_at), delete on recovery_codes to tilinta_app;
grant select, insert on passkey_owners to tilinta_app;
grant select, insert, update (sign_count, name, last_used_at), delete on passkeys to tilinta_app;
grant select, insert, update (expires_at), delete on passkey_challenges to tilinta_app;
grant select, insert, delete on second_approvals to tilinta_app;
grant select, insert, update (token_hash, email, asked_by, created_at, expires_at), delete on email_changes to tilinta_app;
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
  content jsonb not null,
  dedupe_key text collate "C" not null,
  read_at timestamptz,
  constraint notices_by_dedupe_key unique (user_id, dedupe_key)
);
create index notices_by_user on notices (user_id, told_at desc, id desc);
create index notices_unread on notices (user_id) where read_at is null;
create index notices_by_time on notices (told_at);

comment on table notices is
  'News for users, listed on their screen; most kinds are mailed, too. Written in the transaction of the event. A job '
  'deletes old ones.';
comment on column notices.user_id is
  'No foreign key: its lock of the user would meet those who change users, who are never deleted.';
comment on column notices.content is 'Kind and facts, from which the text is written when it is shown.';
comment on column notices.dedupe_key is 'The same event is told once, however often it is handled.';
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
      'page.created', 'page.updated', 'page.completed', 'page.expired', 'page.deleted', 'payment.unmatched'
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
      'page.created', 'page.updated', 'page.completed', 'page.expired', 'page.deleted', 'payment.unmatched'
    )
  ),
  state jsonb,
  constraint events_by_seller primary key (seller_id, sequence)
);

comment on table events is
  'The facts about a seller''s charges, withdrawals and pages, numbered 1, 2, 3 … without holes for each seller (ADR 37). '
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
comment on column chain_head.note is 'The latest checkpoint: a note that the key of checkpoints signed.';

create table chain_checkpoints (
  day date constraint chain_checkpoints_by_day primary key,
  note text not null,
  signed_at timestamptz not null
);

comment on table chain_checkpoints is 'The first checkpoint of each of São Paulo''s days, as it was mailed to the administrators. Append-only.';

create trigger chain_checkpoints_are_final before update or delete or truncate on chain_checkpoints
for each statement execute function refuse_history_change();
comment on trigger chain_checkpoints_are_final on chain_checkpoints is 'A mailed checkpoint stays as it was mailed.';

grant select, insert, update on settings, page_opening_totals, job_runs to tilinta_app;
grant select, insert, update (finished_at, size_bytes, error) on backups to tilinta_app;
grant select, insert on restore_checks to tilinta_app;
grant select, insert on audit_records, idempotency_keys, money_kind, legal_texts, legal_acceptances to tilinta_app;
grant update (actor_address, actor_device) on audit_records to tilinta_app;
grant select, update (reached_at, reached_id) on retention_marks to tilinta_app;
grant update (resource_id) on idempotency_keys to tilinta_app;
grant select, insert, update, delete on mails, server_nodes to tilinta_app;
grant select, insert, update (read_at), delete on notices to tilinta_app;
grant select, insert, delete on outbox_mails to tilinta_app;
grant select, insert on event_drafts to tilinta_app;
grant select on event_sequences to tilinta_app;
grant select, update (until) on numbered_events to tilinta_app;
grant select, delete on events to tilinta_app;
grant select, insert, update (key_id, sealed_key, retired_at) on signing_keys to tilinta_app;
grant select, insert on chain_blocks, chain_checkpoints to tilinta_app;
grant select, update (until, block_count, note) on chain_head to tilinta_app;
-- Charge pages, and the charges that payers ask for on them.

-- As charges: columns that a payment changes stand last, and in no index or index condition. What status can't find,
-- active_charge_pages and ended_as do (ADR 34).
create table charge_pages (
  id uuid constraint charge_pages_by_id primary key,
  seller_id uuid not null constraint charge_pages_seller_exists references users (id),
  title text not null,
  description text not null default '',
  amount_cents bigint not null constraint charge_pages_amount_is_possible check (amount_cents between 1 and 999999999),
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
  folded_below xid8 not null default '0',
  status text not null constraint charge_pages_status_is_known check (
    status in ('active', 'completed', 'expired', 'cancelled')
  ),
  payments_count integer not null default 0 constraint charge_pages_count_is_not_negative check (payments_count >= 0),
  updated_at timestamptz not null,
  constraint charge_pages_with_limit_are_counted_at_once check (max_payments is null or counted_at_once),
  constraint charge_pages_suspended_have_reason check ((suspended_at is null) = (suspended_for is null))
) with (fillfactor = 50);
create index charge_pages_by_seller on charge_pages (seller_id, created_at desc, id desc) where deleted_at is null;
create index charge_pages_reusable_by_seller on charge_pages (seller_id, created_at desc, id desc)
  where deleted_at is null and not is_single;
create index charge_pages_by_time on charge_pages (created_at desc, id desc) where deleted_at is null;
create index charge_pages_ended on charge_pages (ended_as, created_at desc, id desc)
  where ended_as is not null and deleted_at is null;
create index charge_pages_ended_by_seller on charge_pages (seller_id, ended_as, created_at desc, id desc)
  where ended_as is not null and deleted_at is null;
create index charge_pages_by_search_text on charge_pages using gin (search_text gin_trgm_ops);
create index charge_pages_by_description_text on charge_pages using gin (description_text gin_trgm_ops);

comment on table charge_pages is
  'A seller''s page with a public link, on which payers ask for charges. Never deleted, only marked. Half of each block '
  'is left free: a fold counts the payments of all pages in one statement, and each new version needs room beside the old.';
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
  'other pages are counted when they are folded, so that nobody who pays waits for this row (ADR 32).';
comment on column charge_pages.is_single is
  'Made by the API for one charge. Lists tell it apart: a shop may have a hundred thousand of them and five pages.';
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
  'The pages that are active, deleted ones too. Only the triggers of charge_pages write it: a payment that completes its '
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
  new.status = 'active'
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
  'an order costs a payment nothing, and a page without one has no row (ADR 39).';
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
  payer_cpf text,
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
  constraint charges_net_is_amount_less_fee check (net_cents = amount_cents - fee_cents and net_cents >= 0),
  constraint charges_refunded_within_amount check (refunded_cents between 0 and amount_cents),
  constraint charges_refunded_fee_within_fee check (refunded_fee_cents between 0 and fee_cents),
  constraint charges_paid_has_moment check ((status in ('paid', 'refunded')) = (paid_at is not null)),
  constraint charges_payable_has_code check (
    status in ('creating', 'failed', 'cancelled') or pix_code is not null or paid_at is not null
  ),
  constraint charges_with_txid_have_page check (txid is null or page_id is not null),
  constraint charges_erased_have_no_payer check (
    payer_erased_at is null or coalesce(payer_name, payer_email, payer_cpf, payer_phone) is null
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
comment on column charges.is_late is 'Paid after it had expired or was cancelled.';
comment on column charges.is_duplicate is 'Paid though its page had all its payments.';
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

create trigger charges_keep_their_terms
after update of txid, seller_id, page_id, provider, amount_cents, fee_basis_points, fee_cents, net_cents on charges
for each row when (
  (old.txid, old.seller_id, old.page_id, old.provider, old.amount_cents, old.fee_basis_points, old.fee_cents, old.net_cents)
  is distinct from
  (new.txid, new.seller_id, new.page_id, new.provider, new.amount_cents, new.fee_basis_points, new.fee_cents, new.net_cents)
) execute function refuse_changed_facts();
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
  'Search texts of charges in addition to charge_wordings (ADR 20). Apart from charges, where every change '
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
  'The wording of a page''s charges, once per page instead of once per charge (ADR 20); several where the page was '
  'renamed. Only count_new_charges() writes it.';
comment on column charge_wordings.digest is 'MD5 of folded.';
comment on column charge_wordings.folded is 'By fold_text.';

grant select, insert on charge_pages to tilinta_app;
grant update (
  title, description, amount_cents, slug, allow_anonymous, require_name, require_email, require_phone, require_cpf,
  expires_in_hours, expires_at, max_payments, deleted_at, suspended_at, suspended_for, status, payments_count, updated_at
) on charge_pages to tilinta_app;
grant select, insert on page_reports to tilinta_app;
grant update (
  status, reasons, reporters, last_reported_at, suspended_for, decided_by, decided_at, lifted_by, lifted_at
) on page_reports to tilinta_app;
grant select, insert on charges to tilinta_app;
grant update (
  status, pix_code, opened_at, end_to_end_id, paid_at, is_late, is_duplicate, refunded_cents, refunded_fee_cents,
  removal, removal_not_before, updated_at, payer_name, payer_email, payer_cpf, payer_phone, payer_erased_at,
  request_hash
) on charges to tilinta_app;
grant select, insert, update (look_at, asked_at), delete on payer_data_waiting to tilinta_app;
grant select, insert on charge_page_slugs to tilinta_app;
grant select, insert, update (external_reference, metadata, return_url, is_released) on orders to tilinta_app;
grant select, insert, update (origins, key_id, sealed_key, updated_at) on return_origins to tilinta_app;
grant select on payer_token_key, charge_search_texts, charge_wordings, open_charges, unfinished_charges, active_charge_pages to tilinta_app;
-- Double entry, append-only. The chart of accounts and the recipes are in docs/ledger.md.

create table ledger_accounts (
  id text collate "C" constraint ledger_accounts_by_id primary key,
  kind text not null constraint ledger_accounts_kind_is_known check (
    kind in (
      'psp-clearing', 'seller-available', 'seller-held', 'seller-blocked', 'seller-reserved',
      'fee-revenue', 'suspense', 'payouts-under-way', 'refunds-under-way', 'bank-tariffs', 'capital', 'corrections'
    )
  ),
  seller_id uuid,
  balance_cents bigint not null default 0,
  floor_cents bigint not null default 0,
  constraint ledger_accounts_stay_above_floor check (
    balance_cents >= floor_cents or kind in ('psp-clearing', 'bank-tariffs', 'corrections')
  ),
  constraint ledger_accounts_that_may_owe check (
    floor_cents = 0 or (floor_cents < 0 and kind in ('seller-available', 'fee-revenue', 'suspense'))
  )
) with (fillfactor = 70);
create index ledger_accounts_available on ledger_accounts (seller_id) where kind = 'seller-available';

create index ledger_accounts_in_debt on ledger_accounts (id) where floor_cents < 0;

comment on table ledger_accounts is
  'The balance of each account, which exists from its first posting on. Only move_balances() writes it (ADR 4).';
comment on index ledger_accounts_available is
  'For lists of sellers: its keys are a third as long as the ids, so a page of a hundred reads half as many blocks.';
comment on column ledger_accounts.id is 'Its kind, and after a colon its seller or provider.';
comment on column ledger_accounts.balance_cents is
  'Credits - debits: what a provider holds for us is negative, and all accounts add up to zero.';
comment on column ledger_accounts.floor_cents is
  'The balance never goes below it, except those of psp-clearing, bank-tariffs and corrections, which may be by their nature. Below zero it is a '
  'debt: it falls by what may overdraw and follows the balance up, so what comes in pays the debt first (ADR 12).';

create table journal (
  kind text not null constraint journal_has_no_payments check (kind not in ('payment', 'unmatched-payment')),
  reference text collate "C" not null,
  line integer not null,
  may_overdraw boolean not null default false,
  seller_id uuid,
  debit_account text collate "C" not null,
  credit_account text collate "C" not null,
  amount_cents bigint not null constraint journal_amount_is_positive check (amount_cents > 0),
  occurred_at timestamptz not null,
  booked_at timestamptz not null default now(),
  number bigint generated always as identity,
  xid xid8 not null default pg_current_xact_id(),
  constraint journal_by_event primary key (kind, reference, line),
  constraint journal_has_two_sides check (debit_account <> credit_account)
);
create index journal_by_xid on journal (xid);
create index journal_besides_withdrawals on journal (xid)
  where kind not in ('withdrawal', 'payout', 'payout-completed', 'reserve-held', 'reserve-drawn', 'reserve-released');

comment on table journal is
  'The postings of every event but payments, whose own rows are their postings: ledger_postings has both. A line is one '
  'movement of money from a debit account to a credit account, so it can''t be unbalanced. Append-only.';
comment on column journal.reference is
  'The event''s own name: an endToEndId, or the id of a withdrawal, refund or dispute. With its kind it is unique, so '
  'it can''t be booked twice.';
comment on column journal.line is 'The event''s first posting is 1.';
comment on column journal.may_overdraw is
  'Money that has left or may have to leave, whatever we hold: it lowers the floor of the debit account by its amount.';
comment on column journal.booked_at is 'Later than occurred_at where we learnt of it later.';
comment on column journal.number is 'The order of booking.';
comment on column journal.xid is
  'The transaction that booked it, which gives the postings an order that can be read on: see enter_statements().';

create function move_balances(ids text[], changes bigint[], debts bigint[]) returns void
language plpgsql security definer set search_path = pg_catalog, public set enable_seqscan = off
set enable_indexonlyscan = off as $$
begin
  if (select count(*) from ledger_accounts where id = any (ids)) < cardinality(ids) then
    insert into ledger_accounts (id, kind, seller_id)
    select
      touched.id,
      split_part(touched.id, ':', 1),
      case when touched.id like 'seller-%' then split_part(touched.id, ':', 2)::uuid end
    from unnest(ids) as touched (id)
    where not exists (select from ledger_accounts existing where existing.id = any (array[touched.id]))
    order by touched.id not like 'seller-%', touched.id
    on conflict (id) do nothing;
  end if;

  -- Sellers first, then the platform's accounts: the order that every writer keeps.
  with moved as materialized (
    select * from unnest(ids, changes, debts) moved (id, change, debt) order by id not like 'seller-%', id
  )
  update ledger_accounts account
  set balance_cents = account.balance_cents + moved.change,
    floor_cents = least(0, greatest(account.balance_cents + moved.change, account.floor_cents - moved.debt))
  from moved
  where account.id = any (array[moved.id]);
end
$$;
comment on function move_balances(text[], bigint[], bigint[]) is
  'Moves the balances of these accounts, each named once, and locks them in one order (sellers, then the platform''s) so '
  'that writers can''t deadlock (ADR 4). The settings leave only lookups by key: the plan of the first statement is kept '
  'while the tables grow (ADR 22). Only the triggers of journal and payments call it.';
revoke execute on function move_balances(text[], bigint[], bigint[]) from public;

create function apply_journal() returns trigger
language plpgsql security definer set search_path = pg_catalog, public as $$
begin
  perform move_balances(array_agg(moved.id), array_agg(moved.change), array_agg(moved.debt))
  from (
    select move.id, sum(move.change)::bigint as change, sum(move.debt)::bigint as debt
    from (
      select credit_account as id, amount_cents as change, 0 as debt from new_lines
      union all
      select debit_account, -amount_cents, case when may_overdraw then amount_cents else 0 end from new_lines
    ) move
    group by move.id
  ) moved
  having count(*) > 0;
  return null;
end
$$;
comment on function apply_journal() is 'Moves the balances with the postings, once per statement and account (ADR 4).';

create trigger journal_moves_balances after insert on journal
referencing new table as new_lines for each statement execute function apply_journal();
comment on trigger journal_moves_balances on journal is
  'With payments_move_balances the only way a balance moves (ADR 4).';

create trigger journal_is_final before update or delete or truncate on journal
for each statement execute function refuse_history_change();
comment on trigger journal_is_final on journal is 'Keeps the ledger append-only.';

create function hold_balances(account_ids text[]) returns table (id text, balance_cents bigint)
language sql security definer set search_path = pg_catalog, public as $$
  select account.id, account.balance_cents from ledger_accounts account
  where account.id = any (account_ids)
  order by account.id not like 'seller-%', account.id
  for update
$$;
comment on function hold_balances(text[]) is
  'Locks accounts until the end of the transaction, in the order that every writer keeps, and returns their balances: '
  'the serving role may decide over them but still can''t change them.';
revoke execute on function hold_balances(text[]) from public;

create table ledger_checks (
  id uuid constraint ledger_checks_by_id primary key,
  started_at timestamptz not null,
  finished_at timestamptz,
  requested_by uuid constraint ledger_checks_requester_exists references users (id),
  posting_count bigint,
  difference_count integer,
  differences jsonb,
  error text
);
create index ledger_checks_by_time on ledger_checks (started_at desc, id desc);

comment on table ledger_checks is
  'Each verification of the books. Unfinished while its advisory lock is free: the process died.';
comment on column ledger_checks.requested_by is 'Null for the one of the night.';
comment on column ledger_checks.differences is 'The first of them, each with what, expected and found.';

grant select on ledger_accounts to tilinta_app;
grant select, insert on journal to tilinta_app;
grant execute on function hold_balances(text[]) to tilinta_app;
grant select, insert, update on ledger_checks to tilinta_app;
-- Payments, refunds, disputes, payments to be checked, withdrawals: one subject, the fate of money.

create table payments (
  end_to_end_id text collate "C" constraint payments_by_end_to_end_id primary key,
  provider text not null,
  txid text collate "C",
  charge_id uuid,
  seller_id uuid,
  amount_cents bigint not null constraint payments_amount_is_positive check (amount_cents > 0),
  paid_at timestamptz not null,
  received_at timestamptz not null default now(),
  xid xid8 not null default pg_current_xact_id(),
  fee_cents bigint not null default 0,
  page_id uuid,
  completed_page_id uuid,
  charge_day date,
  status_before text,
  disposition text not null constraint payments_disposition_is_known check (disposition in ('credited', 'suspense')),
  reason text constraint payments_reason_is_known check (
    reason in ('unknown_txid', 'wrong_amount', 'charge_already_paid')
  ),
  constraint payments_in_suspense_have_reason check ((disposition = 'suspense') = (reason is not null)),
  constraint payments_credited_have_charge check (
    disposition = 'suspense' or (charge_id is not null and seller_id is not null)
  ),
  constraint payments_fee_within_amount check (fee_cents between 0 and amount_cents),
  constraint payments_in_suspense_have_no_fee check (disposition = 'credited' or fee_cents = 0),
  constraint payments_to_fold_are_credited check (
    charge_day is not null and disposition = 'credited'
    or page_id is null and completed_page_id is null and status_before is null and charge_day is null
  )
);
create index payments_in_suspense_by_charge on payments (charge_id) where disposition = 'suspense' and charge_id is not null;
create index payments_by_xid on payments (xid);
create index payments_by_seller on payments (seller_id, xid) where charge_day is not null;
create index payments_in_suspense on payments (received_at, end_to_end_id) where disposition = 'suspense';
create index payments_by_time on payments using brin (paid_at) with (pages_per_range = 32, autosummarize = on);

comment on table payments is
  'Money that reached a provider, once per endToEndId however often the provider tells of it. The row is its ledger '
  'entry too: ledger_postings derives the postings from it.';
comment on column payments.txid is 'As the bank sent it; null where the payer used our key without a charge.';
comment on column payments.charge_id is
  'The charge that it names, also where that could not be credited. Checked by apply_payments(): a credited one is the '
  'charges.end_to_end_id of it.';
comment on column payments.received_at is 'When we booked it.';
comment on column payments.fee_cents is 'The fee of its charge; 0 while nobody is credited.';
comment on column payments.page_id is
  'The page whose payments_count it raises when it is folded; null where the booking counted it at once.';
comment on column payments.completed_page_id is 'The page that it completed, for the event of that.';
comment on column payments.charge_day is
  'São Paulo''s day of its charge, for the totals that it is folded into; null of a payment that changed no charge.';
comment on column payments.status_before is 'The status of its charge until it was paid; null while it was being created.';
comment on column payments.reason is 'The reason why no seller was credited.';
comment on column payments.xid is
  'The transaction that booked it, which gives the payments an order that can be read on: see number_events().';
comment on index payments_by_time is
  'Payments come in the order of their time, so a summary per range of blocks finds a day.';

create function apply_payments() returns trigger
language plpgsql security definer set search_path = pg_catalog, public set enable_seqscan = off
set enable_indexonlyscan = off as $$
begin
  -- With count_page_at_once(): no page begins to be counted at once between this look and the commit.
  perform pg_advisory_xact_lock_shared(1953066089, 5);
  if exists (
    select from charge_pages
    where id = any (array(select page_id from new_payments where page_id is not null)) and counted_at_once
  ) then
    raise exception 'a page began to be counted at once while it was paid' using errcode = 'serialization_failure';
  end if;

  if exists (
    select from new_payments payment
    left join lateral (
      select * from charges where charges.id = any (array[payment.charge_id]) offset 0
    ) charge on true
    where payment.charge_id is not null and charge.id is null
      or payment.disposition = 'credited' and (payment.seller_id, payment.amount_cents, payment.fee_cents)
        is distinct from (charge.seller_id, charge.amount_cents, charge.fee_cents)
      -- The payment of a charge never changes (charges_stay_paid), so a charge is credited once.
      or payment.disposition = 'credited'
        and (charge.paid_at is null or charge.end_to_end_id is distinct from payment.end_to_end_id)
      or payment.page_id <> charge.page_id
      or payment.completed_page_id <> charge.page_id
      or payment.charge_day <> sao_paulo_day(charge.created_at)
  ) then
    raise exception 'a payment names no charge of ours, or another seller, amount or fee than its charge, or another page or day, or another one paid the charge'
      using errcode = 'foreign_key_violation';
  end if;

  perform move_balances(array_agg(moved.id), array_agg(moved.change), array_agg(0::bigint))
  from (
    select 'seller-available:' || seller_id as id, sum(amount_cents - fee_cents)::bigint as change
    from new_payments where disposition = 'credited' group by seller_id
    union all
    select 'fee-revenue', sum(fee_cents)::bigint from new_payments having sum(fee_cents) > 0
    union all
    select 'psp-clearing:' || provider, -sum(amount_cents)::bigint from new_payments group by provider
    union all
    select 'suspense:' || provider, sum(amount_cents)::bigint
    from new_payments where disposition = 'suspense' group by provider
  ) moved
  having count(*) > 0;
  return null;
end
$$;
comment on function apply_payments() is
  'Refuses a payment that says otherwise than its charge, in place of a foreign key that would check row by row, and moves '
  'the balances as the lines of ledger_postings say: bookings write by the hundred, and this is once per statement. A page '
  'that is counted at once was counted by whoever books.';

create trigger payments_move_balances after insert on payments
referencing new table as new_payments for each statement execute function apply_payments();
comment on trigger payments_move_balances on payments is
  'With journal_moves_balances the only way a balance moves (ADR 4).';

create type decided_payment as (
  end_to_end_id text,
  provider text,
  txid text,
  amount_cents bigint,
  paid_at timestamptz,
  charge_id uuid,
  seller_id uuid,
  fee_cents bigint,
  charge_day date,
  charge_status text,
  reason text,
  is_late boolean,
  page_id uuid,
  counted_at_once boolean,
  page_status text,
  payments_count integer,
  max_payments integer,
  is_duplicate boolean,
  completes_page boolean
);
comment on type decided_payment is 'A payment as book_payments() decided about it, and the state of its charge and page then.';

create function book_payments(
  ids text[], providers text[], txids text[], amounts bigint[], moments timestamptz[], booked_at timestamptz,
  answered_by timestamptz
) returns void
language plpgsql security definer set search_path = pg_catalog, public set enable_seqscan = off
set enable_indexonlyscan = off as $$
declare
  attempt integer := 1;
  decided decided_payment[];
  credited integer;
  counted_pages integer;
  completed_pages uuid[];
  to_check integer;
  ended uuid[];
  found_pages integer;
  changed integer;
  notices text[];
begin
  loop
    begin
      -- A page that others are paying at this moment is waited for, so that this attempt finds it unchanged.
      if attempt > 1 then
        perform from charge_pages
        where id = any (array(select page_id from charges where txid = any (txids))) and counted_at_once
        order by id::text for update;
      end if;

      -- The rule, decided without a lock: what is written below has to find everything as it was here.
      with given as materialized (
        select payment.*
        from unnest(ids, providers, txids, amounts, moments) with ordinality
          payment (end_to_end_id, provider, txid, amount_cents, paid_at, place)
        where not exists (select from payments booked where booked.end_to_end_id = any (array[payment.end_to_end_id]))
      ), named as materialized (
        select given.*, charge.id as charge_id, charge.seller_id, charge.fee_cents, charge.created_at,
          charge.status as charge_status, charge.page_id, page.counted_at_once, page.status as page_status,
          page.payments_count, page.max_payments,
          case
            when charge.id is null then 'unknown_txid'
            when charge.paid_at is not null then 'charge_already_paid'
            when charge.provider <> given.provider then 'unknown_txid'
            when charge.amount_cents <> given.amount_cents then 'wrong_amount'
          end as own_reason,
          -- Late money is real money. A payment made in time but reported late is not late.
          charge.closed_as is not null and (charge.closed_as <> 'expired' or given.paid_at > charge.expires_at) as is_late,
          -- Those that wait for the fold are from before the page was counted at once.
          case when page.max_payments is not null then
            page.payments_count + case
              when page.folded_below > (select below from folded_payments where is_only)
              then coalesce((
                select waiting.count from page_payments waiting
                where waiting.seller_id = page.seller_id and waiting.page_id = page.id
              ), 0)
              else 0
            end
          end as page_took
        from given
        left join charges charge on charge.txid = any (array[given.txid])
        left join charge_pages page on page.id = any (array[charge.page_id])
      ), first_of_charge as (
        -- A charge takes the first payment that fits it.
        select *, case
            when place > min(place) filter (where own_reason is null) over (partition by charge_id)
            then 'charge_already_paid' else own_reason
          end as reason
        from named
      ), of_page as (
        select *, page_took + count(*) filter (where reason is null) over (partition by page_id order by place) as page_takes
        from first_of_charge
      )
      select
        array_agg(
          row(
            end_to_end_id, provider, txid, amount_cents, paid_at, charge_id, seller_id,
            case when reason is null then fee_cents else 0 end, sao_paulo_day(created_at), charge_status, reason, is_late,
            page_id, counted_at_once, page_status, payments_count, max_payments,
            -- The page had all its payments before this one.
            page_takes > max_payments,
            page_status = 'active' and page_takes = greatest(max_payments, page_took + 1)
          )::decided_payment
          order by end_to_end_id
        ),
        count(*) filter (where reason is null), count(*) filter (where reason is not null or is_late or page_takes > max_payments)
      into decided, credited, to_check
      from of_page;
      if decided is null then return; end if;

      -- Pages before charges, charges before payments, each in the order of ids, like every writer. A completed page takes
      -- no more charges from here on: creations hold its row until their commit.
      counted_pages := (
        select count(distinct page_id) from unnest(decided) payment where reason is null and counted_at_once
      );
      completed_pages := '{}';
      ended := '{}';
      if counted_pages > 0 then
        with page_change as materialized (
          select page_id, payments_count, page_status, max_payments, count(*)::integer as added,
            bool_or(completes_page) as is_complete
          from unnest(decided) payment where reason is null and counted_at_once
          group by page_id, payments_count, page_status, max_payments
          order by page_id
        ), counted as (
          update charge_pages page
          set payments_count = page.payments_count + page_change.added, updated_at = booked_at,
            status = case when page_change.is_complete then 'completed' else page.status end
          from page_change
          where page.id = any (array[page_change.page_id]) and page.max_payments is not distinct from page_change.max_payments
            and (
              page.max_payments is null
              or page.status = page_change.page_status and page.payments_count = page_change.payments_count
            )
          returning page.id, page_change.is_complete
        )
        select count(*), array_agg(id) filter (where is_complete) into found_pages, completed_pages from counted;
        if found_pages < counted_pages then
          raise exception 'a page changed meanwhile' using errcode = 'serialization_failure';
        end if;
        if completed_pages is not null then
          ended := array(
            select charge_id from open_charges where page_id = any (completed_pages)
            except
            select charge_id from unnest(decided) payment where reason is null
          );
        end if;
      end if;

      -- A completed page takes no more money, so its other open codes end, and are removed at the bank.
      with charge_change as materialized (
        select charge_id, charge_status, end_to_end_id, paid_at, is_late, is_duplicate
        from unnest(decided) payment where reason is null
        union all
        select id, null, null, null, false, false from unnest(ended) other (id)
        order by charge_id
      ), changed_charges as (
        update charges charge
        set
          status = case when change.paid_at is not null then 'paid' when charge.status = 'creating' then 'failed' else 'cancelled' end,
          end_to_end_id = change.end_to_end_id, paid_at = change.paid_at,
          is_late = change.is_late, is_duplicate = coalesce(change.is_duplicate, false),
          removal = case when change.paid_at is null then 'due' else charge.removal end,
          removal_not_before = case
            when change.paid_at is null and charge.status = 'creating' then answered_by else charge.removal_not_before
          end,
          updated_at = booked_at
        from charge_change change
        where charge.id = any (array[change.charge_id])
          and (charge.status = change.charge_status or change.paid_at is null and charge.status in ('creating', 'pending'))
        returning charge.id, charge.seller_id
      )
      select count(*), array_agg(id || ' ' || seller_id) into changed, notices from changed_charges;
      if changed < credited + cardinality(ended) then
        raise exception 'a charge changed meanwhile' using errcode = 'serialization_failure';
      end if;

      insert into payments (
        end_to_end_id, provider, txid, charge_id, seller_id, amount_cents, paid_at, received_at, fee_cents, page_id,
        completed_page_id, charge_day, status_before, disposition, reason
      )
      select
        end_to_end_id, provider, txid, charge_id, seller_id, amount_cents, paid_at, booked_at, fee_cents,
        case when reason is null and not counted_at_once then page_id end,
        case when reason is null and completes_page then page_id end,
        case when reason is null then charge_day end,
        case when reason is null then nullif(charge_status, 'creating') end,
        case when reason is null then 'credited' else 'suspense' end, reason
      from unnest(decided) payment;

      -- For an admin to check. A duplicate matters more than being late.
      if to_check > 0 then
        insert into unmatched_payments (id, end_to_end_id, reason, received_at)
        select new_id(booked_at), end_to_end_id,
          coalesce(reason, case when is_duplicate then 'duplicate' else 'late' end), booked_at
        from unnest(decided) payment
        where reason is not null or is_duplicate or is_late;
      end if;

      -- As events/events.ts writes and reads them. A notice takes 8,000 bytes, an event 74.
      perform pg_notify('tilinta_charges', array_to_string(notices[first : first + 99], ','))
      from generate_series(1, cardinality(notices), 100) first;
      if cardinality(ended) > 0 then perform pg_notify('tilinta_removals', ''); end if;
      return;
    -- Without a clause for conflicts, which would log a second record for each payment: another booking came first.
    exception when serialization_failure or unique_violation then
      if attempt = 5 then raise; end if;
      attempt := attempt + 1;
    end;
  end loop;
end
$$;
comment on function book_payments(text[], text[], text[], bigint[], timestamptz[], timestamptz, timestamptz) is
  'Books those of these payments that are not booked yet, in this order: the one place that decides whom a payment credits, '
  'whether it is late or a duplicate, and when a page is full (ADR 54). Whatever changed between the decision and the writing '
  'undoes both, and both are done again. Name each payment once. What was being created at the bank is answered by answered_by.';
revoke execute on function book_payments(text[], text[], text[], bigint[], timestamptz[], timestamptz, timestamptz) from public;

create trigger payments_are_final before update or delete or truncate on payments
for each statement execute function refuse_history_change();
comment on trigger payments_are_final on payments is 'Money that came stays as it came.';

create table untold_sales (
  seller_id uuid constraint untold_sales_by_seller primary key,
  after_sequence bigint not null,
  since timestamptz not null
) with (fillfactor = 70);

comment on column untold_sales.since is 'When the first untold sale was booked, about: who waits longest is told first.';
comment on table untold_sales is
  'The sellers of whose sales somebody may still be mailed, the payer or they, and the last event of which all were told. However many payments come, '
  'it has one row for a seller. number_events_until() adds it; who writes the mails moves and deletes it, under the lock of '
  'numbered_events, so that no event is numbered meanwhile.';

create table folded_payments (
  below xid8 not null default '0',
  is_only boolean not null default true constraint folded_payments_has_one_row primary key,
  constraint folded_payments_is_only check (is_only)
);
insert into folded_payments default values;

comment on table folded_payments is
  'How far the payments are in the totals: those of transactions below this one are (ADR 32). Only fold_payments() moves '
  'it, in the transaction that adds them.';

create view unfolded_payments as
select
  seller_id, page_id, charge_day, sao_paulo_day(paid_at) as paid_day, status_before, amount_cents, fee_cents
from payments
where charge_day is not null and xid >= (select below from folded_payments where is_only) and xid <= '9223372036854775807';
comment on view unfolded_payments is
  'Payments that no total includes yet. The upper bound excludes nothing: a range is estimated as narrow, as it is, while '
  'a beginning alone is estimated as a third of the table.';

create view page_payments as
select seller_id, page_id, count(*)::integer as count from unfolded_payments where page_id is not null
group by seller_id, page_id;
comment on view page_payments is 'Payments that charge_pages.payments_count does not include yet.';

create function count_page_at_once(of_page uuid, of_seller uuid) returns void
language plpgsql security definer set search_path = pg_catalog, public as $$
begin
  perform from charge_pages where id = of_page and seller_id = of_seller and not counted_at_once for update;
  if not found then return; end if;
  -- Waits for every booking that is under way, which may have taken the page for one without a limit.
  perform pg_advisory_xact_lock(1953066089, 5);
  update charge_pages
  set counted_at_once = true, folded_below = pg_snapshot_xmax(pg_current_snapshot())
  where id = of_page;
end
$$;
comment on function count_page_at_once(uuid, uuid) is
  'From its commit on the payments of the page are counted by who books them, so that it may have a limit. Call it in a '
  'transaction of its own: bookings wait for it.';
revoke execute on function count_page_at_once(uuid, uuid) from public;

create function number_events_until(last xid8) returns bigint
language plpgsql security definer set search_path = pg_catalog, public set enable_seqscan = off
set enable_indexonlyscan = off set plan_cache_mode = force_generic_plan as $$
declare
  done xid8;
  numbered bigint;
  sellers uuid[];
begin
  select until into done from numbered_events for update;

  with booked as materialized (
    select end_to_end_id, xid, received_at, seller_id, charge_id, completed_page_id, disposition from payments
    where xid > done and xid <= last and seller_id is not null
  ), subjects as materialized (
    select charge_id as id from booked
    union
    select completed_page_id from booked
    union
    select subject_id from event_drafts where xid <= last
  ), drafted as materialized (
    -- All that is known of these subjects: a transaction that waited for another one may have the smaller id of both. What
    -- follows from a payment waits for the payment.
    delete from event_drafts
    where (xid <= last or subject_id in (select id from subjects))
      and not (
        type in ('charge.refunded', 'charge.disputed', 'page.deleted')
        and subject_id in (
          select charge_id from payments where xid > greatest(done, last) and charge_id is not null
          union all
          select completed_page_id from payments where xid > greatest(done, last) and completed_page_id is not null
        )
      )
    returning *
  ), fresh as (
    select
      xid, 1 as stage, 0::bigint as id, end_to_end_id, received_at as occurred_at, seller_id, charge_id as subject_id,
      'charge.paid' as type, null::jsonb as state
    from booked
    where disposition = 'credited'
    union all
    select xid, 1, 0, booked.end_to_end_id, booked.received_at, seller_id, unmatched.id, 'payment.unmatched', null
    from booked
    join unmatched_payments unmatched on unmatched.end_to_end_id = any (array[booked.end_to_end_id])
    where disposition = 'suspense'
    union all
    select booked.xid, 3, 0, booked.end_to_end_id, booked.received_at, booked.seller_id, page.id, 'page.completed', null
    from booked
    join charge_pages page on page.id = any (array[booked.completed_page_id])
      and (page.deleted_at is null or page.deleted_at > booked.received_at)
    union all
    select
      xid,
      case
        when type in ('charge.created', 'charge.expired', 'charge.cancelled') then 0 when type = 'page.deleted' then 4 else 2
      end,
      id, '', occurred_at, seller_id, subject_id, type, state
    from drafted
  ), placed as (
    -- Events of one subject keep their order, whichever transaction began first; a payment comes before what followed from it.
    select *, max(xid) over (partition by subject_id order by stage, id, end_to_end_id) as place from fresh
  ), coming as materialized (
    select seller_id, count(*) as count from fresh group by seller_id
  ), moved as (
    update event_sequences kept set last_sequence = kept.last_sequence + coming.count
    from coming where kept.seller_id = any (array[coming.seller_id])
    returning kept.seller_id, kept.last_sequence
  ), started as (
    -- Apart from the others: a clause for conflicts would log a lock for each row, and nobody else adds one.
    insert into event_sequences (seller_id, last_sequence)
    select seller_id, count from coming
    where not exists (select from event_sequences kept where kept.seller_id = any (array[coming.seller_id]))
    returning seller_id, last_sequence
  ), counted as (
    select seller_id, last_sequence from moved union all select seller_id, last_sequence from started
  ), added as (
    insert into events (sequence, occurred_at, seller_id, subject_id, type, state)
    select
      counted.last_sequence - count(*) over (partition by seller_id) + row_number() over (
        partition by seller_id
        order by place, xid < place, case when xid < place then stage else abs(stage - 1) end, id, end_to_end_id
      ),
      occurred_at, seller_id, subject_id, type, state
    from placed join counted using (seller_id)
    returning seller_id, sequence, type, occurred_at
  ), untold as (
    insert into untold_sales (seller_id, after_sequence, since)
    select seller_id, min(sequence) - 1, min(occurred_at) from added where type = 'charge.paid'
    group by seller_id order by seller_id
    on conflict do nothing
  )
  select (select count(*) from added), (select array_agg(seller_id) from counted) into numbered, sellers;

  update numbered_events set until = last where until < last;
  -- As events/events.ts reads them. A notice takes 8,000 bytes, an id 37.
  perform pg_notify('tilinta_events', array_to_string(sellers[first : first + 199], ','))
  from generate_series(1, cardinality(sellers), 200) first;
  return numbered;
end
$$;
comment on function number_events_until(xid8) is
  'Gives the drafts, and the payments, of transactions up to this one their numbers. Planned once in a session: its plan never depends on the values, and planning costs as much as a hundred events.';
revoke execute on function number_events_until(xid8) from public;

create function number_events(at_most integer) returns bigint
language plpgsql security definer set search_path = pg_catalog, public set enable_seqscan = off
set plan_cache_mode = force_generic_plan as $$
declare
  done xid8;
  ended xid8 := pg_snapshot_xmin(pg_current_snapshot());
  last xid8;
begin
  select until into done from numbered_events for update skip locked;
  if not found then return 0; end if;
  select max(xid) into last
  from (
    select xid
    from (
      (select xid from payments where xid > done and xid < ended order by xid limit at_most)
      union all
      (select xid from event_drafts where xid < ended order by xid limit at_most)
    ) waiting
    order by xid limit at_most
  ) oldest;
  if last is null then return 0; end if;
  return number_events_until(last);
end
$$;
comment on function number_events(integer) is
  'Numbers the oldest events, about so many, whole transactions only, and returns how many. All transactions below the '
  'oldest that is under way have ended, so none commits later with a smaller id. While another one numbers, it returns 0.';
revoke execute on function number_events(integer) from public;

create function renumber_restored_payments() returns boolean
language plpgsql set search_path = pg_catalog, public as $$
begin
  -- In one statement, whose own snapshot knows of every transaction that it sees: others may be booking.
  if not exists (
    select from payments where xid >= pg_snapshot_xmax(pg_current_snapshot())
    union all select from event_drafts where xid >= pg_snapshot_xmax(pg_current_snapshot())
    union all select from numbered_events where until >= pg_snapshot_xmax(pg_current_snapshot())
    union all select from folded_payments where below > pg_snapshot_xmax(pg_current_snapshot())
    union all select from journal where xid >= pg_snapshot_xmax(pg_current_snapshot())
    union all select from entered_statements where below > pg_snapshot_xmax(pg_current_snapshot())
    union all select from reserve_progress where below > pg_snapshot_xmax(pg_current_snapshot())
    union all select from charge_pages where folded_below > pg_snapshot_xmax(pg_current_snapshot())
    union all select from audit_records where xid >= pg_snapshot_xmax(pg_current_snapshot())
    union all select from withdrawals where xid >= pg_snapshot_xmax(pg_current_snapshot())
    union all select from refunds where xid >= pg_snapshot_xmax(pg_current_snapshot())
    union all select from manual_entries where xid >= pg_snapshot_xmax(pg_current_snapshot())
    union all select from chain_head where until >= pg_snapshot_xmax(pg_current_snapshot())
  ) then
    return false;
  end if;
  -- Whatever is renumbered must have been folded and numbered, so nobody books in between.
  perform from chain_head where is_only for update;
  lock table charge_pages, payments, journal, event_drafts, audit_records, withdrawals, refunds, manual_entries
    in share row exclusive mode;
  perform fold_payments_below('9223372036854775807');
  perform enter_statements_below('9223372036854775807');
  perform number_events_until('9223372036854775807');
  alter table payments disable trigger payments_are_final;
  update payments set xid = case when xid <= sealed.until then '0'::xid8 else '1'::xid8 end from chain_head sealed where xid > '0';
  alter table payments enable trigger payments_are_final;
  alter table journal disable trigger journal_is_final;
  update journal set xid = case when xid <= sealed.until then '0'::xid8 else '1'::xid8 end from chain_head sealed where xid > '0';
  alter table journal enable trigger journal_is_final;
  update audit_records set xid = case when xid <= sealed.until then '0'::xid8 else '1'::xid8 end from chain_head sealed where xid > '0';
  update withdrawals set xid = case when xid <= sealed.until then '0'::xid8 else '1'::xid8 end from chain_head sealed where xid > '0';
  update refunds set xid = case when xid <= sealed.until then '0'::xid8 else '1'::xid8 end from chain_head sealed where xid > '0';
  update manual_entries set xid = case when xid <= sealed.until then '0'::xid8 else '1'::xid8 end from chain_head sealed where xid > '0';
  update account_days set first_xid = '0', last_xid = '1' where first_xid is not null;
  update chain_head set until = '0';
  update numbered_events set until = '2';
  update folded_payments set below = '3';
  update entered_statements set below = '3';
  update reserve_progress set below = '3';
  update charge_pages set folded_below = '0' where folded_below > '0';
  return true;
end
$$;
comment on function renumber_restored_payments() is
  'A restored dump holds transaction ids that this PostgreSQL has yet to reach, behind which new payments would be '
  'skipped. All are folded, numbered and entered first; then all get the first of all ids, and what is not sealed yet the second. The sales of the dump''s last '
  'seconds are not held in reserve. The owner calls it at each start.';
revoke execute on function renumber_restored_payments() from public;

create view ledger_postings as
select
  kind, reference, line, seller_id, debit_account, credit_account, may_overdraw, amount_cents, occurred_at, booked_at,
  number
from journal
union all
select
  case when disposition = 'credited' then 'payment' else 'unmatched-payment' end, end_to_end_id, 1,
  case when disposition = 'credited' then seller_id end, 'psp-clearing:' || provider,
  case when disposition = 'credited' then 'seller-available:' || seller_id else 'suspense:' || provider end,
  false, amount_cents, paid_at, received_at, 0
from payments
union all
select
  'payment', end_to_end_id, 2, seller_id, 'seller-available:' || seller_id, 'fee-revenue', false, fee_cents, paid_at,
  received_at, 0
from payments
where fee_cents > 0;
comment on view ledger_postings is
  'Every posting: those of the journal, and of each payment the gross amount in and then the fee out, so a seller''s '
  'statement shows both lines. A line names its debit and its credit account, so all add up to zero.';

create table statement_lines (
  seller_id uuid not null,
  at timestamptz not null,
  number bigint not null,
  amount_cents bigint not null,
  fee_cents bigint not null,
  balance_cents bigint not null,
  charge_id uuid,
  kind text collate "C" not null,
  reference text collate "C" not null,
  constraint statement_lines_by_seller primary key (seller_id, at, number)
);

comment on table statement_lines is
  'Each seller''s statement: every movement of the available balance, with the balance after it (ADR 44). Derived from payments and '
  'journal by enter_statements_below() alone. A moment''s balance is that of the last line before it.';
comment on column statement_lines.at is 'When it was booked, and never before the line above: a month that has been closed stays as it is.';
comment on column statement_lines.number is 'Counts a seller''s lines: 1, 2, 3 … without holes.';
comment on column statement_lines.amount_cents is 'Gross of a payment; below zero when it leaves the balance.';
comment on column statement_lines.fee_cents is 'The fee of a payment, which a statement shows as a line of its own.';
comment on column statement_lines.charge_id is 'The charge of a payment.';
comment on column statement_lines.kind is 'The kind of the journal''s posting, or ''payment''.';

create table entered_statements (
  below xid8 not null default '0',
  closed_until timestamptz not null default '-infinity',
  is_only boolean not null default true constraint entered_statements_has_one_row primary key,
  constraint entered_statements_is_only check (is_only)
);
insert into entered_statements default values;

comment on table entered_statements is
  'How far the movements are in the statements: those of transactions below this one are. Its lock lets one server enter at a time.';
comment on column entered_statements.closed_until is 'No line is entered before it any more.';

create view balance_movements as
select
  xid, seller_id, received_at as at, 0::bigint as place, 'payment' collate "C" as kind, end_to_end_id as reference,
  amount_cents, fee_cents, charge_id
from payments
where disposition = 'credited'
union all
select
  xid, substr(case when credit_account like 'seller-available:%' then credit_account else debit_account end, 18)::uuid,
  booked_at, number, kind collate "C", reference,
  case when credit_account like 'seller-available:%' then amount_cents else -amount_cents end, 0, null
from journal
where credit_account like 'seller-available:%' or debit_account like 'seller-available:%';
comment on view balance_movements is
  'Movements of the available balance of sellers, in the order of xid, at, place and reference.';

create table account_days (
  account text collate "C" not null,
  day date not null,
  credits_cents bigint not null,
  debits_cents bigint not null,
  balance_cents bigint not null,
  first_xid xid8,
  last_xid xid8,
  constraint account_days_by_account primary key (account, day)
) with (fillfactor = 70);

comment on table account_days is
  'The movements of each account and day, and the balance after them, so that a balance as of any day is one row. All sellers'' accounts of a '
  'kind are one; ''seller-debt'' is the part of seller-available that lies below zero. Only enter_statements_below() writes it.';
comment on column account_days.account is 'As in ledger_accounts, but without the seller.';
comment on column account_days.day is 'São Paulo''s day of the booking.';
comment on column account_days.balance_cents is 'The account''s credits less its debits, up to the end of this day.';
comment on column account_days.first_xid is
  'The first transaction that moved it on this day, so that its postings are read from there on. Null where only other days moved it, and of debts.';

create function accounts_of_payments(provider text, disposition text, amount_cents bigint, fee_cents bigint)
returns table (account text, change_cents bigint)
language sql immutable as $$
  select * from (values
    ('psp-clearing:' || provider, -amount_cents),
    (case when disposition = 'credited' then 'seller-available' else 'suspense:' || provider end, amount_cents - fee_cents),
    ('fee-revenue', fee_cents)
  ) side (account, change_cents)
  where side.change_cents <> 0
$$;
comment on function accounts_of_payments(text, text, bigint, bigint) is
  'The accounts that a payment changes, or many of one provider and disposition by their sums; sellers'' accounts are one.';

create view account_postings as
select
  xid, booked_at as at,
  case when side.account like 'seller-%' then split_part(side.account, ':', 1) else side.account end as account,
  side.change_cents
from journal
cross join lateral (values (credit_account, amount_cents), (debit_account, -amount_cents)) side (account, change_cents);
comment on view account_postings is 'The changes of accounts that the journal books.';

create view account_movements as
select xid, received_at as at, side.account, side.change_cents
from payments
cross join lateral accounts_of_payments(provider, disposition, amount_cents, fee_cents) side
union all
select xid, at, account, change_cents from account_postings;
comment on view account_movements is 'Every change of every account; sellers'' accounts of a kind are one.';

create function statement_tail(of_seller uuid) returns table (
  at timestamptz, number bigint, amount_cents bigint, fee_cents bigint, balance_cents bigint, charge_id uuid, kind text,
  reference text, is_settled boolean
)
language sql stable set search_path = pg_catalog, public set enable_seqscan = off set enable_indexonlyscan = off
set plan_cache_mode = force_generic_plan as $$
  with mark as materialized (
    select below, closed_until from entered_statements where is_only
  ), last as materialized (
    select line.at, line.number, line.balance_cents from statement_lines line
    where line.seller_id = of_seller order by line.at desc, line.number desc limit 1
  ), moved as materialized (
    -- The upper bounds exclude nothing: a range is estimated as narrow, as it is.
    select
      payment.xid, payment.received_at as at, 0::bigint as place, 'payment' collate "C" as kind,
      payment.end_to_end_id as reference, payment.amount_cents, payment.fee_cents, payment.charge_id
    from payments payment
    where payment.seller_id = of_seller and payment.charge_day is not null
      and payment.xid >= (select below from mark) and payment.xid <= '9223372036854775807'
    union all
    select
      posting.xid, posting.booked_at, posting.number, posting.kind collate "C", posting.reference,
      case when posting.credit_account = 'seller-available:' || of_seller then 1 else -1 end * posting.amount_cents, 0, null
    from journal posting
    where posting.xid >= (select below from mark) and posting.xid <= '9223372036854775807'
      and 'seller-available:' || of_seller in (posting.credit_account, posting.debit_account)
  )
  select
    greatest((select closed_until from mark), last.at, max(moved.at) over place),
    coalesce(last.number, 0) + row_number() over place, moved.amount_cents, moved.fee_cents,
    (coalesce(last.balance_cents, 0) + sum(moved.amount_cents - moved.fee_cents) over place)::bigint,
    moved.charge_id, moved.kind, moved.reference, moved.xid < pg_snapshot_xmin(pg_current_snapshot())
  from moved left join last on true
  window place as (order by moved.xid, moved.at, moved.place, moved.reference)
  order by 2
$$;
comment on function statement_tail(uuid) is
  'The lines of a seller that are not entered yet, as enter_statements_below() will enter them. Unsettled ones may still '
  'get others before them, by transactions that have not ended.';

create function enter_statements_below(bound xid8) returns bigint
language plpgsql security definer set search_path = pg_catalog, public set enable_seqscan = off
set enable_indexonlyscan = off as $$
declare
  done xid8;
  closed timestamptz;
  entered bigint;
begin
  select below, closed_until into done, closed from entered_statements for update;
  with moved as materialized (
    select * from balance_movements where xid >= done and xid < bound
  ), seller as materialized (
    select moved.seller_id, last.at, last.number, last.balance_cents
    from (select distinct seller_id from moved) moved
    left join lateral (
      select line.at, line.number, line.balance_cents from statement_lines line
      where line.seller_id = moved.seller_id order by line.at desc, line.number desc limit 1
    ) last on true
  ), added as (
    insert into statement_lines (
      seller_id, at, number, amount_cents, fee_cents, balance_cents, charge_id, kind, reference
    )
    select
      moved.seller_id, greatest(closed, seller.at, max(moved.at) over place),
      coalesce(seller.number, 0) + row_number() over place, moved.amount_cents, moved.fee_cents,
      coalesce(seller.balance_cents, 0) + sum(moved.amount_cents - moved.fee_cents) over place,
      moved.charge_id, moved.kind, moved.reference
    from moved join seller using (seller_id)
    window place as (partition by moved.seller_id order by moved.xid, moved.at, moved.place, moved.reference)
    order by 1, 3
    returning at, balance_cents, balance_cents - amount_cents + fee_cents as balance_before
  ), debts as (
    select sao_paulo_day(at) as day, sum(least(balance_cents, 0) - least(balance_before, 0)) as change_cents
    from added where balance_cents < 0 or balance_before < 0 group by 1
  ), paid as (
    -- Summed up before they are spread over their accounts, which costs a third.
    select
      provider, disposition, sao_paulo_day(greatest(closed, received_at)) as day, sum(amount_cents)::bigint as amount_cents,
      sum(fee_cents)::bigint as fee_cents, min(xid) as first_xid, max(xid) as last_xid
    from payments where xid >= done and xid < bound group by 1, 2, 3
  ), changes as (
    select side.account, paid.day, side.change_cents, paid.first_xid, paid.last_xid
    from paid cross join lateral accounts_of_payments(provider, disposition, amount_cents, fee_cents) side
    union all
    select account, sao_paulo_day(greatest(closed, at)), change_cents, xid, xid
    from account_postings where xid >= done and xid < bound
    union all
    select 'seller-debt', day, change_cents, null, null from debts
  ), moved_days as materialized (
    select account, day, sum(greatest(change_cents, 0)) as credits, sum(greatest(-change_cents, 0)) as debits,
      min(first_xid) as first_xid, max(last_xid) as last_xid
    from changes group by 1, 2
  ), touched_days as (
    select account, day, credits, debits, first_xid, last_xid from moved_days
    union all
    -- Late movements change the balances of the days after their own, too.
    select later.account, later.day, 0, 0, null, null
    from (select account, min(day) as day from moved_days group by 1) oldest
    join account_days later on later.account = oldest.account and later.day > oldest.day
    where not exists (select from moved_days moved where moved.account = later.account and moved.day = later.day)
  ), added_days as (
    insert into account_days as kept (account, day, credits_cents, debits_cents, balance_cents, first_xid, last_xid)
    select account, day, credits, debits, sum(credits - debits) over (partition by account order by day) + coalesce((
      select earlier.balance_cents from account_days earlier
      where earlier.account = touched.account and earlier.day < touched.day order by earlier.day desc limit 1
    ), 0), first_xid, last_xid
    from touched_days touched order by 1, 2
    on conflict (account, day) do update set
      credits_cents = kept.credits_cents + excluded.credits_cents,
      debits_cents = kept.debits_cents + excluded.debits_cents,
      first_xid = least(kept.first_xid, excluded.first_xid),
      last_xid = greatest(kept.last_xid, excluded.last_xid),
      balance_cents = excluded.balance_cents + kept.credits_cents - kept.debits_cents
  ), marked as (
    update entered_statements set below = bound where below < bound
  )
  select count(*) into entered from moved;
  return entered;
end
$$;
comment on function enter_statements_below(xid8) is
  'Enters the movements of transactions below this one into the statements and the days of accounts, and returns how many.';
revoke execute on function enter_statements_below(xid8) from public;

create function enter_statements(at_most integer) returns bigint
language plpgsql security definer set search_path = pg_catalog, public set enable_seqscan = off as $$
declare
  done xid8;
  ended xid8 := pg_snapshot_xmin(pg_current_snapshot());
  bound xid8;
begin
  select below into done from entered_statements for update skip locked;
  if not found or done >= ended then return 0; end if;
  -- The first transaction is taken whole, however much it booked.
  select xid into bound
  from (
    (select xid from payments where xid > done and xid < ended order by xid offset at_most limit 1)
    union all
    (select xid from journal where xid > done and xid < ended order by xid offset at_most limit 1)
  ) too_many
  order by xid limit 1;
  if bound = (
    select xid
    from (
      (select xid from payments where xid >= done order by xid limit 1)
      union all
      (select xid from journal where xid >= done order by xid limit 1)
    ) oldest
    order by xid limit 1
  ) then
    bound := (bound::text::bigint + 1)::text::xid8;
  end if;
  return enter_statements_below(least(coalesce(bound, ended), ended));
end
$$;
comment on function enter_statements(integer) is
  'Enters the oldest movements, about so many of payments and of postings, whole transactions only, and returns how many. All transactions below the oldest '
  'that is under way have ended, so no movement is passed that commits late. While another one enters, it returns 0.';
revoke execute on function enter_statements(integer) from public;

create function close_statements(until timestamptz) returns void
language plpgsql security definer set search_path = pg_catalog, public set enable_seqscan = off as $$
declare
  done xid8;
begin
  select below into done from entered_statements for update;
  -- An open transaction, of any database, holds back the entering of what was booked after its beginning.
  update entered_statements set closed_until = waits.since
  from (
    select least(until, min(at)) as since from account_movements where xid >= done and xid <= '9223372036854775807'
  ) waits
  where closed_until < waits.since;
end
$$;
comment on function close_statements(timestamptz) is
  'Closes the statements until then, or until the oldest movement that is not entered yet: what is entered later gets a later moment.';
revoke execute on function close_statements(timestamptz) from public;

create table disputes (
  id uuid constraint disputes_by_id primary key,
  provider text not null,
  psp_dispute_id text collate "C",
  end_to_end_id text collate "C" not null constraint disputes_payment_exists references payments (end_to_end_id),
  charge_id uuid constraint disputes_charge_exists references charges (id),
  seller_id uuid constraint disputes_seller_exists references users (id),
  amount_cents bigint not null constraint disputes_amount_is_positive check (amount_cents > 0),
  blocked_cents bigint not null default 0,
  debited_cents bigint not null default 0 constraint disputes_debit_is_not_negative check (debited_cents >= 0),
  movements integer not null default 0,
  reason text not null constraint disputes_reason_is_known check (
    reason in ('fraud', 'account_takeover', 'coercion', 'unauthorised_access', 'operational', 'other')
  ),
  details text not null default '',
  state text not null constraint disputes_state_is_known check (
    state in ('open', 'defended', 'accepted', 'rejected', 'cancelled')
  ),
  respond_until timestamptz,
  opened_at timestamptz not null,
  reported_at timestamptz,
  closed_at timestamptz,
  settled_at timestamptz,
  analysis text not null default '',
  defence text,
  defence_state text not null default 'none' constraint disputes_defence_state_is_known check (
    defence_state in ('none', 'waiting', 'sent', 'kept', 'refused')
  ),
  defended_by uuid constraint disputes_defender_exists references users (id),
  defended_at timestamptz,
  next_attempt_at timestamptz,
  attempts integer not null default 0,
  registered_by uuid constraint disputes_registrar_exists references users (id),
  closed_by uuid constraint disputes_closer_exists references users (id),
  admin_notes text not null default '',
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint disputes_by_psp_dispute_id unique (provider, psp_dispute_id),
  constraint disputes_blocked_within_amount check (blocked_cents between 0 and amount_cents),
  constraint disputes_charge_comes_with_seller check ((charge_id is null) = (seller_id is null)),
  constraint disputes_of_uncredited_block_nothing check (charge_id is not null or blocked_cents = 0),
  constraint disputes_are_told_or_registered check ((psp_dispute_id is null) = (registered_by is not null)),
  constraint disputes_decided_are_closed check ((state in ('open', 'defended')) = (closed_at is null)),
  constraint disputes_settled_block_nothing check (settled_at is null or (closed_at is not null and blocked_cents = 0)),
  constraint disputes_defence_has_state check ((defence is null) = (defence_state = 'none')),
  constraint disputes_waiting_defence_has_attempt check ((defence_state = 'waiting') = (next_attempt_at is not null))
) with (fillfactor = 80);
create index disputes_by_payment on disputes (end_to_end_id, opened_at, id);
create index disputes_by_seller on disputes (seller_id, opened_at desc, id desc) where seller_id is not null;
create index disputes_by_time on disputes (opened_at desc, id desc);
create index disputes_live on disputes (respond_until, id) where settled_at is null;
create index disputes_to_defend on disputes (next_attempt_at) where defence_state = 'waiting';

comment on table disputes is
  'Payments that payers contest at their bank (MED). Until it is decided, the money is blocked (ADR 14).';
comment on column disputes.psp_dispute_id is 'The bank''s name for it; null where an admin registered it.';
comment on column disputes.charge_id is 'Null for an uncredited payment.';
comment on column disputes.amount_cents is 'All or a part of the payment.';
comment on column disputes.blocked_cents is 'The amount in the seller''s blocked account for it now.';
comment on column disputes.debited_cents is 'The amount that the bank has taken for it.';
comment on column disputes.movements is
  'How often money was blocked or released for it: the number names each ledger transaction.';
comment on column disputes.respond_until is 'The bank''s deadline for the seller''s defence.';
comment on column disputes.reported_at is
  'Time of the bank''s last change: an older state that arrives later is ignored.';
comment on column disputes.closed_at is 'When the banks decided.';
comment on column disputes.settled_at is 'From when on nothing is blocked for it, nor ever will be.';
comment on column disputes.analysis is 'The bank''s words about its decision.';
comment on column disputes.defence_state is
  '''waiting'' to be sent to the bank; ''kept'' where the provider takes no defences.';
comment on column disputes.next_attempt_at is 'When a job sends the defence, or retries.';

create table refunds (
  id uuid constraint refunds_by_id primary key,
  end_to_end_id text collate "C" not null constraint refunds_payment_exists references payments (end_to_end_id),
  psp_refund_id text collate "C" not null constraint refunds_psp_refund_id_is_plain check (
    psp_refund_id ~ '^[!-~]{1,64}$'
  ),
  provider text not null,
  charge_id uuid constraint refunds_charge_exists references charges (id),
  seller_id uuid constraint refunds_seller_exists references users (id),
  amount_cents bigint not null constraint refunds_amount_is_positive check (amount_cents > 0),
  fee_cents bigint not null,
  origin text not null constraint refunds_origin_is_known check (origin in ('seller', 'admin', 'bank')),
  status text not null constraint refunds_status_is_known check (status in ('processing', 'completed', 'refused')),
  reason text not null default '',
  failure_reason text,
  return_id text collate "C",
  requested_by uuid constraint refunds_requester_exists references users (id),
  is_dispute boolean not null default false,
  dispute_id uuid constraint refunds_dispute_exists references disputes (id),
  next_attempt_at timestamptz,
  attempts integer not null default 0,
  created_at timestamptz not null,
  processed_at timestamptz,
  settled_at timestamptz,
  sending_at timestamptz,
  xid xid8 not null default pg_current_xact_id(),
  constraint refunds_by_psp_refund_id unique (end_to_end_id, psp_refund_id),
  constraint refunds_fee_within_amount check (fee_cents between 0 and amount_cents),
  constraint refunds_charge_comes_with_seller check ((charge_id is null) = (seller_id is null)),
  constraint refunds_of_uncredited_have_no_fee check (charge_id is not null or fee_cents = 0),
  constraint refunds_of_ours_have_requester check ((origin = 'bank') = (requested_by is null)),
  constraint refunds_of_bank_are_completed check (
    origin <> 'bank' or (status = 'completed' and failure_reason is null)
  ),
  constraint refunds_processing_have_attempt check ((status = 'processing') = (next_attempt_at is not null)),
  constraint refunds_processed_have_moment check ((status = 'processing') = (processed_at is null)),
  constraint refunds_refused_have_reason check (
    status = 'completed' or (status = 'refused') = (failure_reason is not null)
  ),
  constraint refunds_for_disputes_come_from_bank check (origin = 'bank' or not is_dispute),
  constraint refunds_with_dispute_are_for_disputes check (dispute_id is null or is_dispute)
) with (fillfactor = 80);
create index refunds_by_charge on refunds (charge_id, created_at, id) where charge_id is not null;
create index refunds_by_dispute on refunds (dispute_id) where dispute_id is not null;
create index refunds_by_settlement on refunds (settled_at) where settled_at is not null;
create index refunds_to_settle on refunds (next_attempt_at) where status = 'processing';
create index refunds_under_way_by_seller on refunds (seller_id) where status = 'processing';

comment on table refunds is
  'Money that goes back to a payer: asked for by a seller or an admin, or taken by the bank itself.';
comment on column refunds.xid is 'The transaction that wrote it: see chain_head.';
comment on column refunds.psp_refund_id is
  'Its one name at the provider: ours, or the bank''s where the bank began it. A registered debit takes the bank''s '
  'name later.';
comment on column refunds.charge_id is 'Null for the refund of an uncredited payment.';
comment on column refunds.fee_cents is
  'The part of the fee that goes back with it; the rest of the amount is the seller''s.';
comment on column refunds.failure_reason is 'Kept when the provider pays after all: then both are true.';
comment on column refunds.return_id is 'The bank''s own id of the transfer (rtrId).';
comment on column refunds.is_dispute is 'The bank took it because of a dispute.';
comment on column refunds.dispute_id is 'Which dispute, as far as it is known.';
comment on column refunds.next_attempt_at is 'When a job asks the provider again.';
comment on column refunds.processed_at is 'When we learnt how it ended.';
comment on column refunds.settled_at is
  'The bank''s own time of the end, by which our day is compared with the bank''s.';

comment on column refunds.sending_at is 'When a worker was last about to send it: nobody settles it by hand in the minute after.';

create trigger refunds_keep_their_facts
before update of end_to_end_id, provider, charge_id, seller_id, amount_cents, fee_cents, origin, status on refunds
for each row when (
  (old.end_to_end_id, old.provider, old.charge_id, old.seller_id, old.amount_cents, old.fee_cents, old.origin)
  is distinct from
  (new.end_to_end_id, new.provider, new.charge_id, new.seller_id, new.amount_cents, new.fee_cents, new.origin)
  or old.status = 'completed' and new.status <> 'completed'
) execute function refuse_changed_facts();
comment on trigger refunds_keep_their_facts on refunds is 'Money that went back stays returned, in its amount.';

create table unmatched_payments (
  id uuid constraint unmatched_payments_by_id primary key,
  end_to_end_id text collate "C" not null
    constraint unmatched_payments_by_end_to_end_id unique
    constraint unmatched_payments_payment_exists references payments (end_to_end_id),
  txid text collate "C",
  amount_cents bigint not null,
  paid_at timestamptz not null,
  named_charge_id uuid,
  reason text not null constraint unmatched_payments_reason_is_known check (
    reason in ('unknown_txid', 'wrong_amount', 'charge_already_paid', 'late', 'duplicate')
  ),
  status text not null default 'open' constraint unmatched_payments_status_is_known check (
    status in ('open', 'accepted', 'returning', 'returned')
  ),
  accepted_charge_id uuid
    constraint unmatched_payments_by_accepted_charge unique
    constraint unmatched_payments_accepted_charge_exists references charges (id),
  refund_id uuid constraint unmatched_payments_refund_exists references refunds (id),
  decided_by uuid constraint unmatched_payments_decider_exists references users (id),
  decided_at timestamptz,
  admin_notes text not null default '',
  received_at timestamptz not null,
  constraint unmatched_payments_accepted_have_charge check (
    (status = 'accepted' and reason not in ('late', 'duplicate')) = (accepted_charge_id is not null)
  ),
  constraint unmatched_payments_returning_have_refund check (status <> 'returning' or refund_id is not null)
);
create index refunds_by_xid on refunds (xid);
create index unmatched_payments_by_time on unmatched_payments (received_at, id);
create index unmatched_payments_open on unmatched_payments (received_at, id) where status = 'open';
create index unmatched_payments_by_refund on unmatched_payments (refund_id) where refund_id is not null;

comment on table unmatched_payments is
  'Payments that an admin accepts or returns: nobody could be credited, or they were credited late or as a duplicate.';
comment on column unmatched_payments.txid is
  'The payment''s. Like amount_cents, paid_at and named_charge_id filled in by a trigger.';
comment on column unmatched_payments.named_charge_id is 'The charge that the payment names.';
comment on column unmatched_payments.accepted_charge_id is
  'The charge that an accepted payment became; one that was credited before has its charge already.';
comment on column unmatched_payments.refund_id is 'The refund by which the payment is returned.';
comment on column unmatched_payments.received_at is 'When the payment was booked.';

create function describe_unmatched_payment() returns trigger
language plpgsql set enable_seqscan = off as $$
begin
  select payment.txid, payment.amount_cents, payment.paid_at, payment.charge_id
  into new.txid, new.amount_cents, new.paid_at, new.named_charge_id
  from payments payment where payment.end_to_end_id = new.end_to_end_id;
  return new;
end
$$;
comment on function describe_unmatched_payment() is
  'Copies what a payment never changes, so that lists and totals of unmatched payments read no payments. Without '
  'sequential scans, '
  'because the plan is kept from when there were few payments.';

create trigger unmatched_payments_copy_their_payment before insert on unmatched_payments
for each row execute function describe_unmatched_payment();
comment on trigger unmatched_payments_copy_their_payment on unmatched_payments is
  'Fills in txid, amount_cents, paid_at and named_charge_id.';

create trigger unmatched_payments_keep_their_payment
before update of end_to_end_id, txid, amount_cents, paid_at, named_charge_id on unmatched_payments
for each row when (
  (old.end_to_end_id, old.txid, old.amount_cents, old.paid_at, old.named_charge_id)
  is distinct from
  (new.end_to_end_id, new.txid, new.amount_cents, new.paid_at, new.named_charge_id)
) execute function refuse_changed_facts();
comment on trigger unmatched_payments_keep_their_payment on unmatched_payments is 'They say what the payment says.';

create function shared_target(pix_key text, bank_data jsonb) returns text
language sql immutable parallel safe
return coalesce(
  pix_key,
  ltrim(regexp_replace(fold_text(bank_data ->> 'bank'), '[^a-z0-9]', '', 'g'), '0')
    || ' ' || ltrim(regexp_replace(fold_text(bank_data ->> 'agency'), '[^a-z0-9]', '', 'g'), '0')
    || ' ' || ltrim(regexp_replace(fold_text(bank_data ->> 'account'), '[^a-z0-9]', '', 'g'), '0')
);
comment on function shared_target(text, jsonb) is
  'One name for a destination, however its bank data are spelled: withdrawals to it are added up. It may take two for one, '
  'which asks for a second person, never one for two.';

create table withdrawals (
  id uuid constraint withdrawals_by_id primary key,
  seller_id uuid not null constraint withdrawals_seller_exists references users (id),
  amount_cents bigint not null constraint withdrawals_amount_is_possible check (amount_cents between 1 and 999999999),
  method text not null constraint withdrawals_method_is_known check (method in ('pix', 'bank_transfer')),
  pix_key text,
  pix_key_kind text constraint withdrawals_pix_key_kind_is_known check (
    pix_key_kind in ('cpf', 'cnpj', 'email', 'phone', 'evp')
  ),
  bank_data jsonb,
  payout_id text collate "C"
    constraint withdrawals_by_payout_id unique
    constraint withdrawals_payout_id_is_plain check (payout_id ~ '^[A-Za-z0-9]{1,35}$'),
  status text not null default 'pending' constraint withdrawals_status_is_known check (
    status in ('pending', 'approved', 'processing', 'completed', 'rejected', 'cancelled')
  ),
  provider text,
  end_to_end_id text collate "C",
  admin_notes text not null default '',
  failure_reason text,
  decided_by uuid constraint withdrawals_decider_exists references users (id),
  next_attempt_at timestamptz,
  attempts integer not null default 0,
  created_at timestamptz not null,
  approved_at timestamptz,
  sent_at timestamptz,
  processed_at timestamptz,
  settled_at timestamptz,
  search_text text generated always as (fold_text(pix_key)) stored,
  returned_cents bigint not null default 0,
  returned_at timestamptz,
  return_reason text,
  sending_at timestamptz,
  paid_after_refusal_at timestamptz,
  api_key_id uuid constraint withdrawals_api_key_exists references api_keys (id),
  held_until timestamptz,
  hold_reasons jsonb not null default '[]' constraint withdrawals_hold_reasons_are_a_list check (
    jsonb_typeof(hold_reasons) = 'array' and (hold_reasons <> '[]') = (held_until is not null)
  ),
  first_approved_by uuid constraint withdrawals_first_approver_exists references users (id),
  xid xid8 not null default pg_current_xact_id(),
  constraint withdrawals_are_approved_by_two_others check (
    first_approved_by is null or (first_approved_by <> seller_id and first_approved_by <> decided_by)
  ),
  constraint withdrawals_by_pix_have_key check (
    (method = 'pix') = (pix_key is not null and pix_key_kind is not null and payout_id is not null)
  ),
  constraint withdrawals_by_transfer_have_bank_data check ((method = 'bank_transfer') = (bank_data is not null)),
  constraint withdrawals_sent_have_provider check (
    status not in ('processing', 'completed') or (provider is not null and approved_at is not null)
  ),
  constraint withdrawals_ended_have_moment check (
    (status in ('completed', 'rejected', 'cancelled')) = (processed_at is not null)
  ),
  constraint withdrawals_failed_are_rejected check (failure_reason is null or status = 'rejected'),
  constraint withdrawals_are_decided_by_another check (decided_by is null or decided_by <> seller_id),
  constraint withdrawals_return_within_amount check (returned_cents between 0 and amount_cents),
  constraint withdrawals_returned_have_reason check ((returned_at is null) = (return_reason is null)),
  constraint withdrawals_returned_were_approved check (
    returned_at is null or (status in ('completed', 'rejected') and approved_at is not null)
  ),
  constraint withdrawals_that_came_back_were_paid check (
    returned_cents = 0 or (returned_at is not null and provider is not null)
  ),
  constraint withdrawals_partly_returned_are_completed check (
    returned_at is null or (status = 'completed') = (returned_cents > 0 and returned_cents < amount_cents)
  )
) with (fillfactor = 80);
create index withdrawals_by_seller on withdrawals (seller_id, created_at desc, id desc);
create index withdrawals_by_time on withdrawals (created_at desc, id desc);
create index withdrawals_by_status on withdrawals (status, created_at desc, id desc);
create index withdrawals_to_pay on withdrawals (next_attempt_at) where status in ('approved', 'processing');
create index withdrawals_paid_by_seller on withdrawals (seller_id, processed_at desc) where status = 'completed';
create index withdrawals_paid_from_browser on withdrawals (seller_id, md5(coalesce(pix_key, bank_data::text)))
where status = 'completed' and api_key_id is null;
create index withdrawals_partly_returned on withdrawals (seller_id) where status = 'completed' and returned_cents > 0;
create index withdrawals_approved_by_seller on withdrawals (seller_id, approved_at) where approved_at is not null;
create index withdrawals_approved_by_target on withdrawals (md5(shared_target(pix_key, bank_data)), approved_at)
where approved_at is not null;
create index withdrawals_by_settlement on withdrawals (settled_at) where settled_at is not null;
create index withdrawals_by_search_text on withdrawals using gin (search_text gin_trgm_ops);
create index withdrawals_by_leaving on withdrawals (seller_id, (coalesce(held_until, created_at)));
create index withdrawals_by_hold on withdrawals (held_until) where held_until is not null;
create index withdrawals_by_end_to_end_id on withdrawals (end_to_end_id) where end_to_end_id is not null;

comment on table withdrawals is
  'A seller''s request to be paid out. No grant lets the server change the amount or the destination afterwards.';
comment on column withdrawals.xid is 'The transaction that wrote it: see chain_head.';
comment on column withdrawals.pix_key is 'Null for a bank transfer.';
comment on column withdrawals.bank_data is 'Null for a Pix.';
comment on column withdrawals.first_approved_by is
  'The first of two administrators who approved it; null where one was enough.';
comment on column withdrawals.api_key_id is
  'The API key that requested it; null in the browser. A key may only pay where the browser''s withdrawals arrived.';
comment on column withdrawals.held_until is
  'Until then nobody approves it, and nothing sends it. It stays when the moment has passed.';
comment on column withdrawals.hold_reasons is 'The reasons for which it is held, words of the contract.';
comment on index withdrawals_approved_by_target is 'A destination''s last day, for the second approval: many small ones count together.';
comment on index withdrawals_by_leaving is 'The seller''s last day, for the daily limit: held ones count when they may leave.';
comment on index withdrawals_by_hold is 'Withdrawals that leave on a day to come, for the daily limit of the platform.';
comment on column withdrawals.payout_id is
  'The payout''s one name at the provider, made with the request: whatever happens, it is never sent under a second.';
comment on column withdrawals.provider is
  'The provider that pays it out, from the moment that the money is on its way.';
comment on column withdrawals.end_to_end_id is 'The endToEndId of the Pix that paid it.';
comment on column withdrawals.failure_reason is 'The provider''s, where it refused the payout.';
comment on column withdrawals.next_attempt_at is
  'When a job next asks the provider; its claim moves it into the future.';
comment on column withdrawals.sent_at is 'When it was handed to the provider, as the ledger says.';
comment on column withdrawals.processed_at is 'When it ended, however it did.';
comment on column withdrawals.settled_at is
  'The bank''s own time of the end, by which our day is compared with the bank''s. Null for what a person paid by '
  'hand.';
comment on column withdrawals.search_text is 'The Pix key, folded.';
comment on column withdrawals.returned_cents is
  'The part that came back after it had been paid. All of it makes the withdrawal rejected, a part leaves it completed.';
comment on column withdrawals.returned_at is
  'When the money went back to the balance after the approval: it could not be paid by hand, or it came back.';
comment on column withdrawals.return_reason is 'Why, for the seller.';
comment on column withdrawals.sending_at is 'When a worker was last about to send it: nobody settles it by hand in the minute after.';
comment on column withdrawals.paid_after_refusal_at is
  'When the bank turned out to have paid what was taken as not paid: the money then left the balance a second time.';

create table destinations (
  id uuid constraint destinations_by_id primary key,
  seller_id uuid not null constraint destinations_seller_exists references users (id),
  target text not null,
  method text not null constraint destinations_method_is_known check (method in ('pix', 'bank_transfer')),
  pix_key text,
  pix_key_kind text constraint destinations_pix_key_kind_is_known check (
    pix_key_kind in ('cpf', 'cnpj', 'email', 'phone', 'evp')
  ),
  bank_data jsonb,
  first_used_at timestamptz not null,
  last_used_at timestamptz not null,
  confirmed_by text constraint destinations_confirmation_is_known check (confirmed_by in ('password', 'second_factor')),
  removed_at timestamptz,
  constraint destinations_by_target unique (seller_id, target),
  constraint destinations_by_pix_have_key check ((method = 'pix') = (pix_key is not null and pix_key_kind is not null)),
  constraint destinations_by_transfer_have_bank_data check ((method = 'bank_transfer') = (bank_data is not null))
);
create index withdrawals_by_xid on withdrawals (xid);

comment on table destinations is 'Keys and accounts to which a seller asked to be paid. A new one waits before anything goes there.';
comment on column destinations.target is 'The parts that decide where the money arrives, in one text.';
comment on column destinations.first_used_at is
  'When the first withdrawal to it was requested, since it was removed if it was: its hold counts from here.';
comment on column destinations.confirmed_by is 'How the seller proved at its first use who they are; null where nobody asked.';
comment on column destinations.removed_at is
  'When its owner removed it last, also by a freeze of the account: its next use is its first, and what was requested before '
  'proves nothing.';

create table reserve_holds (
  seller_id uuid not null constraint reserve_holds_seller_exists references users (id),
  due_on date not null,
  held_cents bigint not null constraint reserve_holds_hold_something check (held_cents > 0),
  drawn_cents bigint not null default 0,
  released_at timestamptz,
  constraint reserve_holds_by_seller primary key (seller_id, due_on),
  constraint reserve_holds_draw_within_what_is_held check (drawn_cents between 0 and held_cents)
) with (fillfactor = 80);
create index reserve_holds_due on reserve_holds (due_on, seller_id) where released_at is null;

comment on table reserve_holds is
  'Each seller''s money in seller-reserved by the day on which it is due (docs/ledger.md). Written under the lock of the seller''s '
  'available balance.';
comment on column reserve_holds.due_on is 'São Paulo''s day from which on it is available.';
comment on column reserve_holds.held_cents is 'The sum of all that was held until that day.';
comment on column reserve_holds.drawn_cents is 'The part that a refund, a dispute or a correction took before.';
comment on column reserve_holds.released_at is 'When the rest became available; null while it is held.';

create table reserve_progress (
  below xid8 not null default '0',
  is_only boolean not null default true constraint reserve_progress_has_one_row primary key,
  constraint reserve_progress_is_only check (is_only)
);
insert into reserve_progress default values;

comment on table reserve_progress is
  'How far the sales are held: of transactions below this one, what the settings hold is in seller-reserved. Its lock lets one '
  'server hold at a time.';

create table manual_entries (
  id uuid constraint manual_entries_by_id primary key,
  kind text not null constraint manual_entries_kind_is_known check (
    kind in ('own_payout', 'bank_tariff', 'capital_in', 'yield', 'correction')
  ),
  direction text constraint manual_entries_direction_is_known check (direction in ('credit', 'debit')),
  amount_cents bigint not null constraint manual_entries_amount_is_possible check (amount_cents between 1 and 999999999),
  provider text not null,
  seller_id uuid constraint manual_entries_seller_exists references users (id),
  reason text not null,
  reference text,
  reverses text,
  created_by uuid not null constraint manual_entries_author_exists references users (id),
  created_at timestamptz not null,
  approved_by uuid constraint manual_entries_approver_exists references users (id),
  booked_at timestamptz,
  refused_by uuid constraint manual_entries_refuser_exists references users (id),
  refused_at timestamptz,
  constraint manual_entries_refused_have_moment check ((refused_by is null) = (refused_at is null)),
  constraint manual_entries_refused_are_not_booked check (refused_at is null or booked_at is null),
  xid xid8 not null default pg_current_xact_id(),
  constraint manual_entries_correct_a_seller check (
    (kind = 'correction') = (seller_id is not null) and (kind = 'correction') = (direction is not null)
  ),
  constraint manual_entries_are_approved_by_another check (approved_by <> created_by),
  constraint manual_entries_correct_another check (created_by <> seller_id and (approved_by is null or approved_by <> seller_id)),
  constraint manual_entries_approved_are_booked check (approved_by is null or booked_at is not null)
);
create index manual_entries_by_reversed on manual_entries (reverses) where reverses is not null;
create index manual_entries_by_xid on manual_entries (xid);

comment on table manual_entries is
  'Bookings of administrators: the bank''s lists can''t tell of it. Another entry corrects a wrong one; no row is changed.';
comment on column manual_entries.xid is 'The transaction that wrote it: see chain_head.';
comment on column manual_entries.direction is 'The way in which a correction moves the seller''s balance.';
comment on column manual_entries.reference is 'Evidence: the transfer''s endToEndId, or the bank''s reference.';
comment on column manual_entries.reverses is 'The event that it reverses, as it was named; all entries for one never exceed its amount.';
comment on column manual_entries.approved_by is 'The second administrator; null where there was only one.';
comment on column manual_entries.booked_at is 'When it was booked; null while it waits for a second administrator.';
comment on column manual_entries.refused_by is 'The administrator who refused it while it waited, or its author, who withdrew it.';

create table hand_settlements (
  subject_id uuid constraint hand_settlements_by_subject primary key,
  subject text not null constraint hand_settlements_subject_is_known check (subject in ('withdrawal', 'refund')),
  outcome text not null constraint hand_settlements_outcome_is_known check (outcome in ('paid', 'not_paid')),
  end_to_end_id text collate "C",
  reason text not null,
  proposed_by uuid not null constraint hand_settlements_proposer_exists references users (id),
  proposed_at timestamptz not null,
  confirmed_by uuid constraint hand_settlements_confirmer_exists references users (id),
  settled_at timestamptz,
  constraint hand_settlements_paid_have_id check ((outcome = 'paid') = (end_to_end_id is not null)),
  constraint hand_settlements_are_confirmed_by_another check (confirmed_by is null or confirmed_by <> proposed_by)
);

comment on table hand_settlements is
  'A person''s word for what became of a payout or refund that the bank does not answer for. From the first word on it is not sent again.';
comment on column hand_settlements.subject_id is 'The id of the withdrawal or of the refund.';
comment on column hand_settlements.end_to_end_id is 'The transfer in the Pix network, of one that was paid.';
comment on column hand_settlements.confirmed_by is 'The second administrator; null where there was only one.';
comment on column hand_settlements.settled_at is 'When it took effect; null while it waits.';

create trigger withdrawals_keep_their_request
before update of seller_id, amount_cents, method, pix_key, pix_key_kind, bank_data, payout_id on withdrawals
for each row when (
  (old.seller_id, old.amount_cents, old.method, old.pix_key, old.pix_key_kind, old.bank_data, old.payout_id)
  is distinct from
  (new.seller_id, new.amount_cents, new.method, new.pix_key, new.pix_key_kind, new.bank_data, new.payout_id)
) execute function refuse_changed_facts();
comment on trigger withdrawals_keep_their_request on withdrawals is
  'The amount, the destination and the payout''s name are those of the request, for the owner too.';

grant select, insert on payments to tilinta_app;
grant execute on function book_payments(text[], text[], text[], bigint[], timestamptz[], timestamptz, timestamptz) to tilinta_app;
grant select on ledger_postings to tilinta_app;
grant select on statement_lines, entered_statements, balance_movements, account_days, account_movements to tilinta_app;
grant execute on function enter_statements(integer), close_statements(timestamptz) to tilinta_app;
grant select, update (after_sequence, since), delete on untold_sales to tilinta_app;
grant select on folded_payments, unfolded_payments, page_payments to tilinta_app;
create table receipt_verifications (
  charge_id uuid constraint receipt_verifications_by_charge primary key
    constraint receipt_verifications_charge_exists references charges (id),
  count bigint not null constraint receipt_verifications_count_is_positive check (count >= 1),
  last_at timestamptz not null
) with (fillfactor = 70);

comment on table receipt_verifications is
  'How often the receipt of a charge was verified, for its seller. Written by verifications alone: no payment waits for it.';
comment on column receipt_verifications.count is 'Each network counts once a day.';

grant execute on function count_page_at_once(uuid, uuid) to tilinta_app;
grant select, insert on disputes, refunds, unmatched_payments, withdrawals to tilinta_app;
grant update (
  amount_cents, blocked_cents, debited_cents, movements, reason, details, state, respond_until, reported_at, closed_at,
  settled_at, analysis, defence, defence_state, defended_by, defended_at, next_attempt_at, attempts, closed_by,
  admin_notes, updated_at
) on disputes to tilinta_app;
grant update (
  psp_refund_id, status, failure_reason, return_id, dispute_id, next_attempt_at, attempts, processed_at, settled_at,
  sending_at
) on refunds to tilinta_app;
grant update (status, accepted_charge_id, refund_id, decided_by, decided_at, admin_notes) on unmatched_payments
  to tilinta_app;
grant update (
  status, provider, end_to_end_id, admin_notes, failure_reason, decided_by, next_attempt_at, attempts, approved_at,
  sent_at, processed_at, settled_at, returned_cents, returned_at, return_reason, sending_at,
  paid_after_refusal_at, held_until, hold_reasons, first_approved_by
) on withdrawals to tilinta_app;
grant select, insert, update (first_used_at, last_used_at, confirmed_by, removed_at), delete on destinations to tilinta_app;
grant select, insert on reserve_holds to tilinta_app;
grant update (held_cents, drawn_cents, released_at) on reserve_holds to tilinta_app;
grant select, update (below) on reserve_progress to tilinta_app;
grant select, insert, update (approved_by, booked_at, refused_by, refused_at) on manual_entries to tilinta_app;
grant select, insert on hand_settlements to tilinta_app;
grant select, insert, update (count, last_at) on receipt_verifications to tilinta_app;
grant update (outcome, end_to_end_id, reason, proposed_by, proposed_at, confirmed_by, settled_at) on hand_settlements to tilinta_app;
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
  is_connected boolean not null default true
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

comment on table daily_closes is 'One day at one provider: our books against the bank''s lists (ADR 16).';
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

grant select, insert, update, delete on psp_inbox to tilinta_app;
grant select, insert, delete on unreadable_entries to tilinta_app;
grant update (closed_at, closed_by, close_reason) on unreadable_entries to tilinta_app;
grant select, insert, update on psp_connections, daily_closes, daily_close_totals to tilinta_app;
grant select, insert on bank_balances to tilinta_app;
grant update (at, bank_cents, our_cents, difference_cents, typed_by, read_again_until) on bank_balances to tilinta_app;
grant select, insert, update, delete on daily_close_differences, daily_close_entries to tilinta_app;
-- Totals kept as rows change, so that no list, card or chart adds up the history. Hot writers only add rows of changes,
-- and a booking not even these: its payments are the changes (ADR 32). A job folds them into the totals, and views add up
-- both, so a total is exact at any moment (ADR 13, ADR 23).
-- Only the functions in this file write these tables.

create table platform_totals (
  subject text not null constraint platform_totals_subject_is_known check (
    subject in ('charge-created', 'charge-paid', 'charge-page', 'withdrawal') or subject like 'unmatched-payment:%'
  ),
  day date not null,
  status text not null,
  count bigint not null,
  gross_cents bigint not null default 0,
  fee_cents bigint not null default 0,
  net_cents bigint not null default 0,
  refunded_cents bigint not null default 0,
  refunded_fee_cents bigint not null default 0,
  constraint platform_totals_by_subject primary key (subject, day, status)
) partition by list (subject);
create table platform_totals_of_charges partition of platform_totals
  for values in ('charge-created', 'charge-paid') with (fillfactor = 70);
create table platform_totals_of_others partition of platform_totals default with (fillfactor = 70);
alter table platform_totals_of_charges rename constraint platform_totals_of_charges_pkey
  to platform_totals_of_charges_by_subject;
alter table platform_totals_of_others rename constraint platform_totals_of_others_pkey
  to platform_totals_of_others_by_subject;

comment on table platform_totals is
  'Totals of the whole platform per subject, day and status, without the rows of platform_changes.';
comment on column platform_totals.day is 'São Paulo''s day of the creation; for ''charge-paid'' that of the payment.';
comment on column platform_totals.refunded_fee_cents is 'The fee''s share of refunded_cents.';
comment on table platform_totals_of_charges is 'A part of its own, so that reports about charges read nothing else.';
comment on table platform_totals_of_others is
  'Pages, withdrawals and payments to be checked (''unmatched-payment:'' and the reason).';

create table platform_changes (
  id bigint generated always as identity constraint platform_changes_by_id primary key,
  subject text not null,
  day date not null,
  status text not null,
  count bigint not null,
  gross_cents bigint not null default 0,
  fee_cents bigint not null default 0,
  net_cents bigint not null default 0,
  refunded_cents bigint not null default 0,
  refunded_fee_cents bigint not null default 0
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);

comment on table platform_changes is
  'Changes that platform_totals does not include yet. Writers only add rows, so that no two wait for each other '
  '(ADR 13).';

create table platform_status_totals (
  subject text not null,
  status text not null,
  count bigint not null,
  gross_cents bigint not null,
  fee_cents bigint not null,
  net_cents bigint not null,
  refunded_cents bigint not null,
  refunded_fee_cents bigint not null default 0,
  constraint platform_status_totals_by_subject primary key (subject, status)
) with (fillfactor = 70);

comment on table platform_status_totals is
  'platform_totals over all days. Kept as days are folded, so that no booking writes it.';

create table charge_changes (
  seller_id uuid not null,
  day date not null,
  status text,
  paid_day date,
  status_before text,
  paid_day_before date,
  count bigint not null,
  gross_cents bigint not null,
  fee_cents bigint not null,
  net_cents bigint not null,
  refunded_cents bigint not null default 0,
  refunded_fee_cents bigint not null default 0,
  refunded_cents_before bigint not null default 0,
  refunded_fee_cents_before bigint not null default 0
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
create index charge_changes_by_seller on charge_changes (seller_id);

comment on table charge_changes is
  'Changes that the kept_ totals of sellers do not include yet: one row per transition between statuses (ADR 23).';
comment on column charge_changes.day is 'São Paulo''s day of the creation.';
comment on column charge_changes.status is 'Null counts nowhere, as for a charge that is still being created.';
comment on column charge_changes.paid_day is 'São Paulo''s day of the payment; null unless the charge is paid.';
comment on column charge_changes.status_before is 'Null when there was no charge yet, or it was not yet shown.';
comment on column charge_changes.refunded_cents is
  'Refunded amounts of these charges after the change; those before it are subtracted from the status before.';
comment on column charge_changes.refunded_fee_cents is 'The fee''s share of refunded_cents.';

create table kept_charge_totals (
  seller_id uuid not null,
  status text not null,
  count bigint not null,
  gross_cents bigint not null,
  fee_cents bigint not null,
  net_cents bigint not null,
  refunded_cents bigint not null default 0,
  refunded_fee_cents bigint not null default 0,
  constraint charge_totals_by_seller primary key (seller_id, status)
) with (fillfactor = 70);
create index sellers_by_gross on kept_charge_totals (gross_cents desc, seller_id) where status = 'paid';

comment on table kept_charge_totals is 'A seller''s charges per status, without the rows of charge_changes.';

create table kept_charge_day_totals (
  seller_id uuid not null,
  day date not null,
  status text not null,
  count bigint not null,
  gross_cents bigint not null,
  fee_cents bigint not null,
  net_cents bigint not null,
  refunded_cents bigint not null default 0,
  refunded_fee_cents bigint not null default 0,
  constraint charge_day_totals_by_seller primary key (seller_id, day, status)
) with (fillfactor = 70);

comment on table kept_charge_day_totals is
  'A seller''s charges per day and status, without the rows of charge_changes.';
comment on column kept_charge_day_totals.day is 'São Paulo''s day of the creation.';

create table kept_paid_day_totals (
  seller_id uuid not null,
  day date not null,
  count bigint not null,
  gross_cents bigint not null,
  fee_cents bigint not null,
  net_cents bigint not null,
  refunded_cents bigint not null default 0,
  refunded_fee_cents bigint not null default 0,
  constraint paid_day_totals_by_seller primary key (seller_id, day)
) with (fillfactor = 70);
create index paid_day_totals_by_day on kept_paid_day_totals (day, seller_id);

comment on table kept_paid_day_totals is
  'Amounts paid to a seller per day and not reversed, without the rows of charge_changes.';
comment on column kept_paid_day_totals.day is 'São Paulo''s day of the payment.';

create table seller_month_totals (
  seller_id uuid not null,
  month date not null,
  count bigint not null,
  gross_cents bigint not null,
  constraint seller_month_totals_by_seller primary key (seller_id, month)
) with (fillfactor = 80);
create index seller_months_by_gross on seller_month_totals (month, gross_cents desc, count desc, seller_id);

comment on table seller_month_totals is
  'kept_paid_day_totals per month, for rankings: the best sellers are found without reading the others.';
comment on column seller_month_totals.month is 'Its first day.';

create table charge_page_totals (
  seller_id uuid not null,
  status text not null,
  count bigint not null,
  constraint charge_page_totals_by_seller primary key (seller_id, status)
) with (fillfactor = 70);

comment on table charge_page_totals is 'A seller''s pages per status, without deleted ones.';

create table withdrawal_totals (
  seller_id uuid not null,
  status text not null,
  count bigint not null,
  amount_cents bigint not null,
  constraint withdrawal_totals_by_seller primary key (seller_id, status)
) with (fillfactor = 70);

comment on table withdrawal_totals is 'A seller''s withdrawals per status.';

-- Views: each adds up folded totals and rows not yet folded.

create view unfolded_charge_changes as
select
  seller_id, day, status, paid_day, status_before, paid_day_before, count, gross_cents, fee_cents, net_cents,
  refunded_cents, refunded_fee_cents, refunded_cents_before, refunded_fee_cents_before
from charge_changes
union all
select
  seller_id, charge_day, 'paid', paid_day, status_before, null, 1, amount_cents, fee_cents, amount_cents - fee_cents,
  0, 0, 0, 0
from unfolded_payments;
comment on view unfolded_charge_changes is 'Transitions of charges that no total of a seller includes yet.';

create view unfolded_platform_changes as
select subject, day, status, count, gross_cents, fee_cents, net_cents, refunded_cents, refunded_fee_cents
from platform_changes
union all
select
  side.subject, side.day, side.status, side.direction, side.direction * amount_cents, side.direction * fee_cents,
  side.direction * (amount_cents - fee_cents), 0, 0
from unfolded_payments
cross join lateral (values
  ('charge-created', charge_day, 'paid', 1), ('charge-created', charge_day, status_before, -1),
  ('charge-paid', paid_day, 'paid', 1)
) side (subject, day, status, direction)
where side.status is not null;
comment on view unfolded_platform_changes is 'Changes that platform_totals does not include yet.';

create view platform_day_totals as
select
  subject, day, status, sum(count)::bigint as count, sum(gross_cents)::bigint as gross_cents,
  sum(fee_cents)::bigint as fee_cents, sum(net_cents)::bigint as net_cents,
  sum(refunded_cents)::bigint as refunded_cents, sum(refunded_fee_cents)::bigint as refunded_fee_cents
from (
  select subject, day, status, count, gross_cents, fee_cents, net_cents, refunded_cents, refunded_fee_cents
  from platform_totals
  union all
  select subject, day, status, count, gross_cents, fee_cents, net_cents, refunded_cents, refunded_fee_cents
  from unfolded_platform_changes
) part
group by subject, day, status;
comment on view platform_day_totals is 'Totals of the platform per subject, day and status, exact at any moment.';

create view platform_all_time_totals as
select
  subject, status, sum(count)::bigint as count, sum(gross_cents)::bigint as gross_cents,
  sum(fee_cents)::bigint as fee_cents, sum(net_cents)::bigint as net_cents,
  sum(refunded_cents)::bigint as refunded_cents, sum(refunded_fee_cents)::bigint as refunded_fee_cents
from (
  select subject, status, count, gross_cents, fee_cents, net_cents, refunded_cents, refunded_fee_cents
  from platform_status_totals
  union all
  select subject, status, count, gross_cents, fee_cents, net_cents, refunded_cents, refunded_fee_cents
  from unfolded_platform_changes
) part
group by subject, status;
comment on view platform_all_time_totals is
  'Totals of the platform per subject and status over all days, exact at any moment.';

create view charge_totals as
select
  seller_id, status, sum(count)::bigint as count, sum(gross_cents)::bigint as gross_cents,
  sum(fee_cents)::bigint as fee_cents, sum(net_cents)::bigint as net_cents,
  sum(refunded_cents)::bigint as refunded_cents, sum(refunded_fee_cents)::bigint as refunded_fee_cents
from (
  select seller_id, status, count, gross_cents, fee_cents, net_cents, refunded_cents, refunded_fee_cents
  from kept_charge_totals
  union all
  select
    moved.seller_id, side.status, side.direction * moved.count, side.direction * moved.gross_cents,
    side.direction * moved.fee_cents, side.direction * moved.net_cents, side.direction * side.refunded_cents,
    side.direction * side.refunded_fee_cents
  from unfolded_charge_changes moved
  cross join lateral (values
    (1, moved.status, moved.paid_day, moved.refunded_cents, moved.refunded_fee_cents),
    (-1, moved.status_before, moved.paid_day_before, moved.refunded_cents_before, moved.refunded_fee_cents_before)
  ) side (direction, status, paid_day, refunded_cents, refunded_fee_cents)
  where side.status is not null
) part
group by seller_id, status;
comment on view charge_totals is
  'A seller''s charges per status, exact at any moment. Conditions on the grouped columns reach both halves.';

create view charge_day_totals as
select
  seller_id, day, status, sum(count)::bigint as count, sum(gross_cents)::bigint as gross_cents,
  sum(fee_cents)::bigint as fee_cents, sum(net_cents)::bigint as net_cents,
  sum(refunded_cents)::bigint as refunded_cents, sum(refunded_fee_cents)::bigint as refunded_fee_cents
from (
  select seller_id, day, status, count, gross_cents, fee_cents, net_cents, refunded_cents, refunded_fee_cents
  from kept_charge_day_totals
  union all
  select
    moved.seller_id, moved.day, side.status, side.direction * moved.count, side.direction * moved.gross_cents,
    side.direction * moved.fee_cents, side.direction * moved.net_cents, side.direction * side.refunded_cents,
    side.direction * side.refunded_fee_cents
  from unfolded_charge_changes moved
  cross join lateral (values
    (1, moved.status, moved.paid_day, moved.refunded_cents, moved.refunded_fee_cents),
    (-1, moved.status_before, moved.paid_day_before, moved.refunded_cents_before, moved.refunded_fee_cents_before)
  ) side (direction, status, paid_day, refunded_cents, refunded_fee_cents)
  where side.status is not null
) part
group by seller_id, day, status;
comment on view charge_day_totals is 'A seller''s charges per day of creation and status, exact at any moment.';

create view paid_day_parts as
select seller_id, day, count, gross_cents, fee_cents, net_cents, refunded_cents, refunded_fee_cents
from kept_paid_day_totals
union all
select
  moved.seller_id, side.paid_day, side.direction * moved.count, side.direction * moved.gross_cents,
  side.direction * moved.fee_cents, side.direction * moved.net_cents, side.direction * side.refunded_cents,
  side.direction * side.refunded_fee_cents
from unfolded_charge_changes moved
cross join lateral (values
  (1, moved.paid_day, moved.refunded_cents, moved.refunded_fee_cents),
  (-1, moved.paid_day_before, moved.refunded_cents_before, moved.refunded_fee_cents_before)
) side (direction, paid_day, refunded_cents, refunded_fee_cents)
where side.paid_day is not null;
comment on view paid_day_parts is 'The parts of paid_day_totals, for queries that group them by something else.';

create view paid_day_totals as
select
  seller_id, day, sum(count)::bigint as count, sum(gross_cents)::bigint as gross_cents,
  sum(fee_cents)::bigint as fee_cents, sum(net_cents)::bigint as net_cents,
  sum(refunded_cents)::bigint as refunded_cents, sum(refunded_fee_cents)::bigint as refunded_fee_cents
from paid_day_parts
group by seller_id, day;
comment on view paid_day_totals is 'Amounts paid to a seller per day of payment and not reversed, exact at any moment.';

create view unfolded_paid_days as
select
  moved.seller_id, side.day, side.direction * moved.count as count, side.direction * moved.gross_cents as gross_cents
from unfolded_charge_changes moved
cross join lateral (values (1, moved.paid_day), (-1, moved.paid_day_before)) side (direction, day)
where side.day is not null;
comment on view unfolded_paid_days is 'Days that seller_month_totals does not include yet.';

-- Charges.

create type charge_change as (
  seller_id uuid, status text, created_at timestamptz, paid_at timestamptz, direction integer,
  amount_cents bigint, fee_cents bigint, net_cents bigint, refunded_cents bigint, refunded_fee_cents bigint
);
comment on type charge_change is 'Input of add_charge_changes(): a charge that enters a status (1) or leaves it (-1).';

create function add_charge_changes(changes charge_change[]) returns void
language plpgsql security definer set search_path = pg_catalog, public as $$
begin
  insert into charge_changes (
    seller_id, day, status, paid_day, count, gross_cents, fee_cents, net_cents, refunded_cents, refunded_fee_cents
  )
  select
    seller_id, sao_paulo_day(created_at), status, case when status = 'paid' then sao_paulo_day(paid_at) end,
    sum(direction), sum(direction * amount_cents), sum(direction * fee_cents), sum(direction * net_cents),
    sum(direction * refunded_cents), sum(direction * refunded_fee_cents)
  from unnest(changes)
  where status <> 'creating'
  group by 1, 2, 3, 4;
end
$$;
comment on function add_charge_changes(charge_change[]) is
  'Adds new charges to charge_changes, without those that are still being created.';

create function count_new_charges() returns trigger
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

  insert into open_charges (charge_id, seller_id, page_id, created_at, expires_at)
  select id, seller_id, page_id, created_at, expires_at from new_charges where status in ('creating', 'pending');

  insert into unfinished_charges (charge_id, created_at)
  select id, created_at from new_charges where status = 'creating';

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
    select row(
      seller_id, status, created_at, paid_at, 1, amount_cents, fee_cents, net_cents, refunded_cents, refunded_fee_cents
    )::charge_change
    from new_charges where status <> 'creating'
  );
  if cardinality(counted) = 0 then return null; end if;
  perform add_charge_changes(counted);

  insert into platform_changes (
    subject, day, status, count, gross_cents, fee_cents, net_cents, refunded_cents, refunded_fee_cents
  )
  select
    kept.subject, sao_paulo_day(kept.moment), charge.status, count(*), sum(charge.amount_cents),
    sum(charge.fee_cents), sum(charge.net_cents), sum(charge.refunded_cents), sum(charge.refunded_fee_cents)
  from new_charges charge
  cross join lateral (values
    ('charge-created', charge.created_at), ('charge-paid', charge.paid_at)
  ) kept (subject, moment)
  where charge.status <> 'creating' and (kept.subject = 'charge-created' or charge.status = 'paid')
  group by 1, 2, 3;
  return null;
end
$$;
comment on function count_new_charges() is
  'Does everything that new charges need once per statement: checks seller and page in place of foreign keys, '
  'writes open_charges, unfinished_charges and the texts for search, and counts what is not still being created.';

create function count_changed_charges() returns trigger
language plpgsql security definer set search_path = pg_catalog, public set enable_seqscan = off as $$
declare
  earlier record;
  later record;
begin
  delete from open_charges
  where charge_id = any (array(select id from new_charges where status not in ('creating', 'pending')));

  if exists (select from old_charges where status = 'creating') then
    delete from unfinished_charges
    where charge_id = any (array(select id from new_charges where status <> 'creating'));
  end if;

  select
    min(status) as status, max(status) as other, count(paid_at) as paid, count(end_to_end_id) as by_payment,
    sum(refunded_cents) as refunded
  into earlier from old_charges;
  select
    min(status) as status, max(status) as other, count(*) as count, count(end_to_end_id) as by_payment,
    sum(refunded_cents) as refunded
  into later from new_charges;
  if earlier.by_payment = 0 and later.by_payment = later.count then return null; end if;

  insert into event_drafts (occurred_at, seller_id, subject_id, type, state)
  select
    charge.updated_at, charge.seller_id, charge.id,
    case charge.status
      when 'pending' then 'charge.created' when 'expired' then 'charge.expired' when 'cancelled' then 'charge.cancelled'
      else 'charge.refunded'
    end,
    case when charge.refunded_cents > 0 then charge_state(charge) end
  from new_charges charge
  join old_charges before using (id)
  where charge.status <> before.status and charge.status in ('pending', 'expired', 'cancelled')
    or charge.refunded_cents > before.refunded_cents
  order by charge.id;

  -- An expiry or an opening takes all of its charges from one status to one other, and none was paid before: then
  -- nothing says which old row belongs to which new one.
  if later.by_payment = 0 and earlier.status = earlier.other and later.status = later.other and earlier.status <> later.status
    and earlier.paid = 0 and earlier.refunded = 0 and later.refunded = 0 then
    with moved as materialized (
      select
        seller_id, sao_paulo_day(created_at) as day, nullif(later.status, 'creating') as status,
        case when later.status = 'paid' then sao_paulo_day(paid_at) end as paid_day,
        nullif(earlier.status, 'creating') as status_before, count(*) as count, sum(amount_cents) as gross_cents,
        sum(fee_cents) as fee_cents, sum(net_cents) as net_cents
      from new_charges
      group by seller_id, 2, 4
    ), of_platform as (
      insert into platform_changes (subject, day, status, count, gross_cents, fee_cents, net_cents)
      select
        kept.subject, kept.day, kept.status, sum(kept.direction * count), sum(kept.direction * gross_cents),
        sum(kept.direction * fee_cents), sum(kept.direction * net_cents)
      from moved
      cross join lateral (values
        ('charge-created', moved.day, status, 1), ('charge-created', moved.day, status_before, -1),
        ('charge-paid', paid_day, status, 1)
      ) kept (subject, day, status, direction)
      where kept.day is not null and kept.status is not null
      group by 1, 2, 3
    )
    insert into charge_changes (
      seller_id, day, status, paid_day, status_before, count, gross_cents, fee_cents, net_cents
    )
    select seller_id, day, status, paid_day, status_before, count, gross_cents, fee_cents, net_cents from moved;
    return null;
  end if;

  with charge as (
    select
      seller_id, sao_paulo_day(created_at) as day, amount_cents, fee_cents, net_cents,
      max(status) filter (where is_new) as status, max(status) filter (where not is_new) as status_before,
      sao_paulo_day(max(paid_at) filter (where is_new and status = 'paid')) as paid_day,
      sao_paulo_day(max(paid_at) filter (where not is_new and status = 'paid')) as paid_day_before,
      coalesce(max(refunded_cents) filter (where is_new), 0) as refunded_cents,
      coalesce(max(refunded_cents) filter (where not is_new), 0) as refunded_cents_before,
      coalesce(max(refunded_fee_cents) filter (where is_new), 0) as refunded_fee_cents,
      coalesce(max(refunded_fee_cents) filter (where not is_new), 0) as refunded_fee_cents_before
    from (
      select
        true as is_new, id, seller_id, created_at, amount_cents, fee_cents, net_cents, refunded_cents,
        refunded_fee_cents, paid_at, nullif(status, 'creating') as status, end_to_end_id
      from new_charges
      union all
      select
        false, id, seller_id, created_at, amount_cents, fee_cents, net_cents, refunded_cents,
        refunded_fee_cents, paid_at, nullif(status, 'creating'), end_to_end_id
      from old_charges
    ) side
    group by id, seller_id, created_at, amount_cents, fee_cents, net_cents
    having count(end_to_end_id) filter (where is_new) = count(end_to_end_id) filter (where not is_new)
  ), moved as materialized (
    select
      seller_id, day, status, paid_day, status_before, paid_day_before, count(*) as count,
      sum(amount_cents)::bigint as gross_cents, sum(fee_cents)::bigint as fee_cents,
      sum(net_cents)::bigint as net_cents, sum(refunded_cents)::bigint as refunded_cents,
      sum(refunded_cents_before)::bigint as refunded_cents_before,
      sum(refunded_fee_cents)::bigint as refunded_fee_cents,
      sum(refunded_fee_cents_before)::bigint as refunded_fee_cents_before
    from charge
    where status is distinct from status_before or paid_day is distinct from paid_day_before
      or refunded_cents <> refunded_cents_before
    group by seller_id, day, status, paid_day, status_before, paid_day_before
  ), of_platform as (
    insert into platform_changes (
      subject, day, status, count, gross_cents, fee_cents, net_cents, refunded_cents, refunded_fee_cents
    )
    select
      kept.subject, kept.day, kept.status, sum(kept.direction * count), sum(kept.direction * gross_cents),
      sum(kept.direction * fee_cents), sum(kept.direction * net_cents), sum(kept.direction * kept.refunded),
      sum(kept.direction * kept.refunded_fee)
    from moved
    cross join lateral (values
      ('charge-created', moved.day, status, 1, refunded_cents, refunded_fee_cents),
      ('charge-created', moved.day, status_before, -1, refunded_cents_before, refunded_fee_cents_before),
      ('charge-paid', paid_day, status, 1, refunded_cents, refunded_fee_cents),
      ('charge-paid', paid_day_before, status_before, -1, refunded_cents_before, refunded_fee_cents_before)
    ) kept (subject, day, status, direction, refunded, refunded_fee)
    where kept.day is not null and kept.status is not null
    group by 1, 2, 3
  )
  insert into charge_changes (
    seller_id, day, status, paid_day, status_before, paid_day_before, count, gross_cents, fee_cents, net_cents,
    refunded_cents, refunded_fee_cents, refunded_cents_before, refunded_fee_cents_before
  )
  select
    seller_id, day, status, paid_day, status_before, paid_day_before, count, gross_cents, fee_cents, net_cents,
    refunded_cents, refunded_fee_cents, refunded_cents_before, refunded_fee_cents_before
  from moved;
  return null;
end
$$;
comment on function count_changed_charges() is
  'Keeps open_charges and unfinished_charges, and adds one row of changes per transition between statuses, with the refunded amount, and an event '
  'for each charge. A charge that gets the endToEndId of its payment is left out: the payment is the change (ADR 32) and the '
  'event (ADR 37).';

create trigger charges_are_counted after insert on charges
referencing new table as new_charges for each statement execute function count_new_charges();
comment on trigger charges_are_counted on charges is 'Checks, counts and makes searchable.';

create trigger charges_are_recounted after update on charges
referencing old table as old_charges new table as new_charges
for each statement execute function count_changed_charges();
comment on trigger charges_are_recounted on charges is 'Keeps the totals of charges.';

-- Charge pages.

create type counted_charge_change as (
  seller_id uuid, day date, status text, paid_day date, direction integer, amount_cents bigint, fee_cents bigint,
  net_cents bigint, refunded_cents bigint
);
comment on type counted_charge_change is
  'Rows that count_charge_pages() collects; it uses the first three columns and the direction.';

create function count_new_charge_pages() returns trigger
language plpgsql security definer set search_path = pg_catalog, public as $$
begin
  insert into active_charge_pages (page_id, seller_id, created_at, expires_at)
  select id, seller_id, created_at, expires_at from new_pages where status = 'active';

  insert into charge_page_totals as total (seller_id, status, count)
  select seller_id, status, count(*)
  from new_pages
  where deleted_at is null
  group by seller_id, status
  order by seller_id, status
  on conflict (seller_id, status) do update set count = total.count + excluded.count;
  return null;
end
$$;
comment on function count_new_charge_pages() is 'Adds new pages to charge_page_totals and active_charge_pages.';

create function count_new_charge_pages_of_platform() returns trigger
language plpgsql security definer set search_path = pg_catalog, public as $$
begin
  insert into platform_changes (subject, day, status, count)
  select 'charge-page', sao_paulo_day(created_at), status, count(*)
  from new_pages where deleted_at is null group by 2, 3;
  return null;
end
$$;
comment on function count_new_charge_pages_of_platform() is 'Adds new pages to platform_changes.';

create function count_charge_pages() returns trigger
language plpgsql security definer set search_path = pg_catalog, public set enable_seqscan = off as $$
declare
  changes counted_charge_change[];
begin
  delete from active_charge_pages where page_id = any (array(select id from new_pages where status <> 'active'));

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

  -- Not by a clause for conflicts, which would log a lock for each row: nearly all of them exist.
  insert into charge_page_totals (seller_id, status, count)
  select distinct seller_id, status, 0
  from unnest(changes) change
  where not exists (
    select from charge_page_totals total
    where total.seller_id = any (array[change.seller_id]) and total.status = any (array[change.status])
  )
  order by seller_id, status
  on conflict do nothing;
  with added as materialized (
    select seller_id, status, sum(direction) as count
    from unnest(changes) group by seller_id, status having sum(direction) <> 0 order by seller_id, status
  )
  update charge_page_totals total set count = total.count + added.count
  from added
  where total.seller_id = any (array[added.seller_id]) and total.status = any (array[added.status]);

  insert into platform_changes (subject, day, status, count)
  select 'charge-page', day, status, sum(direction)
  from unnest(changes)
  group by day, status
  having sum(direction) <> 0;
  return null;
end
$$;
comment on function count_charge_pages() is
  'Moves pages between statuses in both totals, and out of active_charge_pages. Many changes of a page only count a '
  'payment, and end at once.';

create trigger charge_pages_are_counted after insert on charge_pages
referencing new table as new_pages for each statement execute function count_new_charge_pages();
comment on trigger charge_pages_are_counted on charge_pages is 'Keeps charge_page_totals.';

create trigger charge_pages_are_counted_for_platform after insert on charge_pages
referencing new table as new_pages for each statement execute function count_new_charge_pages_of_platform();
comment on trigger charge_pages_are_counted_for_platform on charge_pages is 'Keeps the platform''s total of pages.';

create trigger charge_pages_are_recounted after update on charge_pages
referencing old table as old_pages new table as new_pages
for each statement execute function count_charge_pages();
comment on trigger charge_pages_are_recounted on charge_pages is 'Keeps both totals of pages.';

-- Withdrawals.

create type withdrawal_change as (
  seller_id uuid, status text, created_at timestamptz, direction integer, amount_cents bigint
);
comment on type withdrawal_change is
  'Input of add_withdrawal_changes(): a withdrawal that enters a status (1) or leaves it (-1).';

create function add_withdrawal_changes(changes withdrawal_change[]) returns void
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
comment on function add_withdrawal_changes(withdrawal_change[]) is
  'Adds withdrawals to their seller''s totals and to platform_changes.';

create function count_new_withdrawals() returns trigger
language plpgsql security definer set search_path = pg_catalog, public as $$
begin
  perform add_withdrawal_changes(array(
    select row(seller_id, status, created_at, 1, amount_cents)::withdrawal_change from new_withdrawals
  ));
  return null;
end
$$;
comment on function count_new_withdrawals() is 'Adds new withdrawals to both totals.';

create function count_changed_withdrawals() returns trigger
language plpgsql security definer set search_path = pg_catalog, public as $$
begin
  perform add_withdrawal_changes(array(
    select row(
      change.seller_id, change.status, change.created_at, change.direction, change.amount_cents
    )::withdrawal_change
    from (
      select later.*, 1 as direction
      from new_withdrawals later join old_withdrawals earlier using (id) where later.status <> earlier.status
      union all
      select earlier.*, -1
      from new_withdrawals later join old_withdrawals earlier using (id) where later.status <> earlier.status
    ) change
  ));
  return null;
end
$$;
comment on function count_changed_withdrawals() is 'Moves withdrawals between statuses in both totals.';

create trigger withdrawals_are_counted after insert on withdrawals
referencing new table as new_withdrawals for each statement execute function count_new_withdrawals();
comment on trigger withdrawals_are_counted on withdrawals is 'Keeps the totals of withdrawals.';

create trigger withdrawals_are_recounted after update on withdrawals
referencing old table as old_withdrawals new table as new_withdrawals
for each statement execute function count_changed_withdrawals();
comment on trigger withdrawals_are_recounted on withdrawals is 'Keeps the totals of withdrawals.';

-- Payments to be checked.

create function count_new_unmatched_payments() returns trigger
language plpgsql security definer set search_path = pg_catalog, public as $$
begin
  insert into platform_changes (subject, day, status, count, gross_cents)
  select 'unmatched-payment:' || reason, sao_paulo_day(received_at), status, count(*), sum(amount_cents)
  from new_unmatched_payments group by 1, 2, 3;
  return null;
end
$$;
comment on function count_new_unmatched_payments() is 'Adds new unmatched payments to platform_changes.';

create function count_changed_unmatched_payments() returns trigger
language plpgsql security definer set search_path = pg_catalog, public as $$
begin
  insert into platform_changes (subject, day, status, count, gross_cents)
  select 'unmatched-payment:' || reason, sao_paulo_day(received_at), status, sum(direction), sum(direction * amount_cents)
  from (
    select reason, received_at, status, amount_cents, 1 as direction from new_unmatched_payments
    union all
    select reason, received_at, status, amount_cents, -1 from old_unmatched_payments
  ) change
  group by 1, 2, 3
  having sum(direction) <> 0 or sum(direction * amount_cents) <> 0;
  return null;
end
$$;
comment on function count_changed_unmatched_payments() is
  'Moves unmatched payments between statuses in platform_changes.';

create trigger unmatched_payments_are_counted after insert on unmatched_payments
referencing new table as new_unmatched_payments for each statement execute function count_new_unmatched_payments();
comment on trigger unmatched_payments_are_counted on unmatched_payments is
  'Keeps the platform''s totals of payments to be checked.';

create trigger unmatched_payments_are_recounted after update on unmatched_payments
referencing old table as old_unmatched_payments new table as new_unmatched_payments
for each statement execute function count_changed_unmatched_payments();
comment on trigger unmatched_payments_are_recounted on unmatched_payments is
  'Keeps the platform''s totals of payments to be checked.';

-- Folding.

create function fold_platform_changes(at_most integer) returns bigint
language plpgsql security definer set search_path = pg_catalog, public as $$
declare
  folded bigint;
begin
  with waiting as (
    select id from platform_changes order by id limit at_most for update skip locked
  ), taken as (
    delete from platform_changes change using waiting where change.id = waiting.id returning change.*
  ), added as (
    insert into platform_totals as total (
      subject, day, status, count, gross_cents, fee_cents, net_cents, refunded_cents, refunded_fee_cents
    )
    select
      subject, day, status, sum(count), sum(gross_cents), sum(fee_cents), sum(net_cents), sum(refunded_cents),
      sum(refunded_fee_cents)
    from taken
    group by subject, day, status
    order by subject, day, status
    on conflict (subject, day, status) do update set
      count = total.count + excluded.count,
      gross_cents = total.gross_cents + excluded.gross_cents,
      fee_cents = total.fee_cents + excluded.fee_cents,
      net_cents = total.net_cents + excluded.net_cents,
      refunded_cents = total.refunded_cents + excluded.refunded_cents,
      refunded_fee_cents = total.refunded_fee_cents + excluded.refunded_fee_cents
  )
  select count(*) into folded from taken;
  return folded;
end
$$;
comment on function fold_platform_changes(integer) is
  'Moves at most so many rows of platform_changes into platform_totals and returns how many. Two at once take '
  'different rows.';
revoke execute on function fold_platform_changes(integer) from public;

create function fold_payments_below(bound xid8) returns bigint
language plpgsql security definer set search_path = pg_catalog, public set enable_seqscan = off
set enable_indexonlyscan = off as $$
declare
  done xid8;
  folded bigint;
begin
  select below into done from folded_payments for update;
  -- In the order that every writer of pages keeps.
  perform from charge_pages
  where id = any (array(
    select page_id from payments where charge_day is not null and page_id is not null and xid >= done and xid < bound
  ))
  order by id::text for update;

  with paid as materialized (
    select
      seller_id, page_id, charge_day, sao_paulo_day(paid_at) as paid_day, status_before, count(*) as count,
      sum(amount_cents)::bigint as gross_cents, sum(fee_cents)::bigint as fee_cents,
      sum(amount_cents - fee_cents)::bigint as net_cents, max(received_at) as received_at
    from payments
    where charge_day is not null and xid >= done and xid < bound
    group by 1, 2, 3, 4, 5
  ), of_sellers as (
    insert into charge_changes (
      seller_id, day, status, paid_day, status_before, count, gross_cents, fee_cents, net_cents
    )
    select
      seller_id, charge_day, 'paid', paid_day, status_before, sum(count), sum(gross_cents), sum(fee_cents), sum(net_cents)
    from paid group by seller_id, charge_day, paid_day, status_before
  ), of_platform as (
    insert into platform_changes (subject, day, status, count, gross_cents, fee_cents, net_cents)
    select
      side.subject, side.day, side.status, sum(side.direction * count), sum(side.direction * gross_cents),
      sum(side.direction * fee_cents), sum(side.direction * net_cents)
    from paid
    cross join lateral (values
      ('charge-created', charge_day, 'paid', 1), ('charge-created', charge_day, status_before, -1),
      ('charge-paid', paid_day, 'paid', 1)
    ) side (subject, day, status, direction)
    where side.status is not null
    group by 1, 2, 3
  ), of_pages as (
    update charge_pages page
    set payments_count = page.payments_count + counted.count,
      updated_at = greatest(page.updated_at, counted.received_at)
    from (
      select page_id, sum(count) as count, max(received_at) as received_at from paid where page_id is not null group by page_id
    ) counted
    where page.id = any (array[counted.page_id])
  ), marked as (
    update folded_payments set below = bound where below < bound
  )
  select coalesce(sum(count), 0) into folded from paid;
  return folded;
end
$$;
comment on function fold_payments_below(xid8) is
  'Adds the payments of transactions below this one to the changes and to the counts of pages, and returns how many.';
revoke execute on function fold_payments_below(xid8) from public;

create function fold_payments(at_most integer, at_least integer) returns bigint
language plpgsql security definer set search_path = pg_catalog, public set enable_seqscan = off as $$
declare
  done xid8;
  ended xid8 := pg_snapshot_xmin(pg_current_snapshot());
  bound xid8;
begin
  select below into done from folded_payments for update skip locked;
  if not found or done >= ended then return 0; end if;
  if at_least > (
    select count(*) from (select from payments where xid >= done and xid < ended order by xid limit at_least) waiting
  ) then
    return 0;
  end if;
  select xid into bound from payments where xid >= done and xid < ended order by xid offset at_most limit 1;
  -- A transaction of more payments than that is taken whole.
  if bound = (select xid from payments where xid >= done order by xid limit 1) then
    select xid into bound from payments where xid > bound and xid < ended order by xid limit 1;
  end if;
  return fold_payments_below(coalesce(bound, ended));
end
$$;
comment on function fold_payments(integer, integer) is
  'Folds the oldest payments, about so many, whole transactions only, if so many wait, and returns how many. All transactions below the '
  'oldest that is under way have ended, so no payment is passed that commits late. While another one folds, it returns 0.';
revoke execute on function fold_payments(integer, integer) from public;

create function fold_charge_changes(at_most integer) returns bigint
language plpgsql security definer set search_path = pg_catalog, public set enable_seqscan = off as $$
declare
  folded bigint;
begin
  -- The numbers stand in db/advisory-locks.ts.
  if not pg_try_advisory_xact_lock(1953066089, 4) then return 0; end if;

  -- Nearly all totals exist. A clause for conflicts would log a lock for each, so the few others are inserted apart:
  -- nobody else adds one meanwhile.
  with taken as (
    delete from charge_changes where ctid = any (array(select ctid from charge_changes limit at_most)) returning *
  ), state as (
    select
      taken.seller_id, taken.day, side.status, side.paid_day, side.direction * taken.count as count,
      side.direction * taken.gross_cents as gross_cents, side.direction * taken.fee_cents as fee_cents,
      side.direction * taken.net_cents as net_cents, side.direction * side.refunded_cents as refunded_cents,
      side.direction * side.refunded_fee_cents as refunded_fee_cents
    from taken
    cross join lateral (values
      (1, taken.status, taken.paid_day, taken.refunded_cents, taken.refunded_fee_cents),
      (-1, taken.status_before, taken.paid_day_before, taken.refunded_cents_before, taken.refunded_fee_cents_before)
    ) side (direction, status, paid_day, refunded_cents, refunded_fee_cents)
    where side.status is not null
  ), by_seller as materialized (
    select
      seller_id, status, sum(count) as count, sum(gross_cents) as gross_cents,
      sum(fee_cents) as fee_cents, sum(net_cents) as net_cents, sum(refunded_cents) as refunded_cents,
      sum(refunded_fee_cents) as refunded_fee_cents
    from state
    group by 1, 2 order by 1, 2
  ), moved_by_seller as (
    update kept_charge_totals total set
      count = total.count + change.count,
      gross_cents = total.gross_cents + change.gross_cents,
      fee_cents = total.fee_cents + change.fee_cents,
      net_cents = total.net_cents + change.net_cents,
      refunded_cents = total.refunded_cents + change.refunded_cents,
      refunded_fee_cents = total.refunded_fee_cents + change.refunded_fee_cents
    from by_seller change
    where total.seller_id = any (array[change.seller_id]) and total.status = any (array[change.status])
  ), added_by_seller as (
    insert into kept_charge_totals (
      seller_id, status, count, gross_cents, fee_cents, net_cents, refunded_cents, refunded_fee_cents
    )
    select
      change.seller_id, change.status, change.count, change.gross_cents, change.fee_cents,
      change.net_cents, change.refunded_cents, change.refunded_fee_cents
    from by_seller change
    where not exists (
      select from kept_charge_totals total
      where total.seller_id = any (array[change.seller_id]) and total.status = any (array[change.status])
    )
  ), by_day as materialized (
    select
      seller_id, day, status, sum(count) as count, sum(gross_cents) as gross_cents,
      sum(fee_cents) as fee_cents, sum(net_cents) as net_cents, sum(refunded_cents) as refunded_cents,
      sum(refunded_fee_cents) as refunded_fee_cents
    from state
    group by 1, 2, 3 order by 1, 2, 3
  ), moved_by_day as (
    update kept_charge_day_totals total set
      count = total.count + change.count,
      gross_cents = total.gross_cents + change.gross_cents,
      fee_cents = total.fee_cents + change.fee_cents,
      net_cents = total.net_cents + change.net_cents,
      refunded_cents = total.refunded_cents + change.refunded_cents,
      refunded_fee_cents = total.refunded_fee_cents + change.refunded_fee_cents
    from by_day change
    where total.seller_id = any (array[change.seller_id]) and total.day = any (array[change.day])
      and total.status = any (array[change.status])
  ), added_by_day as (
    insert into kept_charge_day_totals (
      seller_id, day, status, count, gross_cents, fee_cents, net_cents, refunded_cents, refunded_fee_cents
    )
    select
      change.seller_id, change.day, change.status, change.count, change.gross_cents, change.fee_cents,
      change.net_cents, change.refunded_cents, change.refunded_fee_cents
    from by_day change
    where not exists (
      select from kept_charge_day_totals total
      where total.seller_id = any (array[change.seller_id]) and total.day = any (array[change.day])
        and total.status = any (array[change.status])
    )
  ), by_paid_day as materialized (
    select
      seller_id, paid_day as day, sum(count) as count, sum(gross_cents) as gross_cents,
      sum(fee_cents) as fee_cents, sum(net_cents) as net_cents, sum(refunded_cents) as refunded_cents,
      sum(refunded_fee_cents) as refunded_fee_cents
    from state
    where paid_day is not null
    group by 1, 2 order by 1, 2
  ), moved_by_paid_day as (
    update kept_paid_day_totals total set
      count = total.count + change.count,
      gross_cents = total.gross_cents + change.gross_cents,
      fee_cents = total.fee_cents + change.fee_cents,
      net_cents = total.net_cents + change.net_cents,
      refunded_cents = total.refunded_cents + change.refunded_cents,
      refunded_fee_cents = total.refunded_fee_cents + change.refunded_fee_cents
    from by_paid_day change
    where total.seller_id = any (array[change.seller_id]) and total.day = any (array[change.day])
  ), added_by_paid_day as (
    insert into kept_paid_day_totals (
      seller_id, day, count, gross_cents, fee_cents, net_cents, refunded_cents, refunded_fee_cents
    )
    select
      change.seller_id, change.day, change.count, change.gross_cents, change.fee_cents,
      change.net_cents, change.refunded_cents, change.refunded_fee_cents
    from by_paid_day change
    where not exists (
      select from kept_paid_day_totals total
      where total.seller_id = any (array[change.seller_id]) and total.day = any (array[change.day])
    )
  )
  select count(*) into folded from taken;
  return folded;
end
$$;
comment on function fold_charge_changes(integer) is
  'Moves at most so many rows of charge_changes into the kept_ totals and returns how many. One at a time: while '
  'another '
  'one folds, it returns 0.';
revoke execute on function fold_charge_changes(integer) from public;

create function add_folded_days() returns trigger
language plpgsql security definer set search_path = pg_catalog, public as $$
begin
  insert into platform_status_totals as total
    (subject, status, count, gross_cents, fee_cents, net_cents, refunded_cents, refunded_fee_cents)
  select
    subject, status, sum(count), sum(gross_cents), sum(fee_cents), sum(net_cents), sum(refunded_cents),
    sum(refunded_fee_cents)
  from new_days group by subject, status order by subject, status
  on conflict (subject, status) do update set
    count = total.count + excluded.count,
    gross_cents = total.gross_cents + excluded.gross_cents,
    fee_cents = total.fee_cents + excluded.fee_cents,
    net_cents = total.net_cents + excluded.net_cents,
    refunded_cents = total.refunded_cents + excluded.refunded_cents,
    refunded_fee_cents = total.refunded_fee_cents + excluded.refunded_fee_cents;
  return null;
end
$$;
comment on function add_folded_days() is 'Adds new days of platform_totals to platform_status_totals.';

create function add_refolded_days() returns trigger
language plpgsql security definer set search_path = pg_catalog, public as $$
begin
  insert into platform_status_totals as total
    (subject, status, count, gross_cents, fee_cents, net_cents, refunded_cents, refunded_fee_cents)
  select
    subject, status, sum(direction * count), sum(direction * gross_cents), sum(direction * fee_cents),
    sum(direction * net_cents), sum(direction * refunded_cents), sum(direction * refunded_fee_cents)
  from (select *, 1 as direction from new_days union all select *, -1 from old_days) change
  group by subject, status order by subject, status
  on conflict (subject, status) do update set
    count = total.count + excluded.count,
    gross_cents = total.gross_cents + excluded.gross_cents,
    fee_cents = total.fee_cents + excluded.fee_cents,
    net_cents = total.net_cents + excluded.net_cents,
    refunded_cents = total.refunded_cents + excluded.refunded_cents,
    refunded_fee_cents = total.refunded_fee_cents + excluded.refunded_fee_cents;
  return null;
end
$$;
comment on function add_refolded_days() is 'Adds changes of platform_totals'' days to platform_status_totals.';

create trigger platform_totals_are_added after insert on platform_totals
referencing new table as new_days for each statement execute function add_folded_days();
comment on trigger platform_totals_are_added on platform_totals is 'Keeps platform_status_totals.';

create trigger platform_totals_are_added_again after update on platform_totals
referencing old table as old_days new table as new_days
for each statement execute function add_refolded_days();
comment on trigger platform_totals_are_added_again on platform_totals is 'Keeps platform_status_totals.';

create function add_folded_paid_days() returns trigger
language plpgsql security definer set search_path = pg_catalog, public set enable_seqscan = off as $$
begin
  insert into seller_month_totals as total (seller_id, month, count, gross_cents)
  select seller_id, date_trunc('month', day)::date, sum(count), sum(gross_cents)
  from new_days group by 1, 2 order by 1, 2
  on conflict (seller_id, month) do update set
    count = total.count + excluded.count,
    gross_cents = total.gross_cents + excluded.gross_cents;
  return null;
end
$$;
comment on function add_folded_paid_days() is 'Adds new days of kept_paid_day_totals to seller_month_totals.';

create function add_refolded_paid_days() returns trigger
language plpgsql security definer set search_path = pg_catalog, public set enable_seqscan = off as $$
begin
  with change as materialized (
    select seller_id, date_trunc('month', day)::date as month, sum(count) as count, sum(gross_cents) as gross_cents
    from (
      select seller_id, day, count, gross_cents from new_days
      union all
      select seller_id, day, -count, -gross_cents from old_days
    ) side
    group by 1, 2
    having sum(count) <> 0 or sum(gross_cents) <> 0
    order by 1, 2
  ), moved as (
    update seller_month_totals total
    set count = total.count + change.count, gross_cents = total.gross_cents + change.gross_cents
    from change
    where total.seller_id = any (array[change.seller_id]) and total.month = any (array[change.month])
  )
  insert into seller_month_totals (seller_id, month, count, gross_cents)
  select seller_id, month, count, gross_cents from change
  where not exists (
    select from seller_month_totals total
    where total.seller_id = any (array[change.seller_id]) and total.month = any (array[change.month])
  );
  return null;
end
$$;
comment on function add_refolded_paid_days() is 'Adds changes of kept_paid_day_totals'' days to seller_month_totals.';

create trigger paid_days_are_added after insert on kept_paid_day_totals
referencing new table as new_days for each statement execute function add_folded_paid_days();
comment on trigger paid_days_are_added on kept_paid_day_totals is 'Keeps seller_month_totals.';

create trigger paid_days_are_added_again after update on kept_paid_day_totals
referencing old table as old_days new table as new_days
for each statement execute function add_refolded_paid_days();
comment on trigger paid_days_are_added_again on kept_paid_day_totals is 'Keeps seller_month_totals.';

grant select on
  platform_totals, platform_changes, platform_status_totals, platform_day_totals, platform_all_time_totals,
  charge_changes, kept_charge_totals, kept_charge_day_totals, kept_paid_day_totals, seller_month_totals,
  charge_totals, charge_day_totals, paid_day_parts, paid_day_totals, unfolded_paid_days, unfolded_charge_changes,
  unfolded_platform_changes,
  charge_page_totals, withdrawal_totals
to tilinta_app;
grant execute on function number_events(integer), fold_payments(integer, integer), fold_platform_changes(integer), fold_charge_changes(integer)
to tilinta_app;
-- The parts that tell programs outside what happened.

create table webhook_endpoints (
  id uuid constraint webhook_endpoints_by_id primary key,
  seller_id uuid not null constraint webhook_endpoints_seller_exists references users (id),
  url text not null,
  types text[] not null,
  key_id text,
  sealed_secret bytea,
  former_key_id text,
  former_sealed_secret bytea,
  former_secret_until timestamptz,
  created_at timestamptz not null,
  deleted_at timestamptz,
  told_sequence bigint not null,
  is_slow boolean not null default false,
  failing_since timestamptz,
  failures_in_row integer not null default 0,
  last_problem text constraint webhook_endpoints_problem_is_known check (
    last_problem in (
      'timed_out', 'unresolved', 'inside', 'refused', 'tls', 'broken', 'redirected', 'bad_status'
    )
  ),
  rest_until timestamptz,
  last_delivered_at timestamptz,
  release_before timestamptz,
  told_failing_since timestamptz,
  constraint webhook_endpoints_secret_is_whole check ((key_id is null) = (sealed_secret is null)),
  constraint webhook_endpoints_signs_until_deleted check (sealed_secret is not null or deleted_at is not null),
  constraint webhook_endpoints_former_secret_is_whole check (
    (former_key_id is null) = (former_sealed_secret is null) and (former_key_id is null) = (former_secret_until is null)
  )
);
create index webhook_endpoints_by_seller
on webhook_endpoints (seller_id, created_at desc, id desc) where deleted_at is null;
create index webhook_endpoints_to_release on webhook_endpoints (release_before) where release_before is not null;
create index webhook_endpoints_deleted on webhook_endpoints (id) where deleted_at is not null;

comment on table webhook_endpoints is 'Addresses to which a seller''s events are sent (ADR 38).';
comment on column webhook_endpoints.types is 'Empty for all events, also of types that come later.';
comment on column webhook_endpoints.key_id is 'Names the key of SECRETS_KEY that sealed the secret.';
comment on column webhook_endpoints.sealed_secret is
  'Encrypted, as a signature needs the secret itself: who reads the table can''t sign. Erased with the endpoint.';
comment on column webhook_endpoints.former_sealed_secret is
  'Signs beside the new one until former_secret_until; a job erases it then.';
comment on column webhook_endpoints.deleted_at is 'A job deletes its deliveries, and then the row.';
comment on column webhook_endpoints.told_sequence is 'The cursor of the fan-out: events up to it have their deliveries.';
comment on column webhook_endpoints.is_slow is 'Its last answer was slow: it is sent to in the patient lane, like a failing one.';
comment on column webhook_endpoints.failing_since is 'The first failure since the last success.';
comment on column webhook_endpoints.rest_until is 'Nothing is sent before, so that a dead endpoint is not hammered.';
comment on column webhook_endpoints.last_delivered_at is 'Written once a minute at most.';
comment on column webhook_endpoints.release_before is
  'It answers again: a job makes undelivered deliveries last tried before this moment due, batch by batch.';
comment on column webhook_endpoints.told_failing_since is 'The outage of which its seller was told last, by its failing_since.';

create table webhook_deliveries (
  id uuid constraint webhook_deliveries_by_id primary key,
  endpoint_id uuid not null constraint webhook_deliveries_endpoint_exists references webhook_endpoints (id),
  sequence bigint not null,
  occurred_at timestamptz not null,
  attempts integer not null default 0,
  attempted_at timestamptz,
  next_attempt_at timestamptz,
  delivered_at timestamptz,
  last_status integer,
  last_problem text constraint webhook_deliveries_problem_is_known check (
    last_problem in (
      'timed_out', 'unresolved', 'inside', 'refused', 'tls', 'broken', 'redirected', 'bad_status'
    )
  ),
  constraint webhook_deliveries_by_event unique (endpoint_id, sequence)
);
create index webhook_deliveries_queued on webhook_deliveries (endpoint_id, next_attempt_at)
where next_attempt_at is not null;
create index webhook_deliveries_undelivered on webhook_deliveries (endpoint_id, sequence) where delivered_at is null;
create index webhook_deliveries_by_time on webhook_deliveries using brin (occurred_at);

comment on table webhook_deliveries is 'One event for one endpoint. Kept as long as the event.';
comment on column webhook_deliveries.occurred_at is 'The event''s moment, after which both are deleted together.';
comment on column webhook_deliveries.attempts is 'Tries of the present schedule; a release begins it anew.';
comment on column webhook_deliveries.next_attempt_at is
  'A claim moves it to the end of its lease. Null once delivered, and while it waits for a release.';

create table webhook_attempts (
  id uuid not null,
  delivery_id uuid not null
    constraint webhook_attempts_delivery_exists references webhook_deliveries (id) on delete cascade,
  attempted_at timestamptz not null,
  duration_ms integer not null,
  url text not null,
  signature text not null,
  status integer,
  problem text constraint webhook_attempts_problem_is_known check (
    problem in (
      'timed_out', 'unresolved', 'inside', 'refused', 'tls', 'broken', 'redirected', 'bad_status'
    )
  ),
  answer text,
  constraint webhook_attempts_by_delivery primary key (delivery_id, id)
);

create index webhook_attempts_with_answer on webhook_attempts (attempted_at) where answer is not null;

comment on table webhook_attempts is 'Each request of a delivery and what came of it.';
comment on column webhook_attempts.attempted_at is 'By the machine''s clock, as in the header webhook-timestamp.';
comment on column webhook_attempts.answer is
  'The beginning of the answer''s body; null when none came, and after WEBHOOK_BODY_DAYS.';

grant select, insert, update, delete on webhook_endpoints, webhook_deliveries to tilinta_app;
grant select, insert, update (answer), delete on webhook_attempts to tilinta_app;
