import type { UpdateSubscriptionBody } from "@tilinta/contract/subscriptions"
import type { AuditAction } from "@tilinta/contract/vocabulary/audit"
import type { DueTerms } from "@tilinta/contract/vocabulary/due-amount"
import { dueTermsOf, type SentTerms, sentTermsOf } from "@tilinta/contract/vocabulary/invoices"
import {
  FEWEST_LEAD_DAYS_OF_DEBITS,
  isLive,
  mostLeadDays,
  type SubscriptionMethod,
  type SubscriptionPeriod,
} from "@tilinta/contract/vocabulary/subscriptions"
import type { Db, Tx } from "#db/transaction"
import { type Clock, type Day, daysAfter, dueToday, saoPauloDay, type Times, timesOf } from "#kit/clock"
import { brokenRule, DomainError } from "#kit/errors"
import { newId, newUniqueLink } from "#kit/ids"
import type { Protection } from "#kit/request-scope"
import { refuseMisleading } from "#people/users/misleading-names"
import { recordAudit } from "#platform/audit/record"
import type { Actor } from "#platform/audit/rules"
import { appendEvents } from "#platform/event-log/append"
import { claimIdempotencyKey } from "#platform/idempotency/claim"
import { enqueueMails } from "#platform/mails/notify-owner"
import { noOrder } from "#selling/charge-pages/rules"
import { cancelOpenInvoices } from "#selling/closings/invoices"
import { lockUsedCustomer } from "#selling/customers/manage"
import type { CustomerFields } from "#selling/customers/rules"
import { type CreateCall, enter, requireAllowed, requireSoundTerms } from "#selling/invoices/create"
import { issueCyclesOf } from "./issue.ts"
import { subscriptionMail } from "./mails.ts"
import { findOpenOfSubscription, getOwnSubscription, getSubscription, type OwnSubscription } from "./reads.ts"
import { type Subscription, withNext, withNextFrom } from "./rules.ts"
import { insertSubscription, lockSubscriptionRow, updateSubscriptionRow } from "./table.ts"

interface Deps {
  db: Db
  clock: Clock
  protection: Protection
  payersUrl: string
}

export interface SubscriptionDraft {
  customer: { id: string } | CustomerFields
  /** 'invoice' when absent. */
  method?: SubscriptionMethod
  title: string
  period: SubscriptionPeriod
  /** The first cycle's. */
  terms: DueTerms
  endsOn: Day | null
  cycles: number | null
  leadDays: number
}

/**
 * The first invoice is made at once where it is due within the lead days.
 * @throws customer_not_found, email_not_confirmed, external_reference_taken, idempotency_key_reused, validation_failed
 */
export async function createSubscription(
  deps: Deps,
  { seller, idempotencyKey, ...draft }: SubscriptionDraft & CreateCall,
): Promise<Subscription> {
  const times = timesOf(deps.clock)
  await requireChargeable(deps, seller, draft)
  return deps.db.transaction().execute((tx) => store(tx, { seller, idempotencyKey }, draft, times))
}

/** As any invoice, by its first cycle. */
async function requireChargeable(deps: Deps, seller: Actor, draft: SubscriptionDraft): Promise<void> {
  const { customer, title, terms } = draft
  if (terms.dueDay < dueToday(deps.clock)) {
    throw brokenRule("firstDueDate", "O primeiro vencimento não pode ser anterior a hoje")
  }
  await refuseMisleading(deps, { userId: seller.id, texts: { title } })
  await requireAllowed(deps, seller, [{ customer, terms, description: "", order: noOrder, mode: "daily" }])
}

async function store(
  tx: Tx,
  { seller, idempotencyKey }: CreateCall,
  draft: SubscriptionDraft,
  times: Times,
): Promise<Subscription> {
  const claim = { ownerId: seller.id, key: idempotencyKey, request: { subscription: draft }, resourceId: newId() }
  const id = await claimIdempotencyKey(tx, claim)
  if (id === claim.resourceId) {
    const customerId = await enter(tx, seller, draft, times.now)
    await insertNew(tx, { ...draft, id, seller, customerId, planId: null }, times)
  }
  return getOwnSubscription(tx, { id, sellerId: seller.id })
}

interface NewSubscription extends Omit<SubscriptionDraft, "customer"> {
  id: string
  seller: Actor
  customerId: string
  planId: string | null
}

