-- How often the public pages of a seller were opened; `day` is São Paulo's.
create table page_opening_totals (
  seller_id uuid not null,
  day date not null,
  count bigint not null,
  primary key (seller_id, day)
) with (fillfactor = 70);

grant select, insert, update on page_opening_totals to tilinta_app;
