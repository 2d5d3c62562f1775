import { numberOf } from "../kit/arguments.ts"
import { type ConfirmFigures, confirmByServer } from "../kit/confirm-by-server.ts"
import { confirmation } from "../kit/confirmation.ts"
import { atLeast, atMost, type Job, type Row, shownOnly } from "../kit/job.ts"
import { openMarket } from "../kit/market.ts"
import { pgbench } from "../kit/pgbench.ts"
import { median } from "../timings.ts"

const clients = 16
/** Upper bound for the transactions of one pgbench client per second. */
const mostOfClient = 400

interface Contest {
  server: ConfirmFigures[]
  m: number[]
  s: number[]
}

/** Arguments: `rounds=`, `payments=` per round, `seconds=` per pgbench run. */
export const job: Job = {
  title: "Payments confirmed by webhook",
  async run(args) {
    const rounds = numberOf(args, "rounds", 5)
    const payments = numberOf(args, "payments", 40_000)
    const seconds = numberOf(args, "seconds", 5)
    // Each pgbench client pays its own range of charges, after those of the server's rounds.
    const perRound = mostOfClient * seconds
    const span = perRound * rounds
    const charges = payments * rounds + 2 * clients * span
    const market = await openMarket({ sellers: 1_000, charges, hotCharges: charges })
    const spread: Contest = { server: [], m: [], s: [] }
    const hot: Contest = { server: [], m: [], s: [] }
    try {
      const server = await market.startServer()
      for (let round = 0; round < rounds; round += 1) {
        for (const [contest, from] of [[spread, 0] as const, [hot, charges] as const]) {
          const first = from + round * payments
          contest.server.push(await confirmByServer(market, server, { first, last: first + payments - 1 }))
          for (const [at, name] of (["m", "s"] as const).entries()) {
            const base = from + payments * rounds + at * clients * span + round * perRound
            const wish = { databaseUrl: market.databaseUrl, clients, seconds, variables: { base, span, i: 0 } }
            contest[name].push(await pgbench({ ...wish, script: confirmation[name] }))
          }
        }
      }
    } finally {
      await market.close()
    }
    return {
      rows: rowsOf(spread, hot),
      notes: [
        `${rounds} rounds that take turns, medians. ${payments.toLocaleString("en-US")} payments a round, each in a webhook of its own, over 128 connections; a round ends when the last payment stands in its seller's balance. M and S: pgbench does the booking alone, on the same tables with the same triggers, ${clients} clients, one transaction for each payment: BEGIN, five statements, COMMIT (M), or one statement (S). CPU is that of the server and of all of PostgreSQL, together with what goes on meanwhile: logs, mails, reconciliation.`,
      ],
    }
  },
}

function rowsOf(spread: Contest, hot: Contest): Row[] {
  const rateOf = ({ server }: Contest) => median(server.map((each) => each.perSecond))
  const of = (pick: (each: ConfirmFigures) => number) => median(spread.server.map(pick))
  const spreadRate = { what: "1,000 sellers: confirmed and booked", figure: rateOf(spread), unit: "/s" }
  const hotRate = { what: "one seller: confirmed and booked", figure: rateOf(hot), unit: "/s" }
  const inAll = of((each) => each.serverUs + each.postgresUs)
  return [
    atLeast(2, { ...spreadRate, limit: { name: "M", figure: median(spread.m) } }),
    atLeast(1.3, { ...spreadRate, limit: { name: "S", figure: median(spread.s) } }),
    atMost(110, { what: "CPU of a payment, in all", figure: inAll, unit: "µs" }),
    shownOnly({ what: "of it the server", figure: of((each) => each.serverUs), unit: "µs" }),
    shownOnly({ what: "of it PostgreSQL", figure: of((each) => each.postgresUs), unit: "µs" }),
    shownOnly({ what: "webhook to its 200, p50", figure: of((each) => each.p50Ms), unit: "ms" }),
    shownOnly({ what: "webhook to its 200, p99", figure: of((each) => each.p99Ms), unit: "ms" }),
    atLeast(0.9, { ...hotRate, limit: { name: "spread", figure: rateOf(spread) } }),
    atLeast(8, { ...hotRate, limit: { name: "S, one seller", figure: median(hot.s) } }),
    shownOnly({ ...hotRate, limit: { name: "M, one seller", figure: median(hot.m) } }),
  ]
}
