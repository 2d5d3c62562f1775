import { numberOf } from "../kit/arguments.ts"
import type { MixFigures } from "../kit/bank/mixed-load.ts"
import { atMost, type Job, shownOnly } from "../kit/job.ts"
import { type Market, openMarket } from "../kit/market.ts"
import { cpuSeconds, postgresCpuSeconds } from "../kit/process-figures.ts"
import { watchVacuum } from "../kit/watch-vacuum.ts"

const sellers = 1_000
const sliceSeconds = 60

/** Arguments: `seconds=`, `payments=` a second; half as many Pix are created, and three times as many payers ask for a status. */
export const job: Job = {
  title: "Vacuum over an hour of load",
  async run(args) {
    const seconds = numberOf(args, "seconds", 3_600)
    const perSecond = numberOf(args, "payments", 150)
    const slices = Math.max(1, Math.round(seconds / sliceSeconds))
    const charges = slices * sliceSeconds * perSecond + perSecond
    const market = await openMarket({ sellers, charges })
    try {
      const server = await market.startServer()
      // Seeding leaves work to vacuum that isn't the load's.
      await market.query("vacuum analyze")
      const before = await sizesOf(market)
      const cpu = { server: cpuSeconds(server.pid), postgres: postgresCpuSeconds(market.postmaster()) }
      const vacuum = watchVacuum(market.postmaster())
      const { port, path } = await market.webhookOf(server)
      const rounds: MixFigures[] = []
      for (let slice = 0; slice < slices; slice += 1) {
        const stream = (times: number) => ({ perSecond: perSecond * times, connections: 64 })
        rounds.push(
          await market.bank.mix({
            ...{ seconds: sliceSeconds, whenBusy: "wait", port, webhookPath: path, sellers, charges },
            firstUnpaid: rounds.at(-1)?.firstUnpaid ?? 0,
            ...{ confirm: stream(1), create: stream(0.5), poll: stream(3) },
          }),
        )
      }
      const paid = rounds.at(-1)?.firstUnpaid ?? 0
      const us = (cpuOf: number) => (cpuOf / paid) * 1e6
      const spent = { vacuum: vacuum.stop(), postgres: postgresCpuSeconds(market.postmaster()) - cpu.postgres }
      const after = await sizesOf(market)
      const grown = (at: "heapBytes" | "indexBytes") => (after[at] - before[at]) / paid
      return {
        rows: [
          shownOnly({
            what: "of PostgreSQL's CPU, autovacuum",
            figure: (spent.vacuum / spent.postgres) * 100,
            unit: "%",
          }),
          shownOnly({ what: "CPU of autovacuum, for a payment", figure: us(spent.vacuum), unit: "µs" }),
          shownOnly({ what: "CPU of PostgreSQL, for a payment", figure: us(spent.postgres), unit: "µs" }),
          shownOnly({
            what: "CPU of the server, for a payment",
            figure: us(cpuSeconds(server.pid) - cpu.server),
            unit: "µs",
          }),
          shownOnly({ what: "tables vacuumed", figure: after.vacuums - before.vacuums, unit: "times" }),
          shownOnly({ what: "rows that are dead at the end", figure: after.deadRows, unit: "" }),
          shownOnly({ what: "rows updated in place", figure: after.inPlacePercent, unit: "%" }),
          shownOnly({ what: "tables grown by, for a payment", figure: grown("heapBytes"), unit: "bytes" }),
          shownOnly({ what: "indexes grown by, for a payment", figure: grown("indexBytes"), unit: "bytes" }),
          shownOnly({ what: "webhook to its 200, p99 of the first minute", figure: p99Of(rounds[0]), unit: "ms" }),
          shownOnly({ what: "webhook to its 200, p99 of the last minute", figure: p99Of(rounds.at(-1)), unit: "ms" }),
          atMost(0, { what: "requests that failed", figure: failuresOf(rounds), unit: "" }),
        ],
        notes: [
          `${(slices * sliceSeconds).toLocaleString("en-US")} s of ${perSecond} payments, ${perSecond / 2} new Pix and ${perSecond * 3} questions for a status a second, ${paid.toLocaleString("en-US")} payments of ${sellers.toLocaleString("en-US")} sellers in all, with PostgreSQL's own settings of autovacuum. Its CPU is read from its workers' processes, four times a second.`,
        ],
      }
    } finally {
      await market.close()
    }
  },
}

const p99Of = (round: MixFigures | undefined) => round?.confirm.p99Ms ?? 0

function failuresOf(rounds: readonly MixFigures[]): number {
  const failed = rounds.flatMap(({ confirm, poll, create }) => [confirm, poll, create].map((each) => each.failed))
  return failed.flatMap((times) => Object.values(times)).reduce((sum, count) => sum + count, 0)
}

interface Sizes {
  vacuums: number
  deadRows: number
  inPlacePercent: number
  heapBytes: number
  indexBytes: number
}

async function sizesOf({ query }: Market): Promise<Sizes> {
  const [sizes] = await query<Sizes>(`
    select
      sum(autovacuum_count)::int as vacuums, sum(n_dead_tup)::int as "deadRows",
      (100.0 * sum(n_tup_hot_upd) / greatest(sum(n_tup_upd), 1))::float8 as "inPlacePercent",
      sum(pg_table_size(relid))::float8 as "heapBytes", sum(pg_indexes_size(relid))::float8 as "indexBytes"
    from pg_stat_user_tables`)
  if (sizes === undefined) throw new Error("PostgreSQL counts no tables")
  return sizes
}
