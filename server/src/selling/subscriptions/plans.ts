import type { UpdatePlanBody } from "@tilinta/contract/subscriptions"
import type { AuditAction } from "@tilinta/contract/vocabulary/audit"
import { slugFromTitle } from "@tilinta/contract/vocabulary/charge-pages"
import { dueTermsOf, type SentTerms, sentTermsOf } from "@tilinta/contract/vocabulary/invoices"
import {
  mostLeadDays,
  SUBSCRIPTION_TITLE_MAX,
  type SubscriptionPeriod,
} from "@tilinta/contract/vocabulary/subscriptions"
import type { Db, Tx } from "#db/transaction"
import { type Clock, type Day, saoPauloDay, type Times, timesOf } from "#kit/clock"
import { brokenRule, DomainError } from "#kit/errors"
import { newId, randomAlphanumeric } from "#kit/ids"
import type { Protection } from "#kit/request-scope"
import { refuseMisleading } from "#people/users/misleading-names"
import { recordAudit } from "#platform/audit/record"
import type { Actor } from "#platform/audit/rules"
import { claimIdempotencyKey } from "#platform/idempotency/claim"
import { noOrder } from "#selling/charge-pages/rules"
import { type CreateCall, requireAllowed, requireSoundTerms } from "#selling/invoices/create"
import { type CountedPlan, getOwnPlan } from "./plan-reads.ts"
import type { Plan } from "./rules.ts"
import { insertPlanOnce, lockPlanRow, updatePlanRow } from "./table.ts"

interface Deps {
  db: Db
  clock: Clock
  protection: Protection
}

export interface PlanDraft extends Omit<SentTerms, "dueDate" | "discounts"> {
  title: string
  description: string
  /** Null for that of its title. */
  slug: string | null
  period: SubscriptionPeriod
  cycles: number | null
  leadDays: number
}

/** @throws email_not_confirmed, idempotency_key_reused, plan_slug_taken, validation_failed */
export async function createPlan(deps: Deps, call: CreateCall, draft: PlanDraft): Promise<CountedPlan> {
  const times = timesOf(deps.clock)
  const { title, description } = draft
  const slug = slugOf(draft)
  await refuseMisleading(deps, { userId: call.seller.id, texts: { title, description, slug } })
  // As the first invoice of somebody who subscribes today.
  const terms = dueTermsOf({ ...draft, dueDate: saoPauloDay(times.due) })
  const invoice = { customer: { id: "" }, terms, description: "", order: noOrder, mode: "daily" } as const
  await requireAllowed(deps, call.seller, [invoice])
  return deps.db
    .transaction()
    .execute((tx) => store(tx, call, { ...draft, slug, hasOwnSlug: draft.slug !== null }, times))
}

function slugOf({ slug, title }: PlanDraft): string {
  const made = slugFromTitle(slug ?? title)
    .replace(/^-|-$/g, "")
    .slice(0, SUBSCRIPTION_TITLE_MAX)
  if (made !== "") return made
  if (slug !== null) throw brokenRule("slug", "Use letras e números no endereço")
  return randomAlphanumeric(8).toLowerCase()
}

type NewPlan = PlanDraft & { slug: string; hasOwnSlug: boolean }

async function store(
  tx: Tx,
  { seller, idempotencyKey }: CreateCall,
  draft: NewPlan,
  times: Times,
): Promise<CountedPlan> {
  const claim = { ownerId: seller.id, key: idempotencyKey, request: { plan: draft }, resourceId: newId() }
  const id = await claimIdempotencyKey(tx, claim)
  if (id === claim.resourceId) await insertNew(tx, { ...draft, id, seller }, times)
  return getOwnPlan(tx, { id, sellerId: seller.id })
}

async function insertNew(tx: Tx, draft: NewPlan & { id: string; seller: Actor }, times: Times): Promise<void> {
  const {
    amountCents,
    dueDay: _day,
    daysAfterDue,
    ...terms
  } = dueTermsOf({ ...draft, dueDate: saoPauloDay(times.due) })
  const plan: Plan = {
    id: draft.id,
    sellerId: draft.seller.id,
    slug: draft.slug,
    title: draft.title,
    description: draft.description,
    amountCents,
    period: draft.period,
    cycles: draft.cycles,
    leadDays: draft.leadDays,
    daysAfterDue,
    terms,
    createdAt: times.now,
    updatedAt: times.now,
    archivedAt: null,
  }
  const stored = await insertWithFreeSlug(tx, plan, draft.hasOwnSlug)
  await recordPlan(tx, { actor: draft.seller, action: "plan.created", before: null, after: stored })
}