/** A customer who subscribes by a plan isn't the seller: then nobody acts in the audit trail. */
export async function insertNew(
  tx: Tx,
  { seller, customerId, ...draft }: NewSubscription,
  times: Times,
): Promise<void> {
  const sellerId = seller.id
  const { name, document, email, phone } = await lockUsedCustomer(tx, { sellerId, id: customerId }, times.now)
  const subscription: Subscription = withNext({
    id: draft.id,
    sellerId,
    customer: { id: customerId, name, document, email, phone },
    planId: draft.planId,
    uniqueLink: newUniqueLink(),
    method: draft.method ?? "invoice",
    title: draft.title,
    period: draft.period,
    terms: draft.terms,
    endsOn: draft.endsOn,
    cycles: draft.cycles,
    leadDays: draft.leadDays,
    issued: 0,
    position: 0,
    nextDueDay: null,
    status: "active",
    createdAt: times.now,
    pausedAt: null,
    endedAt: null,
    updatedAt: times.now,
  })
  await insertSubscription(tx, subscription)
  await issueCyclesOf(tx, subscription, times)
  await appendEvents(tx, "subscription.created", [draft.id], times.due)
  const actor = draft.planId === null ? seller : null
  await recordSubscription(tx, {
    actor,
    action: "subscription.created",
    before: null,
    after: subscription,
    now: times.now,
  })
}

/** The row, locked. @throws subscription_not_found, subscription_ended */
async function lockLive(tx: Tx, own: OwnSubscription): Promise<Subscription> {
  await lockSubscriptionRow(tx, own.id)
  const subscription = await getOwnSubscription(tx, own)
  if (!isLive(subscription.status)) throw new DomainError("subscription_ended")
  return subscription
}

interface OwnCall {
  id: string
  /** The seller, or the API key that acts for them. */
  seller: Actor
}

const ownOf = ({ id, seller }: OwnCall): OwnSubscription => ({ id, sellerId: seller.id })

/** Cycles that are charged stay as they are. @throws subscription_ended, subscription_not_found, validation_failed */
export async function updateSubscription(
  deps: Deps,
  call: OwnCall,
  changes: UpdateSubscriptionBody,
): Promise<Subscription> {
  await refuseMisleading(deps, { userId: call.seller.id, texts: { title: changes.title } })
  const { payersUrl } = deps
  return deps.db.transaction().execute((tx) => change(tx, call, { changes, payersUrl }, timesOf(deps.clock)))
}

async function change(
  tx: Tx,
  call: OwnCall,
  { changes, payersUrl }: { changes: UpdateSubscriptionBody; payersUrl: string },
  times: Times,
): Promise<Subscription> {
  const before = await lockLive(tx, ownOf(call))
  const after = withChanges(before, changes, times)
  await updateSubscriptionRow(tx, after)
  await appendEvents(tx, "subscription.updated", [after.id], times.due)
  const hasNewPrice = after.terms.amountCents !== before.terms.amountCents
  if (hasNewPrice) {
    const mail = await subscriptionMail(tx, after, {
      change: "price",
      formerCents: before.terms.amountCents,
      payersUrl,
    })
    if (mail !== null) await enqueueMails(tx, [mail], times.now)
  }
  await recordSubscription(tx, { actor: call.seller, action: "subscription.changed", before, after, now: times.now })
  return after
}

function withChanges(before: Subscription, changes: UpdateSubscriptionBody, times: Times): Subscription {
  const { title, amount, daysAfterDue, fine, interest, discounts, leadDays, endsOn, cycles } = changes
  const sent = { amount, daysAfterDue, fine, interest, discounts }
  const terms = changedTerms(before, sent, saoPauloDay(times.due))
  const after: Subscription = {
    ...before,
    title: title ?? before.title,
    terms,
    leadDays: leadDays ?? before.leadDays,
    // One of both ends it: the one that is sent takes the place of the other.
    endsOn: endsOn === undefined ? (cycles ? null : before.endsOn) : endsOn,
    cycles: cycles === undefined ? (endsOn ? null : before.cycles) : cycles,
    updatedAt: times.now,
  }
  if (after.leadDays > mostLeadDays[after.period]) {
    throw brokenRule("leadDays", "A cobrança não pode sair antes do vencimento anterior")
  }
  if (after.method === "automatic") requireLeadDays(after.leadDays)
  const next = withNext(after)
  const isRevived = before.nextDueDay === null && next.nextDueDay !== null
  // One that had run out isn't billed for the periods between.
  return isRevived ? withNextFrom(next, saoPauloDay(times.due)) : next
}

/** For debits. */
export function requireLeadDays(leadDays: number): void {
  const fewest = FEWEST_LEAD_DAYS_OF_DEBITS
  if (leadDays >= fewest) return
  throw brokenRule(
    "leadDays",
    `Com débito automático a cobrança precisa sair pelo menos ${fewest} dias antes do vencimento`,
  )
}

/** Judged as if the first cycle were made today. */
function changedTerms(
  { terms }: Subscription,
  sent: { [Part in keyof SentTerms]?: SentTerms[Part] | undefined },
  today: Day,
) {
  const given = Object.fromEntries(Object.entries(sent).filter(([, part]) => part !== undefined))
  const changed = { ...sentTermsOf(terms), ...given }
  const after = dueTermsOf(changed)
  const first = terms.dueDay < today ? terms.dueDay : today
  requireSoundTerms(changed, after, { today: first, discountsSince: daysAfter(first, -365) })
  return after
}

