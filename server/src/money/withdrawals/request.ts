import { holdReasonLabels } from "@tilinta/contract/vocabulary/withdrawal-holds"
import { isDatabaseDown } from "#db/database-down"
import type { Db, LookupDb, Tx } from "#db/transaction"
import { findFrozen } from "#domain/people/freezes/find-frozen"
import { findStepUpRefusals, type Proof } from "#domain/people/second-factors/require-step-up"
import { type HeldPerson, holdPeople, type Person } from "#domain/people/users/find-people"
import { listActiveAdmins } from "#domain/people/users/list-active-admins"
import type { Actor } from "#domain/platform/audit/audit-entry"
import { recordAudits } from "#domain/platform/audit/record-audit"
import { appendEvents } from "#domain/platform/event-log/append-events"
import { type Claim, claimTogether, findClaims, KeyTakenMeanwhile } from "#domain/platform/idempotency/claims-of-many"
import { hashOfRequest } from "#domain/platform/idempotency/hash-of-request"
import { enqueueMails, type NewMail } from "#domain/platform/mails/enqueue-mails"
import { tellAdmins, tellOwners } from "#domain/platform/notices/tell-owner"
import {
  type HoldRules,
  readHoldRules,
  readMinWithdrawalCents,
  readNotifiesAdminOnWithdrawal,
  readWithdrawalsEnabled,
} from "#domain/platform/settings/read-setting"
import { readWithdrawalTotalsOfPlatform } from "#domain/platform/totals/read-platform-totals"
import { type Clock, secondsAfter } from "#kit/clock"
import { brokenRule, DomainError } from "#kit/domain-error"
import { newId } from "#kit/ids"
import { createMicroBatch } from "#kit/micro-batch"
import { addCents, type Cents, noMoney, subtractCents } from "#kit/money"
import type { Protection } from "#kit/protection"
import { type Day, saoPauloDay, startOfDay } from "#kit/sao-paulo-day"
import { sellerAvailable } from "#ledger/accounts"
import { isBelowFloor } from "#ledger/below-floor"
import { holdBalances } from "#ledger/hold-balances"
import { postTransactions } from "#ledger/post-transactions"
import { lessUnheld } from "#money/reserves/reads"
import type { WithdrawalFacts } from "./admin-reads.ts"
import { noteUses, readFirstUses } from "./destinations.ts"
import { existsPaidFromBrowser, findLastPaidDestinations, findLeaving, findWithdrawals, sumHeldSince } from "./reads.ts"
import {
  type Claimed,
  claimName,
  decideRequests,
  type HoldFacts,
  insufficientBalance,
  type Requested,
  type RequestOutcome,
  type Standing,
  withdrawalRequestPostings,
} from "./rules.ts"
import { insertWithdrawals, lockPlatformLimit } from "./table.ts"
import {
  asRequested,
  comparedDestination,
  type Destination,
  heldNotice,
  maskedDestination,
  stepNotice,
  type Withdrawal,
  withdrawalAuditOf,
} from "./withdrawal.ts"

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

