import webpush from "web-push"
import type { Db, Tx } from "#db/transaction"
import { type Clock, secondsAfter } from "#kit/clock"
import { DomainError } from "#kit/errors"
import { type OutsideAccess, postOutside } from "#kit/outside"
import type { SecretKeys } from "#kit/secrets"
import { readPlatform } from "#platform/settings/reads"
import { openPushKey } from "./keys.ts"
import { findSubscription } from "./reads.ts"
import { messageOf, type PushMessage, type PushSubscription, testMessage } from "./rules.ts"
import { type ClaimedPush, claimPushes, deletePushes, deleteSubscription, postponePush } from "./table.ts"

interface Deps {
  db: Db
  clock: Clock
  secretKeys: SecretKeys
  outside: OutsideAccess
}

const BATCH = 20
/** Longer than a batch takes at services that answer nothing. */
const LEASE_SECONDS = 60
const LIFETIME_SECONDS = 86_400
const bounds = { timeoutMs: 10_000, maxBytes: 4_096 }

/** Sends waiting pushes outside any transaction. A crash after a service took one sends it again, under the same tag. */
export async function sendPushes(deps: Deps): Promise<void> {
  for (;;) {
    const now = deps.clock.now()
    const claim = { now, until: secondsAfter(now, LEASE_SECONDS), limit: BATCH }
    const claimed = await deps.db.transaction().execute((tx) => claimPushes(tx, claim))
    if (claimed.length === 0) return
    const vapid = await readVapid(deps)
    const results = await Promise.all(claimed.map((push) => sendOne(deps, vapid, push)))
    const endedAt = deps.clock.now()
    await deps.db.transaction().execute((tx) => recordResults(tx, results, endedAt))
    if (claimed.length < BATCH) return
  }
}

interface Result {
  push: ClaimedPush
  outcome: Outcome
}

type Outcome = "taken" | "gone" | "failed"

type Vapid = NonNullable<webpush.RequestOptions["vapidDetails"]>

async function readVapid({ db, secretKeys }: Deps): Promise<Vapid> {
  const [key, { supportEmail }] = await Promise.all([openPushKey(db, secretKeys), readPlatform(db)])
  return { subject: `mailto:${supportEmail}`, ...key }
}

async function sendOne(deps: Deps, vapid: Vapid, push: ClaimedPush): Promise<Result> {
  const { subscription, content, tag } = push
  const { userId, hideAmounts } = subscription
  return { push, outcome: await send(deps, vapid, subscription, messageOf(content, { userId, tag, hideAmounts })) }
}

/** Never throws: a key that is none is the browser's fault, and ends the subscription. */
async function send(
  { outside }: Deps,
  vapidDetails: Vapid,
  { endpoint, allowsLocal, p256dh, auth }: PushSubscription,
  message: PushMessage,
): Promise<Outcome> {
  const options = { vapidDetails, TTL: LIFETIME_SECONDS }
  const request = encrypted({ endpoint, keys: { p256dh, auth } }, message, options)
  if (request === null) return "gone"
  const access = { ...outside, allowsLocal: outside.allowsLocal && allowsLocal }
  const { status } = await postOutside(access, request, bounds)
  if (status === 404 || status === 410) return "gone"
  return status !== null && status >= 200 && status < 300 ? "taken" : "failed"
}

function encrypted(
  subscription: webpush.PushSubscription,
  message: PushMessage,
  options: webpush.RequestOptions,
): { url: string; headers: Record<string, string>; body: Buffer } | null {
  try {
    const { endpoint, headers, body } = webpush.generateRequestDetails(subscription, JSON.stringify(message), options)
    return { url: endpoint, headers, body: body ?? Buffer.alloc(0) }
  } catch {
    return null
  }
}

async function recordResults(tx: Tx, results: readonly Result[], now: Date): Promise<void> {
  const done = results.filter(({ push, outcome }) => outcome === "taken" || isTooOld(push, now))
  await deletePushes(
    tx,
    done.map(({ push }) => push.id),
  )
  for (const { push, outcome } of results) {
    if (outcome === "gone") await deleteSubscription(tx, push.subscription)
    if (outcome === "failed") await postponePush(tx, push.id, secondsAfter(now, 5 * 2 ** push.attempts))
  }
}

function isTooOld({ createdAt }: ClaimedPush, now: Date): boolean {
  return secondsAfter(createdAt, LIFETIME_SECONDS) < now
}

/** True when the browser's service took it. @throws push_subscription_not_found */
export async function testSubscription(deps: Deps, own: { id: string; userId: string }): Promise<boolean> {
  const subscription = await findSubscription(deps.db, own)
  if (subscription === null) throw new DomainError("push_subscription_not_found")
  const outcome = await send(deps, await readVapid(deps), subscription, testMessage)
  if (outcome === "gone") await deps.db.transaction().execute((tx) => deleteSubscription(tx, own))
  return outcome === "taken"
}
