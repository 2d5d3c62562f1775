-- Written in the transaction of what it tells of, sent by a job afterwards.
create table mails (
  id uuid primary key,
  -- The address is the one that the user has when the mail goes out. No foreign key: bookings write here
  -- by the hundred, users are never deleted, and sending joins them.
  user_id uuid not null,
  -- What to say. Emptied when the mail has gone or is given up: it may hold a link that opens an account.
  content jsonb not null,
  dedupe_key text collate "C" not null unique,
  created_at timestamptz not null,
  send_after timestamptz not null,
  give_up_at timestamptz not null,
  attempts integer not null default 0,
  sent_at timestamptz,
  given_up_at timestamptz,
  last_error text
);
create index mails_waiting on mails (send_after) where sent_at is null and given_up_at is null;
create index mails_done on mails (created_at) where sent_at is not null or given_up_at is not null;

-- Where mail goes in the sandbox, with the mail's own id: a second delivery finds the first.
create table outbox_mails (
  id uuid primary key,
  to_address text not null,
  to_key text collate "C" not null,
  subject text not null,
  text text not null,
  html text not null,
  sent_at timestamptz not null
);
create index outbox_mails_by_time on outbox_mails (sent_at desc, id desc);
create index outbox_mails_by_address on outbox_mails (to_key, sent_at desc, id desc);

grant select, insert, update, delete on mails to tilinta_app;
grant select, insert, delete on outbox_mails to tilinta_app;
