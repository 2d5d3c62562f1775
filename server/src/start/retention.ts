import { deleteProcessedBefore, pullBackInboxBundles } from "#bank/psp-inbox/table"
import { deleteBookedUnreadable } from "#bank/reconciliation/table"
import type { Db, Tx } from "#db/transaction"
import {
  deleteDeliveriesBefore,
  deleteDeliveriesOfDeleted,
  eraseAnswersBefore,
  pullBackDeliveries,
} from "#integrations/webhooks/deliveries-table"
import { longestRetryAfterSeconds } from "#integrations/webhooks/rules"
import { deleteEmptied, eraseFormerSecrets } from "#integrations/webhooks/table"
import { type Clock, secondsAfter } from "#kit/clock"
import { deleteOutboxMailsBefore } from "#mail/outbox"
import { pullBackDefences } from "#money/disputes/table"
import { pullBackProcessingRefunds } from "#money/refunds/table"
import { eraseFilesMadeBefore } from "#money/remittances/table"
import { pullBackPayouts } from "#money/withdrawals/table"
import { eraseAddressesUsedBefore } from "#people/api-keys/table"
import { deleteLinksExpiredBefore, eraseAddressesOfFreezesBefore } from "#people/freezes/table"
import { deleteExpiredApprovals } from "#people/second-approvals/table"
import { deleteExpiredChallenges } from "#people/second-factors/passkeys-table"
import { deleteExpiredSessions } from "#people/sessions/table"
import { deleteInvitationsExpiredBefore } from "#people/team/table"
import {
  deleteAllFailuresBefore,
  deleteConfirmationsExpiredBefore,
  deleteExpiredEmailChanges,
  deleteResetsExpiredBefore,
  deleteSignupsBefore,
} from "#people/users/credentials-table"
import { signupsPerAddress } from "#people/users/limits"
import { eraseNextAddresses } from "#platform/audit/table"
import { deleteEventsBefore } from "#platform/event-log/table"
import { deleteDoneMailsBefore, deleteNoticesBefore } from "#platform/mails/table"
import { readOn, workThrough } from "#platform/retention/retention"
import { type DaysKey, readDays } from "#platform/settings/reads"
import { eraseOldPayerData } from "#selling/charges/payer-data"
import { giveUpLostRemovals, pullBackRemovals } from "#selling/charges/table"
import { eraseOldCustomers } from "#selling/customers/manage"

interface Deps {
  db: Db
  clock: Clock
}

interface Kept {
  /** In seconds, or the setting that says it in days. */
  for: number | DaysKey
  forget(tx: Tx, before: Date, limit: number): Promise<unknown>
  /** A batch with fewer rows is the last. Without it one statement does all. */
  batch?: number
}

const [HOUR, DAY, forEver] = [3_600, 86_400, Number.POSITIVE_INFINITY]

/** Rows that are of no use any more, in the order in which they go. Locked ones are left for the next run. */
const tidied: readonly Kept[] = [
  { for: 0, forget: deleteExpiredSessions },
  { for: 0, forget: deleteExpiredChallenges },
  // Older failures count towards no limit.
  { for: DAY, forget: deleteAllFailuresBefore },
  { for: signupsPerAddress.windowSeconds, forget: deleteSignupsBefore },
  // Requests of the last hour count towards the limit on mails.
  { for: HOUR, forget: deleteResetsExpiredBefore },
  { for: 0, forget: deleteLinksExpiredBefore },
  // Links live longer than the hour in which they count towards the limit on mails.
  { for: 0, forget: deleteConfirmationsExpiredBefore },
  { for: 0, forget: deleteExpiredEmailChanges },
  { for: 0, forget: deleteExpiredApprovals },
  { for: 0, forget: deleteInvitationsExpiredBefore },
  // Older mails can't be enqueued again under their key, because the tables of their noun prevent it.
  { for: 30 * DAY, forget: deleteDoneMailsBefore },
  // Half a year: a seller who was away for a summer still reads what happened.
  { for: 180 * DAY, forget: deleteNoticesBefore },
  { for: 30 * DAY, forget: deleteOutboxMailsBefore },
  // Deliveries go with their events, and with their endpoint; former secrets once they sign no more.
  { for: "EVENT_RETENTION_DAYS", forget: deleteDeliveriesBefore, batch: 2_000 },
  { for: 0, forget: (tx, _now, limit) => deleteDeliveriesOfDeleted(tx, limit), batch: 2_000 },
  { for: 0, forget: deleteEmptied },
  { for: 0, forget: eraseFormerSecrets },
  // Events that nobody reads any more. The numbers go on.
  { for: "EVENT_RETENTION_DAYS", forget: deleteEventsBefore, batch: 1 },
  // Removals at providers without a connection, once each code has expired there by itself.
  { for: HOUR, forget: giveUpLostRemovals },
  // Entries that the provider has written readably meanwhile, so that the table stays short.
  { for: 0, forget: deleteBookedUnreadable },
]

