import type { Db } from "#db/transaction"
import { readSystemFigures, type SystemFigures } from "#domain/overviews/system-status/read-system-status"
import type { Clock } from "#kit/clock"
import { Gauge, platformMetrics } from "#kit/metrics"

const helps = {
  reconciliationLagSeconds: ["reconciliation_lag_seconds", "How long ago reconciliation last saw all receipts"],
  lastContactAgeSeconds: ["psp_last_contact_age_seconds", "How long ago the provider last answered"],
  inboxWaiting: ["psp_inbox_depth", "Webhooks that are not worked off yet"],
  mailsGivenUp: ["mails_given_up", "Mails of the last seven days that could not be sent"],
  ledgerDifferences: ["ledger_differences", "Differences that the last check of the books found"],
  backupAgeSeconds: ["backup_age_seconds", "How old the last backup is that the server made by itself"],
} as const satisfies Record<keyof SystemFigures, [string, string]>

const gauges = new Map(
  Object.entries(helps).map(([figure, [name, help]]) => [
    figure,
    new Gauge({ name, help, registers: [platformMetrics] }),
  ]),
)

interface Deps {
  db: Db
  clock: Clock
  psp: { name: string }
}

/** Failed readings become NaN: an old value would look as if all were well. */
export async function measureSystem({ db, clock, psp }: Deps): Promise<void> {
  const figures = await readSystemFigures(db, psp.name, clock.now()).catch(() => null)
  for (const [figure, gauge] of gauges) gauge.set(figures?.[figure as keyof SystemFigures] ?? Number.NaN)
}
