import type { JobByHand, JobName } from "@tilinta/contract/vocabulary/jobs"
import type { Logger } from "pino"
import type { Db, Tx } from "#db/transaction"
import { expireChargePages } from "#domain/charge-pages/expire-charge-pages"
import { expireCharges, failUnfinishedCharges } from "#domain/charges/expire-charges"
import { foldChargeChanges } from "#domain/charges/fold-charge-changes"
import { closeDays } from "#domain/daily-closes/close-days"
import { reconcilePayouts } from "#domain/daily-closes/reconcile-payouts"
import { reconcileDisputes } from "#domain/disputes/reconcile-disputes"
import { sendDefences } from "#domain/disputes/send-defences"
import { type JobNews, saveJobRuns } from "#domain/job-runs/save-job-runs"
import type { LedgerChecker } from "#domain/ledger-checks/ledger-checker"
import { checkLedgerAtNight } from "#domain/ledger-checks/request-ledger-check"
import { sendMails } from "#domain/mails/send-mails"
import { tidyMails } from "#domain/mails/tidy-mails"
import type { OpeningCounter } from "#domain/openings/opening-counter"
import { removeDueCharges } from "#domain/payments/remove-due-charges"
import { foldPlatformChanges } from "#domain/platform-totals/fold-platform-changes"
import { saveContact } from "#domain/psp-inbox/connection-state"
import type { InboxWorker } from "#domain/psp-inbox/inbox-worker"
import { tidyInbox } from "#domain/psp-inbox/tidy-inbox"
import { reconcileReceipts } from "#domain/reconciliation/reconcile-receipts"
import { reconcileRefunds } from "#domain/reconciliation/reconcile-refunds"
import { settleRefunds } from "#domain/refunds/settle-refunds"
import { type ServerNode, sayNodeIsThere } from "#domain/server-nodes/see-nodes"
import { tidySessions } from "#domain/sessions/tidy-sessions"
import { issuePasswordResets } from "#domain/users/issue-password-resets"
import { tidySignupAttempts } from "#domain/users/signup-limit"
import { tidyFailedLogins } from "#domain/users/tidy-failed-logins"
import { tidyPasswordResets } from "#domain/users/tidy-password-resets"
import { sendPayouts, settlePayouts } from "#domain/withdrawals/send-payouts"
import type { Clock } from "#kit/clock"
import type { Mailer } from "#mail/mailer"
import { tidyOutbox } from "#mail/tidy-outbox"
import type { ContactNotes } from "#psp/contact-notes"
import type { ContactNews, Psp } from "#psp/psp"
import { createJobNotes, type JobNotes } from "./job-notes.ts"
import { runInTurn, type Turn } from "./run-in-turn.ts"

interface Deps {
  db: Db
  /** Of the booking of payments. */
  lookupDb: Db
  psp: Psp
  mailer: Mailer
  inbox: Pick<InboxWorker, "workOff">
  openings: OpeningCounter
  ledgerChecker: LedgerChecker
  contactNotes: ContactNotes
  node: ServerNode
  clock: Clock
  log: Logger
  /** Where the links of the mails lead. */
  publicUrl: string
  /** Where the provider reaches us, with the secret. */
  webhookUrl: string
}

export interface Jobs {
  wake(name: JobByHand): void
  stop(): Promise<void>
}

const SECOND = 1000

/** Each is one verb that finds its work in the tables, so a restart between any two lines loses nothing. */
export function startJobs(deps: Deps): Jobs {
  let status: Turn | null = null
  const notes = createJobNotes(() => status?.wake())
  const turn = (name: JobName, everySeconds: number, run: () => Promise<void>): Turn =>
    runInTurn({ name, everyMs: everySeconds * SECOND, run, log: deps.log, onEnd: notes.of(name, everySeconds) })
  const byHand: Record<JobByHand, Turn> = {
    "reconcile-receipts": turn("reconcile-receipts", 15, () => reconcileReceipts({ ...deps, db: deps.lookupDb })),
    "reconcile-refunds": turn("reconcile-refunds", 120, () => reconcileRefunds(deps)),
    "reconcile-payouts": turn("reconcile-payouts", 60, () => reconcilePayouts(deps)),
    "fail-unfinished-charges": turn("fail-unfinished-charges", 10, () => failUnfinishedCharges(deps)),
    "fold-platform-changes": turn("fold-platform-changes", 10, () => foldChanges(deps)),
    "tidy-up": turn("tidy-up", 600, () => tidyUp(deps)),
  }
  const turns = [
    turn("process-inbox", 1, () => deps.inbox.workOff()),
    ...Object.values(byHand),
    turn("close-days", 15, () => closeDays(deps)),
    turn("reconcile-disputes", 60, () => reconcileDisputes(deps)),
    turn("send-defences", 2, () => sendDefences(deps)),
    turn("settle-refunds", 1, () => settleRefunds(deps)),
    turn("remove-due-charges", 1, () => removeDueCharges(deps)),
    turn("expire-charges", 2, () => expireCharges(deps)),
    turn("expire-charge-pages", 5, () => expireChargePages(deps)),
    turn("send-payouts", 1, () => sendPayouts(deps)),
    turn("settle-payouts", 1, () => settlePayouts(deps)),
    turn("issue-password-resets", 1, () => issuePasswordResets(deps)),
    turn("send-mails", 1, () => sendMails(deps)),
    turn("write-openings", 3, () => deps.openings.flush()),
    turn("check-ledger", 300, () => checkLedgerAtNight(deps)),
    registration(deps, notes),
  ]
  const writing = statusWriting(deps, notes)
  status = writing
  return {
    wake: (name) => byHand[name].wake(),
    async stop() {
      await Promise.all([...turns, writing].map((each) => each.stop()))
    },
  }
}

const STATUS_SECONDS = 10

interface StatusNews {
  provider: string
  contact: ContactNews | null
  runs: JobNews[]
  node: ServerNode
  now: Date
}

/** What was only noted in memory, for all nodes and the admin's screen. */
function statusWriting({ db, psp, clock, log, node, contactNotes }: Deps, notes: JobNotes): Turn {
  const provider = psp.name
  return runInTurn({
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
  await sayNodeIsThere(tx, node, now)
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

/** Until it succeeds, and again every hour: some banks forget. Reconciliation finds the money meanwhile. */
function registration({ psp, webhookUrl, log }: Deps, notes: JobNotes): Turn {
  const name: JobName = "register-webhook"
  const everySeconds = 5
  let registeredAtMs = Number.NEGATIVE_INFINITY
  return runInTurn({
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
