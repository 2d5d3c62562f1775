import { isLiveMandate, type MandateStatus } from "@tilinta/contract/vocabulary/mandates"
import type { Logger } from "pino"
import type { Db, Tx } from "#db/transaction"
import { type Clock, secondsAfter, type Times, timesOf } from "#kit/clock"
import { DomainError, invariant } from "#kit/errors"
import { findShop } from "#people/shops/reads"
import { getUser } from "#people/users/reads"
import { appendEvents } from "#platform/event-log/append"
import { latestTime, type Psp, type PspAutomatic, PspError, type PspRecurrence, provenTimes } from "#psp/psp"
import { lockSubscription } from "#selling/subscriptions/manage"
import { getSubscription } from "#selling/subscriptions/reads"
import { notifyOfMandate, notifyOfUnfinished } from "./mails.ts"
import { findFirstCode, findUnaskedMandates, getMandate, listMandatesOf } from "./reads.ts"
import { isPending, type Mandate, mandateStatusOf } from "./rules.ts"
import { claimMandates, hurryMandateRow, lockMandateRow, setMandateAskAt, updateMandateRow } from "./table.ts"

export interface BankDeps {
  db: Db
  psp: Psp
  clock: Clock
  log: Logger
  payersUrl: string
}

const AT_ONCE = 8
const BATCH = 100
/** Longer than all that is asked of the bank in one turn. */
export const LEASE_SECONDS = 60
/** The bank's lists have a new one by then. */
const SEARCH_AGAIN_SECONDS = 60
const ASK_WAITING_SECONDS = 300
const ASK_LIVE_SECONDS = 86_400
const UNASKED_SECONDS = 3 * 86_400
/** An authorisation comes with its payment, or within minutes. */
const UNFINISHED_SECONDS = 600

/** Asks the bank about authorisations: what it didn't answer, what is waited for, and once a day what lives. */
export async function askAboutMandates(deps: BankDeps): Promise<void> {
  if (deps.psp.automatic === null) return
  for (;;) {
    const now = deps.clock.now()
    const claim = { provider: deps.psp.name, now, until: secondsAfter(now, LEASE_SECONDS), atMost: AT_ONCE }
    const ids = await deps.db.transaction().execute((tx) => claimMandates(tx, claim))
    await Promise.all(ids.map((id) => askUnlessSilent(deps, id)))
    if (ids.length < AT_ONCE) return
  }
}

/** At once, for whoever waits for it; what the bank doesn't answer is left to the job. */
export async function askBankOf(deps: BankDeps, id: string): Promise<void> {
  const until = secondsAfter(deps.clock.now(), LEASE_SECONDS)
  await deps.db.transaction().execute((tx) => setMandateAskAt(tx, id, until))
  await askUnlessSilent(deps, id)
}

/** A hint proves nothing: the bank is asked soon. */
export async function hurryMandate({ db, clock }: Pick<BankDeps, "db" | "clock">, recurrenceId: string): Promise<void> {
  await db.transaction().execute((tx) => hurryMandateRow(tx, recurrenceId, clock.now()))
}

async function askUnlessSilent(deps: BankDeps, id: string): Promise<void> {
  try {
    await ask(deps, id)
  } catch (error) {
    if (!(error instanceof PspError)) throw error
    if (error.failure === "rejected")
      deps.log.error(
        { err: error, alarm: "mandate_refused", mandateId: id },
        "the bank refuses what an authorisation needs",
      )
    else deps.log.warn({ err: error, mandateId: id }, "the bank didn't answer about an authorisation")
  }
}

async function ask(deps: BankDeps, id: string): Promise<void> {
  const { automatic } = deps.psp
  const mandate = await getMandate(deps.db, id)
  if (automatic === null || mandate.provider !== deps.psp.name || !isLiveMandate(mandate.status)) return
  if (mandate.recurrenceId === null) await make(deps, automatic, mandate)
  else if (mandate.cancelSince !== null) await end(deps, automatic, mandate, mandate.recurrenceId)
  else await read(deps, automatic, mandate, mandate.recurrenceId)
}

