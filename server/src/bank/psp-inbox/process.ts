import type { Logger } from "pino"
import { isDatabaseDown } from "#db/database-down"
import { type Db, executeOne, type LookupDb } from "#db/transaction"
import { type Clock, secondsAfter } from "#kit/clock"
import { createMicroBatch } from "#kit/micro-batch"
import { askAboutDispute } from "#money/disputes/record"
import { askAboutRefusedPayouts, askAboutReturnedPayouts } from "#money/withdrawals/came-back"
import { settleReportedPayouts } from "#money/withdrawals/pay"
import type { Psp, ReportedEvent } from "#psp/psp"
import { hurryMandate } from "#selling/mandates/ask"
import { hurryDebit } from "#selling/mandates/run"
import { createReceiptLists, followCharges, followReceipts, type ReceiptLists } from "./follow-receipts.ts"
import {
  claimInboxBundles,
  type InboxBundle,
  markInboxProcessed,
  postponeInboxBundle,
  replaceInboxBundle,
} from "./table.ts"

/** Larger batches would only add latency. */
const BATCH = 200
/** One large batch costs less than two small ones, unless the bank is slow to answer the first. */
const PATIENCE_MS = 25
/** Upper bound for messages kept in memory; further ones wait in the table. */
const MOST_IN_HAND = 2_000
/** Longer than any bank takes to answer. The claims of a crashed process expire. */
export const claimSeconds = 30

/** Upper bound of one claim from the table. */
const claimable = { rows: BATCH, messages: 1_000 }

interface ClaimedMessage {
  body: Buffer
  claimedUntil: Date
}

export interface InboxWorker {
  /** The number of new messages that the worker would accept. */
  capacity(): number
  /** Processes a bundle that is already claimed for the worker. Returns at once. */
  take(bundle: ClaimedBundle): void
  /** Claims and processes waiting bundles until none are left. */
  workOff(): Promise<void>
  /** Finishes what has begun and releases the rest. */
  stop(): Promise<void>
}

/**
 * Processes webhook messages in batches. A webhook proves nothing: everything it reports is queried at the provider. A
 * failed batch is retried message by message, and those that fail again are claimed later.
 */
export function createInboxWorker(deps: InboxDeps): InboxWorker {
  const { db, psp, clock, log } = deps
  const lists = createReceiptLists(deps)
  const finish = bundleFinisher(deps)
  let inHand = 0
  let isStopping = false
  let onIdle: () => void = () => undefined

  async function run(messages: readonly ClaimedMessage[]): Promise<MessageOutcome[]> {
    const now = clock.now()
    const ours = isStopping ? [] : messages.filter(({ claimedUntil }) => now < claimedUntil)
    try {
      const bodies = ours.map(({ body }) => body)
      const outcomes = bodies.length === 0 ? [] : await processMessages({ ...deps, lists }, bodies)
      const outcomeOf = new Map(ours.map((message, at) => [message, outcomes[at]]))
      return messages.map((message) => outcomeOf.get(message) ?? "given-back")
    } catch (error) {
      log.error({ err: error, messages: messages.length }, "webhooks will be tried again")
      throw error
    }
  }

  const work = createMicroBatch<ClaimedMessage, MessageOutcome>({
    run,
    most: BATCH,
    slots: 4,
    patienceMs: PATIENCE_MS,
    failsAll: isDatabaseDown,
    callers: "none",
  })

  async function workOn(bundle: ClaimedBundle): Promise<void> {
    const { bodies, claimedUntil } = bundle
    const failures: unknown[] = []
    const orOpen = (error: unknown): MessageOutcome => {
      failures.push(error)
      return "open"
    }
    inHand += bodies.length
    try {
      const outcomes = await Promise.all(bodies.map((body) => work({ body, claimedUntil }).catch(orOpen)))
      await finish(bundle, outcomes)
    } finally {
      inHand -= bodies.length
      if (inHand === 0) onIdle()
    }
    if (failures.length > 0) throw failures[0]
  }

  async function claim(): Promise<ClaimedBundle[]> {
    const now = clock.now()
    const claimedUntil = secondsAfter(now, claimSeconds)
    const claim = { provider: psp.name, now, until: claimedUntil, ...claimable }
    const bundles = await db.transaction().execute((tx) => claimInboxBundles(tx, claim))
    return bundles.map((bundle) => ({ ...bundle, claimedUntil }))
  }

  return {
    capacity: () => (isStopping ? 0 : Math.max(0, MOST_IN_HAND - inHand)),
    take(bundle) {
      // Its batch has already reported the failure, and the bundle returns at the latest when its claim expires.
      void workOn(bundle).catch(() => undefined)
    },
    async workOff() {
      for (;;) {
        const bundles = await claim()
        const results = await Promise.allSettled(bundles.map(workOn))
        const failures = results.flatMap((result) => (result.status === "rejected" ? [result.reason as unknown] : []))
        if (failures.length > 0) throw new AggregateError(failures, "some webhooks will be retried")
        if (bundles.length === 0 || isStopping) return
      }
    },
    async stop() {
      isStopping = true
      if (inHand > 0) await new Promise<void>((resolve) => (onIdle = resolve))
    },
  }
}

export interface InboxDeps {
  db: LookupDb
  psp: Psp
  clock: Clock
  log: Logger
}

interface Deps extends InboxDeps {
  lists: ReceiptLists
}

