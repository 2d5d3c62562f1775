create table users (
  id uuid primary key,
  name text not null,
  email text not null,
  -- Lower case: addresses are unique whatever their case.
  email_key text not null unique,
  password_hash text not null,
  cpf text not null default '',
  phone text not null default '',
  address jsonb not null default '{}',
  bank_account jsonb not null default '{}',
  role text not null check (role in ('user', 'admin')),
  active boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table sessions (
  -- SHA-256 of the token: who reads the table can't use it.
  token_hash bytea primary key,
  user_id uuid not null references users (id),
  created_at timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index sessions_by_user on sessions (user_id);
create index sessions_by_expiry on sessions (expires_at);

create table failed_logins (
  id bigint generated always as identity primary key,
  account_key text not null,
  address text not null,
  failed_at timestamptz not null default now()
);
create index failed_logins_by_account on failed_logins (account_key, address, failed_at);
create index failed_logins_by_address on failed_logins (address, failed_at);

create table settings (
  key text primary key,
  value jsonb not null,
  type text not null check (type in ('number', 'string', 'boolean')),
  category text not null check (category in ('general', 'fees', 'api', 'notifications')),
  description text not null default '',
  is_public boolean not null default false,
  updated_at timestamptz not null default now(),
  updated_by uuid references users (id)
);

grant select, insert, update on users, settings to tilinta_app;
grant select, insert, update, delete on sessions, failed_logins to tilinta_app;
