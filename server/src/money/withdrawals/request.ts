import { type Cents, noMoney } from "@tilinta/contract/vocabulary/money"
import type { DestinationProof } from "@tilinta/contract/vocabulary/withdrawals"
import type { Db, Tx } from "#db/transaction"
import type { Clock } from "#kit/clock"
import { brokenRule } from "#kit/errors"
import { newId } from "#kit/ids"
import { sellerAvailable } from "#ledger/accounts"
import { isBelowFloor, lockBalances, postTransactions } from "#ledger/post-transactions"
import { saveDestinationUse } from "#money/destinations/manage"
import { findNotOwn } from "#money/destinations/reads"
import { documentOf } from "#money/destinations/rules"
import { readWithdrawable } from "#money/reserves/reads"
import { issueNotMeLink } from "#people/freezes/freeze"
import { findFactorsOf, findStepUpRefusal, type Proof } from "#people/second-factors/factors"
import { findOwnCnpj } from "#people/shops/reads"
import type { OwnCnpj } from "#people/shops/rules"
import { notifyAllOwners } from "#people/team/notify"
import { lockPeople } from "#people/users/change-user"
import { recordAudit } from "#platform/audit/record"
import { type Actor, personOf } from "#platform/audit/rules"
import { appendEvents } from "#platform/event-log/append"
import { claimIdempotencyKey } from "#platform/idempotency/claim"
import { readWithdrawalRules } from "#platform/settings/reads"
import { getWithdrawal, readRequestHistory } from "./reads.ts"
import { decideRequest, insufficientBalance, withdrawalRequestPostings } from "./rules.ts"
import { insertWithdrawal, lockPlatformLimit } from "./table.ts"
import { asRequested, type Destination, requestNotices, type Withdrawal, withdrawalAuditOf } from "./withdrawal.ts"

export interface WithdrawalInput {
  seller: Actor
  amountCents: Cents
  destination: Destination
  /** The device that asks, as it says itself. */
  userAgent?: string | null
  /** The API key that requests it, if it isn't a person in the browser. */
  apiKeyId?: string | null
  /** Null where nobody from outside asks: such a request is never held. */
  proof?: Proof | null
  /** The same key with the same input returns the withdrawal created first. */
  idempotencyKey: string | null
}

/**
 * Takes the money out of the available balance at once: two requests of a seller wait for each other's lock of the balance,
 * so they never take more than there is.
 */
export async function requestWithdrawal(
  { db, clock }: { db: Db; clock: Clock },
  input: WithdrawalInput,
): Promise<Withdrawal> {
  if (input.amountCents <= noMoney) throw brokenRule("amount", "Valor deve ser maior que zero")
  const now = clock.now()
  try {
    return await db.transaction().execute((tx) => storeRequest(tx, input, now))
  } catch (error) {
    // The ledger's floor refuses an overdraft once more, whatever was decided here.
    throw isBelowFloor(error) ? insufficientBalance(error) : error
  }
}