/** Making one isn't idempotent: unless it was just stored, the bank is searched for it first, twice. */
async function make(deps: BankDeps, automatic: PspAutomatic, mandate: Mandate): Promise<void> {
  const now = deps.clock.now()
  const isUntried = mandate.missedAt === null && mandate.updatedAt.getTime() === mandate.createdAt.getTime()
  if (!isUntried) {
    const [found] = await search(deps, automatic, mandate)
    if (found !== undefined) return keep(deps, mandate, found)
    const isSureSince = mandate.missedAt === null ? null : secondsAfter(mandate.missedAt, SEARCH_AGAIN_SECONDS)
    if (isSureSince === null || now < isSureSince)
      return note(deps, mandate, { missedAt: mandate.missedAt ?? now }, SEARCH_AGAIN_SECONDS)
    if (mandate.cancelSince !== null || now >= mandate.expiresAt)
      return conclude(deps, mandate, "cancelled_by_us", null)
  }
  if (!(await beginMaking(deps, mandate))) return
  const created = await createUnlessRefused(deps, automatic, mandate)
  if (created === null) return
  await keep(deps, mandate, created)
}

/** From here on the bank may know it: whoever comes next searches. False for the second of two at once. */
function beginMaking(deps: BankDeps, mandate: Mandate): Promise<boolean> {
  return deps.db.transaction().execute((tx) => noteTry(tx, mandate, deps.clock.now()))
}

async function noteTry(tx: Tx, { id, updatedAt }: Mandate, now: Date): Promise<boolean> {
  await lockMandateRow(tx, id)
  const mandate = await getMandate(tx, id)
  if (!isLiveMandate(mandate.status) || mandate.updatedAt.getTime() !== updatedAt.getTime()) return false
  const tried = { ...mandate, updatedAt: secondsAfter(now, 0.001), missedAt: null }
  await updateMandateRow(tx, tried, secondsAfter(now, LEASE_SECONDS))
  return true
}

async function createUnlessRefused(
  deps: BankDeps,
  automatic: PspAutomatic,
  mandate: Mandate,
): Promise<PspRecurrence | null> {
  const { contract, amountCents, startsOn, retryPolicy, firstTxid } = mandate
  const { customer, period, endsOn, title, sellerId } = await getSubscription(deps.db, mandate.subscriptionId)
  const [shop, seller] = await Promise.all([findShop(deps.db, sellerId), getUser(deps.db, sellerId)])
  try {
    return await automatic.createRecurrence({
      contract,
      object: objectOf(shop?.name ?? seller.name, title),
      debtor: { name: customer.name, document: customer.document ?? "" },
      amountCents,
      period,
      firstDay: startsOn,
      lastDay: endsOn,
      retryPolicy,
      firstTxid,
    })
  } catch (error) {
    if (!(error instanceof PspError && error.failure === "rejected")) throw error
    deps.log.warn({ err: error, mandateId: mandate.id }, "the bank refused to make an authorisation")
    await conclude(deps, mandate, "cancelled_by_us", null)
    throw new DomainError("psp_refused", { message: refusedSeller, cause: error })
  }
}

// The default words are for payers; here it is the seller who asks.
const refusedSeller = "O banco recusou esta autorização e nada foi cobrado. Fale com o suporte da plataforma."

const OBJECT_MAX = 35

/** The customer's bank shows it with the platform's name. */
function objectOf(seller: string, title: string): string {
  const whole = `${seller}: ${title}`
  return whole.length <= OBJECT_MAX ? whole : whole.slice(0, OBJECT_MAX).trimEnd()
}

async function keep(deps: BankDeps, mandate: Mandate, { recurrenceId }: PspRecurrence): Promise<void> {
  await note(deps, mandate, { recurrenceId, status: "waiting" }, ASK_WAITING_SECONDS)
  const kept = await getMandate(deps.db, mandate.id)
  const { automatic } = deps.psp
  invariant(automatic !== null, "the provider has authorisations")
  if (kept.cancelSince === null) await read(deps, automatic, kept, recurrenceId)
}

async function search(deps: BankDeps, automatic: PspAutomatic, { contract, createdAt }: Mandate) {
  // A bank whose clock is ahead lists it under a later time.
  const window = { from: secondsAfter(createdAt, -3600), to: secondsAfter(latestTime(deps), 3600) }
  return (await automatic.findRecurrencesByContract(contract, window)).filter((found) => found.contract === contract)
}

