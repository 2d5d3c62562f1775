import { isLive } from "@tilinta/contract/vocabulary/subscriptions"
import type { Db, Tx } from "#db/transaction"
import { type Clock, type Day, saoPauloDay, type Times, timesOf } from "#kit/clock"
import { newId } from "#kit/ids"
import { appendEvents } from "#platform/event-log/append"
import { type Psp, provenTimes } from "#psp/psp"
import { readTermsOf } from "#selling/charge-pages/reads"
import { noOrder } from "#selling/charge-pages/rules"
import { insertNew } from "#selling/invoices/create"
import {
  countOpen,
  findOpenOfSubscription,
  findToIssue,
  findUnsettled,
  getSubscription,
  type ToIssue,
} from "./reads.ts"
import {
  descriptionOfNext,
  isToIssue,
  MOST_AT_ONCE,
  type Subscription,
  statusBy,
  termsOfNext,
  withNext,
  withNextFrom,
} from "./rules.ts"
import { insertCycle, tryLockSubscription, updateSubscriptionRow } from "./table.ts"

interface Deps {
  db: Db
  clock: Clock
}

const BATCH = 200

/**
 * Charges each cycle once, some days before it is due, on days that the bank's clock has proven: one that is ahead must not
 * charge anybody early. However many nodes run it, a subscription is locked by one of them. One that can't be charged
 * holds up none of the others: throws after trying all of them.
 */
export async function issueCycles({ db, ...deps }: Deps & { psp: Pick<Psp, "bankTime"> }): Promise<void> {
  const times = provenTimes(deps)
  const today = saoPauloDay(times.due)
  const failures: unknown[] = []
  let after: string | null = null
  for (;;) {
    const found: ToIssue[] = await findToIssue(db, { today, after, atMost: BATCH })
    for (const each of found) {
      const issuing = db.transaction().execute((tx) => issueDue(tx, each, times))
      await issuing.catch((cause: unknown) => failures.push(new Error(`subscription ${each.id}`, { cause })))
    }
    if (found.length < BATCH) break
    after = found.at(-1)?.id ?? null
  }
  if (failures.length > 0) throw new AggregateError(failures, "subscriptions that could not be charged")
}

async function issueDue(tx: Tx, { id, isStopped }: ToIssue, times: Times): Promise<void> {
  if (!(await tryLockSubscription(tx, id))) return
  const subscription = await getSubscription(tx, id)
  if (isStopped) await updateSubscriptionRow(tx, withNextFrom(subscription, saoPauloDay(times.due)))
  else await issueCyclesOf(tx, subscription, times)
}

/** Those that are to be charged by now, the oldest first. Call it under the lock of the subscription. */
export async function issueCyclesOf(tx: Tx, subscription: Subscription, times: Times): Promise<void> {
  const today = saoPauloDay(times.due)
  let after = subscription
  for (let count = 0; count < MOST_AT_ONCE && isToIssue(after, today); count += 1) {
    after = await issueNext(tx, after, today, times)
  }
  if (after !== subscription) await updateSubscriptionRow(tx, after)
}

async function issueNext(tx: Tx, subscription: Subscription, today: Day, times: Times): Promise<Subscription> {
  const { id: subscriptionId, sellerId, customer, issued, position, nextDueDay } = subscription
  const invoiceId = newId()
  const { fee } = await readTermsOf(tx, sellerId)
  await insertNew(
    tx,
    {
      id: invoiceId,
      seller: { id: sellerId, address: null },
      customerId: customer.id,
      fee,
      seriesId: null,
      subscriptionId,
      terms: termsOfNext(subscription, today),
      description: descriptionOfNext(subscription),
      order: noOrder,
      mode: "daily",
    },
    times,
  )
  await insertCycle(tx, { subscriptionId, number: issued + 1, dueDay: nextDueDay ?? today, invoiceId })
  return withNext({ ...subscription, issued: issued + 1 }, position + 1)
}

/** Lets each be what its invoices say: in arrears, in order again, or completed. */
export async function settleSubscriptions({ db, clock }: Deps): Promise<void> {
  const times = timesOf(clock)
  const today = saoPauloDay(times.due)
  for (;;) {
    const ids = await findUnsettled(db, today, BATCH)
    let settled = 0
    for (const id of ids) settled += await db.transaction().execute((tx) => settle(tx, id, times))
    // Those that somebody else has locked wait for the next run.
    if (ids.length < BATCH || settled === 0) return
  }
}

const eventOf = { past_due: "subscription.past_due", completed: "subscription.completed" } as const

async function settle(tx: Tx, id: string, times: Times): Promise<number> {
  if (!(await tryLockSubscription(tx, id))) return 0
  const subscription = await getSubscription(tx, id)
  const invoices = await findOpenOfSubscription(tx, id)
  const status = statusBy(subscription, countOpen(invoices, saoPauloDay(times.due)))
  if (status === subscription.status) return 0
  const endedAt = isLive(status) ? null : times.now
  await updateSubscriptionRow(tx, { ...subscription, status, endedAt, updatedAt: times.now })
  const type = status === "past_due" || status === "completed" ? eventOf[status] : "subscription.updated"
  await appendEvents(tx, type, [id], times.due)
  return 1
}
