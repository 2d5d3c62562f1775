-- Nobody else moves these balances before the end of the transaction: whoever decides over many at once sees what is
-- true until it has written. In the order that every writer keeps; the serving role still can't change a balance.
create function hold_balances(account_ids text[]) returns table (id text, balance_cents bigint)
language sql security definer set search_path = pg_catalog, public as $$
  select account.id, account.balance_cents from ledger_accounts account
  where account.id = any (account_ids)
  order by account.id not like 'seller-%', account.id
  for update
$$;

revoke execute on function hold_balances(text[]) from public;
grant execute on function hold_balances(text[]) to tilinta_app;