interface RequestedBy extends Requested {
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

interface Asked {
  withdrawals: readonly Withdrawal[]
  people: ReadonlyMap<string, HeldPerson>
  protection: Protection
}

/** Call it under the sellers' balances and users. A rule that is off costs nothing. */
async function readHoldFacts(tx: Tx, { withdrawals, people, protection }: Asked): Promise<HoldFacts> {
  const rules = await readHoldRules(tx, protection)
  const now = new Date(Math.max(...withdrawals.map(({ createdAt }) => createdAt.getTime())))
  const since = secondsAfter(now, -86_400)
  return {
    rules,
    firstUses: await readFirstUses(tx, withdrawals),
    recoveredAt: new Map(
      [...people.values()].flatMap(({ id, recoveredAt }) => (recoveredAt === null ? [] : [[id, recoveredAt] as const])),
    ),
    leaving: rules.dailyLimitCents > noMoney ? await findLeaving(tx, [...people.keys()], since) : new Map(),
    platformDays: rules.platformLimitCents > noMoney ? await readPlatformDays(tx, now) : new Map(),
  }
}

/**
 * Today carries the requests of today, without those held to a later day, and those held until today. Others that decide at
 * the same moment wait for this transaction.
 */
async function readPlatformDays(tx: Tx, now: Date): Promise<Map<Day, Cents>> {
  await lockPlatformLimit(tx)
  const today = saoPauloDay(now)
  const statuses = ["pending", "approved", "processing", "completed"] as const
  const totals = await readWithdrawalTotalsOfPlatform(tx, { statuses, dayFrom: today, dayTo: today })
  const days = new Map<Day, Cents>()
  const add = (day: Day, cents: Cents) => days.set(day, addCents(days.get(day) ?? noMoney, cents))
  for (const { grossCents } of totals) add(today, grossCents)
  for (const { day, isOfToday, cents } of await sumHeldSince(tx, startOfDay(today))) {
    if (isOfToday) add(today, subtractCents(noMoney, cents))
    add(day, cents)
  }
  return days
}

interface Told {
  sellers: ReadonlyMap<string, Person>
  rules: HoldRules
  now: Date
}

/** Tells sellers and administrators which of these new withdrawals wait, in their lists: mails of the requests go, too. */
async function noteHolds(tx: Tx, withdrawals: readonly Withdrawal[], { sellers, rules, now }: Told): Promise<void> {
  const held = withdrawals.filter(({ heldUntil }) => heldUntil !== null)
  if (held.length === 0) return
  await tellOwners(
    tx,
    held.map((withdrawal) => ({ ...heldNotice(withdrawal), mail: null })),
    now,
  )
  await tellAdminsOfHeld(tx, held, { sellers, now })
  await noteLimits(tx, held, { sellers, rules, now })
  await appendEvents(
    tx,
    "withdrawal.held",
    held.map(({ id }) => id),
    now,
  )
}

/** Those that get a mail of every request need none of its hold. Each later end of a hold is another notice. */
export async function tellAdminsOfHeld(
  tx: Tx,
  held: readonly Withdrawal[],
  { sellers, now }: Omit<Told, "rules">,
): Promise<void> {
  const isMailed = !(await readNotifiesAdminOnWithdrawal(tx))
  for (const withdrawal of held) {
    const { id: withdrawalId, sellerId, amountCents, holdReasons, heldUntil } = withdrawal
    const sellerName = sellers.get(sellerId)?.name ?? ""
    const reasons = holdReasons.map((reason) => holdReasonLabels[reason])
    const notice = { kind: "withdrawal_to_check", withdrawalId, sellerName, amountCents, reasons } as const
    const dedupeKey = `held:${withdrawalId}:${heldUntil?.toISOString() ?? null}`
    await tellAdmins(tx, { notice, dedupeKey, ...(!isMailed && { mail: null }) }, now)
  }
}

/** Once a day for each limit: a flood of requests is one mail. */
async function noteLimits(tx: Tx, held: readonly Withdrawal[], { sellers, rules, now }: Told): Promise<void> {
  const day = saoPauloDay(now)
  const reachedAt = now.toISOString()
  const beyond = held.filter(({ holdReasons }) => holdReasons.includes("daily_limit"))
  for (const sellerId of new Set(beyond.map((withdrawal) => withdrawal.sellerId))) {
    const whose = sellers.get(sellerId)?.name ?? ""
    const notice = { kind: "limit_reached", whose, limitCents: rules.dailyLimitCents, reachedAt } as const
    await tellAdmins(tx, { notice, dedupeKey: `limit:${sellerId}:${day}` }, now)
  }
  if (!held.some(({ holdReasons }) => holdReasons.includes("platform_limit"))) return
  const notice = {
    kind: "limit_reached",
    whose: wholePlatform,
    limitCents: rules.platformLimitCents,
    reachedAt,
  } as const
  await tellAdmins(tx, { notice, dedupeKey: `limit:platform:${day}` }, now)
}

const wholePlatform = "toda a plataforma"

/** One mail per withdrawal and active admin, unless the setting disables it. */
async function notifyAdmins(
  tx: Tx,
  withdrawals: readonly Withdrawal[],
  { sellers, at }: { sellers: ReadonlyMap<string, Person>; at: Date },
): Promise<void> {
  if (!(await readNotifiesAdminOnWithdrawal(tx))) return
  const admins = await listActiveAdmins(tx)
  const lastPaid = await findLastPaidDestinations(tx, [...new Set(withdrawals.map(({ sellerId }) => sellerId))])
  const mails = withdrawals.flatMap((withdrawal) => {
    const comparison = comparedDestination(lastPaid.get(withdrawal.sellerId) ?? null, withdrawal.destination)
    return mailsOf({ withdrawal, seller: sellers.get(withdrawal.sellerId), comparison }, admins)
  })
  await enqueueMails(tx, mails, at)
}

interface AskedMail {
  withdrawal: Withdrawal
  seller: Person | undefined
  comparison: WithdrawalFacts["destination"]
}

function mailsOf({ withdrawal, seller, comparison }: AskedMail, admins: readonly string[]): NewMail[] {
  const content = {
    kind: "withdrawal_requested",
    sellerName: seller?.name ?? "",
    amountCents: withdrawal.amountCents,
    method: withdrawal.destination.method,
    destination: maskedDestination(withdrawal.destination),
    comparison,
    requestedAt: withdrawal.createdAt.toISOString(),
  } as const
  return admins.map((userId) => ({ userId, content, dedupeKey: `withdrawal:${withdrawal.id}:${userId}` }))
}
