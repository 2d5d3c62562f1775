-- Each change of a setting, an account, a destination or an end of a payout leaves its state here: docs/chain.md, "States".

create table recorded_states (
  id bigint generated always as identity constraint recorded_states_by_id primary key,
  subject text collate "C" not null,
  digest text collate "C",
  recorded_at timestamptz not null default now(),
  made_by text collate "C" not null default current_user,
  xid xid8 not null default pg_current_xact_id()
);
create index recorded_states_by_xid on recorded_states (xid);

comment on table recorded_states is
  'A digest of each state of the rows whose table has a trigger of record_state(), written with the change and sealed with the books: '
  'npm run verify compares the last one of each row with the row. Append-only.';
comment on column recorded_states.id is 'States of one row have ids in the order in which they came: their writers lock the row.';
comment on column recorded_states.subject is 'Its table, a slash, and its primary key.';
comment on column recorded_states.digest is 'A digest of the columns that the trigger names, in hex; null where the row was deleted.';
comment on column recorded_states.made_by is
  'The role that changed it. The servers'' is tilinta_app: verify names what any other role did.';
comment on column recorded_states.xid is 'The transaction that changed it: see chain_head.';

create trigger recorded_states_are_final
before update of id, subject, digest, recorded_at, made_by or delete or truncate on recorded_states
for each statement execute function refuse_history_change();
comment on trigger recorded_states_are_final on recorded_states is 'A recorded state never changes.';

create function state_digest(item anyelement, names text[]) returns text
language sql stable set search_path = pg_catalog, public set timezone = 'UTC' set bytea_output = 'hex' as $$
  select encode(sha256(convert_to(jsonb_object_agg(name, value)::text, 'UTF8')), 'hex')
  from jsonb_each(to_jsonb(item)) as part (name, value) where name = any (names)
$$;
comment on function state_digest(anyelement, text[]) is 'SHA-256 of these columns of a row, as a JSON object, whatever the settings of the session.';

create function state_subject(item anyelement, of_table text, key_names text) returns text
language sql stable set search_path = pg_catalog, public set timezone = 'UTC' set bytea_output = 'hex' as $$
  select of_table || '/' || string_agg(to_jsonb(item) ->> name, '/' order by place)
  from unnest(string_to_array(key_names, ',')) with ordinality as part (name, place)
$$;
comment on function state_subject(anyelement, text, text) is 'The name of a row in recorded_states.';

create function record_state() returns trigger
language plpgsql set search_path = pg_catalog, public as $$
declare
  was text;
  becomes text;
begin
  if tg_op <> 'INSERT' then was := state_digest(old, tg_argv[1:]); end if;
  if tg_op <> 'DELETE' then becomes := state_digest(new, tg_argv[1:]); end if;
  if was is not distinct from becomes then return null; end if;
  insert into recorded_states (subject, digest)
  values (
    case when tg_op = 'DELETE' then state_subject(old, tg_table_name, tg_argv[0])
      else state_subject(new, tg_table_name, tg_argv[0]) end,
    becomes
  );
  return null;
end
$$;
comment on function record_state() is
  'Records the state of a row after each change. Its first argument is the primary key, the others are the columns that count. It '
  'runs with the rights of whoever changes the row, and so knows who that is.';

grant select, insert on recorded_states to tilinta_app;

create trigger users_are_recorded
after insert or update or delete on users for each row execute function record_state(
  'id', 'name', 'email', 'email_key', 'password_hash', 'cpf', 'phone', 'address', 'bank_account', 'role', 'active',
  'created_at', 'payment_mails', 'mail_token', 'recovered_at', 'email_state', 'any_name', 'fee_basis_points',
  'password_is_initial', 'password_is_void', 'admin_rights_from', 'erased_at'
);
comment on trigger users_are_recorded on users is 'A person, how they sign in, what they may do and where their money goes.';

create trigger shops_are_recorded
after insert or update or delete on shops for each row execute function record_state(
  'seller_id', 'color', 'whatsapp', 'email', 'closed_text', 'logo_digest', 'updated_at'
);
comment on trigger shops_are_recorded on shops is 'Records what payers see of a seller.';

create trigger shop_names_are_recorded
after insert or update or delete on shop_names for each row execute function record_state(
  'id', 'seller_id', 'name', 'document', 'since', 'mac'
);
comment on trigger shop_names_are_recorded on shop_names is 'Records who a seller says to be, and whose keys are theirs.';

