import { hostname } from "node:os"
import type { JobName } from "@tilinta/contract/vocabulary/system"
import type { Logger } from "pino"
import { closeDays } from "#bank/daily-closes/close"
import { reconcilePayouts } from "#bank/daily-closes/compare"
import { saveContact } from "#bank/psp-inbox/connection"
import { reconcileRefunds } from "#bank/reconciliation/reconcile"
import type { Tx } from "#db/transaction"
import { createWebhookRun } from "#integrations/webhooks/jobs"
import { type ScheduledJob, scheduleJob } from "#jobs/schedule-job"
import { newId } from "#kit/ids"
import { version } from "#kit/machine"
import { publishCheckpoint, sealRowsInTime } from "#money/chain/seal"
import { sendDefences } from "#money/disputes/defend"
import { reconcileDisputes } from "#money/disputes/record"
import { bookPayments, removeDueCharges } from "#money/payments/book"
import { sendTerms } from "#money/payments/due-codes"
import { foldManyPayments, foldPayments, writeDailySummaries } from "#money/payments/fold"
import { enqueuePaymentMails } from "#money/payments/mails"
import { settleRefunds } from "#money/refunds/settle"
import { moveReserves } from "#money/reserves/move"
import { closeStatements, enterMovements } from "#money/statements/statement"
import { suggestCharges } from "#money/unmatched-payments/suggest"
import { withdrawByRule } from "#money/withdrawal-rules/run"
import { sendPayouts, settlePayouts } from "#money/withdrawals/pay"
import { checkLedgerAtNight } from "#overviews/ledger-checks/check"
import { issuePasswordResets } from "#people/users/reset-password"
import { backUpDaily } from "#platform/backups/request"
import { createNumberingRun } from "#platform/event-log/append"
import { sendMails } from "#platform/mails/send-mails"
import { sendPushes } from "#platform/push/send"
import {
  createClockWatch,
  createJobRunRecorder,
  type JobControl,
  type JobRunRecorder,
  saveJobRuns,
} from "#platform/system/job-runs"
import { recordHeartbeat } from "#platform/system/node"
import type { NodeIdentity, RecentJobRuns, ServerNode } from "#platform/system/reads"
import { foldPlatformChanges } from "#platform/totals/totals"
import { type Psp, type RecentContacts, WebhookTaken } from "#psp/psp"
import { expireChargePages } from "#selling/charge-pages/change"
import { expireCharges, failUnfinishedCharges } from "#selling/charges/end"
import { foldChargeChanges } from "#selling/charges/lists"
import { expireInvoices, publishOverdueInvoices } from "#selling/closings/invoices"
import { askAboutMandates } from "#selling/mandates/ask"
import { planDebits, runDebits } from "#selling/mandates/run"
import { sendReminders } from "#selling/reminders/send"
import { settleReminders } from "#selling/reminders/settle"
import { issueCycles, settleSubscriptions } from "#selling/subscriptions/issue"
import type { Bank, Parts } from "./deps.ts"
import { formerBankRun } from "./former-bank.ts"
import { erasePersonalData, pullBackWork, tidyUp } from "./retention.ts"

/** Dependencies of all jobs' verbs. */
type Deps = ReturnType<typeof depsOf>

function depsOf({ log, clock, site, storage, guards, bank, mailer, books, sending, lookups }: Parts) {
  return {
    log,
    clock,
    mailer,
    /** Base address of links in mails. */
    publicUrl: site.publicUrl,
    /** The same in mails to payers. */
    payersUrl: site.payersUrl,
    db: storage.pools.jobsDb,
    deliveriesDb: storage.pools.deliveriesDb,
    events: storage.events,
    protection: guards.protection,
    signingKeys: guards.signingKeys,
    payerTokens: guards.payerTokens,
    psp: bank.psp,
    chargeSteps: lookups.chargeSteps,
    formerBank: bank.former,
    ledgerChecker: books.ledgerChecker,
    checkpointCopy: books.checkpointCopy,
    backupMaker: books.backupMaker,
    dueClock: sending.dueClock,
    outside: sending.outside,
    secretKeys: guards.secretKeys,
    sender: sending.sender,
  }
}

export interface Jobs extends JobControl {
  stop(): Promise<void>
}

