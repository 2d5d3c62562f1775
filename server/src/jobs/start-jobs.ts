import type { JobByHand, JobName } from "@tilinta/contract/vocabulary/jobs"
import type { Logger } from "pino"
import type { JobsDb, Tx } from "#db/transaction"
import { closeDays } from "#domain/bank/daily-closes/close-days"
import { reconcilePayouts } from "#domain/bank/daily-closes/reconcile-payouts"
import { saveContact } from "#domain/bank/psp-inbox/connection-state"
import type { InboxWorker } from "#domain/bank/psp-inbox/inbox-worker"
import { pullBackInbox } from "#domain/bank/psp-inbox/pull-back-inbox"
import { tidyInbox } from "#domain/bank/psp-inbox/tidy-inbox"
import { reconcileRefunds } from "#domain/bank/reconciliation/reconcile-refunds"
import { tidyUnreadable } from "#domain/bank/reconciliation/record-unreadable"
import { eraseOldAnswers } from "#domain/integrations/webhooks/erase-old-answers"
import { pullBackWebhooks, tidyWebhooks } from "#domain/integrations/webhooks/tidy-webhooks"
import { publishCheckpoint } from "#domain/money/chain/publish-checkpoint"
import { sealRowsInTime } from "#domain/money/chain/seal-rows"
import { pullBackDisputes } from "#domain/money/disputes/pull-back-disputes"
import { reconcileDisputes } from "#domain/money/disputes/reconcile-disputes"
import { sendDefences } from "#domain/money/disputes/send-defences"
import { enqueuePaymentMails } from "#domain/money/payments/enqueue-payment-mails"
import { foldManyPayments, foldPayments } from "#domain/money/payments/fold-payments"
import { removeDueCharges } from "#domain/money/payments/remove-due-charges"
import { writeDailySummaries } from "#domain/money/payments/write-daily-summaries"
import { pullBackRefunds } from "#domain/money/refunds/pull-back-refunds"
import { settleRefunds } from "#domain/money/refunds/settle-refunds"
import { closeStatements, enterMovements } from "#domain/money/statements/enter-movements"
import type { LedgerChecker } from "#domain/overviews/ledger-checks/ledger-checker"
import { checkLedgerAtNight } from "#domain/overviews/ledger-checks/request-ledger-check"
import { eraseOldKeyAddresses } from "#domain/people/api-keys/erase-old-addresses"
import { eraseOldFreezeAddresses } from "#domain/people/freezes/erase-old-addresses"
import { tidyNotMeLinks } from "#domain/people/freezes/not-me-links"
import { tidySecondApprovals } from "#domain/people/second-approvals/end-second-approval"
import { tidyPasskeyChallenges } from "#domain/people/second-factors/passkey-challenge"
import { tidySessions } from "#domain/people/sessions/tidy-sessions"
import { tidyEmailChanges } from "#domain/people/users/begin-email-change"
import { issuePasswordResets } from "#domain/people/users/issue-password-resets"
import { tidySignupAttempts } from "#domain/people/users/signup-limit"
import { tidyEmailConfirmations } from "#domain/people/users/tidy-email-confirmations"
import { tidyFailedLogins } from "#domain/people/users/tidy-failed-logins"
import { tidyPasswordResets } from "#domain/people/users/tidy-password-resets"
import type { AccessNotes } from "#domain/platform/audit/access-notes"
import { eraseOldAuditAddresses } from "#domain/platform/audit/erase-old-addresses"
import type { BackupMaker } from "#domain/platform/backups/backup-maker"
import { backUpDaily } from "#domain/platform/backups/request-backup"
import { tidyEvents } from "#domain/platform/event-log/tidy-events"
import { type RecentJobRuns, saveJobRuns } from "#domain/platform/job-runs/save-job-runs"
import { tidyMails } from "#domain/platform/mails/enqueue-mails"
import { tidyNotices } from "#domain/platform/mails/notices"
import { sendMails } from "#domain/platform/mails/send-mails"
import { type NodeIdentity, recordHeartbeat, type ServerNode } from "#domain/platform/nodes/node-heartbeats"
import type { OpeningCounter } from "#domain/platform/openings/opening-counter"
import { readAddressDays } from "#domain/platform/settings/read-setting"
import type { SigningKeys } from "#domain/platform/signing-keys/open-signing-keys"
import { foldPlatformChanges } from "#domain/platform/totals/fold-platform-changes"
import { expireChargePages } from "#domain/selling/charge-pages/expire-charge-pages"
import { endLostRemovals } from "#domain/selling/charges/due-removals"
import { eraseOldPayerData } from "#domain/selling/charges/erase-payer-data"
import { expireCharges, failUnfinishedCharges } from "#domain/selling/charges/expire-charges"
import { foldChargeChanges } from "#domain/selling/charges/fold-charge-changes"
import { pullBackCharges } from "#domain/selling/charges/pull-back-charges"
import type { Events } from "#events/events"
import type { Clock } from "#kit/clock"
import type { PayerTokens } from "#kit/payer-tokens"
import type { Protection } from "#kit/protection"
import type { Mailer } from "#mail/mailer"
import { tidyOutbox } from "#mail/tidy-outbox"
import { moveReserves } from "#money/reserves/move"
import { pullBackWithdrawals, sendPayouts, settlePayouts } from "#money/withdrawals/pay"
import type { ContactRecorder } from "#psp/contact-recorder"
import { type Psp, type RecentContacts, WebhookTaken } from "#psp/psp"
import { createClockWatch } from "./clock-watch.ts"
import type { CopyCheckpoint } from "./copy-checkpoint.ts"
import { createJobRunRecorder, type JobRunRecorder } from "./job-run-recorder.ts"
import { createNumberingRun } from "./number-news.ts"
import { type ScheduledJob, scheduleJob } from "./schedule-job.ts"
import { createWebhookRun, type WebhookWork } from "./send-webhooks.ts"
import { type FormerBank, formerBankRun } from "./serve-former-bank.ts"

