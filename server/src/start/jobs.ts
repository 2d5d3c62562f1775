import type { JobByHand, JobName } from "@tilinta/contract/vocabulary/system"
import type { Logger } from "pino"
import { closeDays } from "#bank/daily-closes/close"
import { reconcilePayouts } from "#bank/daily-closes/compare"
import { saveContact } from "#bank/psp-inbox/connection"
import type { InboxWorker } from "#bank/psp-inbox/process"
import { reconcileRefunds } from "#bank/reconciliation/reconcile"
import type { JobsDb, Tx } from "#db/transaction"
import type { Events } from "#events/events"
import { createWebhookRun, type WebhookWork } from "#integrations/webhooks/jobs"
import { type ScheduledJob, scheduleJob } from "#jobs/schedule-job"
import type { Clock } from "#kit/clock"
import type { Protection } from "#kit/request-scope"
import type { PayerTokens } from "#kit/secrets"
import type { Mailer } from "#mail/mailer"
import type { SigningKeys } from "#money/chain/keys"
import { type CopyCheckpoint, publishCheckpoint, sealRowsInTime } from "#money/chain/seal"
import { sendDefences } from "#money/disputes/defend"
import { reconcileDisputes } from "#money/disputes/record"
import { removeDueCharges } from "#money/payments/book"
import { foldManyPayments, foldPayments, writeDailySummaries } from "#money/payments/fold"
import { enqueuePaymentMails } from "#money/payments/mails"
import { settleRefunds } from "#money/refunds/settle"
import { moveReserves } from "#money/reserves/move"
import { closeStatements, enterMovements } from "#money/statements/statement"
import { sendPayouts, settlePayouts } from "#money/withdrawals/pay"
import { checkLedgerAtNight, type LedgerChecker } from "#overviews/ledger-checks/check"
import { issuePasswordResets } from "#people/users/reset-password"
import type { AccessNotes } from "#platform/audit/access-notes"
import type { BackupMaker } from "#platform/backups/make"
import { backUpDaily } from "#platform/backups/request"
import { createNumberingRun } from "#platform/event-log/append"
import { sendMails } from "#platform/mails/send-mails"
import { createClockWatch, createJobRunRecorder, type JobRunRecorder, saveJobRuns } from "#platform/system/job-runs"
import { type OpeningCounter, recordHeartbeat } from "#platform/system/node"
import type { NodeIdentity, RecentJobRuns, ServerNode } from "#platform/system/reads"
import { foldPlatformChanges } from "#platform/totals/totals"
import { type Psp, type RecentContacts, WebhookTaken } from "#psp/psp"
import type { ContactRecorder } from "#psp/watched-psp"
import { expireChargePages } from "#selling/charge-pages/change"
import { expireCharges, failUnfinishedCharges } from "#selling/charges/end"
import { foldChargeChanges } from "#selling/charges/lists"
import { type FormerBank, formerBankRun } from "./former-bank.ts"
import { erasePersonalData, pullBackWork, tidyUp } from "./retention.ts"

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
    "tidy-up": job("tidy-up", 600, () => pullBackAndTidyUp(deps)),
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

async function pullBackAndTidyUp(deps: Deps): Promise<void> {
  const counts = await pullBackWork(deps)
  if (Object.values(counts).some((count) => count > 0)) {
    deps.log.error({ alarm: "work_put_off", ...counts }, "work was put off by a clock that was ahead, and is due now")
  }
  await tidyUp(deps)
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
