import { requireRowBefore } from "#db/list-range"
import type { Db } from "#db/transaction"
import { statusAt } from "#domain/selling/charge-pages/charge-page"
import type { Clock } from "#kit/clock"
import { DomainError } from "#kit/domain-error"
import { isId } from "#kit/ids"
import type { ListedPageReport, PageReportRange } from "./page-report.ts"
import { countOpenReports, findReportRow, listReportRows } from "./page-reports-repository.ts"

interface PageReportsPart {
  reports: ListedPageReport[]
  /** Cursor of the next part; null at the end. */
  next: string | null
  /** Those that wait for a decision, at most a hundred. */
  open: number
}

const MOST_COUNTED = 100

interface Deps {
  db: Db
  clock: Clock
}

export async function listPageReports(deps: Deps, range: PageReportRange): Promise<PageReportsPart> {
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
