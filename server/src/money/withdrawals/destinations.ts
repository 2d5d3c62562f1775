import { deviceName } from "@tilinta/contract/vocabulary/device-name"
import type { DestinationProof } from "@tilinta/contract/vocabulary/withdrawal-holds"
import type { Db, Tx } from "#db/transaction"
import { findFrozen } from "#domain/people/freezes/find-frozen"
import { issueNotMeLink } from "#domain/people/freezes/not-me-links"
import { findFactorsOf } from "#domain/people/second-factors/find-factors"
import type { Proof } from "#domain/people/second-factors/require-step-up"
import { lockAccount } from "#domain/people/users/lock-account"
import { findRecoveredAt } from "#domain/people/users/recovery"
import type { Actor } from "#domain/platform/audit/audit-entry"
import { recordAudit } from "#domain/platform/audit/record-audit"
import { tellOwner } from "#domain/platform/notices/tell-owner"
import { readHoldRules } from "#domain/platform/settings/read-setting"
import { type Clock, secondsAfter } from "#kit/clock"
import { DomainError } from "#kit/domain-error"
import { isId, newId } from "#kit/ids"
import type { Protection } from "#kit/protection"
import { findFirstUses, listUsedDestinations } from "./reads.ts"
import { holdAfterHours } from "./rules.ts"
import { deleteDestinationsOf, removeDestinationRow, removeDoubtfulDestinations, saveUses } from "./table.ts"
import { maskedDestination, targetOf, type UsedDestination, type Withdrawal } from "./withdrawal.ts"

interface Use {
  withdrawal: Withdrawal
  proof: Proof | null
  address: string | null
  userAgent: string | null
}

function nameOf(sellerId: string, target: string): string {
  return `${sellerId} ${target}`
}

export function nameOfUse({ sellerId, destination }: Withdrawal): string {
  return nameOf(sellerId, targetOf(destination))
}

/** When each destination was first used, by `nameOfUse`; new ones are missing. Call it under the sellers' balances. */
export async function readFirstUses(tx: Tx, withdrawals: readonly Withdrawal[]): Promise<Map<string, Date>> {
  const wanted = withdrawals.map(({ sellerId, destination }) => ({ sellerId, target: targetOf(destination) }))
  const known = await findFirstUses(tx, wanted)
  return new Map(known.map(({ sellerId, target, firstUsedAt }) => [nameOf(sellerId, target), firstUsedAt]))
}

/** Remembers where sellers are paid, and tells each of them of a place that is new. */
export async function noteUses(
  tx: Tx,
  uses: readonly Use[],
  { known, now }: { known: ReadonlyMap<string, Date>; now: Date },
): Promise<void> {
  const first = new Map<string, Use>()
  for (const use of uses) if (!first.has(nameOfUse(use.withdrawal))) first.set(nameOfUse(use.withdrawal), use)
  const saved: UsedDestination[] = []
  for (const [name, use] of first) {
    const isNew = !known.has(name)
    saved.push({ ...usedOf(use), confirmedBy: isNew ? await confirmedBy(tx, use) : null })
    if (isNew) await tellOfNew(tx, use, now)
  }
  await saveUses(tx, saved)
}

function usedOf({ withdrawal }: Use): Omit<UsedDestination, "confirmedBy"> {
  const { sellerId, destination, createdAt } = withdrawal
  return { id: newId(), sellerId, destination, firstUsedAt: createdAt, lastUsedAt: createdAt }
}

async function confirmedBy(tx: Tx, { proof }: Use): Promise<DestinationProof | null> {
  if (proof === null || !proof.isFresh) return null
  return (await findFactorsOf(tx, proof.userId)).length > 0 ? "second_factor" : "password"
}

/** Without strict protection the list of notices tells, and no mail. */
async function tellOfNew(tx: Tx, { withdrawal, proof, address, userAgent }: Use, now: Date): Promise<void> {
  const { sellerId: userId, destination, amountCents, createdAt, heldUntil } = withdrawal
  const notice = {
    kind: "destination_added",
    destination: maskedDestination(destination),
    amountCents,
    addedAt: createdAt.toISOString(),
    heldUntil: heldUntil?.toISOString() ?? null,
    address,
    device: userAgent ? deviceName(userAgent) : null,
  } as const
  const isMailed = proof?.protection === "strict"
  const mail = isMailed ? { notMe: await issueNotMeLink(tx, userId, now) } : { mail: null }
  await tellOwner(tx, { userId, notice, ...mail }, now)
}

interface Listed extends UsedDestination {
  /** Null when a withdrawal to it doesn't wait. */
  heldUntil: Date | null
}

interface DestinationList {
  destinations: Listed[]
  newDestinationHours: number
  /** Until when every withdrawal waits, after a recovery. */
  heldUntil: Date | null
  frozenAt: Date | null
}

interface Deps {
  db: Db
  clock: Clock
  protection: Protection
}

/** The places where a seller was paid or asked to be, with what a request would wait for now. */
export async function listDestinations({ db, clock, protection }: Deps, sellerId: string): Promise<DestinationList> {
  const now = clock.now()
  const [used, rules, frozen, recoveredAt] = await Promise.all([
    listUsedDestinations(db, sellerId),
    readHoldRules(db, protection),
    findFrozen(db, [sellerId]),
    findRecoveredAt(db, sellerId),
  ])
  const { newDestinationHours, recoveryHours } = rules
  return {
    destinations: used.map((each) => ({
      ...each,
      heldUntil: holdAfterHours(each.firstUsedAt, newDestinationHours, now),
    })),
    newDestinationHours,
    heldUntil: holdAfterHours(recoveredAt, recoveryHours, now),
    frozenAt: frozen.get(sellerId) ?? null,
  }
}

interface Removal {
  id: string
  seller: Actor
}

/**
 * The destination is new again at its next use, for API keys and for requests in the browser. What was requested before goes
 * on. @throws not_found also when it was removed before
 */
export async function removeDestination({ db, clock }: { db: Db; clock: Clock }, removal: Removal): Promise<void> {
  if (!isId(removal.id)) throw new DomainError("not_found")
  const now = clock.now()
  await db.transaction().execute((tx) => remove(tx, removal, now))
}

/** A request holds the user's row, too: it is decided before the removal, or sees it. */
async function remove(tx: Tx, { id, seller }: Removal, now: Date): Promise<void> {
  await lockAccount(tx, seller.id)
  const removed = await removeDestinationRow(tx, { id, sellerId: seller.id, now })
  if (removed === null) throw new DomainError("not_found")
  await recordAudit(tx, {
    ...{ actor: seller, happenedAt: now, action: "destination.removed", entity: "user", entityId: seller.id },
    before: { destination: maskedDestination(removed.destination) },
    after: null,
  })
}

/** Longer than a thief waits for the money, shorter than the habits of most sellers. */
const DOUBTFUL_DAYS = 30

/**
 * After a complaint of the owner's, a place where nothing ever arrived is new again, and so is one that was first used in the
 * last days: a thief may have been paid there already.
 */
export async function distrustDestinations(tx: Tx, sellerId: string, now: Date): Promise<void> {
  await removeDoubtfulDestinations(tx, sellerId, { usedSince: secondsAfter(now, -DOUBTFUL_DAYS * 86_400), now })
}

/** For an account that is deleted. What was paid says itself where it went. */
export async function eraseDestinations(tx: Tx, sellerId: string): Promise<void> {
  await deleteDestinationsOf(tx, sellerId)
}
