import { type Cents, noMoney } from "@tilinta/contract/vocabulary/money"
import { isDatabaseDown } from "#db/database-down"
import type { Db, LookupDb, Tx } from "#db/transaction"
import type { Proof } from "#domain/people/second-factors/require-step-up"
import type { Actor } from "#domain/platform/audit/audit-entry"
import { KeyTakenMeanwhile } from "#domain/platform/idempotency/claims-of-many"
import { hashOfRequest } from "#domain/platform/idempotency/hash-of-request"
import type { Clock } from "#kit/clock"
import { brokenRule } from "#kit/domain-error"
import { newId } from "#kit/ids"
import { createMicroBatch } from "#kit/micro-batch"
import { isBelowFloor } from "#ledger/below-floor"
import { insufficientBalance, type RequestOutcome } from "./decide-requests.ts"
import { type RequestedBy, storeRequests } from "./store-requests.ts"
import { asRequested, type Destination, type Withdrawal } from "./withdrawal.ts"

interface WithdrawalInput {
  seller: Actor
  amountCents: Cents
  destination: Destination
  /** The device that asks, as it says itself. */
  userAgent?: string | null
  /** The API key that requests it, if it isn't a person in the browser. */
  apiKeyId?: string | null
  /** Null where nobody from outside asks. */
  proof?: Proof | null
  /** The same key with the same input returns the withdrawal created first. */
  idempotencyKey: string | null
}

export type RequestWithdrawal = (input: WithdrawalInput) => Promise<Withdrawal>

interface Deps {
  db: LookupDb
  clock: Clock
}

/** Larger batches would only add latency. */
const BATCH = 200

/**
 * Takes the money out of the available balance at once. Concurrent requests share a transaction, which locks their
 * balances and decides in order of arrival, so no more is taken than there is.
 */
export function withdrawalRequests({ db, clock }: Deps): RequestWithdrawal {
  const store = createMicroBatch<RequestedBy, RequestOutcome>({
    most: BATCH,
    slots: 2,
    failsAll: isDatabaseDown,
    run: (requests) => storeInTransaction(db, requests),
  })
  return async (input) => withdrawalOf(await store(arrived(input, clock)))
}

/** A single request, without batching. */
export async function requestWithdrawal({ db, clock }: Deps, input: WithdrawalInput): Promise<Withdrawal> {
  const [outcome] = await storeInTransaction(db, [arrived(input, clock)])
  return withdrawalOf(outcome)
}

function arrived(input: WithdrawalInput, clock: Clock): RequestedBy {
  const { seller, amountCents, destination, idempotencyKey, apiKeyId = null, proof = null, userAgent = null } = input
  if (amountCents <= noMoney) throw brokenRule("amount", "Valor deve ser maior que zero")
  const created = { id: newId(), createdAt: clock.now() }
  const withdrawal = asRequested({ ...created, sellerId: seller.id, amountCents, destination, apiKeyId })
  const requestHash = hashOfRequest({ withdrawal: { amountCents, destination } })
  return {
    seller,
    userAgent,
    withdrawal,
    proof,
    claim: idempotencyKey === null ? null : { key: idempotencyKey, requestHash },
  }
}

/** The ledger's floor refuses an overdraft once more, whatever was decided here. */
async function storeInTransaction(db: Db, requests: readonly RequestedBy[]): Promise<RequestOutcome[]> {
  const store = () => db.transaction().execute((tx: Tx) => storeRequests(tx, requests))
  try {
    return await store()
  } catch (error) {
    if (error instanceof KeyTakenMeanwhile) return store()
    if (requests.length === 1 && isBelowFloor(error)) return [insufficientBalance(error)]
    throw error
  }
}

function withdrawalOf(outcome: RequestOutcome | undefined): Withdrawal {
  if (outcome === undefined || outcome instanceof Error) throw outcome
  return outcome
}
