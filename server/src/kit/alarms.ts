import { Counter, metrics } from "./metrics.ts"

/**
 * Alarms need a person. A log line with one of these in its field `alarm` is counted in `/metrics`; docs/operations.md says
 * how to answer, deploy/prometheus has a rule for each, and a test holds the three equal.
 */
export const alarms = [
  "bad_pix_code",
  "bank_balance_differs",
  "chain_rewritten",
  "checkpoint_not_copied",
  "clock_skew",
  "code_not_removed",
  "daily_close_differs",
  "daily_close_failed",
  "day_closed_early",
  "debts_uncovered",
  "dispute_not_recorded",
  "former_bank_unreachable",
  "ledger_check_failed",
  "ledger_differs",
  "backup_failed",
  "backup_too_old",
  "mail_given_up",
  "payment_not_booked",
  "payout_differs",
  "payout_mismatch",
  "payout_return_mismatch",
  "payout_stuck",
  "provider_failing",
  "reconciliation_ahead",
  "refund_mismatch",
  "refund_not_booked",
  "refund_stuck",
  "refused_payout_paid",
  "refused_refund_paid",
  "unclear_refund",
  "unreadable_dispute",
  "unreadable_payout",
  "unreadable_receipt",
  "unreadable_refund",
  "webhook_not_confirmed",
  "webhook_taken",
  "work_put_off",
] as const

const known: ReadonlySet<unknown> = new Set(alarms)

const total = new Counter({
  name: "alarms_total",
  help: "Log lines that need a person, by their field alarm",
  labelNames: ["alarm"],
  registers: [metrics],
})

// All from the start: a series that begins with its first alarm has not risen yet.
for (const alarm of alarms) total.inc({ alarm }, 0)

export function countAlarm(alarm: unknown): void {
  if (known.has(alarm)) total.inc({ alarm: String(alarm) })
}