interface Job {
  everySeconds: number
  run(): Promise<void>
}

const SECOND = 1000

/** Each job is one verb that finds its work in the tables, so a restart at any point loses nothing. */
export function startJobs(parts: Parts): Jobs {
  const { bank, books, log } = parts
  const deps = depsOf(parts)
  const numbering = createNumberingRun(deps, () => scheduled["number-events"].wake())
  const webhooks = createWebhookRun(deps, () => scheduled["send-webhooks"].wake())
  const table: Record<JobName, Job> = {
    "process-inbox": { everySeconds: 1, run: () => bank.inbox.workOff() },
    "reconcile-receipts": { everySeconds: 15, run: () => bank.reconcileReceipts() },
    "reconcile-refunds": { everySeconds: 120, run: () => reconcileRefundsAndSuggest(deps) },
    "reconcile-payouts": { everySeconds: 60, run: () => reconcilePayouts(deps) },
    "reconcile-disputes": { everySeconds: 60, run: () => reconcileDisputes(deps) },
    "fail-unfinished-charges": { everySeconds: 10, run: () => failUnfinishedCharges(deps) },
    "fold-platform-changes": { everySeconds: 10, run: () => foldChanges(deps) },
    "fold-payments": { everySeconds: 1, run: () => foldManyPayments(deps) },
    "enter-movements": { everySeconds: 10, run: () => enterMovements(deps) },
    "move-reserves": { everySeconds: 10, run: () => moveReserves(deps) },
    "seal-books": { everySeconds: 3, run: () => sealBooks(deps) },
    "close-days": { everySeconds: 15, run: () => closeAll(deps) },
    "send-defences": { everySeconds: 2, run: () => sendDefences(deps) },
    "settle-refunds": { everySeconds: 1, run: () => settleRefunds(deps) },
    "send-payouts": { everySeconds: 1, run: () => sendPayouts(deps) },
    "settle-payouts": { everySeconds: 1, run: () => settlePayouts(deps) },
    "remove-due-charges": { everySeconds: 1, run: () => removeDueCharges(deps) },
    "expire-charges": { everySeconds: 2, run: () => expireCharges(deps) },
    "expire-charge-pages": { everySeconds: 5, run: () => expireChargePages(deps) },
    "send-due-terms": { everySeconds: 5, run: () => sendTerms(deps) },
    "expire-invoices": { everySeconds: 60, run: () => expireInvoices(deps) },
    "publish-overdue-invoices": { everySeconds: 60, run: () => publishOverdueInvoices(deps) },
    "withdraw-by-rule": { everySeconds: 30, run: () => withdrawByRule(deps) },
    "issue-cycles": { everySeconds: 60, run: () => issueCycles(deps) },
    "ask-about-mandates": { everySeconds: 5, run: () => askAboutMandates(deps) },
    "plan-debits": { everySeconds: 60, run: () => planDebits(deps) },
    "run-debits": {
      everySeconds: 5,
      run: () => runDebits({ ...deps, book: (payments) => bookPayments(deps, payments) }),
    },
    "settle-subscriptions": { everySeconds: 10, run: () => settleSubscriptions(deps) },
    "send-reminders": { everySeconds: 5, run: () => sendReminders(deps) },
    "number-events": { everySeconds: 1, run: () => numbering.run() },
    "send-pushes": { everySeconds: 1, run: () => sendPushes(deps) },
    "send-webhooks": { everySeconds: 1, run: () => webhooks.run() },
    "issue-password-resets": { everySeconds: 1, run: () => issuePasswordResets(deps) },
    "send-mails": { everySeconds: 1, run: () => sendAllMails(deps) },
    "write-daily-summaries": { everySeconds: 300, run: () => writeDailySummaries(deps) },
    "write-openings": { everySeconds: 3, run: () => books.openings.flush() },
    "write-accesses": { everySeconds: 2, run: () => books.accessNotes.flush() },
    "tidy-up": { everySeconds: 600, run: () => pullBackAndTidyUp(deps) },
    "erase-personal-data": { everySeconds: 60, run: () => erasePersonalData(deps) },
    "check-ledger": { everySeconds: 300, run: () => checkLedgerAtNight(deps) },
    "back-up": { everySeconds: 600, run: () => backUpDaily(deps) },
    "serve-former-bank": { everySeconds: 5, run: formerBankRun(deps) },
    "register-webhook": { everySeconds: 5, run: registration(bank, log) },
  }

  const notes = createJobRunRecorder(() => status.wake())
  const schedule = ([name, { everySeconds, run }]: [JobName, Job]) =>
    scheduleJob({ name, everyMs: everySeconds * SECOND, run, log, onEnd: notes.of(name, everySeconds) })
  const entries = Object.entries(table) as [JobName, Job][]
  const scheduled = Object.fromEntries(entries.map((job) => [job[0], schedule(job)])) as Record<JobName, ScheduledJob>
  const run = statusWriting(parts, notes)
  const status = scheduleJob({ name: "write-status", everyMs: STATUS_SECONDS * SECOND, run, log })
  const unsubscribes = [
    deps.events.onRemovalsDue(scheduled["remove-due-charges"].wake),
    deps.events.onAnyCharge(numbering.ask),
    numbering.stop,
    webhooks.stop,
  ]
  return {
    wake: (name) => scheduled[name].wake(),
    isRunning: (name) => scheduled[name].isRunning(),
    async stop() {
      for (const unsubscribe of unsubscribes) unsubscribe()
      await Promise.all([...Object.values(scheduled), status].map((each) => each.stop()))
    },
  }
}

