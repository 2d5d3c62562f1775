import type { JobByHand } from "@tilinta/contract/vocabulary/jobs"
import type { MayControl } from "@tilinta/simulator/open-to"
import type { CsvExports } from "#db/csv-exports"
import type { ReportsDb, RequestDb } from "#db/transaction"
import type { StoreWebhook } from "#domain/bank/psp-inbox/store-webhook"
import type { LedgerChecker } from "#domain/overviews/ledger-checks/ledger-checker"
import type { NameUsers } from "#domain/people/users/user-names"
import type { AccessNotes } from "#domain/platform/audit/access-notes"
import type { BackupMaker } from "#domain/platform/backups/backup-maker"
import type { OpeningCounter } from "#domain/platform/openings/opening-counter"
import type { SigningKeys } from "#domain/platform/signing-keys/open-signing-keys"
import type { ChargeSteps } from "#domain/selling/charges/charge-steps"
import type { PaymentStatuses } from "#domain/selling/charges/payment-statuses"
import type { Events } from "#events/events"
import type { PreviewPainter } from "#http/previews/preview-painter"
import type { Clock } from "#kit/clock"
import type { Drain } from "#kit/drain"
import type { Logger } from "#kit/log"
import type { Machine } from "#kit/machine"
import type { OtlpTarget } from "#kit/otlp-tracer"
import type { OutsideAccess } from "#kit/outside-target"
import type { PayerTokens } from "#kit/payer-tokens"
import type { Pressure } from "#kit/pressure"
import type { Protection } from "#kit/protection"
import type { SecretKeys } from "#kit/secret-box"
import type { Psp } from "#psp/psp"

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