/** Locks the balance before it reads what decides: no other request of the seller can outdate that. */
export async function storeRequest(tx: Tx, input: WithdrawalInput, now: Date): Promise<Withdrawal> {
  const { seller, amountCents, destination, idempotencyKey, apiKeyId = null, proof = null, userAgent = null } = input
  const [id, sellerId] = [newId(), seller.id]
  const firstId = await claimIdempotencyKey(tx, {
    ownerId: sellerId,
    key: idempotencyKey,
    request: { withdrawal: { amountCents, destination } },
    resourceId: id,
  })
  if (firstId !== id) return asRequested(await getWithdrawal(tx, { id: firstId, sellerId }))

  const protection = proof?.protection ?? "relaxed"
  // Another owner of the shop may be the one who was robbed.
  const requesterId = personOf(seller)
  const people = await lockPeople(tx, [sellerId, requesterId])
  const person = people.get(sellerId) ?? unknownPerson
  const rules = await readWithdrawalRules(tx, protection)
  const balanceCents = (await lockBalances(tx, [sellerAvailable(sellerId)])).get(sellerAvailable(sellerId)) ?? noMoney
  const availableCents = await readWithdrawable(tx, { sellerId, balanceCents }, rules.reserves)
  if (rules.platformLimitCents > noMoney) await lockPlatformLimit(tx)
  const history = await readRequestHistory(tx, { sellerId, requesterId, destination, now, rules })
  const isNewDestination = history.firstUsedAt === null
  const own = await findOwnCnpjFor(tx, destination, sellerId)
  // A program can't step up at all: its key pays known destinations alone.
  const stepUpRefusal = proof === null || proof.isProgram ? null : await findStepUpRefusal(tx, proof)
  const confirmedBy = proof?.isFresh && isNewDestination ? await readConfirmation(tx, proof) : null

  const request = asRequested({ id, sellerId, amountCents, destination, createdAt: now, apiKeyId })
  const withdrawal = decideRequest(
    {
      isEnabled: rules.isEnabled,
      minCents: rules.minCents,
      maxPixCents: rules.maxPixCents,
      isNotOwn: (await findNotOwn(tx, [request])).has(id),
      availableCents,
      seller: person,
      ownCnpj: own?.cnpj ?? null,
      isFrozen: history.isFrozen,
      protection,
      isPaidBefore: history.isPaidBefore,
      stepUpRefusal,
      hold: { ...history, firstUsedAt: usedAsOwn(history, own), rules, recoveredAt: latestRecovery(people) },
    },
    request,
  )

  const postings = withdrawalRequestPostings(withdrawal, now)

  await insertWithdrawal(tx, withdrawal)
  const use = { sellerId, destination, firstUsedAt: now, lastUsedAt: now, confirmedBy }
  await saveDestinationUse(tx, { ...use, id: newId() })
  await postTransactions(tx, [postings])
  const newDestination = {
    isNew: isNewDestination,
    address: seller.address,
    userAgent,
    person: seller.person,
    notMe: await issueLinkFor(tx, { isMailed: isNewDestination && protection === "strict", sellerId, now }),
  }
  const context = { ...history, rules, newDestination, sellerName: person.name }
  const notices = requestNotices(withdrawal, context)
  const audit = withdrawalAuditOf("withdrawal.requested", null, withdrawal, seller, now)
  await notifyAllOwners(tx, notices, now)
  await recordAudit(tx, audit)
  const events = withdrawal.heldUntil === null ? requested : requestedAndHeld
  for (const type of events) await appendEvents(tx, type, [id], now)
  return withdrawal
}

async function issueLinkFor(tx: Tx, { isMailed, sellerId, now }: { isMailed: boolean; sellerId: string; now: Date }) {
  return isMailed ? issueNotMeLink(tx, sellerId, now) : null
}

async function findOwnCnpjFor(tx: Tx, destination: Destination, sellerId: string): Promise<OwnCnpj | null> {
  return documentOf(destination) === null ? null : findOwnCnpj(tx, sellerId)
}

/** A CNPJ that was another seller's, or nobody's, until a moment ago is as new as a key that was never used. */
function usedAsOwn({ firstUsedAt }: { firstUsedAt: Date | null }, own: OwnCnpj | null): Date | null {
  return firstUsedAt !== null && own !== null && own.since > firstUsedAt ? own.since : firstUsedAt
}

function latestRecovery(people: Map<string, { recoveredAt: Date | null }>): Date | null {
  const moments = [...people.values()].flatMap(({ recoveredAt }) => recoveredAt ?? [])
  return moments.toSorted((one, other) => other.getTime() - one.getTime())[0] ?? null
}

/** An account that is gone requests nothing. */
const unknownPerson = { name: "", isActive: false, cpf: "", recoveredAt: null }

const requested = ["withdrawal.requested"] as const
const requestedAndHeld = ["withdrawal.requested", "withdrawal.held"] as const

async function readConfirmation(tx: Tx, { userId }: Proof): Promise<DestinationProof> {
  return (await findFactorsOf(tx, userId)).length > 0 ? "second_factor" : "password"
}
