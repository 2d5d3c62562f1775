import { apiKeyScopes } from "@tilinta/contract/vocabulary/api"
import {
  closeKinds,
  correctionDirections,
  differenceKinds,
  differenceProblems,
  manualEntryKinds,
} from "@tilinta/contract/vocabulary/books"
import {
  chargePageStatuses,
  isVisiblePage,
  pageReportReasons,
  pageReportStatuses,
  payablePageStatuses,
} from "@tilinta/contract/vocabulary/charge-pages"
import {
  defenceStates,
  disputeReasons,
  disputeStates,
  isOpenDispute,
} from "@tilinta/contract/vocabulary/dispute-status"
import { eventTypes, webhookProblems } from "@tilinta/contract/vocabulary/events"
import { invoiceModes, invoiceStatuses } from "@tilinta/contract/vocabulary/invoices"
import { legalKinds, noticeTopics } from "@tilinta/contract/vocabulary/mails"
import { debitStatuses, mandateStatuses, restReasons, retryPolicies } from "@tilinta/contract/vocabulary/mandates"
import { emailStates, roles, secondApprovalActs } from "@tilinta/contract/vocabulary/people"
import { pixKeyKinds } from "@tilinta/contract/vocabulary/pix-key"
import { reminderChannels, reminderStatuses, reminderSteps } from "@tilinta/contract/vocabulary/reminders"
import { shopColors } from "@tilinta/contract/vocabulary/shops"
import {
  subscriptionMethods,
  subscriptionPeriods,
  subscriptionStatuses,
} from "@tilinta/contract/vocabulary/subscriptions"
import { moneyKinds, settingCategories, settingTypes } from "@tilinta/contract/vocabulary/system"
import { shopRoles } from "@tilinta/contract/vocabulary/team"
import {
  chargeStatuses,
  failedStatuses,
  isOpenCharge,
  isOpenUnmatchedPayment,
  isPaid,
  isRefundUnderWay,
  paidStatuses,
  refundOrigins,
  refundStatuses,
  uncreditedReasons,
  unmatchedPaymentReasons,
  unmatchedPaymentStatuses,
} from "@tilinta/contract/vocabulary/transactions"
import {
  destinationOwners,
  destinationProofs,
  handSettlementOutcomes,
  remittanceStates,
  rulePauses,
  rulePeriods,
  withdrawalMethods,
  withdrawalStatuses,
} from "@tilinta/contract/vocabulary/withdrawals"
import { afterAll, expect, test } from "vitest"
import { createTestDatabase } from "../../test-support/test-database.ts"

const database = await createTestDatabase()
const { rows } = await database.pool.query<{ name: string; definition: string }>(`
    select conname as name, pg_get_constraintdef(oid) as definition from pg_constraint where contype = 'c'
    union all
    select relname, pg_get_expr(indpred, indrelid) from pg_index join pg_class on pg_class.oid = indexrelid
    where indpred is not null
    union all
    select relname, pg_get_indexdef(indexrelid) from pg_index join pg_class on pg_class.oid = indexrelid
    where indexprs is not null
    union all
    select tgname, pg_get_triggerdef(oid) from pg_trigger where tgqual is not null
    union all
    select adrelid::regclass || '.' || attname, pg_get_expr(adbin, adrelid)
    from pg_attrdef join pg_attribute on attrelid = adrelid and attnum = adnum
    where attgenerated = 's'`)
const definitions = new Map(rows.map(({ name, definition }) => [name, definition]))

afterAll(() => database.drop())

function wordsIn(definition: string): Set<string> {
  return new Set([...definition.matchAll(/'([a-z0-9_:.-]+)'::text/g)].map(([, word = ""]) => word))
}

