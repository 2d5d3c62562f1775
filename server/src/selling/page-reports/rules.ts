import type {
  ChargePageStatus,
  PageReportFilter,
  PageReportReason,
  PageReportStatus,
} from "@tilinta/contract/vocabulary/charge-pages"
import type { Cents } from "@tilinta/contract/vocabulary/money"

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
