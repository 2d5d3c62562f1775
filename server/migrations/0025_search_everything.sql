-- A search over everything finds a few rows of each kind at once, however long the history is. Folded once per
-- change, as the users are: folding every row at every search took a second at a hundred thousand pages.
alter table charge_pages add column search_text text generated always as (fold_text(title)) stored;
create index charge_pages_by_search_text on charge_pages using gin (search_text gin_trgm_ops);

alter table withdrawals add column search_text text generated always as (fold_text(pix_key)) stored;
create index withdrawals_by_search_text on withdrawals using gin (search_text gin_trgm_ops);
create index withdrawals_by_end_to_end_id on withdrawals (end_to_end_id) where end_to_end_id is not null;
