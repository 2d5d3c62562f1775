import type { JobByHand } from "@tilinta/contract/vocabulary/system"
import type { MayControl } from "@tilinta/simulator/open-to"
import type { StoreWebhook } from "#bank/psp-inbox/store"
import type { CsvExports } from "#db/csv"
import type { ReportsDb, RequestDb } from "#db/transaction"
import type { Events } from "#events/events"
import type { PreviewPainter } from "#http/previews/preview-painter"
import type { Clock } from "#kit/clock"
import type { Logger } from "#kit/log"
import type { Machine } from "#kit/machine"
import type { OtlpTarget } from "#kit/otlp-tracer"
import type { OutsideAccess } from "#kit/outside"
import type { Pressure } from "#kit/pressure"
import type { Drain, Protection } from "#kit/request-scope"
import type { PayerTokens, SecretKeys } from "#kit/secrets"
import type { SigningKeys } from "#money/chain/keys"
import type { LedgerChecker } from "#overviews/ledger-checks/check"
import type { NameUsers } from "#people/users/user-names"
import type { AccessNotes } from "#platform/audit/access-notes"
import type { BackupMaker } from "#platform/backups/make"
import type { OpeningCounter } from "#platform/system/node"
import type { Psp } from "#psp/psp"
import type { ChargeSteps } from "#selling/charges/open"
import type { PaymentStatuses } from "#selling/charges/statuses"

/** Dependencies of all routes; each part picks the few that it needs. */
export interface HttpDeps {
  db: RequestDb
  /** A pool of its own for reports and searches. */
  reportsDb: ReportsDb
  chargeSteps: ChargeSteps
  paymentStatuses: PaymentStatuses
  nameUsers: NameUsers
  csvExports: CsvExports
  clock: Clock
  protection: Protection
  payerTokens: PayerTokens
  secretKeys: SecretKeys
  signingKeys: SigningKeys
  /** The clock by which webhooks are due: the sandbox moves it. */
  dueClock: Clock
  /** The addresses to which sellers may send webhooks. */
  outside: OutsideAccess
  log: Logger
  psp: Psp
  events: Events
  openings: OpeningCounter
  accessNotes: AccessNotes
  previews: PreviewPainter
  ledgerChecker: LedgerChecker
  backupMaker: BackupMaker
  machine: Machine
  pressure: Pressure
  drain: Drain
  /** Runs a job now instead of at its next time. */
  wakeJob(name: JobByHand): void
  webhook: {
    provider: string
    webhookSecret: string
    storeWebhook: StoreWebhook
  }
  /** The former bank's, while it stays connected. */
  formerWebhook: {
    psp: Psp
    provider: string
    webhookSecret: string
    storeWebhook: StoreWebhook
  } | null
  /** Public base address of this installation, without a path. */
  publicUrl: string
  /** The same of the payers' pages: `publicUrl`, or a host name of their own. */
  payersUrl: string
  /** Proxies whose forwarded client address is trusted. */
  trustedProxies: readonly string[]
  /** Reads /metrics from another machine; null when nobody there may. */
  metricsToken: string | null
  /** The collector of traces; null for none. */
  otlp: OtlpTarget | null
  /** The sandbox's bank; null with a real provider. */
  simulatorUrl: string | null
  /** Admits to the sandbox's mails and to the bank's faults. */
  mayControl: MayControl
  /** The built pages: web/dist. */
  siteFolder: string
}