create trigger shop_members_are_recorded
after insert or update or delete on shop_members for each row execute function record_state(
  'shop_id,user_id', 'role', 'joined_at'
);
comment on trigger shop_members_are_recorded on shop_members is 'Records who acts for a seller, and as what.';

create trigger shop_invitations_are_recorded
after insert or update or delete on shop_invitations for each row execute function record_state(
  'id', 'token_hash', 'shop_id', 'email', 'email_key', 'role', 'invited_by', 'created_at', 'expires_at'
);
comment on trigger shop_invitations_are_recorded on shop_invitations is 'Records whom a link lets in.';

create trigger api_keys_are_recorded
after insert or update or delete on api_keys for each row execute function record_state(
  'id', 'user_id', 'token_hash', 'name', 'hint', 'scopes', 'created_at', 'expires_at', 'revoked_at'
);
comment on trigger api_keys_are_recorded on api_keys is 'A key of the API acts for a seller.';

create trigger totp_factors_are_recorded
after insert or update or delete on totp_factors for each row execute function record_state(
  'user_id', 'id', 'key_id', 'sealed_secret', 'created_at', 'confirmed_at'
);
comment on trigger totp_factors_are_recorded on totp_factors is 'A second factor.';

create trigger passkeys_are_recorded
after insert or update or delete on passkeys for each row execute function record_state(
  'id', 'user_id', 'credential_id', 'public_key', 'transports', 'rp_id', 'name', 'created_at'
);
comment on trigger passkeys_are_recorded on passkeys is 'A second factor.';

create trigger recovery_codes_are_recorded
after insert or update or delete on recovery_codes for each row execute function record_state(
  'code_hash', 'user_id', 'created_at', 'used_at'
);
comment on trigger recovery_codes_are_recorded on recovery_codes is 'A way around the second factor.';

create trigger email_changes_are_recorded
after insert or update or delete on email_changes for each row execute function record_state(
  'user_id', 'token_hash', 'email', 'asked_by', 'created_at', 'expires_at'
);
comment on trigger email_changes_are_recorded on email_changes is 'An address that waits for its proof.';

create trigger freezes_are_recorded
after insert or update or delete on freezes for each row execute function record_state(
  'id', 'user_id', 'frozen_at', 'trusts_factors_until', 'ended_at', 'ended_by'
);
comment on trigger freezes_are_recorded on freezes is 'Records what an owner said was not them.';

create trigger second_approvals_are_recorded
after insert or update or delete on second_approvals for each row execute function record_state(
  'id', 'act', 'subject_id', 'subject_name', 'changes', 'digest', 'asked_by', 'asked_at', 'expires_at'
);
comment on trigger second_approvals_are_recorded on second_approvals is 'The first of two words.';

create trigger settings_are_recorded
after insert or update or delete on settings for each row execute function record_state(
  'key', 'value', 'type', 'category', 'description', 'is_public', 'updated_at', 'updated_by'
);
comment on trigger settings_are_recorded on settings is 'Fees, limits and holds.';

create trigger legal_texts_are_recorded
after insert or update or delete on legal_texts for each row execute function record_state(
  'kind,version', 'body', 'published_at', 'published_by'
);
comment on trigger legal_texts_are_recorded on legal_texts is 'Records what people accepted.';

create trigger legal_acceptances_are_recorded
after insert or update or delete on legal_acceptances for each row execute function record_state(
  'user_id,kind,version', 'accepted_at'
);
comment on trigger legal_acceptances_are_recorded on legal_acceptances is 'Records who accepted it.';

create trigger money_kind_are_recorded
after insert or update or delete on money_kind for each row execute function record_state(
  'kind', 'chosen_at'
);
comment on trigger money_kind_are_recorded on money_kind is 'Records whether the money is real, and how old the installation is.';

create trigger notices_are_recorded
after insert or update on notices
for each row when (new.content ->> 'kind' not in ('payment_received', 'payments_received')) execute function record_state(
  'id', 'user_id', 'told_at', 'topic', 'content', 'dedupe_key'
);
comment on trigger notices_are_recorded on notices is
  'Records what somebody was told. A payment is sealed itself, and what is told of it would be one more row for each.';

create trigger deleted_notices_are_recorded
after delete on notices
for each row when (old.content ->> 'kind' not in ('payment_received', 'payments_received')) execute function record_state(
  'id', 'user_id', 'told_at', 'topic', 'content', 'dedupe_key'
);
comment on trigger deleted_notices_are_recorded on notices is 'Records that it was deleted.';

