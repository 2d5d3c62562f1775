import { MOST_PUSH_SUBSCRIPTIONS } from "@tilinta/contract/push"
import type { Db, Tx } from "#db/transaction"
import type { Clock } from "#kit/clock"
import { DomainError } from "#kit/errors"
import { isId, newId } from "#kit/ids"
import { recordAudit } from "#platform/audit/record"
import type { Actor } from "#platform/audit/rules"
import { whenceOf } from "#platform/mails/mail-content"
import { notifyOwner } from "#platform/mails/notify-owner"
import type { PushSubscription } from "./rules.ts"
import { deleteSubscription, lockSession, lockSubscriptionsOf, saveSubscription } from "./table.ts"

interface Deps {
  db: Db
  clock: Clock
}

interface Subscribing extends Pick<PushSubscription, "endpoint" | "allowsLocal" | "p256dh" | "auth"> {
  /** As it was, where the browser doesn't say. */
  hideAmounts: boolean | undefined
  person: Actor
  /** Names the session, with which it ends. */
  tokenHash: Buffer
}

/** Changes what is known of a browser that asks again, and gives it to the session that asks now. @throws push_subscriptions_full, unauthenticated where the session has ended meanwhile */
export async function saveOwnSubscription({ db, clock }: Deps, subscribing: Subscribing): Promise<string> {
  return db.transaction().execute((tx) => save(tx, subscribing, clock.now()))
}

async function save(tx: Tx, { person, tokenHash, ...browser }: Subscribing, now: Date): Promise<string> {
  const userId = person.id
  const held = await lockSubscriptionsOf(tx, userId)
  const known = held.find(({ endpoint }) => endpoint === browser.endpoint)
  const isNew = known === undefined
  if (isNew && held.length >= MOST_PUSH_SUBSCRIPTIONS) throw new DomainError("push_subscriptions_full")
  const sessionId = await lockSession(tx, tokenHash)
  if (sessionId === null) throw new DomainError("unauthenticated")
  const device = person.device ?? ""
  const hideAmounts = browser.hideAmounts ?? known?.hideAmounts ?? false
  const saved = { ...browser, id: newId(), userId, sessionId, device, createdAt: now, hideAmounts }
  const id = await saveSubscription(tx, saved)
  if (!isNew) return id
  await note(tx, { person, id, action: "push_subscription.added", now })
  const notice = { kind: "push_subscription_added", addedAt: now.toISOString(), ...whenceOf(person) } as const
  await notifyOwner(tx, { userId, notice }, now)
  return id
}

interface Ending {
  id: string
  person: Actor
}

/** @throws push_subscription_not_found */
export async function endSubscription({ db, clock }: Deps, ending: Ending): Promise<void> {
  await db.transaction().execute((tx) => end(tx, ending, clock.now()))
}

async function end(tx: Tx, { id, person }: Ending, now: Date): Promise<void> {
  const isEnded = isId(id) && (await deleteSubscription(tx, { id, userId: person.id }))
  if (!isEnded) throw new DomainError("push_subscription_not_found")
  await note(tx, { person, id, action: "push_subscription.ended", now })
}

interface Noted {
  person: Actor
  id: string
  action: "push_subscription.added" | "push_subscription.ended"
  now: Date
}

async function note(tx: Tx, { person, id, action, now }: Noted): Promise<void> {
  const entry = { actor: person, happenedAt: now, action, entity: "user", entityId: person.id } as const
  await recordAudit(tx, { ...entry, before: null, after: { subscriptionId: id } })
}