const STATUS_SECONDS = 10

interface Status {
  provider: string
  contact: RecentContacts | null
  runs: RecentJobRuns[]
  node: ServerNode
  now: Date
}

/** Writes what was kept in memory, for all nodes and the admin's screen. */
function statusWriting({ storage, bank, clock, log }: Parts, notes: JobRunRecorder): Job["run"] {
  const { psp, contactNotes } = bank
  const thisNode: NodeIdentity = { id: newId(), host: hostname(), version, startedAt: clock.now() }
  const readClockSkew = createClockWatch({ psp, clock, log })
  return async () => {
    const status: Status = {
      provider: psp.name,
      contact: contactNotes.take(),
      runs: notes.flush(),
      node: { ...thisNode, clockSkewSeconds: readClockSkew() },
      now: clock.now(),
    }
    await storage.pools.jobsDb.transaction().execute((tx) => writeStatus(tx, status))
  }
}

async function writeStatus(tx: Tx, { provider, contact, runs, node, now }: Status): Promise<void> {
  if (contact !== null) await saveContact(tx, provider, contact)
  await saveJobRuns(tx, runs)
  await recordHeartbeat(tx, node, now)
}

async function reconcileRefundsAndSuggest(deps: Deps): Promise<void> {
  await suggestCharges(deps)
  await reconcileRefunds(deps)
}

async function sendAllMails(deps: Deps): Promise<void> {
  await enqueuePaymentMails(deps)
  await settleReminders(deps)
  await sendMails(deps)
}

/** The statements need no bank. */
async function closeAll(deps: Deps): Promise<void> {
  await closeStatements(deps)
  await closeDays(deps)
}

async function sealBooks(deps: Deps): Promise<void> {
  await sealRowsInTime(deps)
  await deps.checkpointCopy.bring(() => publishCheckpoint(deps))
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
function registration({ psp, webhookUrl }: Bank, log: Logger): Job["run"] {
  let dueAtMs = Number.NEGATIVE_INFINITY
  return async () => {
    if (performance.now() < dueAtMs) return
    const taken = await registerOrFindTaken(psp, webhookUrl)
    dueAtMs = performance.now() + (taken === null ? 3600 : 600) * SECOND
    if (taken === null) return
    const remedy = "remove it at the provider, or set PIX_WEBHOOK_REPLACE=sim"
    log.error({ alarm: "webhook_taken", host: taken.host }, `another system gets the webhooks of our key: ${remedy}`)
    throw taken
  }
}

async function registerOrFindTaken(psp: Psp, url: string): Promise<WebhookTaken | null> {
  try {
    await psp.registerWebhook(url)
    await psp.automatic?.registerWebhooks(url)
    return null
  } catch (error) {
    if (error instanceof WebhookTaken) return error
    throw error
  }
}
