import { numberOf } from "../kit/arguments.ts"
import { type ConfirmFigures, confirmByServer } from "../kit/confirm-by-server.ts"
import { atLeast, atMost, type Job, type Row, shownOnly } from "../kit/job.ts"
import { openMarket } from "../kit/market.ts"
import { numberedUntil, numberingUs } from "../kit/number-again.ts"
import { openReferenceBooks } from "../kit/reference-books.ts"
import { restDatabase } from "../kit/rest-database.ts"
import { sealingUs } from "../kit/seal-again.ts"
import { median } from "../timings.ts"

const clients = 16
/** Upper bound for the transactions of one pgbench client per second. */
const mostOfClient = 600

interface Contest {
  server: ConfirmFigures[]
  m0: number[]
  s0: number[]
  b0: number[]
}

/** Arguments: `rounds=`, `payments=` per round, `seconds=` per pgbench run. */
export const job: Job = {
  title: "Payments confirmed by webhook",
  async run(args) {
    const rounds = numberOf(args, "rounds", 5)
    const payments = numberOf(args, "payments", 40_000)
    const seconds = numberOf(args, "seconds", 5)
    // Each pgbench client pays its own range of charges, after those of the batches.
    const span = mostOfClient * seconds
    const perRound = payments + 2 * clients * span
    const charges = payments * rounds
    const sellers = 1_000
    const market = await openMarket({ sellers, charges, hotCharges: charges, onceCharges: charges })
    const contests: [Contest, Contest] = [emptyContest(), emptyContest()]
    const once: ConfirmFigures[] = []
    /** Positions in the log before and after the last round's spread payments. */
    const events = { from: "0", to: "0" }
    let again = { eventsUs: Number.NaN, sealUs: Number.NaN }
    try {
      const server = await market.startServer()
      const size = { sellers, charges: rounds * perRound, hotCharges: rounds * perRound }
      const reference = await openReferenceBooks(await market.workshop.newFolder(), size)
      try {
        for (let round = 0; round < rounds; round += 1) {
          for (const [at, contest] of contests.entries()) {
            const first = at * charges + round * payments
            if (at === 0) events.from = await numberedUntil(market.query)
            contest.server.push(await confirmByServer(market, server, { first, last: first + payments - 1 }))
            if (at === 0) events.to = await numberedUntil(market.query)
            const base = (at * rounds + round) * perRound
            contest.b0.push(await reference.inBatches(base, payments))
            contest.m0.push(await reference.inTransactions({ base: base + payments, span }, seconds))
            contest.s0.push(await reference.inStatements({ base: base + payments + clients * span, span }, seconds))
            await reference.rest()
          }
          const first = contests.length * charges + round * payments
          once.push(await confirmByServer(market, server, { first, last: first + payments - 1 }))
        }
        await reference.check()
      } finally {
        await reference.close()
      }
      server.kill("SIGTERM")
      await server.exited
      await restDatabase(market.query)
      again = { sealUs: await sealingUs(market, events.from), eventsUs: await numberingUs(market, events) }
    } finally {
      await market.close()
    }
    return {
      rows: rowsOf({ spread: contests[0], hot: contests[1], once, ...again }),
      notes: [
        `${rounds} rounds that take turns, medians. ${payments.toLocaleString("en-US")} payments a round, each in a webhook of its own, over 128 connections; a round ends when the last payment stands in its seller's balance. M0, S0 and B0 book the least that a payment needs (an event that makes it unique, the charge as paid, three postings, the balance) on tables of their own that are none of ours, in a second PostgreSQL with the same settings on the same machine, vacuumed and written out before the product's next turn: ${clients} clients of pgbench, one transaction for each payment, as BEGIN, four statements, COMMIT (M0) or as one statement (S0), and statements of 200 payments, two under way at a time (B0). "Of it the event log" is PostgreSQL's CPU for numbering the spread payments of the last round again, a tenth of a second's at a time, after the server and a checkpoint have ended; sealing is the CPU of PostgreSQL and of the process that seals, for the rows of that round sealed once more in the same way. The other CPU and WAL are those of the server and of all of PostgreSQL, together with what goes on meanwhile: logs, mails, reconciliation. Whole pages are what PostgreSQL logs at the first change of a page after a checkpoint. "One payment a page": each completes a page that takes one, as pages do by default.`,
      ],
    }
  },
}

