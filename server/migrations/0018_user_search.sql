-- Folded once per change: folding every row at every search took seconds at a hundred thousand users.
alter table users add column search_text text
  generated always as (fold_text(name || chr(31) || email || chr(31) || cpf)) stored;

create index users_by_search_text on users using gin (search_text gin_trgm_ops);
drop index users_by_cpf_text;
