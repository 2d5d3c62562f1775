-- Titles are folded already; with the descriptions, a page is found by both, as its lists promise.
alter table charge_pages add column description_text text generated always as (fold_text(description)) stored;
create index charge_pages_by_description_text on charge_pages using gin (description_text gin_trgm_ops);
