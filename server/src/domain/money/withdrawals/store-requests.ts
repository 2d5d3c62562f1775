import type { Tx } from "#db/transaction"
import { noteUses } from "#domain/money/destinations/note-uses"
import { lessUnheld } from "#domain/money/reserves/read-to-come"
import { findFrozen } from "#domain/people/freezes/find-frozen"
import { findStepUpRefusals, type Proof } from "#domain/people/second-factors/require-step-up"
import { type HeldPerson, holdPeople, type Person } from "#domain/people/users/find-people"
import type { Actor } from "#domain/platform/audit/audit-entry"
import { recordAudits } from "#domain/platform/audit/record-audit"
import { appendEvents } from "#domain/platform/event-log/append-events"
import { type Claim, claimTogether, findClaims } from "#domain/platform/idempotency/claims-of-many"
import { tellOwners } from "#domain/platform/mails/tell-owner"
import { readMinWithdrawalCents, readWithdrawalsEnabled } from "#domain/platform/settings/read-setting"
import { DomainError } from "#kit/domain-error"
import type { Protection } from "#kit/protection"
import { sellerAvailable } from "#ledger/accounts"
import { holdBalances } from "#ledger/hold-balances"
import { postTransactions } from "#ledger/post-transactions"
import {
  type Claimed,
  claimName,
  decideRequests,
  type Requested,
  type RequestOutcome,
  type Standing,
} from "./decide-requests.ts"
import type { HoldFacts } from "./hold-withdrawals.ts"
import { noteHolds } from "./note-holds.ts"
import { notifyAdmins } from "./notify-admins.ts"
import { readHoldFacts } from "./read-hold-facts.ts"
import { asRequested } from "./withdrawal.ts"
import { withdrawalAuditOf } from "./withdrawal-audit.ts"
import { stepNotice } from "./withdrawal-notices.ts"
import { withdrawalRequestPostings } from "./withdrawal-postings.ts"
import { existsPaidFromBrowser, findWithdrawals, insertWithdrawals } from "./withdrawals-repository.ts"

export interface RequestedBy extends Requested {
  seller: Actor
  userAgent?: string | null
  /** Null where nobody from outside asks. */
  proof: Proof | null
}

/** One outcome per request, in their order: a refusal has its reason, and doesn't affect the others. */
export async function storeRequests(tx: Tx, requests: readonly RequestedBy[]): Promise<RequestOutcome[]> {
  const sellerIds = [...new Set(requests.map(({ withdrawal }) => withdrawal.sellerId))]
  const people = await holdPeople(tx, sellerIds)
  const standing = await readStanding(tx, sellerIds, people, requests)
  const outcomes = decideRequests(standing, requests)
  const accepted = requests.flatMap((request, at) => {
    const withdrawal = outcomes[at]
    return withdrawal instanceof DomainError || withdrawal?.id !== request.withdrawal.id
      ? []
      : [{ ...request, withdrawal }]
  })
  if (accepted.length > 0) await storeAccepted(tx, accepted, { people, holds: standing.holds })
  return outcomes
}

/**
 * Locks the balances first: facts read under these locks can't be outdated by concurrent requests of the same seller.
 */
async function readStanding(
  tx: Tx,
  sellerIds: readonly string[],
  people: ReadonlyMap<string, HeldPerson>,
  requests: readonly RequestedBy[],
): Promise<Standing> {
  const balances = await holdBalances(tx, sellerIds.map(sellerAvailable))
  const available = new Map(
    sellerIds.flatMap((id) => {
      const cents = balances.get(sellerAvailable(id))
      return cents === undefined ? [] : [[id, cents] as const]
    }),
  )
  return {
    isEnabled: await readWithdrawalsEnabled(tx),
    minCents: await readMinWithdrawalCents(tx),
    frozenSellers: await findFrozen(tx, sellerIds),
    inactiveSellers: new Set(sellerIds.filter((id) => people.get(id)?.isActive !== true)),
    available: await lessUnheld(tx, available),
    notTheirs: new Set(
      requests.filter((request) => isOthersKey(request, people)).map(({ withdrawal }) => withdrawal.id),
    ),
    holds: await readHoldFacts(tx, {
      withdrawals: requests.map(({ withdrawal }) => withdrawal),
      people,
      protection: protectionOf(requests),
    }),
    unproven: await findUnproven(tx, requests),
    unconfirmed: await findUnconfirmed(tx, requests),
    claims: await readClaims(tx, requests),
  }
}

