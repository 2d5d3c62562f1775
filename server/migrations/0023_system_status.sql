-- How the talk with the provider goes, as all nodes see it. Noted in memory, written every few seconds.
alter table psp_connections
  add column last_failure_at timestamptz,
  add column last_failure_call text,
  add column last_failure text,
  add column webhook_registered_at timestamptz;

-- The last run of every job, on whichever node it was.
create table job_runs (
  name text primary key,
  every_seconds integer not null,
  last_started_at timestamptz not null,
  last_duration_ms integer not null,
  last_succeeded_at timestamptz,
  last_failed_at timestamptz,
  last_error text,
  failures_in_row integer not null default 0
);

-- The running servers, each of which says every few seconds that it is there.
create table server_nodes (
  id uuid primary key,
  host text not null,
  version text not null,
  started_at timestamptz not null,
  seen_at timestamptz not null
);

-- Every time the books were recomputed. Unfinished and without its lock: the process ended in the middle.
create table ledger_checks (
  id uuid primary key,
  started_at timestamptz not null,
  finished_at timestamptz,
  -- Null for the one of the night.
  requested_by uuid references users (id),
  posting_count bigint,
  difference_count integer,
  -- The first of them: what, expected, found.
  differences jsonb,
  error text
);
create index ledger_checks_by_time on ledger_checks (started_at desc, id desc);

create index mails_given_up on mails (given_up_at desc) where given_up_at is not null;

grant select, insert, update on job_runs, ledger_checks to tilinta_app;
grant select, insert, update, delete on server_nodes to tilinta_app;
