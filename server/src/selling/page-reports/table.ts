import type { PageReportReason } from "@tilinta/contract/vocabulary/charge-pages"
import { type RawBuilder, type SqlBool, sql } from "kysely"
import { comesAfter } from "#db/list-range"
import type { Db, Tx } from "#db/transaction"
import type { ListedPageReport, PageReport, PageReportRange } from "./rules.ts"

export interface NewReport {
  id: string
  pageId: string
  reason: PageReportReason
  /** Digest of the page, the network and the day. */
  reporter: string
  reportedAt: Date
}

/** Beyond so many a page's reports say nothing new. */
const MOST_REPORTS = 500

/**
 * Opens the page's row or joins the open one. Null when the report doesn't count: the network reported before, the page
 * has enough reports, or it was suspended meanwhile. Holds the page's row, so that a suspension closes every report.
 */
export async function insertReport(
  tx: Tx,
  { id, pageId, reason, reporter, reportedAt }: NewReport,
): Promise<{ id: string; isFirst: boolean } | null> {
  const { rows } = await sql<{ id: string; isFirst: boolean }>`
    insert into page_reports as known (id, page_id, status, reasons, reporters, created_at, last_reported_at)
    select ${id}::uuid, page.id, 'open', array[${reason}::text], array[${reporter}::text],
      ${reportedAt}::timestamptz, ${reportedAt}::timestamptz
    from (
      select id from charge_pages where id = ${pageId} and suspended_at is null and deleted_at is null for share
    ) page
    on conflict (page_id) where status = 'open' do update set
      reasons = known.reasons || excluded.reasons, reporters = known.reporters || excluded.reporters,
      last_reported_at = greatest(known.last_reported_at, excluded.last_reported_at)
    where not known.reporters && excluded.reporters and cardinality(known.reasons) < ${MOST_REPORTS}
    returning known.id, known.id = ${id}::uuid as "isFirst"`.execute(tx)
  return rows[0] ?? null
}

const ownColumns = sql`
  report.id, report.page_id as "pageId", report.status, report.reasons, report.created_at as "createdAt",
  report.last_reported_at as "lastReportedAt", report.suspended_for as "suspendedFor", report.decided_by as "decidedBy",
  report.decided_at as "decidedAt", report.lifted_by as "liftedBy", report.lifted_at as "liftedAt"`

export async function findPageOfReport(db: Db, id: string): Promise<{ pageId: string; sellerId: string } | null> {
  const { rows } = await sql<{ pageId: string; sellerId: string }>`
    select page.id as "pageId", page.seller_id as "sellerId"
    from page_reports report join charge_pages page on page.id = report.page_id where report.id = ${id}`.execute(db)
  return rows[0] ?? null
}

export async function lockReport(tx: Tx, id: string): Promise<PageReport | null> {
  const { rows } = await sql<PageReport>`
    select ${ownColumns} from page_reports report where id = ${id} for update`.execute(tx)
  return rows[0] ?? null
}

type Decision = Pick<PageReport, "id" | "status" | "suspendedFor" | "decidedBy" | "decidedAt">

/** Forgets who reported. */
export async function updateDecision(tx: Tx, decision: Decision): Promise<void> {
  const { id, status, suspendedFor, decidedBy, decidedAt } = decision
  await tx
    .updateTable("page_reports")
    .set({ status, suspended_for: suspendedFor, decided_by: decidedBy, decided_at: decidedAt, reporters: [] })
    .where("id", "=", id)
    .execute()
}

export async function updateLift(tx: Tx, id: string, by: string, now: Date): Promise<void> {
  await tx
    .updateTable("page_reports")
    .set({ status: "lifted", lifted_by: by, lifted_at: now })
    .where("id", "=", id)
    .execute()
}

interface ListedRow extends Omit<ListedPageReport, "page" | "seller"> {
  page: Omit<ListedPageReport["page"], "expiresAt"> & { expiresAt: string | null }
  seller: ListedPageReport["seller"]
}

async function readReports(db: Db, found: RawBuilder<unknown>): Promise<ListedPageReport[]> {
  const { rows } = await sql<ListedRow>`
    select ${ownColumns}, (
        select count(*) from page_reports former where former.page_id = report.page_id and former.status = 'dismissed'
          and former.id <> report.id
      ) as "dismissedBefore",
      jsonb_build_object(
        'title', page.title, 'description', page.description, 'amountCents', page.amount_cents,
        'uniqueLink', page.unique_link, 'status', page.status, 'expiresAt', page.expires_at,
        'paymentsCount', page.payments_count + coalesce(
          (select count from page_payments where seller_id = page.seller_id and page_id = page.id), 0
        ), 'isDeleted', page.deleted_at is not null
      ) as page,
      jsonb_build_object('id', seller.id, 'name', seller.name, 'email', seller.email) as seller
    from (${found}) report
    join charge_pages page on page.id = report.page_id join users seller on seller.id = page.seller_id
    order by report.created_at desc, report.id desc`.execute(db)
  return rows.map(({ page, ...row }) => ({
    ...row,
    page: { ...page, expiresAt: page.expiresAt === null ? null : new Date(page.expiresAt) },
  }))
}

export async function listReportRows(db: Db, { filter, limit, after }: PageReportRange): Promise<ListedPageReport[]> {
  const conditions: RawBuilder<SqlBool>[] = [
    filter === "all" ? sql`true` : sql`status = ${filter}`,
    after === undefined ? sql`true` : comesAfter("page_reports", "listed", after),
  ]
  return readReports(
    db,
    sql`
      select * from page_reports listed where ${sql.join(conditions, sql` and `)}
      order by created_at desc, id desc limit ${limit}`,
  )
}

export async function findReportRow(db: Db, id: string): Promise<ListedPageReport | null> {
  const [row] = await readReports(db, sql`select * from page_reports where id = ${id}`)
  return row ?? null
}

export async function countOpenReports(db: Db, atMost: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (select from page_reports where status = 'open' limit ${atMost}) open`.execute(db)
  return rows[0]?.count ?? 0
}