/** @throws subscription_ended, subscription_not_found */
export async function pauseSubscription(deps: Deps, call: OwnCall & EndOpen): Promise<Subscription> {
  return deps.db.transaction().execute((tx) => pause(tx, call, timesOf(deps.clock)))
}

/** As it is now; nobody changes it before the transaction is over. @throws subscription_not_found */
export async function lockSubscription(tx: Tx, id: string): Promise<Subscription> {
  await lockSubscriptionRow(tx, id)
  return getSubscription(tx, id)
}

/** Call it under the lock of the subscription. */
export async function changeMethod(
  tx: Tx,
  before: Subscription,
  method: SubscriptionMethod,
  times: Times,
): Promise<void> {
  if (before.method === method) return
  await updateSubscriptionRow(tx, { ...before, method, updatedAt: times.now })
  await appendEvents(tx, "subscription.updated", [before.id], times.due)
}

interface EndOpen {
  /** Invoices that are still to be paid are cancelled as well. */
  cancelOpenInvoices: boolean
}

async function pause(tx: Tx, call: OwnCall & EndOpen, times: Times): Promise<Subscription> {
  const before = await lockLive(tx, ownOf(call))
  if (call.cancelOpenInvoices) await cancelOpen(tx, call, times)
  if (before.status === "paused") return before
  const after = withNext({ ...before, status: "paused", pausedAt: times.now, updatedAt: times.now })
  await saveChange(tx, { before, after, actor: call.seller, action: "subscription.paused" }, times)
  return after
}

/** The next cycle is the first one that is due today or later: a pause is never billed. @throws subscription_ended, subscription_not_found */
export async function resumeSubscription(deps: Deps, call: OwnCall): Promise<Subscription> {
  return deps.db.transaction().execute((tx) => resume(tx, call, timesOf(deps.clock)))
}

async function resume(tx: Tx, call: OwnCall, times: Times): Promise<Subscription> {
  const before = await lockLive(tx, ownOf(call))
  if (before.status !== "paused") return before
  const running: Subscription = { ...before, status: "active", pausedAt: null, updatedAt: times.now }
  const after = withNextFrom(running, saoPauloDay(times.due))
  await saveChange(tx, { before, after, actor: call.seller, action: "subscription.resumed" }, times)
  return after
}

/** Final. Charged cycles stay to be paid, unless the seller wants otherwise. */
export async function cancelSubscription(deps: Deps, call: OwnCall & EndOpen): Promise<Subscription> {
  return deps.db.transaction().execute((tx) => cancelOwn(tx, call, timesOf(deps.clock)))
}

async function cancelOwn(tx: Tx, call: OwnCall & EndOpen, times: Times): Promise<Subscription> {
  const before = await lockLive(tx, ownOf(call))
  if (call.cancelOpenInvoices) await cancelOpen(tx, call, times)
  return cancelLocked(tx, before, call.seller, times)
}

/** `actor` is null where the customer cancels. */
export async function cancelLocked(
  tx: Tx,
  before: Subscription,
  actor: Actor | null,
  times: Times,
): Promise<Subscription> {
  const ended: Subscription = {
    ...before,
    status: "cancelled",
    pausedAt: null,
    endedAt: times.now,
    updatedAt: times.now,
  }
  const after = withNext(ended)
  await updateSubscriptionRow(tx, after)
  await appendEvents(tx, "subscription.cancelled", [after.id], times.due)
  await recordSubscription(tx, { actor, action: "subscription.cancelled", before, after, now: times.now })
  return after
}

async function cancelOpen(tx: Tx, { id, seller }: OwnCall, times: Times): Promise<void> {
  const open = await findOpenOfSubscription(tx, id)
  await cancelOpenInvoices(tx, { seller, invoices: open }, times)
}

interface Change {
  before: Subscription
  after: Subscription
  actor: Actor
  action: Extract<AuditAction, `subscription.${string}`>
}

async function saveChange(tx: Tx, change: Change, times: Times): Promise<void> {
  await updateSubscriptionRow(tx, change.after)
  await appendEvents(tx, "subscription.updated", [change.after.id], times.due)
  await recordSubscription(tx, { ...change, now: times.now })
}

interface Recorded {
  actor: Actor | null
  action: Extract<AuditAction, `subscription.${string}`>
  before: Subscription | null
  after: Subscription
  now: Date
}

/** Its title may name people, and a record can't be erased: what it charges stands for it. */
async function recordSubscription(tx: Tx, { actor, action, before, after, now }: Recorded): Promise<void> {
  await recordAudit(tx, {
    actor,
    happenedAt: now,
    action,
    entity: "subscription",
    entityId: after.id,
    before: before && factsOf(before),
    after: { sellerId: after.sellerId, ...factsOf(after) },
  })
}

function factsOf({ status, terms, period, cycles, endsOn, leadDays }: Subscription) {
  return { status, amountCents: terms.amountCents, period, cycles, endsOn, leadDays }
}