async function read(deps: BankDeps, automatic: PspAutomatic, mandate: Mandate, recurrenceId: string): Promise<void> {
  const times = provenTimes(deps)
  const first = mandate.firstTxid === null ? null : await findFirstCode(deps.db, mandate.firstTxid, times.now)
  const found = await automatic.findRecurrence(
    recurrenceId,
    first?.isOpen ? (mandate.firstTxid ?? undefined) : undefined,
  )
  if (found === null || found.contract !== mandate.contract) {
    deps.log.error(
      { alarm: "mandate_unknown", mandateId: mandate.id },
      "the bank doesn't know an authorisation of ours",
    )
    return note(deps, mandate, {}, ASK_WAITING_SECONDS)
  }
  const status = mandateStatusOf(found)
  if (mandate.status === "waiting") {
    const kept = await endOthers(deps, automatic, mandate, found)
    if (kept !== recurrenceId) return note(deps, mandate, { recurrenceId: kept }, 0)
  }
  if (status === "approved") {
    if (mandate.status === "approved") return note(deps, mandate, {}, ASK_LIVE_SECONDS)
    const known = await findOtherApproved(deps, automatic, mandate)
    const { approvedAt } = found
    return deps.db.transaction().execute((tx) => approve(tx, deps, mandate.id, { approvedAt, known }))
  }
  if (isEnded(status)) return conclude(deps, mandate, status, found.ended?.code ?? null)
  if (mandate.status === "approved") return note(deps, mandate, {}, ASK_WAITING_SECONDS)
  if (times.now >= mandate.expiresAt) return end(deps, automatic, mandate, recurrenceId)
  if (first?.paidAt && times.now >= secondsAfter(first.paidAt, UNFINISHED_SECONDS)) {
    await deps.db.transaction().execute((tx) => notifyOfUnfinished(tx, mandate, times.now))
  }
  await note(deps, mandate, { pixCode: found.pixCode ?? mandate.pixCode }, ASK_WAITING_SECONDS)
}

/**
 * One that was made twice: of two of one contract only one may live, the older one that the customer gave, else the one with
 * the lowest id, which is the bank's day first: whoever made either keeps the same one.
 */
async function endOthers(
  deps: BankDeps,
  automatic: PspAutomatic,
  mandate: Mandate,
  ours: PspRecurrence,
): Promise<string> {
  const found = await search(deps, automatic, mandate)
  const given = found
    .filter(({ state }) => state === "approved")
    .toSorted((one, other) => (one.approvedAt?.getTime() ?? 0) - (other.approvedAt?.getTime() ?? 0))
  const open = found.filter(({ state }) => state === "created").map(({ recurrenceId }) => recurrenceId)
  const isOursOpen = ours.state === "created" || ours.ended?.by === "us"
  if (ours.state === "created") open.push(ours.recurrenceId)
  const [first] = isOursOpen ? open.toSorted() : []
  const kept = given[0]?.recurrenceId ?? first ?? ours.recurrenceId
  for (const { recurrenceId, state } of found) {
    if (recurrenceId === kept || (state !== "created" && state !== "approved")) continue
    const facts = { alarm: "mandate_twice", mandateId: mandate.id, recurrenceId }
    deps.log.error(facts, "an authorisation is at the bank twice: one is cancelled")
    await automatic.cancelRecurrence(recurrenceId)
  }
  return kept
}

async function end(deps: BankDeps, automatic: PspAutomatic, mandate: Mandate, recurrenceId: string): Promise<void> {
  const outcome = await automatic.cancelRecurrence(recurrenceId)
  const found = outcome === "ended" ? await automatic.findRecurrence(recurrenceId) : null
  const isOver = mandate.cancelSince === null
  const status = found === null ? (isOver ? "expired" : "cancelled_by_us") : mandateStatusOf(found)
  if (!isEnded(status)) return note(deps, mandate, {}, LEASE_SECONDS)
  await conclude(deps, mandate, status, found?.ended?.code ?? null)
}

async function note(deps: BankDeps, { id }: Mandate, change: Partial<Mandate>, seconds: number): Promise<void> {
  const { now } = timesOf(deps.clock)
  await deps.db.transaction().execute((tx) => noteChange(tx, id, change, secondsAfter(now, seconds)))
}

async function noteChange(tx: Tx, id: string, change: Partial<Mandate>, askAt: Date): Promise<void> {
  await lockMandateRow(tx, id)
  const mandate = await getMandate(tx, id)
  if (isLiveMandate(mandate.status)) await updateMandateRow(tx, { ...mandate, ...change }, askAt)
}

/** Subscriptions are locked before mandates. */
async function lockBoth(tx: Tx, id: string): Promise<Mandate> {
  const { subscriptionId } = await getMandate(tx, id)
  await lockSubscription(tx, subscriptionId)
  await lockMandateRow(tx, id)
  return getMandate(tx, id)
}

