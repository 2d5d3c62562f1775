-- Asked for by anybody, for any address: a job finds out later whether there is an account.
create table password_reset_requests (
  id bigint generated always as identity primary key,
  email_key text not null,
  requested_at timestamptz not null
);

create table password_resets (
  -- SHA-256 of the token: who reads the table can't use it.
  token_hash bytea primary key,
  user_id uuid not null references users (id),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- Used, or overtaken by a newer one.
  ended_at timestamptz
);
create index password_resets_by_user on password_resets (user_id, created_at);
create index password_resets_by_expiry on password_resets (expires_at);

grant select, insert, update, delete on password_reset_requests to tilinta_app;
grant select, insert, update, delete on password_resets to tilinta_app;
