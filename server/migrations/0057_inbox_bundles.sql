-- Webhooks that arrived together are kept as one row, their bodies behind each other: a row costs far more than what
-- stands in it. Empty where the body is a single one.
alter table psp_inbox add column lengths integer[] not null default '{}';
-- JSON of a minute or two of work is not worth compressing.
alter table psp_inbox alter column body set storage external;