create trigger page_reports_are_recorded
after insert or update or delete on page_reports for each row execute function record_state(
  'id', 'page_id', 'status', 'reasons', 'suspended_for', 'decided_by', 'decided_at', 'lifted_by', 'lifted_at'
);
comment on trigger page_reports_are_recorded on page_reports is 'Records what strangers reported, and what was decided.';

create trigger return_origins_are_recorded
after insert or update or delete on return_origins for each row execute function record_state(
  'seller_id', 'origins', 'key_id', 'sealed_key'
);
comment on trigger return_origins_are_recorded on return_origins is 'Records where payers are sent, and the key that signs it.';

create trigger disputes_are_recorded
after insert or update or delete on disputes for each row execute function record_state(
  'id', 'provider', 'psp_dispute_id', 'end_to_end_id', 'charge_id', 'seller_id', 'amount_cents', 'blocked_cents',
  'debited_cents', 'movements', 'reason', 'details', 'state', 'respond_until', 'opened_at', 'reported_at',
  'closed_at', 'settled_at', 'analysis', 'defence', 'defence_state', 'defended_by', 'defended_at', 'registered_by',
  'closed_by', 'admin_notes', 'created_at'
);
comment on trigger disputes_are_recorded on disputes is 'Blocked money, and how it ended.';

create trigger refunds_are_recorded
after insert or update or delete on refunds for each row execute function record_state(
  'id', 'end_to_end_id', 'psp_refund_id', 'provider', 'charge_id', 'seller_id', 'amount_cents', 'fee_cents',
  'origin', 'status', 'reason', 'failure_reason', 'return_id', 'requested_by', 'is_dispute', 'dispute_id',
  'created_at', 'processed_at', 'settled_at', 'sending_at'
);
comment on trigger refunds_are_recorded on refunds is 'Records how a refund ended, and the bank''s id of it.';

create trigger withdrawals_are_recorded
after insert or update or delete on withdrawals for each row execute function record_state(
  'id', 'seller_id', 'amount_cents', 'method', 'pix_key', 'pix_key_kind', 'bank_data', 'payout_id', 'status',
  'provider', 'end_to_end_id', 'admin_notes', 'failure_reason', 'decided_by', 'created_at', 'approved_at', 'sent_at',
  'processed_at', 'settled_at', 'returned_cents', 'returned_at', 'return_reason', 'sending_at',
  'paid_after_refusal_at', 'api_key_id', 'held_until', 'hold_reasons', 'first_approved_by'
);
comment on trigger withdrawals_are_recorded on withdrawals is 'Records who approved a payout, and how it ended.';

create trigger destinations_are_recorded
after insert or update or delete on destinations for each row execute function record_state(
  'id', 'seller_id', 'target', 'method', 'pix_key', 'pix_key_kind', 'bank_data', 'first_used_at', 'last_used_at',
  'confirmed_by', 'removed_at', 'owner', 'owner_said_by', 'owner_said_at'
);
comment on trigger destinations_are_recorded on destinations is 'Records where a seller''s money may go without a wait.';

create trigger withdrawal_rules_are_recorded
after insert or delete or update of every, above_cents, destination_id, paused_because
on withdrawal_rules for each row execute function record_state(
  'seller_id', 'every', 'above_cents', 'destination_id', 'paused_because'
);
comment on trigger withdrawal_rules_are_recorded on withdrawal_rules is 'Records what is requested without its seller.';

create trigger remittances_are_recorded
after insert or delete or update of sequence, id, file_digest, made_by, made_at
on remittances for each row execute function record_state(
  'sequence', 'id', 'file_digest', 'made_by', 'made_at'
);
comment on trigger remittances_are_recorded on remittances is 'Records which file paid.';

create trigger remittance_entries_are_recorded
after insert or update or delete on remittance_entries for each row execute function record_state(
  'sequence,line', 'withdrawal_id', 'state'
);
comment on trigger remittance_entries_are_recorded on remittance_entries is
  'Records what the bank said of a payment: what it refused is paid again.';

create trigger manual_entries_are_recorded
after insert or update or delete on manual_entries for each row execute function record_state(
  'id', 'kind', 'direction', 'amount_cents', 'provider', 'seller_id', 'reason', 'reference', 'reverses',
  'created_by', 'created_at', 'approved_by', 'booked_at', 'refused_by', 'refused_at'
);
comment on trigger manual_entries_are_recorded on manual_entries is 'Records who agreed on an entry.';

