import type { ChargePageStatus } from "@tilinta/contract/vocabulary/charge-page-status"
import type { Cents } from "@tilinta/contract/vocabulary/money"
import type { PageReportFilter, PageReportReason, PageReportStatus } from "@tilinta/contract/vocabulary/page-reports"

/** All reports of one page that are decided together. */
export interface PageReport {
  id: string
  pageId: string
  status: PageReportStatus
  /** One for each report that counted, in the order in which they came. */
  reasons: PageReportReason[]
  createdAt: Date
  lastReportedAt: Date
  suspendedFor: PageReportReason | null
  decidedBy: string | null
  decidedAt: Date | null
  liftedBy: string | null
  liftedAt: Date | null
}

/** With the facts that an administrator decides by. */
export interface ListedPageReport extends PageReport {
  dismissedBefore: number
  page: {
    title: string
    description: string
    amountCents: Cents
    uniqueLink: string
    status: ChargePageStatus
    expiresAt: Date | null
    paymentsCount: number
    isDeleted: boolean
  }
  seller: { id: string; name: string; email: string }
}

export interface PageReportRange {
  filter: PageReportFilter
  limit: number
  after?: string | undefined
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
