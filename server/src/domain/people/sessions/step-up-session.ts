import type { Tx } from "#db/transaction"
import type { Actor } from "#domain/platform/audit/audit-entry"
import { recordAudit } from "#domain/platform/audit/record-audit"
import { secondsAfter } from "#kit/clock"
import { DomainError } from "#kit/domain-error"
import { hashOfToken } from "#kit/secret-token"
import { saveStepUp } from "./session-repository.ts"

const freshSeconds = 5 * 60
/** Nodes' clocks may differ by so much. */
const skewSeconds = 30

/** A moment in the future is another node's clock, or ours was set back: that session isn't fresh for longer. */
export function isFresh(steppedUpAt: Date | null, now: Date): boolean {
  if (steppedUpAt === null) return false
  return steppedUpAt <= secondsAfter(now, skewSeconds) && now < secondsAfter(steppedUpAt, freshSeconds)
}

/** Returns until when the session is fresh. */
export async function markSteppedUp(
  tx: Tx,
  { owner, token }: { owner: Actor; token: string },
  now: Date,
): Promise<Date> {
  const sessionId = await saveStepUp(tx, { userId: owner.id, tokenHash: hashOfToken(token) }, now)
  if (sessionId === undefined) throw new DomainError("unauthenticated")
  await recordAudit(tx, {
    ...{ actor: owner, happenedAt: now, action: "session.stepped_up", entity: "session", entityId: sessionId },
    before: null,
    after: { userId: owner.id },
  })
  return secondsAfter(now, freshSeconds)
}
