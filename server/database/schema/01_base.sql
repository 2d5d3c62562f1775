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

create function sao_paulo_day(moment timestamptz) returns date
language sql stable parallel safe
return (moment at time zone 'America/Sao_Paulo')::date;
comment on function sao_paulo_day(timestamptz) is
  'The calendar day of São Paulo: every total, report and daily close counts in these days.';

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
