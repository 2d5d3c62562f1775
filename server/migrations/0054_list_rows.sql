-- What a list shows beside a row, without a look into another table for each of them.
lock table users, withdrawals in access exclusive mode;

alter table withdrawals disable trigger user;
-- When it was handed to the provider, as the ledger says.
alter table withdrawals add column sent_at timestamptz;
update withdrawals withdrawal set sent_at = sent.occurred_at
from ledger_transactions sent
where sent.kind = 'payout' and sent.reference = withdrawal.id::text;
alter table withdrawals enable trigger user;
-- Whoever asked at about the same time lies together again.
cluster withdrawals using withdrawals_pkey;
analyze withdrawals;
grant update (sent_at) on withdrawals to tilinta_app;

-- Counts up whenever anybody is called something else, so that a server knows whether the names it remembers still hold.
create table user_renamings (
  count bigint not null
);
insert into user_renamings (count) values (0);

create function count_renaming() returns trigger
language plpgsql security definer set search_path = pg_catalog, public as $$
begin
  update user_renamings set count = count + 1;
  return null;
end
$$;

create trigger users_are_renamed after update on users
for each row when (old.name is distinct from new.name or old.email is distinct from new.email)
execute function count_renaming();

grant select on user_renamings to tilinta_app;
