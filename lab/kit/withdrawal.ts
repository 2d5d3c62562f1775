/**
 * Reference for one withdrawal, written by hand: the seller's balance is locked first, then come the withdrawal, the
 * postings (from which triggers keep balances and totals), the mail to each admin and the audit record. chr(58) is the
 * colon, which pgbench would read as a variable.
 */
const seller = "('01900000-0000-7000-8000-' || lpad(to_hex(:seller::bigint), 12, '0'))::uuid"
const id = "(lpad(to_hex(:n::bigint), 8, '0') || '-0000-7000-b000-000000000000')::uuid"
const record = "(lpad(to_hex(:n::bigint), 8, '0') || '-0000-7000-d000-000000000000')::uuid"
const account = (kind: string) => `'seller-${kind}' || chr(58) || ${seller}`

export const withdrawalForUpdate = `\\set i :i + 1
\\set n :base + :client_id * :span + :i
\\set seller random(:first, :last)
begin;
select balance_cents from ledger_accounts where id = ${account("available")} for update;
insert into withdrawals (id, seller_id, amount_cents, method, pix_key, pix_key_kind, payout_id, status, created_at)
select ${id}, ${seller}, 100, 'pix', 'ana@loja.example', 'email', replace(${id}::text, '-', ''), 'pending', now();
insert into journal (kind, reference, line, seller_id, debit_account, credit_account, amount_cents, occurred_at)
select 'withdrawal', ${id}::text, 1, ${seller}, ${account("available")}, ${account("held")}, 100, now();
insert into mails (id, user_id, content, dedupe_key, created_at, send_after, give_up_at)
select gen_random_uuid(), id, jsonb_build_object('kind', 'withdrawal_requested', 'sellerName', 'Ana', 'amountCents', 100,
  'method', 'pix', 'requestedAt', now()), 'withdrawal' || chr(58) || ${id} || chr(58) || id, now(), now(), now() + interval '3 days'
from users where role = 'admin' and active;
insert into audit_records (id, happened_at, actor_id, actor_address, action, entity, entity_id, after)
select ${record}, now(), ${seller}, '127.0.0.1', 'withdrawal.requested', 'withdrawal', ${id}::text,
  jsonb_build_object('status', 'pending', 'sellerId', ${seller}, 'amountCents', 100, 'method', 'pix', 'adminNotes', '', 'failureReason', null);
commit;
`
