-- Part of PostgreSQL and trusted: the database's owner may add it.
create extension if not exists pg_trgm;

create index users_by_time on users (created_at desc, id desc);
create index users_by_state on users (active, created_at desc, id desc);
create index users_by_role on users (role, created_at desc, id desc);
create index users_by_name_text on users using gin (fold_text(name) gin_trgm_ops);
create index users_by_email_text on users using gin (fold_text(email) gin_trgm_ops);
create index users_by_cpf_text on users using gin (fold_text(cpf) gin_trgm_ops);

-- Who was invited has no password until the link of the invitation is used.
alter table users alter column password_hash drop not null;

create table user_totals (
  role text not null,
  active boolean not null,
  count bigint not null,
  primary key (role, active)
) with (fillfactor = 70);

insert into user_totals (role, active, count) select role, active, count(*) from users group by role, active;

create function count_new_users() returns trigger
language plpgsql security definer set search_path = pg_catalog, public as $$
begin
  insert into user_totals as total (role, active, count)
  select role, active, count(*)
  from new_users
  group by role, active
  order by role, active
  on conflict (role, active) do update set count = total.count + excluded.count;
  return null;
end
$$;

create function count_changed_users() returns trigger
language plpgsql security definer set search_path = pg_catalog, public as $$
begin
  insert into user_totals as total (role, active, count)
  select role, active, sum(direction)
  from (
    select role, active, 1 as direction from new_users
    union all
    select role, active, -1 from old_users
  ) change
  group by role, active
  having sum(direction) <> 0
  order by role, active
  on conflict (role, active) do update set count = total.count + excluded.count;
  return null;
end
$$;

create trigger users_are_counted after insert on users
referencing new table as new_users for each statement execute function count_new_users();

create trigger users_are_recounted after update on users
referencing old table as old_users new table as new_users
for each statement execute function count_changed_users();

-- What the owner is shown of a session: the token's hash is not for showing.
alter table sessions
  add column id uuid,
  add column address text not null default '',
  add column user_agent text not null default '';
update sessions set id = overlay(gen_random_uuid()::text placing '7' from 15)::uuid;
alter table sessions alter column id set not null;
create unique index sessions_by_id on sessions (id);

-- Null: the address that the user has when the mail goes out.
alter table mails add column to_address text;

grant select on user_totals to tilinta_app;
