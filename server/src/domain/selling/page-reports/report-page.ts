import { createHash } from "node:crypto"
import { type PageReportReason, pageReportReasonLabels } from "@tilinta/contract/vocabulary/page-reports"
import type { Db, Tx } from "#db/transaction"
import { recordAudit } from "#domain/platform/audit/record-audit"
import { tellAdmins } from "#domain/platform/mails/tell-owner"
import { lookAtPublicPage, type PublicChargePage } from "#domain/selling/charge-pages/find-public-charge-page"
import type { Clock } from "#kit/clock"
import { DomainError } from "#kit/domain-error"
import { newId } from "#kit/ids"
import { insertReport, type NewReport } from "./page-reports-repository.ts"

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
  const { found, hiddenBy } = await lookAtPublicPage(db, clock, link)
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
    ...{ actor: null, happenedAt: report.reportedAt, action: "page_report.opened" },
    ...{
      entity: "charge_page",
      entityId: report.pageId,
      before: null,
      after: { reason: report.reason, sellerId: page.sellerId },
    },
  })
  const reason = pageReportReasonLabels[report.reason]
  const notice = { kind: "page_reported", title: page.title, sellerName, reason } as const
  await tellAdmins(tx, { notice }, report.reportedAt)
}
