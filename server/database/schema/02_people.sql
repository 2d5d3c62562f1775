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
  fee_basis_points integer constraint users_fee_is_a_part check (fee_basis_points between 0 and 10000),
  password_is_initial boolean not null default false,
  password_is_void boolean not null default false,
  admin_rights_from timestamptz,
  erased_at timestamptz,
  note text not null default '',
  has_shop boolean not null default true,
  constraint users_erased_are_nobody check (
    erased_at is null
    or (
      not active and password_hash is null and cpf = '' and phone = '' and address = '{}' and bank_account = '{}'
      and note = ''
    )
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
comment on column users.password_is_void is
  'True from the owner''s word that it wasn''t them until a new password: the one before, which a thief knows, opens nothing.';
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
comment on column users.fee_basis_points is 'The seller''s own fee, for charges made from then on; null where the platform''s applies.';
comment on column users.erased_at is
  'When the account was deleted at its owner''s wish: what it sold and was paid stays, nobody''s.';
comment on column users.admin_rights_from is
  'When a new administrator may do more than look; null where they could from the start.';
comment on column users.has_shop is
  'False for somebody who signed up by an invitation and works in the shops of others: theirs stands in no list until they leave the last.';
comment on column users.note is 'A note by administrators about the person, for each other alone.';

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
  last_address text not null default '',
  viewer_id uuid constraint sessions_viewer_exists references users (id),
  mac text not null
);
create unique index sessions_by_id on sessions (id);
create index sessions_by_user on sessions (user_id);
create index sessions_by_viewer on sessions (viewer_id) where viewer_id is not null;
create index sessions_by_expiry on sessions (expires_at);

comment on column sessions.mac is
  'Says that this platform wrote the row: see docs/security.md, "Forged orders". It covers all but the latest use and from where.';
comment on table sessions is 'Logins that are still valid. A job deletes expired ones.';
comment on column sessions.id is 'Names the session in the owner''s list, since the token''s hash is not for display.';
comment on column sessions.token_hash is 'SHA-256 of the token: a reader of the table can''t use it.';
comment on column sessions.address is 'The IP address of the login.';
comment on column sessions.viewer_id is
  'The administrator who looks at the account with this session, and can change nothing; null where its owner signed in.';
comment on column sessions.last_address is 'The IP address of the latest request, accurate to about five minutes.';
comment on column sessions.stepped_up_at is
  'When its user last proved in this very session who they are, which opens the endpoints that move money for minutes.';

create table shop_members (
  shop_id uuid not null constraint shop_members_shop_exists references users (id),
  user_id uuid not null constraint shop_members_user_exists references users (id),
  role text not null constraint shop_members_role_is_known check (role in ('owner', 'manager', 'accountant', 'cashier')),
  joined_at timestamptz not null,
  constraint shop_members_by_shop primary key (shop_id, user_id),
  constraint shop_members_are_others check (shop_id <> user_id)
);
create index shop_members_by_user on shop_members (user_id, joined_at, shop_id);

comment on table shop_members is
  'People who work in another seller''s shop. The seller is its first owner without a row. Whoever leaves is deleted; audit_records remember.';
comment on column shop_members.shop_id is 'The seller whose shop it is.';

create table shop_invitations (
  id uuid constraint shop_invitations_by_id primary key,
  token_hash bytea not null constraint shop_invitations_by_token_hash unique,
  shop_id uuid not null constraint shop_invitations_shop_exists references users (id),
  email text not null,
  email_key text not null,
  role text not null
    constraint shop_invitations_role_is_known check (role in ('owner', 'manager', 'accountant', 'cashier')),
  invited_by uuid not null constraint shop_invitations_inviter_exists references users (id),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  constraint shop_invitations_one_each unique (shop_id, email_key)
);
create index shop_invitations_by_expiry on shop_invitations (expires_at);
create index shop_invitations_by_inviter on shop_invitations (invited_by);

comment on table shop_invitations is
  'Links into a shop''s team that nobody has used yet. Used, cancelled and old ones are deleted; another one replaces the first.';
comment on column shop_invitations.token_hash is 'SHA-256 of the token: a reader of the table can''t use it.';
comment on column shop_invitations.email_key is 'The address in lower case: only an account with it may accept.';

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
      'events:read', 'shop:read', 'shop:write', 'customers:read', 'customers:write',
      'invoices:read', 'invoices:write', 'subscriptions:read', 'subscriptions:write', 'webhooks:write'
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
  address text not null,
  user_agent text not null,
  requested_at timestamptz not null
);

comment on table password_reset_requests is
  'Requests of anybody for any address. A job finds out later whether there is an account, so the reply never tells.';

create table password_resets (
  token_hash bytea constraint password_resets_by_token_hash primary key,
  user_id uuid not null constraint password_resets_user_exists references users (id),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz,
  by_hand boolean not null default false
);
create index password_resets_by_user on password_resets (user_id, created_at);
create index password_resets_by_expiry on password_resets (expires_at);

comment on table password_resets is 'Links that set a new password, also those of invitations.';
comment on column password_resets.token_hash is 'SHA-256 of the token: a reader of the table can''t use it.';
comment on column password_resets.by_hand is
  'True for an invitation that an administrator passes on: whoever uses it has not proved that the mailbox is theirs.';
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
  last_used_at timestamptz,
  mac text not null
);
create index passkeys_by_user on passkeys (user_id, created_at, id);

