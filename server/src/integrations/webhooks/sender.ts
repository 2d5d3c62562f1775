import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises"
import { bulkhead } from "cockatiel"
import { isDatabaseDown } from "#db/database-down"
import { type Db, executeOne } from "#db/transaction"
import { type Clock, createPause, secondsAfter } from "#kit/clock"
import { invariant } from "#kit/errors"
import type { Logger } from "#kit/log"
import { createMicroBatch } from "#kit/micro-batch"
import type { OutsideAccess } from "#kit/outside"
import type { SecretKeys } from "#kit/secrets"
import { challengeEndpoint } from "./confirm.ts"
import { attemptDelivery, type Message, readMessages, recordOutcomes, type Sent, type WriteEvent } from "./deliver.ts"
import { type ClaimedDelivery, claimDeliveries, findDueDeliveries } from "./deliveries-table.ts"
import { createLanes, type Known, type Place, type Side, sideOf, sides } from "./lanes.ts"
import { leaseSeconds } from "./rules.ts"
import { createWebhookSecretReader, signingSecrets } from "./secrets.ts"
import { claimUnconfirmed } from "./table.ts"

interface Deps {
  db: Db
  /** The machine's, for signatures. */
  clock: Clock
  /** The schedule's: the sandbox moves it. */
  dueClock: Clock
  log: Logger
  outside: OutsideAccess
  secretKeys: SecretKeys
  writeEvent: WriteEvent
}

export interface WebhookSender {
  /**
   * Starts what is due to these endpoints, or to all, and may be sent; returns before it is sent, and never waits for what is
   * due to endpoints in trouble.
   */
  startDue(endpointIds?: Iterable<string>): Promise<void>
  /** Starts the challenges that are due, and returns before they are answered. */
  startChallenges(): Promise<void>
  /** Resolves when nothing is being sent. */
  idle(): Promise<void>
  /** Gives what is being sent a moment; the rest is sent again once its lease expires. */
  stop(): Promise<void>
}

/** Places that become free within it are filled by one visit of all endpoints, which costs more than any of them waits. */
const REFILL_MS = 100
const STOP_MS = 3_000
/** Challenges under way at once: addresses that nobody has confirmed take no place of those that were. */
const CHALLENGES = 20

/**
 * Sends deliveries, bounded for each lane and each endpoint: however many dead or slow endpoints there are, a living one finds
 * a free place at once. Those in trouble are claimed apart, so that their claims, however many, stand before no other's.
 */
export function createWebhookSender(deps: Deps): WebhookSender {
  const { log } = deps
  const lanes = createLanes()
  const sends = new Set<Promise<void>>()
  const send = sending(deps)
  const well = createClaims((ids) => startSome("well", ids))
  const troubled = createClaims((ids) => startSome("troubled", ids))
  const claimsOf = { well, troubled }
  const refills = {
    well: createPause(REFILL_MS, () => wake("well")),
    troubled: createPause(REFILL_MS, () => wake("troubled")),
  }
  let isStopping = false
  let challenges = 0
  let later: NodeJS.Timeout | undefined

  async function startSome(side: Side, endpointIds: string[] | null): Promise<void> {
    if (isStopping) return
    const capacities = lanes.capacities(side)
    if (side === "well") wakeLater(lanes.patienceMs())
    if (capacities.length === 0) return
    const known = { capacities, inFlight: lanes.inFlight(), endpointIds }
    const claimed = await claim(deps, known)
    const countIn = (lane: string) => claimed.filter((delivery) => delivery.lane === lane).length
    if (capacities.some(({ lane, capacity }) => countIn(lane) === capacity)) refills[side].ask()
    const places = lanes.take(claimed, known)
    const readMessage = messageReaderOf(deps, claimed)
    for (const [at, delivery] of claimed.entries()) begin(delivery, () => readMessage(delivery), places[at])
  }

  /** A place may become free while nobody answers. */
  function wakeLater(ms: number | null): void {
    clearTimeout(later)
    if (ms !== null && !isStopping) later = setTimeout(() => wake("well"), ms).unref()
  }

  function track(work: Promise<void>, facts: object, onEnd: () => void): void {
    const sent = work
      .catch((error: unknown) => {
        if (!isStopping) log.warn({ err: error, ...facts }, "a webhook is sent again after its lease")
      })
      .finally(() => {
        sends.delete(sent)
        onEnd()
      })
    sends.add(sent)
  }

  function begin(delivery: ClaimedDelivery, readMessage: ReadMessage, place: Place | undefined): void {
    invariant(place !== undefined, "each claimed delivery has a place")
    track(send(delivery, readMessage, place), { delivery: delivery.id }, () => {
      const due = place.leave()
      if (due === "anybody") refills[sideOf(delivery.lane)].ask()
      // An answer may have brought it to the other side.
      if (due === "endpoint") for (const side of sides) wake(side, [delivery.endpointId])
    })
  }

  async function startChallenges(): Promise<void> {
    if (isStopping || challenges >= CHALLENGES) return
    const now = deps.dueClock.now()
    const lease = { now, until: secondsAfter(now, leaseSeconds), limit: CHALLENGES - challenges }
    const due = await deps.db.transaction().execute((tx) => claimUnconfirmed(tx, lease))
    for (const signer of due) {
      challenges += 1
      track(
        challengeEndpoint(deps, signer).then(() => undefined),
        { webhook: signer.endpointId },
        () => {
          challenges -= 1
          wake("well", [signer.endpointId])
        },
      )
    }
  }

  /** Starts what was held back, without waiting for the job's next run. */
  function wake(side: Side, endpointIds?: Iterable<string>): void {
    claimsOf[side].ask(endpointIds).catch((error: unknown) => {
      if (!isStopping) log.warn({ err: error }, "deliveries could not be claimed")
    })
  }

  async function idle(): Promise<void> {
    while (well.isBusy() || troubled.isBusy() || sends.size > 0 || sides.some((side) => refills[side].isRequested())) {
      await Promise.allSettled([well.last(), troubled.last(), ...sends])
      if (sides.some((side) => refills[side].isRequested())) await sleep(REFILL_MS)
    }
  }

  return {
    async startDue(endpointIds) {
      wake("troubled", endpointIds)
      await well.ask(endpointIds)
    },
    startChallenges,
    idle,
    async stop() {
      isStopping = true
      for (const side of sides) refills[side].stop()
      await Promise.race([idle(), sleep(STOP_MS, undefined, { ref: false })])
    },
  }
}

