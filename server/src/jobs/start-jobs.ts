import type { Logger } from "pino"
import type { Db } from "#db/transaction"
import { expireChargePages } from "#domain/charge-pages/expire-charge-pages"
import { expireCharges, failUnfinishedCharges } from "#domain/charges/expire-charges"
import { closeDays } from "#domain/daily-closes/close-days"
import { reconcilePayouts } from "#domain/daily-closes/reconcile-payouts"
import { reconcileDisputes } from "#domain/disputes/reconcile-disputes"
import { sendDefences } from "#domain/disputes/send-defences"
import { sendMails } from "#domain/mails/send-mails"
import { tidyMails } from "#domain/mails/tidy-mails"
import type { OpeningCounter } from "#domain/openings/opening-counter"
import { reconcileReceipts } from "#domain/payments/reconcile-receipts"
import { reconcileRefunds } from "#domain/payments/reconcile-refunds"
import { removeDueCharges } from "#domain/payments/remove-due-charges"
import { foldPlatformChanges } from "#domain/platform-totals/fold-platform-changes"
import { processInbox } from "#domain/psp-inbox/process-inbox"
import { tidyInbox } from "#domain/psp-inbox/tidy-inbox"
import { settleRefunds } from "#domain/refunds/settle-refunds"
import { tidySessions } from "#domain/sessions/tidy-sessions"
import { issuePasswordResets } from "#domain/users/issue-password-resets"
import { tidySignupAttempts } from "#domain/users/signup-limit"
import { tidyFailedLogins } from "#domain/users/tidy-failed-logins"
import { tidyPasswordResets } from "#domain/users/tidy-password-resets"
import { sendPayouts, settlePayouts } from "#domain/withdrawals/send-payouts"
import type { Clock } from "#kit/clock"
import type { Mailer } from "#mail/mailer"
import { tidyOutbox } from "#mail/tidy-outbox"
import type { Psp } from "#psp/psp"
import { runInTurn, type Turn } from "./run-in-turn.ts"

interface Deps {
  db: Db
  psp: Psp
  mailer: Mailer
  openings: OpeningCounter
  clock: Clock
  log: Logger
  /** Where the links of the mails lead. */
  publicUrl: string
  /** Where the provider reaches us, with the secret. */
  webhookUrl: string
}

export interface Jobs {
  /** Something waits in the inbox: work it off now rather than at the next turn. */
  inboxStored(): void
  stop(): Promise<void>
}

const SECOND = 1000

/** Each is one verb that finds its work in the tables, so a restart between any two lines loses nothing. */
export function startJobs(deps: Deps): Jobs {
  const turn = (name: string, everySeconds: number, run: () => Promise<void>): Turn =>
    runInTurn({ name, everyMs: everySeconds * SECOND, run, log: deps.log })
  const inbox = turn("process-inbox", 1, () => processInbox(deps))
  const turns = [
    inbox,
    turn("reconcile-receipts", 15, () => reconcileReceipts(deps)),
    turn("reconcile-refunds", 120, () => reconcileRefunds(deps)),
    turn("reconcile-payouts", 60, () => reconcilePayouts(deps)),
    turn("close-days", 15, () => closeDays(deps)),
    turn("reconcile-disputes", 60, () => reconcileDisputes(deps)),
    turn("send-defences", 2, () => sendDefences(deps)),
    turn("settle-refunds", 1, () => settleRefunds(deps)),
    turn("remove-due-charges", 1, () => removeDueCharges(deps)),
    turn("expire-charges", 2, () => expireCharges(deps)),
    turn("expire-charge-pages", 5, () => expireChargePages(deps)),
    turn("fail-unfinished-charges", 10, () => failUnfinishedCharges(deps)),
    turn("send-payouts", 1, () => sendPayouts(deps)),
    turn("settle-payouts", 1, () => settlePayouts(deps)),
    turn("issue-password-resets", 1, () => issuePasswordResets(deps)),
    turn("send-mails", 1, () => sendMails(deps)),
    turn("fold-platform-changes", 10, () => foldPlatformChanges(deps)),
    turn("write-openings", 3, () => deps.openings.flush()),
    turn("tidy-up", 600, () => tidyUp(deps)),
    registration(deps),
  ]
  return {
    inboxStored: inbox.wake,
    async stop() {
      await Promise.all(turns.map((each) => each.stop()))
    },
  }
}

async function tidyUp(deps: Deps): Promise<void> {
  await tidySessions(deps)
  await tidyFailedLogins(deps)
  await tidySignupAttempts(deps)
  await tidyPasswordResets(deps)
  await tidyMails(deps)
  await tidyOutbox(deps)
  await tidyInbox(deps)
}

/** Until it succeeds, and again every hour: some banks forget. Reconciliation finds the money meanwhile. */
function registration({ psp, webhookUrl, log }: Deps): Turn {
  let registeredAtMs = Number.NEGATIVE_INFINITY
  return runInTurn({
    name: "register-webhook",
    everyMs: 5 * SECOND,
    log,
    async run() {
      if (performance.now() - registeredAtMs < 3600 * SECOND) return
      await psp.registerWebhook(webhookUrl)
      registeredAtMs = performance.now()
    },
  })
}
