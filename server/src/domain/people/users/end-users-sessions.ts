import type { Db, Tx } from "#db/transaction"
import { closeSessionsOf } from "#domain/people/sessions/close-session"
import type { Actor } from "#domain/platform/audit/audit-entry"
import { tellOwner } from "#domain/platform/mails/tell-owner"
import type { Clock } from "#kit/clock"
import { DomainError } from "#kit/domain-error"
import { isId } from "#kit/ids"
import { lockUser } from "./users-repository.ts"

interface Wish {
  id: string
  admin: Actor
}

/** Throws a thief out at once. Keys of the API stay: their owner revokes them. Returns how many sessions ended. */
export async function endUsersSessions({ db, clock }: { db: Db; clock: Clock }, wish: Wish): Promise<number> {
  return db.transaction().execute((tx) => endAll(tx, wish, clock.now()))
}

async function endAll(tx: Tx, { id, admin }: Wish, now: Date): Promise<number> {
  const user = isId(id) ? await lockUser(tx, id) : undefined
  if (user === undefined) throw new DomainError("user_not_found")
  const count = await closeSessionsOf(tx, id, { spared: null, by: admin }, now)
  if (count === 0) return 0
  const notice = { kind: "sessions_ended", count, endedAt: now.toISOString() } as const
  await tellOwner(tx, { userId: id, notice }, now)
  return count
}
