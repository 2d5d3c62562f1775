import type { JobByHand, JobName } from "@tilinta/contract/vocabulary/jobs"
import type { Logger } from "pino"
import type { JobsDb, Tx } from "#db/transaction"
import { closeDays } from "#domain/bank/daily-closes/close-days"
import { reconcilePayouts } from "#domain/bank/daily-closes/reconcile-payouts"
import { saveContact } from "#domain/bank/psp-inbox/connection-state"
import type { InboxWorker } from "#domain/bank/psp-inbox/inbox-worker"
import { tidyInbox } from "#domain/bank/psp-inbox/tidy-inbox"
import { reconcileRefunds } from "#domain/bank/reconciliation/reconcile-refunds"
import { reconcileDisputes } from "#domain/money/disputes/reconcile-disputes"
import { sendDefences } from "#domain/money/disputes/send-defences"
import { removeDueCharges } from "#domain/money/payments/remove-due-charges"
import { settleRefunds } from "#domain/money/refunds/settle-refunds"
import { sendPayouts, settlePayouts } from "#domain/money/withdrawals/send-payouts"
import type { LedgerChecker } from "#domain/overviews/ledger-checks/ledger-checker"
import { checkLedgerAtNight } from "#domain/overviews/ledger-checks/request-ledger-check"
import { tidySessions } from "#domain/people/sessions/tidy-sessions"
import { issuePasswordResets } from "#domain/people/users/issue-password-resets"
import { tidySignupAttempts } from "#domain/people/users/signup-limit"
import { tidyFailedLogins } from "#domain/people/users/tidy-failed-logins"
import { tidyPasswordResets } from "#domain/people/users/tidy-password-resets"
import { type RecentJobRuns, saveJobRuns } from "#domain/platform/job-runs/save-job-runs"
import { sendMails } from "#domain/platform/mails/send-mails"
import { tidyMails } from "#domain/platform/mails/tidy-mails"
import { recordHeartbeat, type ServerNode } from "#domain/platform/nodes/node-heartbeats"
import type { OpeningCounter } from "#domain/platform/openings/opening-counter"
import { foldPlatformChanges } from "#domain/platform/totals/fold-platform-changes"
import { expireChargePages } from "#domain/selling/charge-pages/expire-charge-pages"
import { expireCharges, failUnfinishedCharges } from "#domain/selling/charges/expire-charges"
import { foldChargeChanges } from "#domain/selling/charges/fold-charge-changes"
import type { Clock } from "#kit/clock"
import type { Mailer } from "#mail/mailer"
import { tidyOutbox } from "#mail/tidy-outbox"
import type { ContactRecorder } from "#psp/contact-recorder"
import type { Psp, RecentContacts } from "#psp/psp"
import { createJobRunRecorder, type JobRunRecorder } from "./job-run-recorder.ts"
import { type ScheduledJob, scheduleJob } from "./schedule-job.ts"

interface Deps {
  db: JobsDb
  psp: Psp
  mailer: Mailer
  /** Books payments, like the inbox, and so runs on its pool. */
  reconcileReceipts(): Promise<void>
  inbox: Pick<InboxWorker, "workOff">
  openings: OpeningCounter
  ledgerChecker: LedgerChecker
  contactNotes: ContactRecorder
  node: ServerNode
  clock: Clock
  log: Logger
  /** Base address of links in mails. */
  publicUrl: string
  /** The webhook address for the provider, including its secret. */
  webhookUrl: string
}

export interface Jobs {
  wake(name: JobByHand): void
  stop(): Promise<void>
}

const SECOND = 1000

