import { type PageReportStatus, pageReportStatuses } from "@tilinta/contract/vocabulary/page-reports"
import { wordOf } from "#ui/list-search.ts"

/** Without a status the list shows what waits for a decision. */
export const otherStatusWords = [...pageReportStatuses.filter((status) => status !== "open"), "all"] as const

export interface PageReportsSearch {
  status?: Exclude<PageReportStatus, "open"> | "all" | undefined
}

export function pageReportsSearch(raw: Record<string, unknown>): PageReportsSearch {
  return { status: wordOf(raw.status, otherStatusWords) }
}