interface Deps {
  db: JobsDb
  psp: Psp
  mailer: Mailer
  /** Books payments, like the inbox, and so runs on its pool. */
  reconcileReceipts(): Promise<void>
  signingKeys: SigningKeys
  copyCheckpoint: CopyCheckpoint
  inbox: Pick<InboxWorker, "workOff">
  formerBank: FormerBank | null
  sender: WebhookWork["sender"]
  deliveriesDb: WebhookWork["deliveriesDb"]
  dueClock: WebhookWork["dueClock"]
  openings: OpeningCounter
  accessNotes: AccessNotes
  ledgerChecker: LedgerChecker
  backupMaker: BackupMaker
  contactNotes: ContactRecorder
  events: Pick<Events, "onAnyCharge" | "onEventsOf" | "onRemovalsDue">
  node: NodeIdentity
  clock: Clock
  log: Logger
  protection: Protection
  /** Base address of links in mails. */
  publicUrl: string
  /** The same in mails to payers. */
  payersUrl: string
  payerTokens: PayerTokens
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
  const removal = job("remove-due-charges", 1, () => removeDueCharges(deps))
  const numberingRun = createNumberingRun(deps, () => numbering.wake())
  const numbering = job("number-events", 1, () => numberingRun.run())
  const webhookRun = createWebhookRun(deps, () => webhooks.wake())
  const webhooks = job("send-webhooks", 1, () => webhookRun.run())
  const unsubscribes = [
    deps.events.onRemovalsDue(removal.wake),
    deps.events.onAnyCharge(numberingRun.ask),
    numberingRun.stop,
    webhookRun.stop,
  ]
  const jobs = [
    job("process-inbox", 1, () => deps.inbox.workOff()),
    ...Object.values(byHand),
    job("enter-movements", 10, () => enterMovements(deps)),
    job("move-reserves", 10, () => moveReserves(deps)),
    job("seal-books", 3, () => sealBooks(deps)),
    job("close-days", 15, () => closeAll(deps)),
    job("reconcile-disputes", 60, () => reconcileDisputes(deps)),
    job("send-defences", 2, () => sendDefences(deps)),
    job("settle-refunds", 1, () => settleRefunds(deps)),
    removal,
    numbering,
    job("expire-charges", 2, () => expireCharges(deps)),
    job("fold-payments", 1, () => foldManyPayments(deps)),
    job("expire-charge-pages", 5, () => expireChargePages(deps)),
    job("send-payouts", 1, () => sendPayouts(deps)),
    job("settle-payouts", 1, () => settlePayouts(deps)),
    job("issue-password-resets", 1, () => issuePasswordResets(deps)),
    job("send-mails", 1, () => tellByMail(deps)),
    webhooks,
    job("write-daily-summaries", 300, () => writeDailySummaries(deps)),
    job("write-openings", 3, () => deps.openings.flush()),
    job("write-accesses", 2, () => deps.accessNotes.flush()),
    job("erase-personal-data", 60, () => erasePersonalData(deps)),
    job("check-ledger", 300, () => checkLedgerAtNight(deps)),
    job("back-up", 600, () => backUpDaily(deps)),
    job("serve-former-bank", 5, formerBankRun(deps)),
    registration(deps, notes),
  ]
  const writing = statusWriting(deps, notes)
  status = writing
  return {
    wake: (name) => byHand[name].wake(),
    async stop() {
      for (const unsubscribe of unsubscribes) unsubscribe()
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
function statusWriting(deps: Deps, notes: JobRunRecorder): ScheduledJob {
  const { db, psp, clock, log, contactNotes } = deps
  const provider = psp.name
  const watchClock = createClockWatch(deps)
  return scheduleJob({
    name: "write-status",
    everyMs: STATUS_SECONDS * SECOND,
    log,
    async run() {
      const node = { ...deps.node, clockSkewSeconds: watchClock() }
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

async function tellByMail(deps: Deps): Promise<void> {
  await enqueuePaymentMails(deps)
  await sendMails(deps)
}

/** The statements need no bank. */
async function closeAll(deps: Deps): Promise<void> {
  await closeStatements(deps)
  await closeDays(deps)
}

async function sealBooks(deps: Deps): Promise<void> {
  await sealRowsInTime(deps)
  await deps.copyCheckpoint(() => publishCheckpoint(deps))
}

async function foldChanges(deps: Deps): Promise<void> {
  await foldPayments(deps)
  await foldPlatformChanges(deps)
  await foldChargeChanges(deps)
}

/** Work that a clock which was ahead has put off until a moment that may be days away. */
async function pullBackWork({ log, ...deps }: Deps): Promise<void> {
  const counts = {
    payouts: await pullBackWithdrawals(deps),
    refunds: await pullBackRefunds(deps),
    defences: await pullBackDisputes(deps),
    removals: await pullBackCharges(deps),
    webhooks: await pullBackInbox(deps),
    deliveries: await pullBackWebhooks(deps),
  }
  if (Object.values(counts).every((count) => count === 0)) return
  log.error({ alarm: "work_put_off", ...counts }, "work was put off by a clock that was ahead, and is due now")
}

async function tidyUp(deps: Deps): Promise<void> {
  await pullBackWork(deps)
  await tidySessions(deps)
  await tidyPasskeyChallenges(deps)
  await tidyFailedLogins(deps)
  await tidySignupAttempts(deps)
  await tidyPasswordResets(deps)
  await tidyNotMeLinks(deps)
  await tidyEmailConfirmations(deps)
  await tidyEmailChanges(deps)
  await tidySecondApprovals(deps)
  await tidyMails(deps)
  await tidyNotices(deps)
  await tidyOutbox(deps)
  await tidyWebhooks(deps)
  await tidyEvents(deps)
  await endLostRemovals(deps)
  await tidyUnreadable(deps)
}

/** Erases personal data that were kept for as long as the settings say. */
async function erasePersonalData(deps: Deps): Promise<void> {
  await eraseOldPayerData(deps)
  await tidyInbox(deps)
  await eraseOldAnswers(deps)
  await eraseOldAuditAddresses(deps, await readAddressDays(deps.db))
  await eraseOldKeyAddresses(deps)
  await eraseOldFreezeAddresses(deps)
}

/**
 * Retries until it succeeds, and repeats every hour because some banks forget. Meanwhile reconciliation finds the
 * money.
 */
function registration({ psp, webhookUrl, log }: Deps, notes: JobRunRecorder): ScheduledJob {
  const name: JobName = "register-webhook"
  const everySeconds = 5
  let dueAtMs = Number.NEGATIVE_INFINITY
  return scheduleJob({
    name,
    everyMs: everySeconds * SECOND,
    log,
    onEnd: notes.of(name, everySeconds),
    async run() {
      if (performance.now() < dueAtMs) return
      const taken = await registerOrFindTaken(psp, webhookUrl)
      dueAtMs = performance.now() + (taken === null ? 3600 : 600) * SECOND
      if (taken === null) return
      const remedy = "remove it at the provider, or set PIX_WEBHOOK_REPLACE=sim"
      log.error({ alarm: "webhook_taken", host: taken.host }, `another system gets the webhooks of our key: ${remedy}`)
      throw taken
    },
  })
}

async function registerOrFindTaken(psp: Psp, url: string): Promise<WebhookTaken | null> {
  try {
    await psp.registerWebhook(url)
    return null
  } catch (error) {
    if (error instanceof WebhookTaken) return error
    throw error
  }
}
