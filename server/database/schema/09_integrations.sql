-- The parts that tell programs outside what happened.

create table webhook_endpoints (
  id uuid constraint webhook_endpoints_by_id primary key,
  seller_id uuid not null constraint webhook_endpoints_seller_exists references users (id),
  url text not null,
  allows_local boolean not null default false,
  types text[] not null,
  key_id text,
  sealed_secret bytea,
  former_key_id text,
  former_sealed_secret bytea,
  former_secret_until timestamptz,
  created_at timestamptz not null,
  confirmed_at timestamptz,
  deleted_at timestamptz,
  told_sequence bigint not null,
  is_slow boolean not null default false,
  failing_since timestamptz,
  failures_in_row integer not null default 0,
  last_problem text constraint webhook_endpoints_problem_is_known check (
    last_problem in (
      'timed_out', 'unresolved', 'inside', 'refused', 'tls', 'broken', 'redirected', 'bad_status', 'gone',
      'unconfirmed'
    )
  ),
  rest_until timestamptz,
  last_delivered_at timestamptz,
  release_before timestamptz,
  told_failing_since timestamptz,
  constraint webhook_endpoints_secret_is_whole check ((key_id is null) = (sealed_secret is null)),
  constraint webhook_endpoints_signs_until_deleted check (sealed_secret is not null or deleted_at is not null),
  constraint webhook_endpoints_former_secret_is_whole check (
    (former_key_id is null) = (former_sealed_secret is null) and (former_key_id is null) = (former_secret_until is null)
  )
);
create index webhook_endpoints_by_seller
on webhook_endpoints (seller_id, created_at desc, id desc) where deleted_at is null;
create index webhook_endpoints_to_release on webhook_endpoints (release_before) where release_before is not null;
create index webhook_endpoints_unconfirmed on webhook_endpoints (id) where confirmed_at is null and deleted_at is null;
create index webhook_endpoints_deleted on webhook_endpoints (id) where deleted_at is not null;

comment on table webhook_endpoints is 'Addresses to which a seller''s events are sent (ADR 38).';
comment on column webhook_endpoints.allows_local is
  'Its url was set by a caller who may steer the sandbox''s bank, so it may lead to this machine.';
comment on column webhook_endpoints.types is 'Empty for all events, also of types that come later.';
comment on column webhook_endpoints.key_id is 'Names the key of SECRETS_KEY that sealed the secret.';
comment on column webhook_endpoints.sealed_secret is
  'Encrypted, as a signature needs the secret itself: who reads the table can''t sign. Erased with the endpoint.';
comment on column webhook_endpoints.former_sealed_secret is
  'Signs beside the new one until former_secret_until; a job erases it then.';
comment on column webhook_endpoints.confirmed_at is
  'When the address answered its challenge. Null before that, for another address, and after a 410: nothing else is sent.';
comment on column webhook_endpoints.deleted_at is 'A job deletes its deliveries, and then the row.';
comment on column webhook_endpoints.told_sequence is 'The cursor of the fan-out: events up to it have their deliveries.';
comment on column webhook_endpoints.is_slow is 'Its last answer was slow: it is sent to in the patient lane, like a failing one.';
comment on column webhook_endpoints.failing_since is 'The first failure since the last success.';
comment on column webhook_endpoints.failures_in_row is 'An unconfirmed address counts the challenges that it did not answer.';
comment on column webhook_endpoints.rest_until is
  'Nothing is sent before, so that a dead endpoint is not hammered, and one that asks for a pause by Retry-After has it.';
comment on column webhook_endpoints.last_delivered_at is 'Written once a minute at most.';
comment on column webhook_endpoints.release_before is
  'It answers again: a job makes undelivered deliveries last tried before this moment due, batch by batch.';
comment on column webhook_endpoints.told_failing_since is 'The outage of which its seller was told last, by its failing_since.';

create table webhook_deliveries (
  id uuid constraint webhook_deliveries_by_id primary key,
  endpoint_id uuid not null constraint webhook_deliveries_endpoint_exists references webhook_endpoints (id),
  sequence bigint not null,
  occurred_at timestamptz not null,
  attempts integer not null default 0,
  attempted_at timestamptz,
  next_attempt_at timestamptz,
  delivered_at timestamptz,
  last_status integer,
  last_problem text constraint webhook_deliveries_problem_is_known check (
    last_problem in (
      'timed_out', 'unresolved', 'inside', 'refused', 'tls', 'broken', 'redirected', 'bad_status', 'gone',
      'unconfirmed'
    )
  ),
  constraint webhook_deliveries_by_event unique (endpoint_id, sequence)
);
create index webhook_deliveries_queued on webhook_deliveries (endpoint_id, next_attempt_at)
where next_attempt_at is not null;
create index webhook_deliveries_undelivered on webhook_deliveries (endpoint_id, sequence) where delivered_at is null;
create index webhook_deliveries_by_time on webhook_deliveries using brin (occurred_at);

comment on table webhook_deliveries is 'One event for one endpoint. Kept as long as the event.';
comment on column webhook_deliveries.occurred_at is 'The event''s moment, after which both are deleted together.';
comment on column webhook_deliveries.attempts is 'Tries of the present schedule; a release begins it anew.';
comment on column webhook_deliveries.next_attempt_at is
  'A claim moves it to the end of its lease. Null once delivered, and while it waits for a release.';

create table webhook_attempts (
  id uuid not null,
  delivery_id uuid not null
    constraint webhook_attempts_delivery_exists references webhook_deliveries (id) on delete cascade,
  attempted_at timestamptz not null,
  duration_ms integer not null,
  url text not null,
  signature text not null,
  status integer,
  problem text constraint webhook_attempts_problem_is_known check (
    problem in (
      'timed_out', 'unresolved', 'inside', 'refused', 'tls', 'broken', 'redirected', 'bad_status', 'gone',
      'unconfirmed'
    )
  ),
  location text,
  answer text,
  constraint webhook_attempts_by_delivery primary key (delivery_id, id)
);

create index webhook_attempts_with_answer on webhook_attempts (attempted_at) where answer is not null;

comment on table webhook_attempts is 'Each request of a delivery and what came of it.';
comment on column webhook_attempts.attempted_at is 'By the machine''s clock, as in the header webhook-timestamp.';
comment on column webhook_attempts.location is 'The target of a redirect, which is not followed.';
comment on column webhook_attempts.answer is
  'The beginning of the answer''s body; null when none came, and after WEBHOOK_BODY_DAYS.';

grant select, insert, update, delete on webhook_endpoints, webhook_deliveries to tilinta_app;
grant select, insert, update (location, answer), delete on webhook_attempts to tilinta_app;