/** A slug of the title's may get an ending; the seller's own is theirs to change. @throws plan_slug_taken */
async function insertWithFreeSlug(tx: Tx, plan: Plan, isOwn: boolean): Promise<Plan> {
  if (await insertPlanOnce(tx, plan)) return plan
  const ended = {
    ...plan,
    slug: `${plan.slug.slice(0, SUBSCRIPTION_TITLE_MAX - 5)}-${randomAlphanumeric(4).toLowerCase()}`,
  }
  if (isOwn || !(await insertPlanOnce(tx, ended))) {
    throw new DomainError("plan_slug_taken", { errors: [{ path: "slug", message: "Este endereço já está em uso" }] })
  }
  return ended
}

/** For who subscribes later. @throws plan_not_found, validation_failed */
export async function updatePlan(
  deps: Deps,
  own: { id: string; seller: Actor },
  changes: UpdatePlanBody,
): Promise<CountedPlan> {
  const { title, description } = changes
  await refuseMisleading(deps, { userId: own.seller.id, texts: { title, description } })
  return deps.db.transaction().execute((tx) => change(tx, own, changes, timesOf(deps.clock)))
}

async function change(
  tx: Tx,
  { id, seller }: { id: string; seller: Actor },
  changes: UpdatePlanBody,
  times: Times,
): Promise<CountedPlan> {
  await lockPlanRow(tx, id)
  const before = await getOwnPlan(tx, { id, sellerId: seller.id })
  const after = withChanges(before, changes, times)
  await updatePlanRow(tx, after)
  await recordPlan(tx, { actor: seller, action: "plan.changed", before, after })
  return after
}

function withChanges(before: CountedPlan, changes: UpdatePlanBody, times: Times): CountedPlan {
  const { title, description, cycles, leadDays, status, ...sent } = changes
  const lead = leadDays ?? before.leadDays
  if (lead > mostLeadDays[before.period]) {
    throw brokenRule("leadDays", "A cobrança não pode sair antes do vencimento anterior")
  }
  const archivedAt = status === "archived" ? (before.archivedAt ?? times.now) : null
  return {
    ...before,
    ...changedTerms(before, sent, saoPauloDay(times.due)),
    title: title ?? before.title,
    description: description ?? before.description,
    cycles: cycles === undefined ? before.cycles : cycles,
    leadDays: lead,
    archivedAt: status === undefined ? before.archivedAt : archivedAt,
    updatedAt: times.now,
  }
}

function changedTerms(
  { amountCents, daysAfterDue, terms }: Plan,
  sent: Pick<UpdatePlanBody, "amount" | "daysAfterDue" | "fine" | "interest">,
  today: Day,
): Pick<Plan, "amountCents" | "daysAfterDue" | "terms"> {
  const given = Object.fromEntries(Object.entries(sent).filter(([, part]) => part !== undefined))
  const changed = { ...sentTermsOf({ ...terms, amountCents, daysAfterDue, dueDay: today }), ...given }
  const after = dueTermsOf(changed)
  requireSoundTerms(changed, after, { today })
  const { amountCents: cents, daysAfterDue: days, dueDay: _day, ...rest } = after
  return { amountCents: cents, daysAfterDue: days, terms: rest }
}

interface Recorded {
  actor: Actor
  action: Extract<AuditAction, `plan.${string}`>
  before: Plan | null
  after: Plan
}

async function recordPlan(tx: Tx, { actor, action, before, after }: Recorded): Promise<void> {
  const facts = ({ slug, amountCents, period, cycles, archivedAt }: Plan) => {
    return { slug, amountCents, period, cycles, isArchived: archivedAt !== null }
  }
  await recordAudit(tx, {
    actor,
    happenedAt: after.updatedAt,
    action,
    entity: "plan",
    entityId: after.id,
    before: before && facts(before),
    after: { sellerId: after.sellerId, ...facts(after) },
  })
}
