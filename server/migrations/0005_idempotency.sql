-- The same key of the same owner means the same thing made once.
create table idempotency_keys (
  owner_id uuid not null,
  key text collate "C" not null,
  request_hash bytea not null,
  resource_id uuid not null,
  created_at timestamptz not null default now(),
  primary key (owner_id, key)
);

grant select, insert on idempotency_keys to tilinta_app;