/** Each job is one verb that finds its work in the tables, so a restart at any point loses nothing. */
export function startJobs(deps: Deps): Jobs {
  let status: ScheduledJob | null = null
  const notes = createJobRunRecorder(() => status?.wake())
  const job = (name: JobName, everySeconds: number, run: () => Promise<void>): ScheduledJob =>
    scheduleJob({ name, everyMs: everySeconds * SECOND, run, log: deps.log, onEnd: notes.of(name, everySeconds) })
  const byHand: Record<JobByHand, ScheduledJob> = {
    "reconcile-receipts": job("reconcile-receipts", 15, () => deps.reconcileReceipts()),
    "reconcile-refunds": job("reconcile-refunds", 120, () => reconcileRefunds(deps)),
    "reconcile-payouts": job("reconcile-payouts", 60, () => reconcilePayouts(deps)),
    "fail-unfinished-charges": job("fail-unfinished-charges", 10, () => failUnfinishedCharges(deps)),
    "fold-platform-changes": job("fold-platform-changes", 10, () => foldChanges(deps)),
    "tidy-up": job("tidy-up", 600, () => tidyUp(deps)),
  }
  const jobs = [
    job("process-inbox", 1, () => deps.inbox.workOff()),
    ...Object.values(byHand),
    job("close-days", 15, () => closeDays(deps)),
    job("reconcile-disputes", 60, () => reconcileDisputes(deps)),
    job("send-defences", 2, () => sendDefences(deps)),
    job("settle-refunds", 1, () => settleRefunds(deps)),
    job("remove-due-charges", 1, () => removeDueCharges(deps)),
    job("expire-charges", 2, () => expireCharges(deps)),
    job("expire-charge-pages", 5, () => expireChargePages(deps)),
    job("send-payouts", 1, () => sendPayouts(deps)),
    job("settle-payouts", 1, () => settlePayouts(deps)),
    job("issue-password-resets", 1, () => issuePasswordResets(deps)),
    job("send-mails", 1, () => sendMails(deps)),
    job("write-openings", 3, () => deps.openings.flush()),
    job("check-ledger", 300, () => checkLedgerAtNight(deps)),
    registration(deps, notes),
  ]
  const writing = statusWriting(deps, notes)
  status = writing
  return {
    wake: (name) => byHand[name].wake(),
    async stop() {
      await Promise.all([...jobs, writing].map((each) => each.stop()))
    },
  }
}

const STATUS_SECONDS = 10

interface StatusNews {
  provider: string
  contact: RecentContacts | null
  runs: RecentJobRuns[]
  node: ServerNode
  now: Date
}

/** Writes what was kept in memory, for all nodes and the admin's screen. */
function statusWriting({ db, psp, clock, log, node, contactNotes }: Deps, notes: JobRunRecorder): ScheduledJob {
  const provider = psp.name
  return scheduleJob({
    name: "write-status",
    everyMs: STATUS_SECONDS * SECOND,
    log,
    async run() {
      const news = { provider, contact: contactNotes.take(), runs: notes.take(), node, now: clock.now() }
      await db.transaction().execute((tx) => writeStatus(tx, news))
    },
  })
}

async function writeStatus(tx: Tx, { provider, contact, runs, node, now }: StatusNews): Promise<void> {
  if (contact !== null) await saveContact(tx, provider, contact)
  await saveJobRuns(tx, runs)
  await recordHeartbeat(tx, node, now)
}

async function foldChanges(deps: Deps): Promise<void> {
  await foldPlatformChanges(deps)
  await foldChargeChanges(deps)
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

/**
 * Retries until it succeeds, and repeats every hour because some banks forget. Meanwhile reconciliation finds the
 * money.
 */
function registration({ psp, webhookUrl, log }: Deps, notes: JobRunRecorder): ScheduledJob {
  const name: JobName = "register-webhook"
  const everySeconds = 5
  let registeredAtMs = Number.NEGATIVE_INFINITY
  return scheduleJob({
    name,
    everyMs: everySeconds * SECOND,
    log,
    onEnd: notes.of(name, everySeconds),
    async run() {
      if (performance.now() - registeredAtMs < 3600 * SECOND) return
      await psp.registerWebhook(webhookUrl)
      registeredAtMs = performance.now()
    },
  })
}
