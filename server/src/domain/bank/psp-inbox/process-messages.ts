import type { Logger } from "pino"
import type { LookupDb } from "#db/transaction"
import { askAboutDispute } from "#domain/money/disputes/reconcile-disputes"
import type { Clock } from "#kit/clock"
import { askAboutRefusedPayouts, askAboutReturnedPayouts } from "#money/withdrawals/came-back"
import { settleReportedPayouts } from "#money/withdrawals/pay"
import type { Psp, ReportedEvent } from "#psp/psp"
import type { MessageOutcome } from "./finish-bundles.ts"
import { followCharges, followReceipts } from "./follow-receipts.ts"
import type { ReceiptLists } from "./receipt-lists.ts"

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
export async function processMessages(deps: Deps, bodies: readonly Buffer[]): Promise<MessageOutcome[]> {
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
}

async function follow(deps: Deps, events: ReportedEvent[]): Promise<Set<ReportedEvent>> {
  const of = <Kind extends ReportedEvent["kind"]>(kind: Kind) =>
    events.filter((event): event is Reported<Kind> => event.kind === kind)
  const failed = [
    ...(await followers.receipt(deps, of("receipt"))),
    ...(await followers.charge(deps, of("charge"))),
    ...(await followers.payout(deps, of("payout"))),
    ...(await followers.dispute(deps, of("dispute"))),
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
