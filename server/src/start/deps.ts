import type { MayControl } from "@tilinta/simulator/open-to"
import type { InboxWorker } from "#bank/psp-inbox/process"
import type { StoreWebhook } from "#bank/psp-inbox/store"
import type { TableExports } from "#db/exports"
import type { Pools } from "#db/pools"
import type { DatabaseRoute } from "#db/route"
import type { Events } from "#events/events"
import type { PreviewPainter } from "#http/previews/preview-painter"
import type { WebhookSender } from "#integrations/webhooks/sender"
import type { Clock, MovableClock } from "#kit/clock"
import type { Logger } from "#kit/log"
import type { Machine } from "#kit/machine"
import type { OutsideAccess } from "#kit/outside"
import type { Pressure } from "#kit/pressure"
import type { Drain, Protection } from "#kit/request-scope"
import type { PayerTokens, SecretKeys } from "#kit/secrets"
import type { Admission } from "#kit/waiting-line"
import type { Mailer } from "#mail/mailer"
import type { CheckpointCopy } from "#money/chain/copy"
import type { SigningKeys } from "#money/chain/keys"
import type { LedgerChecker } from "#overviews/ledger-checks/check"
import type { NameUsers } from "#people/users/user-names"
import type { AccessNotes } from "#platform/audit/access-notes"
import type { BackupMaker } from "#platform/backups/make"
import type { JobControl } from "#platform/system/job-runs"
import type { OpeningCounter } from "#platform/system/node"
import type { Psp } from "#psp/psp"
import type { ContactRecorder } from "#psp/watched-psp"
import type { ChargeSteps } from "#selling/charges/open"
import type { PaymentStatuses } from "#selling/charges/statuses"
import type { Env } from "./env.ts"

/** The addresses of this installation, and its pages. */
export interface Site {
  port: number
  /** Public base address of this installation, without a path. */
  publicUrl: string
  /** The same of the payers' pages: `publicUrl`, or a host name of their own. */
  payersUrl: string
  /** The built pages: web/dist. */
  siteFolder: string
  previews: PreviewPainter
  /** The sandbox's bank; null with a real provider. */
  simulatorUrl: string | null
  /** Admits to the sandbox's mails and to the bank's faults. */
  mayControl: MayControl
}

export interface Storage {
  pools: Pools
  /** For connections outside of the pools. */
  route: DatabaseRoute
  tableExports: TableExports
  events: Events
}

/** How busy this process is, and how its machine fares. */
export interface Load {
  creations: Admission
  pressure: Pressure
  drain: Drain
  machine: Machine
}

export interface Guards {
  protection: Protection
  secretKeys: SecretKeys
  signingKeys: SigningKeys
  payerTokens: PayerTokens
}

/** A provider, with the inbox of its webhooks. */
export interface ConnectedBank {
  psp: Psp
  provider: string
  webhookSecret: string
  storeWebhook: StoreWebhook
  inbox: InboxWorker
  /** Books payments, like the inbox, and so runs on its pool. */
  reconcileReceipts(): Promise<void>
}

export interface Bank extends ConnectedBank {
  contactNotes: ContactRecorder
  /** The webhook address to register, including its secret. */
  webhookUrl: string
  /** The bank before this one, while its variables stay set. */
  former: ConnectedBank | null
  stop(): Promise<unknown>
}

/** The books' counters, checks and copies. */
export interface Books {
  openings: OpeningCounter
  accessNotes: AccessNotes
  ledgerChecker: LedgerChecker
  checkpointCopy: CheckpointCopy
  backupMaker: BackupMaker
}

/** Webhooks to sellers. */
export interface Sending {
  /** The addresses to which they may lead. */
  outside: OutsideAccess
  /** The clock by which they are due: the sandbox moves it. */
  dueClock: MovableClock
  sender: WebhookSender
}

/** Batches and caches that all requests share. */
export interface Lookups {
  chargeSteps: ChargeSteps
  paymentStatuses: PaymentStatuses
  nameUsers: NameUsers
}

export interface Parts {
  env: Env
  log: Logger
  clock: Clock
  site: Site
  storage: Storage
  load: Load
  guards: Guards
  bank: Bank
  mailer: Mailer
  books: Books
  sending: Sending
  lookups: Lookups
}

/** Dependencies of all routes; each picks the few that it needs. */
export type HttpDeps = ReturnType<typeof httpDeps>

export function httpDeps(
  { env, log, clock, site, storage, load, guards, bank, books, sending, lookups }: Parts,
  jobs: JobControl,
) {
  return {
    log,
    clock,
    jobs,
    trustedProxies: env.trustedProxies,
    metricsToken: env.metricsToken,
    otlp: env.otlp,
    publicUrl: site.publicUrl,
    payersUrl: site.payersUrl,
    siteFolder: site.siteFolder,
    previews: site.previews,
    simulatorUrl: site.simulatorUrl,
    mayControl: site.mayControl,
    db: storage.pools.db,
    reportsDb: storage.pools.reportsDb,
    tableExports: storage.tableExports,
    events: storage.events,
    pressure: load.pressure,
    drain: load.drain,
    machine: load.machine,
    protection: guards.protection,
    secretKeys: guards.secretKeys,
    signingKeys: guards.signingKeys,
    payerTokens: guards.payerTokens,
    psp: bank.psp,
    webhooks: webhooksOf(bank),
    openings: books.openings,
    checkpointCopy: books.checkpointCopy,
    accessNotes: books.accessNotes,
    ledgerChecker: books.ledgerChecker,
    backupMaker: books.backupMaker,
    outside: sending.outside,
    dueClock: sending.dueClock,
    chargeSteps: lookups.chargeSteps,
    paymentStatuses: lookups.paymentStatuses,
    nameUsers: lookups.nameUsers,
  }
}

/** Those that come from the bank, and from the former one. */
function webhooksOf(bank: Bank): readonly Pick<ConnectedBank, "psp" | "provider" | "webhookSecret" | "storeWebhook">[] {
  return bank.former === null ? [bank] : [bank, bank.former]
}
