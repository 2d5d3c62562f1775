-- The bank's own time of the end: by it a day of ours is compared with a day of the bank's.
alter table refunds add column settled_at timestamptz;
alter table withdrawals add column settled_at timestamptz;
update refunds set settled_at = processed_at where status = 'completed';
-- Only what the bank itself completed: what a person paid by hand is not in its list of payouts.
update withdrawals set settled_at = processed_at where status = 'completed' and end_to_end_id is not null;
create index refunds_by_settlement on refunds (settled_at) where settled_at is not null;
create index withdrawals_by_settlement on withdrawals (settled_at) where settled_at is not null;
-- Payments come in the order of their time, so a summary of each range of rows finds a day of them.
create index payments_by_time on payments using brin (paid_at) with (pages_per_range = 32, autosummarize = on);
grant update (settled_at) on refunds, withdrawals to tilinta_app;

alter table psp_connections
  -- No day before this one is closed.
  add column connected_at timestamptz not null default now(),
  -- Every payout that was asked for before this moment has been seen by the reconciliation.
  add column payouts_seen_until timestamptz not null default now();

-- One day of São Paulo at one provider: our books against the bank's lists.
create table daily_closes (
  id uuid primary key,
  provider text not null,
  day date not null,
  -- Null until the day was compared for the first time.
  closed_at timestamptz,
  -- How often it was compared; the tries in vain since the last time.
  comparisons integer not null default 0,
  attempts integer not null default 0,
  last_error text,
  difference_count integer not null default 0,
  mended_count integer not null default 0,
  -- Null when nothing is left to do. Whoever compares holds it until then, under the run's id.
  next_attempt_at timestamptz,
  run_id uuid,
  unique (provider, day)
) with (fillfactor = 80);
create index daily_closes_by_day on daily_closes (day desc, provider);
create index daily_closes_due on daily_closes (next_attempt_at) where next_attempt_at is not null;

create table daily_close_totals (
  close_id uuid not null references daily_closes (id),
  kind text not null check (kind in ('receipt', 'refund', 'payout')),
  our_count bigint not null,
  our_cents bigint not null,
  bank_count bigint not null,
  bank_cents bigint not null,
  primary key (close_id, kind)
);

create table daily_close_differences (
  close_id uuid not null references daily_closes (id),
  kind text not null check (kind in ('receipt', 'refund', 'payout', 'balance')),
  -- What the bank calls it, or our account.
  reference text collate "C" not null,
  problem text not null check (problem in ('missing_with_us', 'missing_at_bank', 'other_amount', 'other_state')),
  our_cents bigint,
  bank_cents bigint,
  our_state text,
  bank_state text,
  happened_at timestamptz,
  -- It was missing with us, and the close booked it.
  is_mended boolean not null default false,
  found_at timestamptz not null,
  -- The comparison that saw it last; null for what another look than the close's found.
  run_id uuid,
  primary key (close_id, kind, reference)
);

-- The bank's side of a comparison under way. Unlogged: after a crash the day is compared anew.
create unlogged table daily_close_entries (
  run_id uuid not null,
  kind text not null,
  reference text collate "C" not null,
  amount_cents bigint,
  state text not null,
  happened_at timestamptz,
  primary key (run_id, kind, reference)
);

grant select, insert, update on daily_closes, daily_close_totals to tilinta_app;
grant select, insert, update, delete on daily_close_differences, daily_close_entries to tilinta_app;
