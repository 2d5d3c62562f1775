import { isLive } from "@tilinta/contract/vocabulary/subscriptions"
import type { Db, Tx } from "#db/transaction"
import { type Clock, saoPauloDay, secondsAfter, type Times, timesOf } from "#kit/clock"
import { DomainError } from "#kit/errors"
import { newId } from "#kit/ids"
import { getUser } from "#people/users/reads"
import { enqueueMails, notifyOwner } from "#platform/mails/notify-owner"
import { createCustomer } from "#selling/customers/manage"
import type { Customer, CustomerFields } from "#selling/customers/rules"
import { subscriptionMail } from "./mails.ts"
import { cancelLocked, insertNew } from "./manage.ts"
import { findPlanOfSlug } from "./plan-reads.ts"
import { findLiveOfPlan, findOpenOfSubscription, findSubscriptionOfLink, getSubscription } from "./reads.ts"
import type { Plan, Subscription } from "./rules.ts"
import { lockSubscriptionRow } from "./table.ts"

interface Deps {
  db: Db
  clock: Clock
  payersUrl: string
}

/** `payAt` is the link of the invoice to pay now; null for a customer whom the seller knew before, to whom a mail goes. */
interface Subscribed {
  payAt: string | null
}

/** A form that is sent twice leads to the same invoice for so long. */
const SAME_FORM_SECONDS = 10 * 60

/**
 * Somebody becomes a customer, subscribes, and has a first invoice, due today. Anybody may type the document of a customer
 * whom the seller knows: their data stay as they are, and their link goes to their own address alone.
 * @throws plan_not_found
 */
export async function subscribe(
  { db, clock, payersUrl }: Deps,
  slug: string,
  fields: CustomerFields,
): Promise<Subscribed> {
  const plan = await findOpenPlan(db, slug)
  if (plan === null) throw new DomainError("plan_not_found")
  return db.transaction().execute((tx) => subscribeOnce(tx, { plan, fields, payersUrl }, timesOf(clock)))
}

/** One that takes subscribers now. */
export async function findOpenPlan(db: Db, slug: string): Promise<Plan | null> {
  const plan = await findPlanOfSlug(db, slug)
  if (plan === null || plan.archivedAt !== null) return null
  const { active } = await getUser(db, plan.sellerId)
  return active ? plan : null
}

async function subscribeOnce(
  tx: Tx,
  { plan, fields, payersUrl }: { plan: Plan; fields: CustomerFields; payersUrl: string },
  times: Times,
): Promise<Subscribed> {
  const seller = { id: plan.sellerId, address: null }
  // From here on others who enter customers of this seller wait, and with them whoever sent the same form.
  const customer = await createCustomer(tx, { seller, fields }, times.now)
  const known = await findLiveOfPlan(tx, plan.id, customer.id)
  const isTheirs = customer.isNew || (known !== null && isSameForm(known, { customer, fields }, times.now))
  if (!isTheirs) {
    if (known !== null) await mail(tx, known, payersUrl, times)
    // Without an address nobody could open it.
    else if (customer.email !== null) await start(tx, plan, customer.id, payersUrl, times)
    return { payAt: null }
  }
  const subscription = known ?? (await start(tx, plan, customer.id, payersUrl, times))
  const [open] = await findOpenOfSubscription(tx, subscription.id)
  return { payAt: open?.uniqueLink ?? null }
}

/** True for the form by which the customer was entered together with this subscription. */
function isSameForm(
  { createdAt }: Subscription,
  { customer, fields }: { customer: Customer; fields: CustomerFields },
  now: Date,
): boolean {
  if (createdAt.getTime() !== customer.createdAt.getTime()) return false
  if (createdAt < secondsAfter(now, -SAME_FORM_SECONDS)) return false
  return (["name", "document", "email"] as const).every((field) => fields[field] === customer[field])
}

async function start(tx: Tx, plan: Plan, customerId: string, payersUrl: string, times: Times): Promise<Subscription> {
  const id = newId()
  const { sellerId, title, period, amountCents, daysAfterDue, terms, cycles, leadDays } = plan
  const draft = {
    ...{ id, customerId, planId: plan.id, title, period, cycles, leadDays, endsOn: null },
    seller: { id: sellerId, address: null },
    terms: { amountCents, dueDay: saoPauloDay(times.due), daysAfterDue, ...terms },
  }
  await insertNew(tx, draft, times)
  const subscription = await getSubscription(tx, id)
  await mail(tx, subscription, payersUrl, times)
  await notifySeller(tx, subscription, "started", times.now)
  return subscription
}

/** Once a day, however often the form is sent. */
async function mail(tx: Tx, subscription: Subscription, payersUrl: string, times: Times): Promise<void> {
  const welcome = await subscriptionMail(tx, subscription, {
    change: "started",
    payersUrl,
    key: saoPauloDay(times.due),
  })
  if (welcome !== null) await enqueueMails(tx, [welcome], times.now)
}

async function notifySeller(
  tx: Tx,
  { id, sellerId, customer, title }: Subscription,
  change: "started" | "cancelled",
  now: Date,
): Promise<void> {
  const facts = { subscriptionId: id, change, customerName: customer.name, title, changedAt: now.toISOString() }
  await notifyOwner(tx, { userId: sellerId, notice: { kind: "subscription_by_customer", ...facts } }, now)
}

/** By the customer's own page. What was charged already stays to be paid. @throws subscription_not_found */
export async function cancelByCustomer({ db, clock }: Pick<Deps, "db" | "clock">, link: string): Promise<void> {
  await db.transaction().execute((tx) => cancel(tx, link, timesOf(clock)))
}

async function cancel(tx: Tx, link: string, times: Times): Promise<void> {
  const found = await findSubscriptionOfLink(tx, link)
  if (found === null) throw new DomainError("subscription_not_found")
  await lockSubscriptionRow(tx, found.id)
  const subscription = await getSubscription(tx, found.id)
  if (!isLive(subscription.status)) return
  await cancelLocked(tx, subscription, null, times)
  await notifySeller(tx, subscription, "cancelled", times.now)
}
