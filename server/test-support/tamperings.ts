type Outcome = "named" | "silent" | "refused"

export interface Tampering {
  name: string
  sql: string
  outcome: Outcome
}

/** Stands for an id that nobody has. */
const nobody = "'00000000-0000-4000-8000-000000000001'"
const otherSeller = `(select id from users where role = 'user' and id <> seller_id order by id limit 1)`
const one = (table: string, where = "true") => `ctid = (select ctid from ${table} where ${where} limit 1)`
const copied = (table: string, columns: string, where = "true") => `
  create temp table copy on commit drop as select * from ${table} where ${where} limit 1;
  update copy set ${columns};
  do $$ begin execute (select format('insert into ${table} (%1$s) overriding system value select %1$s from copy',
    string_agg(quote_ident(attname), ', ')) from pg_attribute where attrelid = '${table}'::regclass and attnum > 0
    and attgenerated = '' and not attisdropped); end $$`

function of(table: string, edits: Record<string, string>, outcome: Outcome = "named"): Tampering[] {
  return Object.entries(edits).map(([what, sql]) => ({ name: `${table}: ${what}`, sql, outcome }))
}

/** Sets one column of one row. */
function sets(table: string, edits: Record<string, string>, where = "true"): Tampering[] {
  const statements = Object.entries(edits).map(([column, value]) => [
    column,
    `update ${table} set ${column} = ${value} where ${one(table, where)}`,
  ])
  return of(table, Object.fromEntries(statements) as Record<string, string>)
}

const remove = (table: string, where?: string) => ({ deletion: `delete from ${table} where ${one(table, where)}` })
const paid = "status = 'completed'"
const firstTime = "now() - interval '90 days'"
const addedOwner = `insert into shop_members (shop_id, user_id, role, joined_at)
  select user_id, shop_id, 'owner', now() from shop_members limit 1`
const ended = "pg_current_xact_id()"

/**
 * Everything that a superuser may do to a database whose triggers are off (and once with them on), without SECRETS_KEY. The three that
 * stay silent are explained in docs/chain.md.
 */