create trigger hand_settlements_are_recorded
after insert or update or delete on hand_settlements for each row execute function record_state(
  'subject_id', 'subject', 'outcome', 'end_to_end_id', 'reason', 'proposed_by', 'proposed_at', 'confirmed_by',
  'settled_at'
);
comment on trigger hand_settlements_are_recorded on hand_settlements is 'Records what people said of a payout.';

create trigger psp_connections_are_recorded
after insert or delete or update of
  webhook_secret, connected_at
on psp_connections for each row execute function record_state(
  'provider', 'webhook_secret', 'connected_at'
);
comment on trigger psp_connections_are_recorded on psp_connections is 'Records who may tell us of payments.';

create trigger daily_closes_are_recorded
after insert or update or delete on daily_closes for each row execute function record_state(
  'id', 'provider', 'day', 'closed_at', 'comparisons', 'difference_count', 'mended_count'
);
comment on trigger daily_closes_are_recorded on daily_closes is 'Records what a comparison with the bank found.';

create trigger bank_balances_are_recorded
after insert or update or delete on bank_balances for each row execute function record_state(
  'close_id', 'at', 'bank_cents', 'our_cents', 'difference_cents', 'typed_by'
);
comment on trigger bank_balances_are_recorded on bank_balances is 'Records what the bank said that it holds.';

create trigger daily_close_differences_are_recorded
after insert or update or delete on daily_close_differences for each row execute function record_state(
  'close_id,kind,reference', 'problem', 'our_cents', 'bank_cents', 'our_state', 'bank_state', 'is_mended'
);
comment on trigger daily_close_differences_are_recorded on daily_close_differences is 'Records what a comparison with the bank found, one by one.';

create trigger daily_close_totals_are_recorded
after insert or update or delete on daily_close_totals for each row execute function record_state(
  'close_id,kind', 'our_count', 'our_cents', 'bank_count', 'bank_cents'
);
comment on trigger daily_close_totals_are_recorded on daily_close_totals is 'Records what a comparison with the bank added up.';

create trigger webhook_endpoints_are_recorded
after insert or delete or update of
  seller_id, url, allows_local, types, key_id, sealed_secret, former_key_id, former_sealed_secret, former_secret_until,
  confirmed_at, created_at, deleted_at
on webhook_endpoints for each row execute function record_state(
  'id', 'seller_id', 'url', 'allows_local', 'types', 'key_id', 'sealed_secret', 'former_key_id',
  'former_sealed_secret', 'former_secret_until', 'confirmed_at', 'created_at', 'deleted_at'
);
comment on trigger webhook_endpoints_are_recorded on webhook_endpoints is 'Records whom we tell of payments, and the key that signs it.';

create trigger signing_keys_are_recorded
after insert or update or delete on signing_keys for each row execute function record_state(
  'id', 'purpose', 'public_key', 'key_id', 'sealed_key', 'created_at', 'retired_at'
);
comment on trigger signing_keys_are_recorded on signing_keys is 'Records what signs checkpoints and receipts.';

create trigger unmatched_payments_are_recorded
after update or delete on unmatched_payments for each row execute function record_state(
  'id', 'end_to_end_id', 'status', 'accepted_charge_id', 'refund_id', 'decided_by', 'decided_at', 'admin_notes'
);
comment on trigger unmatched_payments_are_recorded on unmatched_payments is 'Records what was decided about a payment. Its insertion is the payment''s, which is sealed.';

create trigger charge_pages_are_recorded
after insert or update of
  seller_id, title, description, amount_cents, max_amount_cents, suggested_cents, unique_link, slug, allow_anonymous, require_name, require_email,
  require_phone, require_cpf, expires_in_hours, expires_at, max_payments, deleted_at, suspended_at, suspended_for,
  created_at
on charge_pages for each row when (not new.is_single) execute function record_state(
  'id', 'seller_id', 'title', 'description', 'amount_cents', 'max_amount_cents', 'suggested_cents', 'unique_link', 'slug', 'allow_anonymous',
  'require_name', 'require_email', 'require_phone', 'require_cpf', 'expires_in_hours', 'expires_at', 'max_payments',
  'deleted_at', 'suspended_at', 'suspended_for', 'created_at'
);
comment on trigger charge_pages_are_recorded on charge_pages is 'Records what a payer is asked for. A page of a single charge says what its charge says.';

insert into recorded_states (subject, digest, made_by)
select state_subject(item, 'legal_texts', 'kind,version'),
  state_digest(item, array['body', 'published_at', 'published_by']), 'tilinta_app'
from legal_texts item;