interface Claims {
  /** Resolves once what is due to these endpoints, or to all, was claimed; what is asked meanwhile shares the next claim. */
  ask(endpointIds?: Iterable<string>): Promise<void>
  isBusy(): boolean
  last(): Promise<void>
}

/** One after another, as each must know the places that those before it took. */
function createClaims(claimSome: (endpointIds: string[] | null) => Promise<void>): Claims {
  const wanted = createWanted()
  let last = Promise.resolve()
  let coming: Promise<void> | null = null
  let underWay = 0

  async function claimAfter(before: Promise<void>): Promise<void> {
    underWay += 1
    try {
      await before.catch(() => undefined)
      coming = null
      await claimSome(wanted.take())
    } finally {
      underWay -= 1
    }
  }

  return {
    async ask(endpointIds) {
      wanted.add(endpointIds)
      if (!wanted.isAny()) return
      if (coming === null) last = coming = claimAfter(last)
      await coming
    },
    isBusy: () => underWay > 0,
    last: () => last,
  }
}

/** The endpoints to claim for. All of them costs a visit of each that has something queued. */
function createWanted() {
  let ids: Set<string> | null = new Set()
  return {
    add(more?: Iterable<string>): void {
      if (more === undefined) ids = null
      else for (const id of more) ids?.add(id)
    },
    isAny: () => ids?.size !== 0,
    /** Null for all. */
    take(): string[] | null {
      const taken = ids && [...ids]
      ids = new Set()
      return taken
    },
  }
}

async function claim({ db, dueClock }: Deps, known: Known): Promise<ClaimedDelivery[]> {
  const now = dueClock.now()
  const due = await findDueDeliveries(db, { ...known, now })
  return due.length === 0 ? [] : executeOne(db, claimDeliveries(due, { now, until: secondsAfter(now, leaseSeconds) }))
}

type ReadMessage = () => Promise<Message | undefined>

/** Reads each seller's messages once, whichever endpoints they are for, when the first of them is asked for. */
function messageReaderOf(deps: Deps, claimed: readonly ClaimedDelivery[]) {
  const sequencesOf = Map.groupBy(claimed, ({ sellerId }) => sellerId)
  const read = new Map<string, Promise<Map<number, Message>>>()
  return async ({ sellerId, sequence }: ClaimedDelivery): Promise<Message | undefined> => {
    const sequences = sequencesOf.get(sellerId)?.map((delivery) => delivery.sequence) ?? []
    const messages = read.get(sellerId) ?? readMessages(deps, sellerId, sequences)
    read.set(sellerId, messages)
    return (await messages).get(sequence)
  }
}

/** Messages of endpoints that aren't known to answer at once are prepared so many at a time. */
const PREPARED_ASIDE = 2

/** Tries one delivery and records what came of it. */
function sending(deps: Deps) {
  const { db, clock, dueClock } = deps
  const open = createWebhookSecretReader(deps.secretKeys)
  const record = createMicroBatch<Sent, undefined>({
    most: 100,
    slots: 2,
    callers: "none",
    failsAll: isDatabaseDown,
    async run(sent) {
      await db.transaction().execute((tx) => recordOutcomes(tx, sent))
      return sent.map(() => undefined)
    },
  })
  // A hundred dying endpoints that are due together would otherwise keep a living one's message waiting for theirs.
  const aside = bulkhead(PREPARED_ASIDE, Number.POSITIVE_INFINITY)
  return async (delivery: ClaimedDelivery, readMessage: ReadMessage, place: Place): Promise<void> => {
    const message = await (delivery.lane === "fast"
      ? readMessage()
      : aside.execute(() => readMessage().finally(nextTurn)))
    if (message === undefined) return
    const secrets = signingSecrets(open, delivery, clock.now())
    place.begin()
    const outcome = await attemptDelivery(deps, { ...delivery, secrets }, message, place.signal)
    place.end({ isGood: outcome.problem === null })
    await record({ delivery, outcome, endedAt: dueClock.now() })
  }
}
