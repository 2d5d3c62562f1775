/**
 * Reference for one payment, written by hand: the row that makes it unique, the charge, the page's count, and the
 * postings, from which triggers keep balances and totals. chr(58) is the colon, which pgbench would read as a variable.
 */
const charge = "(select * from charges where txid = 'bench' || lpad(:n::text, 27, '0'))"

const number = `\\set i :i + 1
\\set n :base + :client_id * :span + :i
`

const payment = `insert into payments (end_to_end_id, provider, txid, charge_id, seller_id, amount_cents, paid_at, received_at, disposition)
select 'E99990000202611211200' || lpad(:n::text, 11, '0'), provider, txid, id, seller_id, amount_cents, now(), now(), 'credited'
from ${charge} charge on conflict do nothing`

const paid = `update charges set status = 'paid', end_to_end_id = 'E99990000202611211200' || lpad(:n::text, 11, '0'), paid_at = now(), updated_at = now()
where txid = 'bench' || lpad(:n::text, 27, '0') and status = 'pending'`

const counted = (page: string) =>
  `update charge_pages set payments_count = payments_count + 1 where id = (select page_id from ${page} charge)`

const entry = (
  id: string,
  from: string,
) => `insert into ledger_transactions (id, kind, reference, seller_id, occurred_at, booked_at)
select ${id}, 'payment', 'E99990000202611211200' || lpad(:n::text, 11, '0'), seller_id, now(), now() from ${from} charge`

const moved = (
  id: string,
  from: string,
) => `insert into ledger_postings (transaction_id, seller_id, debit_account, credit_account, amount_cents)
select ${id}, seller_id, debit, credit, amount from ${from} charge cross join lateral (values
  ('psp-clearing' || chr(58) || 'simulator', 'seller-available' || chr(58) || seller_id, amount_cents),
  ('seller-available' || chr(58) || seller_id, 'fee-revenue', fee_cents)
) posting (debit, credit, amount)`

const entryId = "(lpad(to_hex(:n::bigint), 8, '0') || '-0000-7000-a000-000000000000')::uuid"

export const confirmation = {
  m: `${number}begin;
${payment};
${paid};
${counted(charge)};
${entry(entryId, charge)};
${moved(entryId, charge)};
commit;
`,
  s: `${number}with booked as (${payment} returning charge_id),
paid as (${paid} and exists (select from booked) returning *),
counted as (${counted("paid")}),
entry as (${entry(entryId, "paid")} returning id)
${moved("(select id from entry)", "paid")};
`,
}