comment on table passkeys is 'Public halves of the key pairs with which users sign in (WebAuthn), ten per user at most.';
comment on column passkeys.mac is
  'Says that this platform wrote the id, user, key and moment: see docs/security.md, "Forged orders".';
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
      'refund.request', 'dispute.close', 'user.create', 'user.change', 'user.unfreeze',
      'destination.owner', 'automatic_pix.allow', 'setting.create', 'setting.change'
    )
  ),
  subject_id text not null,
  subject_name text not null,
  changes jsonb not null,
  digest bytea not null,
  asked_by uuid not null constraint second_approvals_asker_exists references users (id),
  asked_at timestamptz not null,
  expires_at timestamptz not null,
  mac text,
  constraint second_approvals_one_per_subject unique (act, subject_id)
);

comment on table second_approvals is
  'Wishes of one administrator that another must share. A row ends with the act, a refusal or its time; the audit '
  'trail keeps what became of it.';
comment on column second_approvals.subject_id is 'The id of the thing, the key of the setting, or the new user''s e-mail.';
comment on column second_approvals.changes is 'Fields with their values before and after, as the second person sees them.';
comment on column second_approvals.digest is 'SHA-256 of act, subject and changes: the second person wants the very same.';
comment on column second_approvals.mac is
  'HMAC of the row with a key that the database doesn''t have: without it the word doesn''t count.';

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

create table shops (
  seller_id uuid constraint shops_by_seller primary key constraint shops_seller_exists references users (id),
  color text not null constraint shops_color_is_known check (
    color in ('mint', 'sky', 'amber', 'coral', 'violet', 'slate')
  ),
  whatsapp text not null default '',
  email text not null default '',
  closed_text text not null default '',
  logo bytea constraint shops_logo_is_small check (octet_length(logo) <= 262144),
  logo_digest text collate "C",
  updated_at timestamptz not null,
  constraint shops_logo_has_digest check ((logo is null) = (logo_digest is null))
);
create index shops_by_logo on shops (logo_digest) where logo_digest is not null;

comment on table shops is 'How payers see a seller, but for the name and the document, which shop_names has.';
comment on column shops.whatsapp is 'Area code and number; empty without one.';
comment on column shops.closed_text is 'Shown on pages that take no payments any more.';
comment on column shops.logo is 'A PNG of 256 px that we drew from the seller''s file, without its metadata.';
comment on column shops.logo_digest is 'SHA-256 of the logo, in hex, half of it: its public address.';

create table shop_names (
  id uuid constraint shop_names_by_id primary key,
  seller_id uuid not null constraint shop_names_seller_exists references users (id),
  name text not null constraint shop_names_name_is_short check (name = '' or char_length(name) between 2 and 60),
  document text not null constraint shop_names_document_has_its_length check (length(document) in (0, 11, 14)),
  since timestamptz not null,
  mac text not null,
  search_text text generated always as (fold_text(name || chr(31) || document)) stored
);
create index shop_names_by_seller on shop_names (seller_id, id desc);
create index shop_names_by_search_text on shop_names using gin (search_text gin_trgm_ops);

comment on table shop_names is
  'Trade names and documents of sellers: the newest row is today''s, and what was paid shows those of its moment. Rows never '
  'change; they go with the account.';
comment on column shop_names.name is 'Empty: payers see the seller''s own name.';
comment on column shop_names.document is 'The seller''s CPF or a CNPJ, without punctuation; empty without one.';
comment on column shop_names.mac is
  'HMAC of the row with a key that the database doesn''t have: without it the document isn''t the seller''s own where money leaves.';
comment on column shop_names.search_text is 'Name and document, folded.';

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
grant select, insert, update, delete on shops to tilinta_app;
grant select, insert, update (mac), delete on shop_names to tilinta_app;
grant select, insert, update, delete on sessions, failed_logins, password_reset_requests, password_resets to tilinta_app;
grant select, insert, delete on signup_attempts, known_devices, email_confirmations to tilinta_app;
grant select, insert, update (role), delete on shop_members to tilinta_app;
grant select, insert, delete on shop_invitations to tilinta_app;
grant select on user_totals, user_renamings to tilinta_app;
grant select, insert, update (last_used_at, last_used_address, revoked_at, name) on api_keys to tilinta_app;
grant select, insert, update (key_id, chosen_at) on secrets_key to tilinta_app;
grant select, insert, update, delete on totp_factors to tilinta_app;
grant select, insert, update (trusts_factors_until, ended_at, ended_by, address) on freezes to tilinta_app;
grant select, insert, update (used_at), delete on not_me_links to tilinta_app;
grant select, insert, update (used_at), delete on recovery_codes to tilinta_app;
grant select, insert on passkey_owners to tilinta_app;
grant select, insert, update (sign_count, name, last_used_at, mac), delete on passkeys to tilinta_app;
grant select, insert, update (expires_at), delete on passkey_challenges to tilinta_app;
grant select, insert, update (mac), delete on second_approvals to tilinta_app;
grant select, insert, update (token_hash, email, asked_by, created_at, expires_at), delete on email_changes to tilinta_app;