/** A list of the vocabulary for each column that only knows certain words. */
const known: Readonly<Record<string, readonly string[]>> = {
  users_role_is_known: roles,
  users_email_state_is_known: emailStates,
  second_approvals_act_is_known: secondApprovalActs,
  api_keys_scope_is_known: apiKeyScopes,
  webhook_endpoints_problem_is_known: webhookProblems,
  webhook_deliveries_problem_is_known: webhookProblems,
  webhook_attempts_problem_is_known: webhookProblems,
  settings_type_is_known: settingTypes,
  settings_category_is_known: settingCategories,
  charge_pages_status_is_known: chargePageStatuses,
  charge_pages_suspended_for_is_known: pageReportReasons,
  page_reports_reason_is_known: pageReportReasons,
  page_reports_status_is_known: pageReportStatuses,
  charges_status_is_known: chargeStatuses,
  payments_reason_is_known: uncreditedReasons,
  unmatched_payments_reason_is_known: unmatchedPaymentReasons,
  unmatched_payments_status_is_known: unmatchedPaymentStatuses,
  invoices_status_is_known: invoiceStatuses,
  subscriptions_status_is_known: subscriptionStatuses,
  subscriptions_period_is_known: subscriptionPeriods,
  subscriptions_method_is_known: subscriptionMethods,
  mandates_status_is_known: mandateStatuses,
  mandates_rest_is_known: restReasons,
  mandates_retry_policy_is_known: retryPolicies,
  debits_status_is_known: debitStatuses,
  plans_period_is_known: subscriptionPeriods,
  invoices_mode_is_known: invoiceModes,
  shop_members_role_is_known: shopRoles,
  shop_invitations_role_is_known: shopRoles,
  disputes_reason_is_known: disputeReasons,
  disputes_state_is_known: disputeStates,
  disputes_defence_state_is_known: defenceStates,
  refunds_origin_is_known: refundOrigins,
  refunds_status_is_known: refundStatuses,
  reminders_channel_is_known: reminderChannels,
  reminders_status_is_known: reminderStatuses,
  reminders_step_is_known: reminderSteps,
  withdrawals_method_is_known: withdrawalMethods,
  withdrawals_pix_key_kind_is_known: pixKeyKinds,
  withdrawals_status_is_known: withdrawalStatuses,
  destinations_method_is_known: withdrawalMethods,
  destinations_pix_key_kind_is_known: pixKeyKinds,
  destinations_confirmation_is_known: destinationProofs,
  withdrawal_rules_period_is_known: rulePeriods,
  withdrawal_rules_pause_is_known: rulePauses,
  remittance_entries_state_is_known: remittanceStates,
  destinations_owner_is_known: destinationOwners.filter((owner) => owner !== "own" && owner !== "unknown"),
  manual_entries_kind_is_known: manualEntryKinds,
  manual_entries_direction_is_known: correctionDirections,
  hand_settlements_outcome_is_known: handSettlementOutcomes,
  event_drafts_type_is_known: eventTypes,
  events_type_is_known: eventTypes,
  shops_color_is_known: shopColors,
  legal_texts_kind_is_known: legalKinds,
  notices_topic_is_known: noticeTopics,
  money_kind_is_known: moneyKinds,
  daily_close_totals_kind_is_known: closeKinds,
  unreadable_entries_kind_is_known: closeKinds,
  daily_close_differences_kind_is_known: differenceKinds,
  daily_close_differences_problem_is_known: differenceProblems,
}

/** Words of the server alone, which no list of the vocabulary holds. */
const ofTheServer = [
  "charges_removal_is_known",
  "charge_search_texts_source_is_known",
  "due_payments_computed_by_is_known",
  "hand_settlements_subject_is_known",
  "invoice_payments_computed_by_is_known",
  "ledger_accounts_kind_is_known",
  "passkey_challenges_purpose_is_known",
  "payments_disposition_is_known",
  "platform_totals_subject_is_known",
  "retention_marks_subject_is_known",
  "signing_keys_purpose_is_known",
]

test("each column that only knows certain words is compared with a list of the vocabulary", () => {
  const names = [...definitions.keys()].filter((name) => name.endsWith("_is_known"))
  expect(names.toSorted()).toEqual([...Object.keys(known), ...ofTheServer].toSorted())
})

test.each(Object.entries(known))("%s: the database knows the words of the vocabulary", (name, words) => {
  expect(wordsIn(definitions.get(name) ?? "")).toEqual(new Set(words))
})

/** The conditions of constraints and indexes that name some of a noun's statuses. */
test.each([
  ["charges_paid_has_moment", paidStatuses],
  ["charges_without_txid_are_paid", paidStatuses],
  ["charges.closed_as", chargeStatuses.filter((status) => !isOpenCharge(status) && !isPaid(status))],
  ["charges_by_page", failedStatuses],
  ["charge_pages.ended_as", chargePageStatuses.filter((status) => !isVisiblePage(status))],
  ["charge_pages_keep_their_active_row", payablePageStatuses],
  ["disputes_decided_are_closed", disputeStates.filter(isOpenDispute)],
  ["refunds_processing_have_attempt", refundStatuses.filter(isRefundUnderWay)],
  ["refunds_processed_have_moment", refundStatuses.filter(isRefundUnderWay)],
  ["unmatched_payments_open", unmatchedPaymentStatuses.filter(isOpenUnmatchedPayment)],
])("%s: the database decides about statuses as the vocabulary does", (name, statuses) => {
  expect(wordsIn(definitions.get(name) ?? "")).toEqual(new Set(statuses))
})