/** Personal data, kept for as long as the settings say; that something happened stays. */
const erased: readonly Kept[] = [
  // The bank has its file, and our books have its payments.
  { for: 30 * DAY, forget: eraseFilesMadeBefore },
  // Bodies and answers may name payers.
  { for: "WEBHOOK_BODY_DAYS", forget: deleteProcessedBefore, batch: 5_000 },
  { for: "WEBHOOK_BODY_DAYS", forget: eraseAnswersBefore, batch: 2_000 },
  { for: "ADDRESS_DAYS", forget: eraseAuditAddresses, batch: 2_000 },
  { for: "ADDRESS_DAYS", forget: eraseAddressesUsedBefore, batch: 1_000 },
  { for: "ADDRESS_DAYS", forget: eraseAddressesOfFreezesBefore, batch: 1_000 },
]

async function eraseAuditAddresses(tx: Tx, happenedBefore: Date, limit: number): Promise<number> {
  return readOn(tx, "audit_record", (after) => eraseNextAddresses(tx, { after, happenedBefore, limit }))
}

export async function tidyUp(deps: Deps): Promise<void> {
  for (const kept of tidied) await forgetOld(deps, kept, forEver)
}

export async function erasePersonalData(deps: Deps): Promise<void> {
  await eraseOldPayerData(deps)
  await eraseOldCustomers(deps)
  for (const kept of erased) await forgetOld(deps, kept)
}

async function forgetOld({ db, clock }: Deps, { for: age, forget, batch }: Kept, mostBatches?: number): Promise<void> {
  const seconds = typeof age === "number" ? age : ((await readDays(db, age)) ?? forEver) * DAY
  if (seconds === forEver) return
  const before = secondsAfter(clock.now(), -seconds)
  const run = async () => Number(await db.transaction().execute((tx) => forget(tx, before, batch ?? 0)))
  await (batch === undefined ? run() : workThrough(batch, run, mostBatches))
}

/** Each with a pause that is longer than every lease and pause that a clock which is right can set. */
const putOff = {
  payouts: { longestSeconds: 600, pullBack: pullBackPayouts },
  refunds: { longestSeconds: 600, pullBack: pullBackProcessingRefunds },
  defences: { longestSeconds: 1_200, pullBack: pullBackDefences },
  removals: { longestSeconds: 7 * HOUR, pullBack: pullBackRemovals },
  webhooks: { longestSeconds: 600, pullBack: pullBackInboxBundles },
  deliveries: { longestSeconds: longestRetryAfterSeconds + 60, pullBack: pullBackDeliveries },
}

/** Makes due what a clock that was ahead has put off until a moment that may be days away. Returns how much that was. */
export async function pullBackWork({ db, clock, dueClock }: Deps & { dueClock: Clock }): Promise<PulledBack> {
  const counts: PulledBack = { payouts: 0, refunds: 0, defences: 0, removals: 0, webhooks: 0, deliveries: 0 }
  for (const [what, { longestSeconds, pullBack }] of Object.entries(putOff)) {
    const now = (what === "deliveries" ? dueClock : clock).now()
    const latest = secondsAfter(now, longestSeconds)
    counts[what as keyof PulledBack] = await db.transaction().execute((tx) => pullBack(tx, now, latest))
  }
  return counts
}

type PulledBack = Record<keyof typeof putOff, number>
