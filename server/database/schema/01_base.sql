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
