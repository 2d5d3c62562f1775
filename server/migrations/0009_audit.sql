-- Who did what, to what, from where: append-only like the ledger.
create table audit_records (
  id uuid primary key,
  happened_at timestamptz not null,
  -- Null for what the platform did by itself.
  actor_id uuid references users (id),
  actor_address text,
  action text not null,
  entity text not null,
  entity_id text not null,
  before jsonb,
  after jsonb
);
create index audit_records_by_time on audit_records (happened_at desc, id desc);
create index audit_records_by_entity on audit_records (entity, entity_id, happened_at desc);

create trigger audit_records_are_final
before update or delete or truncate on audit_records
for each statement execute function refuse_history_change();

grant select, insert on audit_records to tilinta_app;