export const tamperings: readonly Tampering[] = [
  ...sets("payments", {
    amount_cents: "amount_cents + 1",
    seller_id: otherSeller,
    paid_at: firstTime,
    received_at: firstTime,
    txid: "txid || 'x'",
    end_to_end_id: "'E9'",
    xid: ended,
    fee_cents: "fee_cents + 1",
  }),
  ...sets(
    "payments",
    {
      disposition:
        "'suspense', reason = 'wrong_amount', fee_cents = 0, charge_day = null, page_id = null, completed_page_id = null, status_before = null",
    },
    "disposition = 'credited'",
  ),
  ...of("payments", {
    "deletion of a credited one": `delete from payments where ${one("payments", "disposition = 'credited'")}`,
    "deletion of one in suspense": `delete from payments where ${one("payments", "disposition = 'suspense'")}`,
    "an earlier transaction":
      "update payments set xid = '3' where end_to_end_id = (select end_to_end_id from payments order by xid desc limit 1)",
    "insertion with an old transaction": copied("payments", "end_to_end_id = 'E7'"),
    "insertion as of now": copied("payments", `end_to_end_id = 'E8', xid = ${ended}, received_at = now()`),
    "two rows exchanged": `update payments set received_at = (select min(other.received_at) from payments other where other.end_to_end_id <> payments.end_to_end_id)
      where ${one("payments")}`,
  }),
  ...of(
    "payments",
    { "an amount below zero": `update payments set amount_cents = -1 where ${one("payments")}` },
    "refused",
  ),
  ...sets("journal", {
    amount_cents: "amount_cents + 1",
    booked_at: firstTime,
    number: "default",
    may_overdraw: "not may_overdraw",
    debit_account: "'corrections'",
  }),
  ...of("journal", {
    ...remove("journal"),
    "insertion with an old transaction": copied("journal", "reference = 'x'"),
    "insertion as of now": copied("journal", `reference = 'x', xid = ${ended}, booked_at = now()`),
    "insertion of a kind that nobody knows": copied("journal", `kind = 'bonus', xid = ${ended}`),
    "references exchanged": `update journal set reference = ${nobody} where ${one("journal", "kind = 'withdrawal'")}`,
  }),
  ...of(
    "journal",
    { "an amount of nothing": `update journal set amount_cents = 0 where ${one("journal")}` },
    "refused",
  ),
  ...sets(
    "withdrawals",
    {
      pix_key: "'ladrao@dest.example'",
      amount_cents: "amount_cents + 1",
      payout_id: "'x1'",
      created_at: firstTime,
      end_to_end_id: "'E99999999202611260000abcdefghijk'",
      decided_by: "(select id from users where role = 'admin' and id <> decided_by limit 1)",
      first_approved_by: "(select id from users where role = 'admin' and id <> decided_by limit 1)",
      approved_at: firstTime,
      sent_at: firstTime,
      processed_at: firstTime,
      admin_notes: "'aprovado por telefone'",
      provider: "'outro'",
      status: "'rejected'",
    },
    paid,
  ),
  ...of("withdrawals", {
    "the key of a pending one": `update withdrawals set pix_key = 'ladrao@dest.example' where ${one("withdrawals", "status = 'pending'")}`,
    "pending is approved": `update withdrawals set status = 'approved', approved_at = now(), next_attempt_at = now(),
      decided_by = (select id from users where role = 'admin' limit 1) where ${one("withdrawals", "status = 'pending'")}`,
    "pending is approved, with triggers on": `set local session_replication_role = origin; update withdrawals set status = 'approved',
      approved_at = now(), next_attempt_at = now() where ${one("withdrawals", "status = 'pending'")}`,
    "pending is completed": `update withdrawals set status = 'completed', approved_at = now(), processed_at = now(), provider = 'simulator'
      where ${one("withdrawals", "status = 'pending'")}`,
    "a hold is lifted": `update withdrawals set held_until = null, hold_reasons = '[]' where ${one("withdrawals", "held_until is not null")}`,
    ...remove("withdrawals", paid),
    "insertion as of now, approved": copied(
      "withdrawals",
      `id = ${nobody}, payout_id = 'x2', status = 'approved', xid = ${ended}, created_at = now()`,
      "status = 'pending'",
    ),
  }),
  ...of(
    "withdrawals",
    { "completed without a provider": `update withdrawals set provider = null where ${one("withdrawals", paid)}` },
    "refused",
  ),
  ...of("withdrawals", {
    "completed without a provider, constraint dropped": `alter table withdrawals drop constraint withdrawals_sent_have_provider;
      update withdrawals set provider = null where ${one("withdrawals", paid)}`,
  }),
  ...sets("refunds", {
    amount_cents: "amount_cents - 1",
    fee_cents: "fee_cents + 1",
    return_id: "'D99999999202611260000abcdefghijk'",
    reason: "'outro'",
    processed_at: firstTime,
    requested_by: "(select id from users where id <> requested_by limit 1)",
  }),
  ...of("refunds", {
    ...remove("refunds"),
    "processing is completed": `update refunds set status = 'completed', processed_at = now(), next_attempt_at = null where ${one("refunds", "status = 'processing'")}`,
  }),
  ...of(
    "refunds",
    { "more than the payment's fee": `update refunds set fee_cents = amount_cents + 1 where ${one("refunds")}` },
    "refused",
  ),
  ...sets("audit_records", {
    after: `'{"name": "Eva"}'`,
    actor_id: "null",
    entity: "'mail'",
    request_id: "'req-1'",
    happened_at: firstTime,
  }),
  ...of("audit_records", {
    "deletion from the middle": `delete from audit_records where ${one("audit_records")}`,
    "deletion of the newest":
      "delete from audit_records where id = (select id from audit_records order by xid desc limit 1)",
    "deletion of all of one person":
      "delete from audit_records where actor_id = (select actor_id from audit_records where actor_id is not null limit 1)",
  }),
  ...of(
    "audit_records",
    {
      "insertion as of now": copied(
        "audit_records",
        `id = gen_random_uuid(), xid = ${ended}, happened_at = now(), entity = 'mail', after = null`,
      ),
    },
    "silent",
  ),
  ...of(
    "audit_records",
    { "address and device": "update audit_records set actor_address = '203.0.113.9', actor_device = 'curl'" },
    "silent",
  ),
  ...sets("manual_entries", { amount_cents: "amount_cents + 1", reason: "'outro'", approved_by: nobody }),
  ...of("manual_entries", {
    ...remove("manual_entries"),
    "a booked entry without its posting": copied("manual_entries", `id = ${nobody}, xid = ${ended}`),
  }),
  ...of("reserve_holds", {
    "an invented hold": `insert into reserve_holds (seller_id, due_on, held_cents) select id, current_date, 100 from users where role = 'user' limit 1`,
  }),
  ...of("unmatched_payments", {
    "accepted as another charge": `update unmatched_payments set status = 'accepted', accepted_charge_id = (select id from charges limit 1) where ${one("unmatched_payments")}`,
    "who decided": `update unmatched_payments set decided_by = (select id from users where role = 'admin' and id is distinct from decided_by limit 1)
      where ${one("unmatched_payments", "status <> 'open'")}`,
    ...remove("unmatched_payments"),
  }),
  ...sets("disputes", {
    blocked_cents: "blocked_cents - 1",
    amount_cents: "amount_cents + 1",
    state: "'defended'",
    details: "'nada'",
    admin_notes: "'ok'",
  }),
  ...of("disputes", remove("disputes")),
  ...sets(
    "charges",
    {
      amount_cents: "amount_cents + 1, net_cents = net_cents + 1",
      fee_cents: "fee_cents + 1, net_cents = net_cents - 1",
      seller_id: otherSeller,
      paid_at: firstTime,
      refunded_cents: "1",
      is_late: "not is_late",
      payer_name: "'Eva'",
    },
    "status = 'paid'",
  ),
  ...of("charges", {
    ...remove("charges", "status = 'paid'"),
    "paid is pending": `update charges set status = 'pending', paid_at = null, end_to_end_id = null where ${one("charges", "status = 'paid'")}`,
  }),
  ...of(
    "charges",
    { "a net that is no difference": `update charges set net_cents = net_cents + 1 where ${one("charges")}` },
    "refused",
  ),
  ...sets("charge_pages", {
    amount_cents: "amount_cents + 1",
    seller_id: otherSeller,
    title: "'Outra'",
    payments_count: "payments_count + 1",
    suspended_at: "now(), suspended_for = 'scam'",
  }),
  ...sets("invoices", {
    amount_cents: "amount_cents + 1",
    due_day: "due_day - 1",
    last_day: "last_day + 1",
    fee_basis_points: "0",
    terms: `'{"fine": {"basisPoints": 2000}}'`,
  }),
  ...of("invoices", {
    "amount, with its revision": `update invoice_revisions set amount_cents = amount_cents + 1; update invoices set amount_cents = amount_cents + 1`,
    "cancelled is open": `update invoices set status = 'open' where ${one("invoices", "status = 'cancelled'")};
      update invoice_totals set count = count + case status when 'open' then 1 else -1 end where status in ('open', 'cancelled')`,
  }),
  ...sets("invoice_totals", { count: "count + 1" }),
  ...sets("ledger_accounts", { balance_cents: "balance_cents + 1" }),
  ...sets("ledger_accounts", { floor_cents: "-100000" }, "kind = 'seller-available'"),
  ...of("ledger_accounts", remove("ledger_accounts")),
  ...of(
    "ledger_accounts",
    { "below its floor": "update ledger_accounts set balance_cents = -1 where kind = 'seller-held'" },
    "refused",
  ),
  ...sets("statement_lines", {
    amount_cents: "amount_cents + 1",
    at: "at + interval '1 hour', number = number + 1",
    balance_cents: "balance_cents + 1",
  }),
  ...of("statement_lines", {
    ...remove("statement_lines"),
    insertion: copied("statement_lines", "number = number + 100"),
  }),
  ...sets(
    "account_days",
    {
      balance_cents: "balance_cents + 1",
      credits_cents: "credits_cents + 1, debits_cents = debits_cents + 1",
    },
    "account = 'seller-available'",
  ),
  ...sets("platform_totals", { count: "count + 1" }),
  ...sets("platform_status_totals", { gross_cents: "gross_cents + 1" }),
  ...sets("kept_charge_totals", { count: "count + 1" }),
  ...sets("kept_charge_day_totals", { count: "count + 1" }),
  ...sets("seller_month_totals", { count: "count + 1" }),
  ...sets("charge_page_totals", { count: "count + 1" }),
  ...sets("withdrawal_totals", { count: "count + 1" }),
  ...sets("user_totals", { count: "count + 1" }),
  ...sets("users", {
    email: "'eva@dest.example', email_key = 'eva@dest.example'",
    password_hash: "'outro'",
    bank_account: `'{"pixKey": "ladrao@dest.example"}'`,
    admin_rights_from: "null, recovered_at = now()",
    recovered_at: firstTime,
    active: "not active",
    any_name: "true",
    fee_basis_points: "0",
  }),
  ...of("users", {
    "role, with its totals": `update users set role = 'admin' where ${one("users", "role = 'user'")};
      update user_totals set count = count - 1 where role = 'user' and active; update user_totals set count = count + 1 where role = 'admin' and active`,
    "role, with triggers on": `set local session_replication_role = origin; update users set role = 'admin' where ${one("users", "role = 'user'")}`,
    deletion: `delete from users where ${one("users", "id not in (select user_id from api_keys)")}`,
    insertion: copied("users", `id = ${nobody}, email_key = 'x', role = 'admin', mail_token = gen_random_uuid()`),
  }),
  ...of("settings", {
    "the fee": "update settings set value = '99' where key = 'TRANSACTION_FEE_PERCENTAGE'",
    "the threshold of two people": "update settings set value = '0' where key = 'SECOND_APPROVAL_ABOVE'",
    "the sender of mails": `update settings set value = '"eva@dest.example"' where key = 'MAIL_FROM'`,
    "the fee, with triggers on":
      "set local session_replication_role = origin; update settings set value = '99' where key = 'TRANSACTION_FEE_PERCENTAGE'",
    "the fee, as the servers' role":
      "set local session_replication_role = origin; set local role tilinta_app; update settings set value = '99' where key = 'TRANSACTION_FEE_PERCENTAGE'",
    insertion: "insert into settings (key, value, type, category) values ('NEW_SETTING', '0', 'number', 'fees')",
    ...remove("settings"),
  }),
  ...sets("destinations", {
    first_used_at: firstTime,
    confirmed_by: "'second_factor'",
    pix_key: "'ladrao@dest.example'",
  }),
  ...of("destinations", { invented: copied("destinations", `id = ${nobody}, target = 'x'`) }),
  ...sets("shop_members", { role: "'owner'", joined_at: firstTime }),
  ...of("shop_members", {
    ...remove("shop_members"),
    insertion: copied("shop_members", "user_id = shop_id, shop_id = user_id"),
    "inserted, used and deleted, with triggers on": `set local session_replication_role = origin;
      ${addedOwner}; delete from shop_members where role = 'owner'`,
    "inserted as the servers' role": `set local session_replication_role = origin; set local role tilinta_app; ${addedOwner}`,
    "raised as the servers' role":
      "set local session_replication_role = origin; set local role tilinta_app; update shop_members set role = 'owner'",
  }),
  ...sets("shop_invitations", { email_key: "'eva@dest.example'", role: "'owner'", token_hash: "'\\x01'" }),
  ...of("shop_invitations", remove("shop_invitations")),
  ...sets("withdrawal_rules", { above_cents: "0", destination_id: nobody, paused_because: "'failed'" }),
  ...of("withdrawal_rules", remove("withdrawal_rules")),
  ...sets("remittances", { file_digest: "'x'", made_by: nobody }),
  ...of("remittances", remove("remittances")),
  ...sets("remittance_entries", { state: "'refused'", withdrawal_id: nobody }),
  ...of("remittance_entries", remove("remittance_entries")),
  ...sets("api_keys", {
    scopes: "array['withdrawals:write']",
    token_hash: "'\\x01'",
    expires_at: "null, revoked_at = null, name = 'x'",
  }),
  ...sets("second_approvals", { asked_by: "(select id from users where role = 'admin' and id <> asked_by limit 1)" }),
  ...of("second_approvals", { insertion: copied("second_approvals", `id = ${nobody}, subject_id = 'x'`) }),
  ...sets("freezes", { ended_at: "now(), ended_by = user_id" }),
  ...of("freezes", remove("freezes")),
  ...sets("totp_factors", { sealed_secret: "'\\x01'" }),
  ...of("totp_factors", remove("totp_factors")),
  ...sets("legal_texts", { body: "'Aceito tudo.'" }),
  ...sets("money_kind", { chosen_at: "now() + interval '1 second'" }),
  ...sets(
    "events",
    {
      type: "'charge.disputed'",
      sequence: "sequence + 1000",
      occurred_at: firstTime,
      seller_id: `${otherSeller}, sequence = sequence + 900`,
    },
    "type = 'charge.paid'",
  ),
  ...of("events", remove("events", "type = 'charge.paid'")),
  ...of("mails", { "marked as sent": `update mails set sent_at = now() where ${one("mails")}` }, "silent"),
  ...sets("notices", { content: "'{}'" }),
  ...of("notices", remove("notices")),
  ...sets("bank_balances", { bank_cents: "bank_cents + 1" }),
  ...sets("daily_closes", { difference_count: "0" }),
  ...sets("daily_close_differences", { is_mended: "not is_mended" }),
  ...of("daily_close_differences", remove("daily_close_differences")),
  ...sets("psp_connections", { webhook_secret: "'ladrao'" }),
  ...sets("webhook_endpoints", { url: "'https://dest.example/'" }),
  ...of("chain", {
    "a block deleted": "delete from chain_blocks where number = 0",
    "a hash": "update chain_blocks set hashes = set_byte(hashes, 0, get_byte(hashes, 0) # 1) where number = 0",
    "a key": "update chain_blocks set keys[1] = 'a:x' where number = 0",
    sealed_at: "update chain_blocks set sealed_at = sealed_at + interval '1 second' where number = 0",
    "the head back to 0": "update chain_head set block_count = 0, until = '0'",
    "all of it wiped": `delete from chain_blocks; delete from chain_checkpoints; update chain_head set block_count = 0, until = '0', note = null`,
    "a foreign note": "update chain_head set note = replace(note, 'example', 'exemplo')",
    "until raised": "update chain_head set until = (until::text::bigint + 1000000)::text::xid8",
    "until lowered": "update chain_head set until = '1'",
    "a day's checkpoint deleted": "delete from chain_checkpoints",
    "a recorded state": `update recorded_states set digest = 'x' where ${one("recorded_states")}`,
    "a recorded state deleted": `delete from recorded_states where ${one("recorded_states")}`,
    "a foreign signing key": copied("signing_keys", `id = 'x', purpose = 'checkpoint', retired_at = now()`),
    "the signing keys deleted": "delete from signing_keys",
  }),
  ...of("schema", {
    "a trigger dropped": "drop trigger payments_are_final on payments",
    "a trigger switched off": "alter table settings disable trigger settings_are_recorded",
    "a trigger planted":
      "create trigger planted before insert on withdrawals for each row execute function refuse_changed_facts()",
    "refuse_history_change() emptied": `create or replace function refuse_history_change() returns trigger language plpgsql as $$ begin return null; end $$`,
    "state_digest() replaced": `create or replace function state_digest(item anyelement, names text[]) returns text language sql stable
      set search_path = pg_catalog, public set timezone = 'UTC' set bytea_output = 'hex' as $$ select 'x' $$`,
    "a view replaced": `create or replace view ledger_postings as select kind, reference, line, seller_id, debit_account, credit_account, may_overdraw,
      amount_cents, occurred_at, booked_at, number from journal`,
    "a rule planted": "create rule planted as on update to withdrawals do also nothing",
  }),
]
