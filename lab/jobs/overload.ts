import { setTimeout as sleep } from "node:timers/promises"
import { adminToken } from "../kit/admin-token.ts"
import { numberOf } from "../kit/arguments.ts"
import type { MixFigures, MixWish } from "../kit/bank/mixed-load.ts"
import { askForReports, type ReportFigures, secondsUntilReport } from "../kit/impatient-admins.ts"
import { atMost, type Job, type Row, shownOnly } from "../kit/job.ts"
import { type Market, openMarket } from "../kit/market.ts"
import type { OpenLoopFigures } from "../kit/open-loop.ts"

const sellers = 1_000
const streams = ["confirm", "poll", "create"] as const
type Rates = Record<(typeof streams)[number], number>

const names = { confirm: "webhooks", poll: "polls", create: "creations" } as const
/** More than any machine of this kind can answer, in the proportions of the mixed load. */
const endless: Rates = { confirm: 20_000, poll: 66_670, create: 10_000 }
const usualConnections = 16
const times = 10
const admins = 40
const mostRecoverySeconds = 60

interface Figures {
  bearable: Rates
  usual: MixFigures
  overload: MixFigures
  seconds: number
  reports: ReportFigures
  reportAfter: number
  usualAfter: number
  unbooked: number
}

/** Arguments: `seconds=` of overload, `charges=` that can be paid meanwhile. */
export const job: Job = {
  title: "Ten times the load that it can bear",
  async run(args) {
    const seconds = numberOf(args, "seconds", 10)
    const charges = numberOf(args, "charges", 200_000)
    const market = await openMarket({ sellers, charges })
    try {
      const figures = await measure(market, { seconds, charges })
      return { rows: rowsOf(figures), notes: [noteOf(figures)] }
    } finally {
      await market.close()
    }
  },
}

async function measure(market: Market, { seconds, charges }: { seconds: number; charges: number }): Promise<Figures> {
  const server = await market.startServer()
  const token = await adminToken(market.query)
  const { port, path: webhookPath } = await market.webhookOf(server)
  let firstUnpaid = 0

  async function mix(
    rates: Rates,
    wish: Pick<MixWish, "seconds" | "whenBusy"> & { connections: number },
  ): Promise<MixFigures> {
    const stream = (perSecond: number) => ({ perSecond, connections: wish.connections })
    const sent = { confirm: stream(rates.confirm), poll: stream(rates.poll), create: stream(rates.create) }
    const figures = await market.bank.mix({ ...wish, ...sent, port, webhookPath, firstUnpaid, sellers, charges })
    firstUnpaid = figures.firstUnpaid
    return figures
  }

  const bearSeconds = Math.max(3, seconds / 2)
  const full = await mix(endless, { seconds: bearSeconds, whenBusy: "drop", connections: usualConnections })
  const bearable = rates((stream) => full[stream].answered / bearSeconds)
  await untilBooked(market, firstUnpaid)
  const quarter = { rates: rates((stream) => bearable[stream] / 4), connections: usualConnections }
  const usual = await mix(quarter.rates, { seconds: 3, whenBusy: "wait", ...quarter })

  const reporting = askForReports({ url: server.url, token, admins })
  const tenfold = rates((stream) => bearable[stream] * times)
  const overload = await mix(tenfold, { seconds, whenBusy: "drop", connections: usualConnections * times })
  const end = performance.now()
  const reports = await reporting.stop()

  const [reportAfter, usualAfter] = await Promise.all([
    secondsUntilReport({ url: server.url, token }),
    secondsUntilUsual(() => mix(quarter.rates, { seconds: 1, whenBusy: "wait", ...quarter }), usual, end),
  ])
  const unbooked = await untilBooked(market, firstUnpaid)
  if (firstUnpaid > charges) throw new Error(`all charges were paid before the end: charges=${firstUnpaid * 2}`)
  return { bearable, usual, overload, seconds, reports, reportAfter, usualAfter, unbooked }
}

function rates(of: (stream: (typeof streams)[number]) => number): Rates {
  return { confirm: of("confirm"), poll: of("poll"), create: of("create") }
}

/** A second counts as recovered when nothing fails and no 99th percentile exceeds twice its usual value. */
async function secondsUntilUsual(second: () => Promise<MixFigures>, usual: MixFigures, end: number): Promise<number> {
  for (;;) {
    const begun = (performance.now() - end) / 1000
    const now = await second()
    const isUsual = streams.every(
      (each) =>
        now[each].p99Ms <= Math.max(50, 2 * usual[each].p99Ms) &&
        now[each].refused === 0 &&
        Object.keys(now[each].failed).length === 0,
    )
    if (isUsual || begun > mostRecoverySeconds) return begun
  }
}

/** The number of charges paid at the bank but still not booked when the wait ends. */
async function untilBooked({ query }: Market, paid: number): Promise<number> {
  const giveUpAt = performance.now() + 120_000
  for (;;) {
    const [found] = await query<{ count: number }>(
      `select count(*) from charges where status = 'paid' and txid < 'bench${String(paid).padStart(27, "0")}'`,
    )
    const missing = paid - (found?.count ?? 0)
    if (missing === 0 || performance.now() > giveUpAt) return missing
    await sleep(250)
  }
}

function rowsOf(figures: Figures): Row[] {
  const { reports, reportAfter, usualAfter, unbooked } = figures
  return [
    ...streams.flatMap((stream) =>
      streamRows(names[stream], figures.bearable[stream], figures.overload[stream], figures),
    ),
    shownOnly({ what: "reports and exports answered", figure: reports.answered, unit: "answers" }),
    shownOnly({ what: "reports and exports refused, 503 with Retry-After", figure: reports.refused, unit: "answers" }),
    atMost(0, { what: "reports and exports failed otherwise", figure: reports.failed, unit: "answers" }),
    atMost(0, { what: "payments not booked in the end", figure: unbooked, unit: "payments" }),
    atMost(10, { what: "until a report is answered again", figure: reportAfter, unit: "s" }),
    atMost(10, { what: "until payers are served as usual", figure: usualAfter, unit: "s" }),
  ]
}

function streamRows(name: string, bearable: number, load: OpenLoopFigures, { seconds }: Figures): Row[] {
  const failures = Object.values(load.failed).reduce((sum, count) => sum + count, 0)
  const perSecond = (what: string, count: number) =>
    shownOnly({ what: `${name} ${what}`, figure: count / seconds, unit: "/s" })
  return [
    shownOnly({ what: `${name} that it can bear`, figure: bearable, unit: "/s" }),
    perSecond("answered under ten times as many", load.answered),
    perSecond("refused, 503", load.refused),
    shownOnly({ what: `${name} refused, p99 of the refusal`, figure: load.refusedP99Ms, unit: "ms" }),
    atMost(0, { what: `${name} failed`, figure: failures, unit: "answers" }),
    shownOnly({ what: `${name}, p50`, figure: load.p50Ms, unit: "ms" }),
    atMost(500, { what: `${name}, p99`, figure: load.p99Ms, unit: "ms" }),
  ]
}

function noteOf({ seconds, usual, reports }: Figures): string {
  const p99s = streams.map((stream) => `${names[stream]} ${usual[stream].p99Ms.toFixed(0)} ms`).join(", ")
  return `What it can bear: as much as it answers over ${usualConnections} connections for webhooks, polls and creations each. Then ${seconds} s of ten times as many of each a second, over ten times as many connections (who finds all taken never gets through), while ${admins} administrators insist on reports, searches, the audit and exports; those read: “${reports.message}”. As usual: a second at a quarter of what it can bear with no failure and no p99 beyond 50 ms or twice the one before (${p99s}).`
}
