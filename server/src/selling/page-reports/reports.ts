import { createHash } from "node:crypto"
import { type PageReportReason, pageReportReasonLabels } from "@tilinta/contract/vocabulary/charge-pages"
import { requireRowBefore } from "#db/list-range"
import type { Db, Tx } from "#db/transaction"
import type { Clock } from "#kit/clock"
import { DomainError } from "#kit/errors"
import { isId, newId } from "#kit/ids"
import { recordAudit } from "#platform/audit/record"
import { notifyAdmins } from "#platform/mails/notify-owner"
import { checkPublicPage, type PublicChargePage } from "#selling/charge-pages/public-page"
import { statusAt } from "#selling/charge-pages/rules"
import type { ListedPageReport, PageReportRange } from "./rules.ts"
import { countOpenReports, findReportRow, insertReport, listReportRows, type NewReport } from "./table.ts"

interface PageReporting {
  link: string
  reason: PageReportReason
  /** The payer's network, which counts once a day for each page. */
  network: string
}

/**
 * A payer's word against a page. The answer is the same whether it counted; the seller hears nothing of it before an
 * administrator decides.
 * @throws public_charge_page_not_found, charge_page_not_open, charge_page_suspended
 */
export async function reportPage(
  { db, clock }: { db: Db; clock: Clock },
  { link, reason, network }: PageReporting,
): Promise<void> {
  const { found, hiddenBy } = await checkPublicPage(db, clock, link)
  if (hiddenBy !== null) throw new DomainError(hiddenBy)
  const reportedAt = clock.now()
  const reporter = reporterOf(found.page.id, network, reportedAt)
  const report = { id: newId(), pageId: found.page.id, reason, reporter, reportedAt }
  await db.transaction().execute((tx) => addReport(tx, report, found))
}

/** A network can't be read from it, nor followed from page to page or from day to day. */
function reporterOf(pageId: string, network: string, at: Date): string {
  const [day] = at.toISOString().split("T")
  return createHash("sha256").update(`${pageId} ${network} ${day}`).digest("base64url")
}

async function addReport(tx: Tx, report: NewReport, { page, sellerName }: PublicChargePage): Promise<void> {
  const added = await insertReport(tx, report)
  if (added === null || !added.isFirst) return
  // Without an address: nobody learns who reported.
  await recordAudit(tx, {
    actor: null,
    happenedAt: report.reportedAt,
    action: "page_report.opened",
    entity: "charge_page",
    entityId: report.pageId,
    before: null,
    after: { reason: report.reason, sellerId: page.sellerId },
  })
  const reason = pageReportReasonLabels[report.reason]
  const notice = { kind: "page_reported", title: page.title, sellerName, reason } as const
  await notifyAdmins(tx, { notice }, report.reportedAt)
}

interface PageReportsPage {
  reports: ListedPageReport[]
  /** Cursor of the next page; null at the end. */
  next: string | null
  /** Those that wait for a decision, at most a hundred. */
  open: number
}

const MOST_COUNTED = 100

interface Deps {
  db: Db
  clock: Clock
}

export async function listPageReports(deps: Deps, range: PageReportRange): Promise<PageReportsPage> {
  const rows = await listReportRows(deps.db, { ...range, limit: range.limit + 1 })
  await requireRowBefore(deps.db, "page_reports", range, rows)
  const shown = rows.slice(0, range.limit)
  return {
    reports: shown.map((report) => asOfNow(deps, report)),
    next: rows.length > range.limit ? (shown.at(-1)?.id ?? null) : null,
    open: await countOpenReports(deps.db, MOST_COUNTED),
  }
}

export async function getPageReport(deps: Deps, id: string): Promise<ListedPageReport> {
  const report = isId(id) ? await findReportRow(deps.db, id) : null
  if (report === null) throw new DomainError("page_report_not_found")
  return asOfNow(deps, report)
}

function asOfNow({ clock }: Deps, report: ListedPageReport): ListedPageReport {
  return { ...report, page: { ...report.page, status: statusAt(report.page, clock.now()) } }
}

interface CountedReason {
  reason: PageReportReason
  count: number
}

/** The most frequent first; of equal ones the one that came first. */
export function countedReasons(reasons: readonly PageReportReason[]): CountedReason[] {
  const counts = new Map<PageReportReason, number>()
  for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1)
  return [...counts].map(([reason, count]) => ({ reason, count })).toSorted((one, other) => other.count - one.count)
}
