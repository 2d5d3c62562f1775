import { untilAnnounced } from "../crash-tests/server-process.ts"
import { numberOf } from "../kit/arguments.ts"
import { openBooking } from "../kit/book-in-bench.ts"
import { countStale } from "../kit/count-stale.ts"
import { atLeast, atMost, type Job, shownOnly } from "../kit/job.ts"
import { type Market, openMarket } from "../kit/market.ts"
import { payer } from "../kit/payers.ts"
import { cpuSeconds, postgresCpuSeconds } from "../kit/process-figures.ts"
import { wrk } from "../kit/wrk.ts"
import { median } from "../timings.ts"

interface Figures {
  perSecond: number
  perCpuSecond: number
  postgresUs: number
}

const connections = 64

/** Arguments: `rounds=`, `seconds=` per measurement, `charges=` to poll, `stale=` bookings to watch. */
export const job: Job = {
  title: "payment-status, right after commit never stale",
  async run(args) {
    const rounds = numberOf(args, "rounds", 5)
    const seconds = numberOf(args, "seconds", 5)
    const charges = numberOf(args, "charges", 10_000)
    const watched = numberOf(args, "stale", 1_000)
    const market = await openMarket({ sellers: 1_000, charges: 2 * charges + watched })
    const booking = openBooking(market.databaseUrl)
    try {
      const [a, b] = await Promise.all([market.startServer(), market.startServer()])
      const fixed = market.workshop.run("server/test-support/static-route.ts", {})
      const fixedPort = Number(await untilAnnounced(fixed, /^static route at (\d+)$/m))
      const port = Number(new URL(a.url).port)
      const range = { first: 2 * charges, last: 2 * charges + watched - 1 }
      const stale = await countStale(booking, [port, Number(new URL(b.url).port)], range)
      await booking.book(Array.from({ length: charges }, (_, n) => charges + n))

      const pending = { pid: a.pid, port, first: 0, charges, seconds }
      const paid = { ...pending, first: charges }
      const limit = { ...pending, pid: fixed.pid, port: fixedPort }
      const figures = { limit: [] as Figures[], pending: [] as Figures[], paid: [] as Figures[] }
      // Warm-up for the compilers: rounds measure steady state.
      for (const each of [limit, pending, paid]) await measure(market, { ...each, seconds: 3 })
      for (let round = 0; round < rounds; round += 1) {
        figures.limit.push(await measure(market, limit))
        figures.pending.push(await measure(market, pending))
        figures.paid.push(await measure(market, paid))
      }
      const of = (name: keyof typeof figures, pick: keyof Figures) => median(figures[name].map((each) => each[pick]))
      const fast = { name: "static Fastify route", figure: of("limit", "perSecond") }
      const cheap = { name: "static Fastify route", figure: of("limit", "perCpuSecond") }
      return {
        rows: [
          atLeast(0.7, { what: "pending charges", figure: of("pending", "perSecond"), unit: "/s", limit: fast }),
          atLeast(0.7, { what: "paid charges", figure: of("paid", "perSecond"), unit: "/s", limit: fast }),
          shownOnly({
            what: "pending, by a second of the server's CPU",
            figure: of("pending", "perCpuSecond"),
            unit: "",
            limit: cheap,
          }),
          shownOnly({
            what: "paid, by a second of the server's CPU",
            figure: of("paid", "perCpuSecond"),
            unit: "",
            limit: cheap,
          }),
          shownOnly({ what: "PostgreSQL for a pending one", figure: of("pending", "postgresUs"), unit: "µs" }),
          atMost(0, { what: "stale answers of two nodes", figure: stale.stale, unit: "" }),
          shownOnly({ what: "answers watched for it", figure: stale.asked, unit: "" }),
        ],
        notes: [
          `${rounds} rounds that take turns, medians; wrk over ${connections} connections, ${charges.toLocaleString("en-US")} payers in turn, each
behind a proxy with an address of their own. The limit is Fastify with this one route, a fixed answer and its schema. Stale: an answer other than
\`pago\` to a request that was sent after the COMMIT of ${watched} bookings had returned, or after either node had said \`pago\`, while both
nodes are asked without a pause.`,
        ],
      }
    } finally {
      await booking.stop()
      await market.close()
    }
  },
}

async function measure(
  market: Market,
  {
    pid,
    port,
    first,
    charges,
    seconds,
  }: { pid: number; port: number; first: number; charges: number; seconds: number },
): Promise<Figures> {
  const asked = Array.from({ length: charges }, (_, n) => payer(first + n))
  const before = { server: cpuSeconds(pid), postgres: postgresCpuSeconds(market.postmaster()) }
  const { perSecond, requests, failed } = await wrk({ port, asked, connections, seconds })
  if (failed > 0) throw new Error(`${failed} of ${requests} requests failed`)
  return {
    perSecond,
    perCpuSecond: requests / (cpuSeconds(pid) - before.server),
    postgresUs: ((postgresCpuSeconds(market.postmaster()) - before.postgres) / requests) * 1e6,
  }
}
