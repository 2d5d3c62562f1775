import type { Tx } from "#db/transaction"
import { findPeople } from "#domain/people/users/find-people"
import { markRecovered, type OnRecovery } from "#domain/people/users/recovery"
import { appendEvents } from "#domain/platform/event-log/append-events"
import { tellOwners } from "#domain/platform/mails/tell-owner"
import { readHoldRules } from "#domain/platform/settings/read-setting"
import { secondsAfter } from "#kit/clock"
import type { Protection } from "#kit/protection"
import { tellAdminsOfHeld } from "./note-holds.ts"
import type { Withdrawal } from "./withdrawal.ts"
import { heldNotice } from "./withdrawal-notices.ts"
import { lockUnpaidOf, updateWithdrawal } from "./withdrawals-repository.ts"

/** Later requests wait by the moment that is marked here; what was requested or approved before waits from now on. */
export function holdAfterRecovery(protection: Protection): OnRecovery {
  return async (tx, userId, now) => {
    await markRecovered(tx, userId, now)
    const { recoveryHours } = await readHoldRules(tx, protection)
    if (recoveryHours > 0) await holdUnsent(tx, userId, { until: secondsAfter(now, recoveryHours * 3_600), now })
  }
}

/**
 * A worker that has taken one marks it under the same lock right before it sends: what is marked may be at the bank and is
 * left alone, everything else waits.
 */
async function holdUnsent(tx: Tx, sellerId: string, { until, now }: { until: Date; now: Date }): Promise<void> {
  const unsent = (await lockUnpaidOf(tx, sellerId)).filter(({ sendingAt }) => sendingAt === null)
  if (unsent.length === 0) return
  const held: Withdrawal[] = []
  for (const { id, heldUntil, holdReasons } of unsent) {
    const later = heldUntil !== null && heldUntil > until ? heldUntil : until
    const reasons = JSON.stringify([...new Set([...holdReasons, "recovery"])])
    held.push(await updateWithdrawal(tx, id, { held_until: later, hold_reasons: reasons }))
  }
  await tellOwners(
    tx,
    held.map((withdrawal) => heldNotice(withdrawal)),
    now,
  )
  await tellAdminsOfHeld(tx, held, { sellers: await findPeople(tx, [sellerId]), now })
  await appendEvents(
    tx,
    "withdrawal.held",
    held.map(({ id }) => id),
    now,
  )
}
