import type { EventType } from "@tilinta/contract/vocabulary/event-types"
import type { Db, Tx } from "#db/transaction"
import { type PasswordProof, provePassword } from "#domain/people/users/prove-password"
import type { Actor } from "#domain/platform/audit/audit-entry"
import { recordAudit } from "#domain/platform/audit/record-audit"
import type { Clock } from "#kit/clock"
import { DomainError } from "#kit/domain-error"
import { isId } from "#kit/ids"
import type { OutsideAccess } from "#kit/outside-target"
import { checkTarget } from "./check-target.ts"
import { tellOfAddress } from "./tell-of-address.ts"
import type { Webhook } from "./webhook.ts"
import { webhookAuditOf } from "./webhook-audit.ts"
import { findWebhook, lockWebhook, releaseForNewUrl, setWebhook } from "./webhooks-repository.ts"

interface Wish {
  id: string
  owner: Actor
  url: string | undefined
  types: readonly EventType[] | undefined
  /** Needed for another address; null for an API key. */
  proof: PasswordProof | null
}

interface Deps {
  db: Db
  clock: Clock
  dueClock: Clock
  outside: OutsideAccess
}

export async function changeWebhook(deps: Deps, wish: Wish): Promise<Webhook> {
  const own = { id: wish.id, sellerId: wish.owner.id }
  const present = isId(wish.id) ? await findWebhook(deps.db, own) : undefined
  if (present === undefined) throw new DomainError("webhook_not_found")
  const isMoved = wish.url !== undefined && wish.url !== present.url
  if (isMoved && wish.proof !== null) await provePassword(deps, wish.proof)
  const url = isMoved ? await checkTarget(deps.outside, wish.url ?? present.url) : undefined
  const types = wish.types && [...new Set(wish.types)].sort()
  const change = { ...wish, url, types, at: deps.clock.now(), dueAt: deps.dueClock.now() }
  return deps.db.transaction().execute((tx) => storeChange(tx, change))
}

type Change = Omit<Wish, "types"> & { types: EventType[] | undefined; at: Date; dueAt: Date }

/** The locked row has what isn't changed: another change may have moved the address since it was read. */
async function storeChange(tx: Tx, { id, owner, at, dueAt, ...change }: Change): Promise<Webhook> {
  const before = await lockWebhook(tx, { id, sellerId: owner.id })
  if (before === undefined) throw new DomainError("webhook_not_found")
  const { url = before.url, types = before.types } = change
  const after = { ...before, url, types }
  if (before.url === url && before.types.join() === types.join()) return before
  await setWebhook(tx, after)
  await recordAudit(tx, webhookAuditOf("webhook.changed", { id, before, after }, owner, at))
  if (before.url === url) return after
  await releaseForNewUrl(tx, id, dueAt)
  await tellOfAddress(tx, after, { owner, formerUrl: before.url, at })
  return { ...after, failingSince: null, lastProblem: null, lastDeliveredAt: null }
}