function emptyContest(): Contest {
  return { server: [], m0: [], s0: [], b0: [] }
}

interface Figures {
  spread: Contest
  hot: Contest
  once: ConfirmFigures[]
  eventsUs: number
  sealUs: number
}

function rowsOf({ spread, hot, once, eventsUs, sealUs }: Figures): Row[] {
  const rateOf = ({ server }: Contest) => median(server.map((each) => each.perSecond))
  const of = (pick: (each: ConfirmFigures) => number) => median(spread.server.map(pick))
  const ofOnce = (pick: (each: ConfirmFigures) => number) => median(once.map(pick))
  const spreadRate = { what: "1,000 sellers: confirmed and booked", figure: rateOf(spread), unit: "/s" }
  const hotRate = { what: "one seller: confirmed and booked", figure: rateOf(hot), unit: "/s" }
  const inAll = of((each) => each.serverUs + each.postgresUs)
  return [
    atLeast(4, { ...spreadRate, limit: { name: "M0", figure: median(spread.m0) } }),
    atLeast(2, { ...spreadRate, limit: { name: "S0", figure: median(spread.s0) } }),
    atLeast(0.5, { ...spreadRate, limit: { name: "B0", figure: median(spread.b0) } }),
    atMost(180, { what: "CPU of a payment, in all", figure: inAll, unit: "µs" }),
    shownOnly({ what: "of it the server", figure: of((each) => each.serverUs), unit: "µs" }),
    shownOnly({ what: "of it PostgreSQL", figure: of((each) => each.postgresUs), unit: "µs" }),
    atMost(15, { what: "of it the event log", figure: eventsUs, unit: "µs" }),
    shownOnly({ what: "of it sealing", figure: sealUs, unit: "µs" }),
    atMost(2, { what: "sealing, of the CPU in all", figure: (100 * sealUs) / inAll, unit: "%" }),
    atMost(1_500, {
      what: "WAL of a payment, without whole pages",
      figure: Math.round(of((each) => each.walBytes - each.imageBytes)),
      unit: "bytes",
    }),
    shownOnly({ what: "WAL of a payment", figure: Math.round(of((each) => each.walBytes)), unit: "bytes" }),
    shownOnly({ what: "webhook to its 200, p50", figure: of((each) => each.p50Ms), unit: "ms" }),
    shownOnly({ what: "webhook to its 200, p99", figure: of((each) => each.p99Ms), unit: "ms" }),
    atLeast(0.95, { ...hotRate, limit: { name: "spread", figure: rateOf(spread) } }),
    shownOnly({ ...hotRate, limit: { name: "M0, one seller", figure: median(hot.m0) } }),
    shownOnly({ ...hotRate, limit: { name: "S0, one seller", figure: median(hot.s0) } }),
    shownOnly({ ...hotRate, limit: { name: "B0, one seller", figure: median(hot.b0) } }),
    shownOnly({
      what: "one payment a page: confirmed and booked",
      figure: ofOnce((each) => each.perSecond),
      unit: "/s",
      limit: { name: "spread", figure: rateOf(spread) },
    }),
    shownOnly({ what: "CPU of one, in all", figure: ofOnce((each) => each.serverUs + each.postgresUs), unit: "µs" }),
    shownOnly({
      what: "WAL of one, without whole pages",
      figure: Math.round(ofOnce((each) => each.walBytes - each.imageBytes)),
      unit: "bytes",
    }),
    shownOnly({ what: "WAL of one", figure: Math.round(ofOnce((each) => each.walBytes)), unit: "bytes" }),
  ]
}
