import { type PageReportReason, pageReportReasonLabels } from "@tilinta/contract/vocabulary/charge-pages"
import type { Db, Tx } from "#db/transaction"
import type { Clock } from "#kit/clock"
import { DomainError } from "#kit/errors"
import { isId } from "#kit/ids"
import { lockAdminAnd } from "#people/users/change-user"
import { getUser } from "#people/users/reads"
import { recordAudit } from "#platform/audit/record"
import type { Actor } from "#platform/audit/rules"
import { notifyAdmins, notifyOwner } from "#platform/mails/notify-owner"
import { lockAnyPage, markPageSuspended, markPageUnsuspended } from "#selling/charge-pages/change"
import { closeOpenCharges } from "#selling/charges/end"
import { countedReasons } from "./reports.ts"
import type { PageReport } from "./rules.ts"
import { findPageOfReport, lockReport, updateDecision, updateLift } from "./table.ts"

interface Deps {
  db: Db
  clock: Clock
}

interface Decision {
  id: string
  admin: Actor
}

/**
 * Keeps payers away from the page: no code is created from here on, and the open ones are removed at the bank. Money that
 * comes all the same is booked as late, like after any other end.
 * @throws page_report_not_found, page_report_decided, own_charge_page
 */
export async function suspendPage(deps: Deps, decision: Decision & { reason: PageReportReason | null }): Promise<void> {
  return decide(deps, decision, (tx, report, now) => suspend(tx, report, { ...decision, now }))
}

/** The page stays as it is. Its seller doesn't hear that somebody complained. */
export async function dismissPageReport(deps: Deps, decision: Decision): Promise<void> {
  return decide(deps, decision, (tx, report, now) => dismiss(tx, report, { ...decision, now }))
}

/**
 * Codes that were ended stay ended; the page makes new ones, if it is still active.
 * @throws page_report_not_found, page_not_suspended, own_charge_page
 */
export async function liftSuspension(deps: Deps, decision: Decision): Promise<void> {
  return decide(deps, decision, (tx, report, now) => lift(tx, report, { ...decision, now }))
}

interface OpenReport extends PageReport {
  title: string
  seller: { id: string; name: string }
}

type Step = (tx: Tx, report: OpenReport, now: Date) => Promise<void>

async function decide({ db, clock }: Deps, { id, admin }: Decision, step: Step): Promise<void> {
  const owner = isId(id) ? await findPageOfReport(db, id) : null
  if (owner === null) throw new DomainError("page_report_not_found")
  if (owner.sellerId === admin.id) throw new DomainError("own_charge_page")
  const now = clock.now()
  await db.transaction().execute((tx) => decideLocked(tx, { id, admin, ...owner, step }, now))
}

/** Locks users, then the page, then its reports, in the order of every writer. */
async function decideLocked(
  tx: Tx,
  { id, admin, pageId, sellerId, step }: Decision & { pageId: string; sellerId: string; step: Step },
  now: Date,
): Promise<void> {
  const seller = await lockAdminAnd(tx, admin.id, sellerId)
  const title = await lockAnyPage(tx, pageId)
  const report = await lockReport(tx, id)
  if (report === null || seller === null) throw new DomainError("page_report_not_found")
  await step(tx, { ...report, seller, title }, now)
}

interface Taken {
  admin: Actor
  now: Date
}

function requireOpen({ status }: PageReport): void {
  if (status !== "open") throw new DomainError("page_report_decided")
}

async function suspend(
  tx: Tx,
  report: OpenReport,
  { admin, now, reason: chosen }: Taken & { reason: PageReportReason | null },
): Promise<void> {
  requireOpen(report)
  const reason = chosen ?? countedReasons(report.reasons)[0]?.reason ?? "other"
  await markPageSuspended(tx, report.pageId, reason, now)
  await closeOpenCharges(tx, { pageId: report.pageId, now })
  const decided = { decidedBy: admin.id, decidedAt: now }
  await updateDecision(tx, { id: report.id, status: "suspended", suspendedFor: reason, ...decided })
  await record(tx, report, { action: "charge_page.suspended", admin, now, reason })
  const about = { title: report.title, reason: pageReportReasonLabels[reason], happenedAt: now.toISOString() }
  const notice = { kind: "page_suspended", pageId: report.pageId, ...about } as const
  await notifyOwner(tx, { userId: report.seller.id, notice }, now)
  await notifyOthers(tx, report, { isSuspended: true, admin, now })
}

async function dismiss(tx: Tx, report: OpenReport, { admin, now }: Taken): Promise<void> {
  requireOpen(report)
  await updateDecision(tx, {
    id: report.id,
    status: "dismissed",
    suspendedFor: null,
    decidedBy: admin.id,
    decidedAt: now,
  })
  await record(tx, report, { action: "page_report.dismissed", admin, now })
}

async function lift(tx: Tx, report: OpenReport, { admin, now }: Taken): Promise<void> {
  if (report.status !== "suspended") throw new DomainError("page_not_suspended")
  await markPageUnsuspended(tx, report.pageId, now)
  await updateLift(tx, report.id, admin.id, now)
  await record(tx, report, { action: "charge_page.unsuspended", admin, now })
  const about = { title: report.title, happenedAt: now.toISOString() }
  const notice = { kind: "page_unsuspended", pageId: report.pageId, ...about } as const
  await notifyOwner(tx, { userId: report.seller.id, notice }, now)
  await notifyOthers(tx, report, { isSuspended: false, admin, now })
}

interface Recorded extends Taken {
  action: "charge_page.suspended" | "charge_page.unsuspended" | "page_report.dismissed"
  reason?: PageReportReason
}

async function record(tx: Tx, report: OpenReport, { action, admin, now, reason }: Recorded): Promise<void> {
  const about = { entity: "charge_page", entityId: report.pageId, before: null } as const
  const after = { ...(reason !== undefined && { reason }), sellerId: report.seller.id }
  await recordAudit(tx, { actor: admin, happenedAt: now, action, ...about, after })
}

/** Every administrator, also the one who decided: a stolen session must not suspend a page unheard. */
async function notifyOthers(
  tx: Tx,
  { title, seller }: OpenReport,
  { isSuspended, admin, now }: Taken & { isSuspended: boolean },
): Promise<void> {
  const { name: decidedBy } = await getUser(tx, admin.id)
  const about = { isSuspended, title, sellerName: seller.name, decidedBy, happenedAt: now.toISOString() }
  await notifyAdmins(tx, { notice: { kind: "page_suspension", ...about } }, now)
}
