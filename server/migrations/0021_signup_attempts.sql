-- Who asked for an account from where, counted so that nobody makes them by the thousand.
create table signup_attempts (
  id bigint generated always as identity primary key,
  address text not null,
  attempted_at timestamptz not null
);
create index signup_attempts_by_address on signup_attempts (address, attempted_at);

grant select, insert, delete on signup_attempts to tilinta_app;