/** Those that the bank still calls approved: it knows none of another account. */
async function findOtherApproved(deps: BankDeps, automatic: PspAutomatic, mandate: Mandate): Promise<string[]> {
  const ids: string[] = []
  for (const { id, recurrenceId, provider, status } of await listMandatesOf(deps.db, mandate.subscriptionId)) {
    if (id === mandate.id || recurrenceId === null || provider !== mandate.provider || status !== "approved") continue
    try {
      if ((await automatic.findRecurrence(recurrenceId))?.state === "approved") ids.push(id)
    } catch (error) {
      // Some banks refuse what is of another account.
      if (!(error instanceof PspError && error.failure === "rejected")) throw error
    }
  }
  return ids
}

/** The new one takes the place of one of another amount; of two of one amount the older lives, where the bank knows it. */
async function approve(
  tx: Tx,
  deps: BankDeps,
  id: string,
  { approvedAt, known }: { approvedAt: Date | null; known: readonly string[] },
): Promise<void> {
  const times = timesOf(deps.clock)
  const before = await lockBoth(tx, id)
  if (!isPending(before)) return
  const others = (await listMandatesOf(tx, before.subscriptionId)).filter(
    ({ id: other, status }) => other !== id && status === "approved",
  )
  const isSecond = others.some(
    ({ id: other, amountCents, cancelSince, restsFor }) =>
      amountCents === before.amountCents && cancelSince === null && restsFor === null && known.includes(other),
  )
  const after: Mandate = {
    ...before,
    status: "approved",
    approvedAt: approvedAt ?? times.now,
    cancelSince: isSecond ? times.now : null,
    updatedAt: times.now,
  }
  await updateMandateRow(tx, after, isSecond ? times.now : secondsAfter(times.now, ASK_LIVE_SECONDS))
  if (isSecond) {
    deps.log.error(
      { alarm: "mandate_twice", mandateId: id },
      "a subscription has two authorisations: the newer is cancelled",
    )
    return
  }
  for (const other of others) {
    const replaced = { ...other, cancelSince: other.cancelSince ?? times.now, updatedAt: times.now }
    await updateMandateRow(tx, replaced, times.now)
  }
  await appendEvents(tx, "mandate.approved", [id], times.due)
  await notifyOfMandate(tx, after, "approved", { payersUrl: deps.payersUrl, times })
}

type Ended = Exclude<MandateStatus, "draft" | "waiting" | "approved">

function isEnded(status: MandateStatus): status is Ended {
  return !isLiveMandate(status)
}

/** A bank that isn't asked any more tells no end. It may be back after a mistake in the configuration, so those that live wait for it. */
export async function endUnasked(deps: BankDeps): Promise<void> {
  const provider = deps.psp.automatic === null ? null : deps.psp.name
  const since = secondsAfter(provenTimes(deps).now, -UNASKED_SECONDS)
  for (;;) {
    const ids = await findUnaskedMandates(deps.db, { provider, since, atMost: BATCH })
    for (const id of ids) {
      const mandate = await getMandate(deps.db, id)
      const isExpired = isPending(mandate)
      const isByUs = mandate.cancelSince !== null || mandate.recurrenceId === null
      await conclude(deps, mandate, isByUs ? "cancelled_by_us" : isExpired ? "expired" : "cancelled_by_bank", null)
    }
    if (ids.length < BATCH) return
  }
}

async function conclude(deps: BankDeps, { id }: Mandate, status: Ended, code: string | null): Promise<void> {
  await deps.db.transaction().execute((tx) => concludeLocked(tx, deps, id, { status, code }, timesOf(deps.clock)))
}

const eventOf = {
  rejected: "mandate.rejected",
  expired: "mandate.expired",
  cancelled_by_payer: "mandate.cancelled",
  cancelled_by_us: "mandate.cancelled",
  cancelled_by_bank: "mandate.cancelled",
} as const

/** The job of debits cancels what it was to debit, which goes by link. */
async function concludeLocked(
  tx: Tx,
  { payersUrl }: BankDeps,
  id: string,
  { status, code }: { status: Ended; code: string | null },
  times: Times,
): Promise<void> {
  const before = await lockBoth(tx, id)
  if (!isLiveMandate(before.status)) return
  const after: Mandate = { ...before, status, endedCode: code, endedAt: times.now, updatedAt: times.now }
  await updateMandateRow(tx, after)
  await appendEvents(tx, eventOf[status], [id], times.due)
  const isReplaced = (await listMandatesOf(tx, before.subscriptionId)).some((other) => other.status === "approved")
  if (!isReplaced) await notifyOfMandate(tx, after, status, { payersUrl, times })
}
