import type { JobByHand } from "@tilinta/contract/vocabulary/jobs"
import type { CsvExports } from "#db/csv-exports"
import type { Db } from "#db/transaction"
import type { StoreWebhook } from "#domain/bank/psp-inbox/store-webhook"
import type { LedgerChecker } from "#domain/overviews/ledger-checks/ledger-checker"
import type { OpeningCounter } from "#domain/platform/openings/opening-counter"
import type { Events } from "#events/events"
import type { PreviewPainter } from "#http/previews/preview-painter"
import type { Clock } from "#kit/clock"
import type { Logger } from "#kit/log"
import type { Pressure } from "#kit/pressure"
import type { Psp } from "#psp/psp"

/** What the whole way in by HTTP needs; each part names the few of these that it takes. */
export interface HttpDeps {
  db: Db
  /** Connections of their own for reports and searches. */
  reportsDb: Db
  /** Connections whose statements look up rows by their keys, whatever the tables hold. */
  lookupDb: Db
  csvExports: CsvExports
  clock: Clock
  log: Logger
  psp: Psp
  events: Events
  openings: OpeningCounter
  previews: PreviewPainter
  ledgerChecker: LedgerChecker
  pressure: Pressure
  /** Gives a job a turn now rather than in its time. */
  wakeJob(name: JobByHand): void
  webhook: {
    provider: string
    webhookSecret: string
    storeWebhook: StoreWebhook
  }
  /** Where people reach this installation, without a path. */
  publicUrl: string
  /** Proxies that say truly for whom they ask. */
  trustedProxies: readonly string[]
  /** The sandbox's bank; null with a real provider. */
  simulatorUrl: string | null
  /** The built pages: web/dist. */
  siteFolder: string
}
