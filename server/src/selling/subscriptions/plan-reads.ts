import { type RawBuilder, type Selectable, type SqlBool, sql } from "kysely"
import { comesAfter, type ListRange, requireRowBefore } from "#db/list-range"
import type { Schema } from "#db/schema"
import type { Db } from "#db/transaction"
import { DomainError } from "#kit/errors"
import { isId } from "#kit/ids"
import type { Plan } from "./rules.ts"

/** With the number of its live subscriptions. */
export type CountedPlan = Plan & { subscriptions: number }

type PlanRow = Selectable<Schema["plans"]> & { subscriptions: number }

function toPlan(row: PlanRow): CountedPlan {
  return {
    id: row.id,
    sellerId: row.seller_id,
    slug: row.slug,
    title: row.title,
    description: row.description,
    amountCents: row.amount_cents,
    period: row.period,
    cycles: row.cycles,
    leadDays: row.lead_days,
    daysAfterDue: row.days_after_due,
    terms: row.terms,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    archivedAt: row.archived_at,
    subscriptions: row.subscriptions,
  }
}

const live = sql`(
  select count(*) from subscriptions
  where plan_id = plan.id and status in ('active', 'paused', 'past_due')
) as subscriptions`

async function readOne(db: Db, condition: RawBuilder<SqlBool>): Promise<CountedPlan | null> {
  const { rows } = await sql<PlanRow>`select plan.*, ${live} from plans plan where ${condition}`.execute(db)
  return rows[0] === undefined ? null : toPlan(rows[0])
}

/** 404 when unknown or another seller's. */
export async function getOwnPlan(db: Db, { id, sellerId }: { id: string; sellerId: string }): Promise<CountedPlan> {
  const plan = isId(id) ? await readOne(db, sql`id = ${id} and seller_id = ${sellerId}`) : null
  if (plan === null) throw new DomainError("plan_not_found")
  return plan
}

/** Also an archived one. */
export async function findPlanOfSlug(db: Db, slug: string): Promise<CountedPlan | null> {
  return readOne(db, sql`slug = ${slug}`)
}

interface PlansFilter {
  sellerId: string
  status?: "active" | "archived" | undefined
}

export async function listPlans(
  db: Db,
  { sellerId, status }: PlansFilter,
  { after, limit, offset }: ListRange,
): Promise<{ plans: CountedPlan[]; results: number }> {
  const isArchived = { active: sql`archived_at is null`, archived: sql`archived_at is not null`, all: sql`true` }
  const condition = sql<SqlBool>`plan.seller_id = ${sellerId} and ${isArchived[status ?? "all"]}`
  const start = after === undefined ? sql`true` : comesAfter("plans", "plan", after)
  const [{ rows }, { rows: counted }] = await Promise.all([
    sql<PlanRow>`
      select plan.*, ${live} from plans plan where ${condition} and ${start}
      order by plan.created_at desc, plan.id desc limit ${limit} offset ${offset}`.execute(db),
    sql<{ count: number }>`select count(*) as count from plans plan where ${condition}`.execute(db),
  ])
  await requireRowBefore(db, "plans", { after }, rows)
  return { plans: rows.map(toPlan), results: counted[0]?.count ?? 0 }
}
