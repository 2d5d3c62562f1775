import type { Logger } from "pino"
import type { Db } from "#db/transaction"
import { askAboutDispute } from "#domain/money/disputes/reconcile-disputes"
import { settleToldPayouts } from "#domain/money/withdrawals/send-payouts"
import type { Clock } from "#kit/clock"
import type { Psp, ToldEvent } from "#psp/psp"
import type { Outcome } from "./finish-bundles.ts"
import { followCharges, followReceipts } from "./follow-receipts.ts"
import type { ReceiptLists } from "./receipt-lists.ts"

export interface InboxDeps {
  db: Db
  psp: Psp
  clock: Clock
  log: Logger
}

interface Deps extends InboxDeps {
  lists: ReceiptLists
}

/** What can't be asked now is tried again later; reconciliation finds it too. */
export async function processMessages(deps: Deps, bodies: readonly Buffer[]): Promise<Outcome[]> {
  const told = bodies.map((body) => deps.psp.eventsToldBy(body))
  const failed = await follow(
    deps,
    told.flatMap((events) => events ?? []),
  )
  return told.map((events) => {
    if (events === null) return "unreadable"
    return events.every((event) => !failed.has(event)) ? "settled" : "open"
  })
}

type Told<Kind extends ToldEvent["kind"]> = Extract<ToldEvent, { kind: Kind }>

/** What each kind of news leads to; each answers those that must be tried again. */
const followers: { [Kind in ToldEvent["kind"]]: (deps: Deps, events: Told<Kind>[]) => Promise<ToldEvent[]> } = {
  receipt: followReceipts,
  charge: followCharges,
  payout: followPayouts,
  dispute: followDisputes,
}

async function follow(deps: Deps, events: ToldEvent[]): Promise<Set<ToldEvent>> {
  const of = <Kind extends ToldEvent["kind"]>(kind: Kind) =>
    events.filter((event): event is Told<Kind> => event.kind === kind)
  const failed = [
    ...(await followers.receipt(deps, of("receipt"))),
    ...(await followers.charge(deps, of("charge"))),
    ...(await followers.payout(deps, of("payout"))),
    ...(await followers.dispute(deps, of("dispute"))),
  ]
  return new Set(failed)
}

/** Whatever the answer, the job that settles payouts goes on asking. */
async function followPayouts(deps: Deps, events: Told<"payout">[]): Promise<ToldEvent[]> {
  await settleToldPayouts(deps, [...new Set(events.map(({ payoutId }) => payoutId))])
  return []
}

async function followDisputes(deps: Deps, events: Told<"dispute">[]): Promise<ToldEvent[]> {
  const failed = new Set<string>()
  for (const disputeId of new Set(events.map((event) => event.disputeId))) {
    if (!(await askAboutDispute(deps, disputeId))) failed.add(disputeId)
  }
  return events.filter(({ disputeId }) => failed.has(disputeId))
}