/** Messages that can't be queried now are retried later; reconciliation finds their events too. */
async function processMessages(deps: Deps, bodies: readonly Buffer[]): Promise<MessageOutcome[]> {
  const reported = bodies.map((body) => deps.psp.eventsReportedBy(body))
  const failed = await follow(
    deps,
    reported.flatMap((events) => events ?? []),
  )
  return reported.map((events) => {
    if (events === null) return "unreadable"
    return events.every((event) => !failed.has(event)) ? "settled" : "open"
  })
}

type Reported<Kind extends ReportedEvent["kind"]> = Extract<ReportedEvent, { kind: Kind }>

/** The handler of each kind of event; each returns the events to retry. */
const followers: {
  [Kind in ReportedEvent["kind"]]: (deps: Deps, events: Reported<Kind>[]) => Promise<ReportedEvent[]>
} = {
  receipt: followReceipts,
  charge: followCharges,
  payout: followPayouts,
  dispute: followDisputes,
  recurrence: followRecurrences,
  debit: followDebits,
}

async function follow(deps: Deps, events: ReportedEvent[]): Promise<Set<ReportedEvent>> {
  const of = <Kind extends ReportedEvent["kind"]>(kind: Kind) =>
    events.filter((event): event is Reported<Kind> => event.kind === kind)
  const failed = [
    ...(await followers.receipt(deps, of("receipt"))),
    ...(await followers.charge(deps, of("charge"))),
    ...(await followers.payout(deps, of("payout"))),
    ...(await followers.dispute(deps, of("dispute"))),
    ...(await followers.recurrence(deps, of("recurrence"))),
    ...(await followers.debit(deps, of("debit"))),
  ]
  return new Set(failed)
}

/** A payout's end needs no retry, because the job that settles payouts keeps querying; what nobody queries does. */
async function followPayouts(deps: Deps, events: Reported<"payout">[]): Promise<ReportedEvent[]> {
  // Asked first: one that this very message ends as refused needs no second question.
  const unsure = await askAboutRefusedPayouts(deps, idsOf(events))
  await settleReportedPayouts(deps, idsOf(events))
  const back = events.filter(({ reportsReturn }) => reportsReturn === true)
  const failed = unsure.union(await askAboutReturnedPayouts(deps, idsOf(back)))
  return events.filter(({ payoutId }) => failed.has(payoutId))
}

function idsOf(events: Reported<"payout">[]): string[] {
  return [...new Set(events.map(({ payoutId }) => payoutId))]
}

async function followDisputes(deps: Deps, events: Reported<"dispute">[]): Promise<ReportedEvent[]> {
  const failed = new Set<string>()
  for (const disputeId of new Set(events.map((event) => event.disputeId))) {
    if (!(await askAboutDispute(deps, disputeId))) failed.add(disputeId)
  }
  return events.filter(({ disputeId }) => failed.has(disputeId))
}

/** The jobs that ask about them need no retry of a hint. */
async function followRecurrences(deps: Deps, events: Reported<"recurrence">[]): Promise<ReportedEvent[]> {
  for (const id of new Set(events.map(({ recurrenceId }) => recurrenceId))) await hurryMandate(deps, id)
  return []
}

async function followDebits(deps: Deps, events: Reported<"debit">[]): Promise<ReportedEvent[]> {
  for (const txid of new Set(events.map((event) => event.txid))) await hurryDebit(deps, txid)
  return []
}

/** The outcome of a message. `given-back` was never started. */
export type MessageOutcome = "settled" | "unreadable" | "open" | "given-back"

export interface ClaimedBundle extends InboxBundle {
  claimedUntil: Date
}

type FinishBundle = (bundle: ClaimedBundle, outcomes: readonly MessageOutcome[]) => Promise<void>

interface Done {
  id: number
  note: "unreadable" | null
}

const MARKED_AT_ONCE = 200
const longestPauseSeconds = 60

/**
 * Marks bundles as processed; the open messages of a bundle are retried, in a bundle of their own once the rest is
 * done.
 */
export function bundleFinisher({ db, clock }: { db: Db; clock: Clock }): FinishBundle {
  async function markAll(done: readonly Done[]): Promise<undefined[]> {
    for (const note of ["unreadable", null] as const) {
      const ids = done.flatMap((each) => (each.note === note ? [each.id] : []))
      if (ids.length > 0) await executeOne(db, markInboxProcessed(ids, clock.now(), note))
    }
    return done.map(() => undefined)
  }

  const mark = createMicroBatch<Done, void>({
    run: markAll,
    most: MARKED_AT_ONCE,
    slots: 1,
    callers: "none",
    failsAll: isDatabaseDown,
  })

  return async (bundle, outcomes) => {
    const { id, bodies, attempts, claimedUntil } = bundle
    const open = bodies.filter((_body, at) => outcomes[at] === "open" || outcomes[at] === "given-back")
    if (open.length === 0) {
      await mark({ id, note: outcomes.includes("unreadable") ? "unreadable" : null })
      return
    }
    const now = clock.now()
    const pauseSeconds = Math.min(2 ** attempts, longestPauseSeconds)
    const again = outcomes.includes("open")
      ? { at: secondsAfter(now, pauseSeconds), attempts, error: "no answer or not booked" }
      : { at: now, attempts: attempts - 1, error: null }
    if (open.length === bodies.length) {
      await db.transaction().execute((tx) => postponeInboxBundle(tx, id, claimedUntil, again))
    } else {
      await db.transaction().execute((tx) => replaceInboxBundle(tx, { id, open, now, again }))
    }
  }
}
