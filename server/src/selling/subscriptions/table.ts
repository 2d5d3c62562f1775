import { sql } from "kysely"
import type { ChangedRow, NewRow } from "#db/rows-of"
import type { Tx } from "#db/transaction"
import { isId } from "#kit/ids"
import { issueDayOf, type Plan, type Subscription } from "./rules.ts"

function changeableColumns(subscription: Subscription) {
  const { amountCents, dueDay: _first, daysAfterDue, ...rest } = subscription.terms
  return {
    method: subscription.method,
    title: subscription.title,
    amount_cents: amountCents,
    days_after_due: daysAfterDue,
    terms: JSON.stringify(rest),
    ends_on: subscription.endsOn,
    cycles: subscription.cycles,
    lead_days: subscription.leadDays,
    issued: subscription.issued,
    position: subscription.position,
    next_due_day: subscription.nextDueDay,
    next_issue_day: issueDayOf(subscription),
    paused_at: subscription.pausedAt,
    ended_at: subscription.endedAt,
    status: subscription.status,
    updated_at: subscription.updatedAt,
  } satisfies ChangedRow<"subscriptions", Fixed>
}

type Fixed =
  | ("id" | "seller_id" | "customer_id" | "plan_id" | "unique_link")
  | ("period" | "first_due_day" | "created_at")

export async function insertSubscription(tx: Tx, subscription: Subscription): Promise<void> {
  await tx
    .insertInto("subscriptions")
    .values({
      id: subscription.id,
      seller_id: subscription.sellerId,
      customer_id: subscription.customer.id,
      plan_id: subscription.planId,
      unique_link: subscription.uniqueLink,
      period: subscription.period,
      first_due_day: subscription.terms.dueDay,
      created_at: subscription.createdAt,
      ...changeableColumns(subscription),
    } satisfies NewRow<"subscriptions">)
    .execute()
}

export async function updateSubscriptionRow(tx: Tx, subscription: Subscription): Promise<void> {
  await tx.updateTable("subscriptions").set(changeableColumns(subscription)).where("id", "=", subscription.id).execute()
}

/** Subscriptions are locked before pages, customers' rows and invoices. */
export async function lockSubscriptionRow(tx: Tx, id: string): Promise<void> {
  if (isId(id)) await sql`select from subscriptions where id = ${id} for update`.execute(tx)
}

/** False when somebody else is at it. */
export async function tryLockSubscription(tx: Tx, id: string): Promise<boolean> {
  const { rows } = await sql`select id from subscriptions where id = ${id} for update skip locked`.execute(tx)
  return rows.length > 0
}

interface NewCycle {
  subscriptionId: string
  number: number
  dueDay: string
  invoiceId: string
}

/** A cycle that was charged before is a row already: the transaction fails, and its invoice with it. */
export async function insertCycle(tx: Tx, { subscriptionId, number, dueDay, invoiceId }: NewCycle): Promise<void> {
  await tx
    .insertInto("subscription_cycles")
    .values({
      subscription_id: subscriptionId,
      cycle_no: number,
      due_day: dueDay,
      invoice_id: invoiceId,
    } satisfies NewRow<"subscription_cycles">)
    .execute()
}

/** The seller leaves; their open invoices end apart. */
export async function markSubscriptionsCancelled(tx: Tx, sellerId: string, now: Date): Promise<void> {
  await sql`
    update subscriptions
    set status = 'cancelled', ended_at = ${now}, updated_at = ${now}, paused_at = null, next_due_day = null,
      next_issue_day = null
    where seller_id = ${sellerId} and status in ('active', 'paused', 'past_due')`.execute(tx)
}

export async function archivePlansOf(tx: Tx, sellerId: string, now: Date): Promise<void> {
  await sql`
    update plans set archived_at = coalesce(archived_at, ${now}), updated_at = ${now}
    where seller_id = ${sellerId}`.execute(tx)
}

function planColumns(plan: Plan) {
  return {
    title: plan.title,
    description: plan.description,
    amount_cents: plan.amountCents,
    cycles: plan.cycles,
    lead_days: plan.leadDays,
    days_after_due: plan.daysAfterDue,
    terms: JSON.stringify(plan.terms),
    updated_at: plan.updatedAt,
    archived_at: plan.archivedAt,
  } satisfies ChangedRow<"plans", "id" | "seller_id" | "slug" | "period" | "created_at">
}

/** False when the slug is another plan's. */
export async function insertPlanOnce(tx: Tx, plan: Plan): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto("plans")
    .values({
      id: plan.id,
      seller_id: plan.sellerId,
      slug: plan.slug,
      period: plan.period,
      created_at: plan.createdAt,
      ...planColumns(plan),
    } satisfies NewRow<"plans">)
    .onConflict((conflict) => conflict.column("slug").doNothing())
    .executeTakeFirstOrThrow()
  return Number(numInsertedOrUpdatedRows) > 0
}

export async function updatePlanRow(tx: Tx, plan: Plan): Promise<void> {
  await tx.updateTable("plans").set(planColumns(plan)).where("id", "=", plan.id).execute()
}

export async function lockPlanRow(tx: Tx, id: string): Promise<void> {
  if (isId(id)) await sql`select from plans where id = ${id} for update`.execute(tx)
}