/** One for the whole process; a request of our own, without a proof, is never held. */
function protectionOf(requests: readonly RequestedBy[]): Protection {
  return requests.some(({ proof }) => proof?.protection === "strict") ? "strict" : "relaxed"
}

/** Other kinds of key don't tell whose they are. */
function isOthersKey({ withdrawal, proof }: RequestedBy, people: ReadonlyMap<string, HeldPerson>): boolean {
  const { destination, sellerId } = withdrawal
  if (proof?.protection !== "strict" || destination.method !== "pix") return false
  const { kind, key } = destination.pixKey
  return (kind === "cpf" || kind === "cnpj") && key !== people.get(sellerId)?.cpf
}

/** A stolen key must not choose where the money goes. */
async function findUnproven(tx: Tx, requests: readonly Requested[]): Promise<Set<string>> {
  const unproven = new Set<string>()
  for (const { withdrawal } of requests) {
    if (withdrawal.apiKeyId !== null && !(await existsPaidFromBrowser(tx, withdrawal))) unproven.add(withdrawal.id)
  }
  return unproven
}

/** A stolen session must not choose where the money goes either. A key can't at all. */
async function findUnconfirmed(tx: Tx, requests: readonly RequestedBy[]): Promise<Map<string, DomainError>> {
  const proofs = requests.flatMap(({ proof }) => (proof === null || proof.isProgram ? [] : [proof]))
  const refusals = await findStepUpRefusals(tx, proofs)
  const unconfirmed = new Map<string, DomainError>()
  for (const { withdrawal, proof } of requests) {
    const refusal = proof === null ? undefined : refusals.get(proof)
    if (refusal !== undefined && !(await existsPaidFromBrowser(tx, withdrawal))) unconfirmed.set(withdrawal.id, refusal)
  }
  return unconfirmed
}

async function readClaims(tx: Tx, requests: readonly Requested[]): Promise<Map<string, Claimed>> {
  const claims = await findClaims(tx, requests.flatMap(claimOf))
  if (claims.length === 0) return new Map()
  const found = await findWithdrawals(
    tx,
    claims.map(({ resourceId }) => resourceId),
  )
  const byId = new Map(found.map((withdrawal) => [withdrawal.id, asRequested(withdrawal)]))
  return new Map(
    claims.map(({ ownerId, key, requestHash, resourceId }) => [
      claimName(ownerId, key),
      { requestHash, withdrawal: byId.get(resourceId) ?? null },
    ]),
  )
}

function claimOf({ withdrawal, claim }: Requested): Claim[] {
  return claim === null ? [] : [{ ...claim, ownerId: withdrawal.sellerId, resourceId: withdrawal.id }]
}

async function storeAccepted(
  tx: Tx,
  accepted: readonly RequestedBy[],
  { people, holds }: { people: ReadonlyMap<string, Person>; holds: HoldFacts },
): Promise<void> {
  const withdrawals = accepted.map(({ withdrawal }) => withdrawal)
  const latest = new Date(Math.max(...withdrawals.map(({ createdAt }) => createdAt.getTime())))
  await claimTogether(tx, accepted.flatMap(claimOf))
  await insertWithdrawals(tx, withdrawals)
  await postTransactions(
    tx,
    withdrawals.map((withdrawal) => withdrawalRequestPostings(withdrawal, withdrawal.createdAt)),
  )
  await tellOwners(
    tx,
    withdrawals.map((withdrawal) => stepNotice(withdrawal, "requested", withdrawal.createdAt)),
    latest,
  )
  await noteUses(
    tx,
    accepted.map(({ seller, userAgent = null, ...use }) => ({ ...use, userAgent, address: seller.address })),
    { known: holds.firstUses, now: latest },
  )
  await notifyAdmins(tx, withdrawals, { sellers: people, at: latest })
  await recordAudits(
    tx,
    accepted.map(({ withdrawal, seller }) =>
      withdrawalAuditOf("withdrawal.requested", null, withdrawal, seller, withdrawal.createdAt),
    ),
  )
  await appendEvents(
    tx,
    "withdrawal.requested",
    withdrawals.map(({ id }) => id),
    latest,
  )
  await noteHolds(tx, withdrawals, { sellers: people, rules: holds.rules, now: latest })
}
