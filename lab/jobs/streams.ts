import { setTimeout as sleep } from "node:timers/promises"
import { numberOf } from "../kit/arguments.ts"
import { type Booking, openBooking } from "../kit/book-in-bench.ts"
import { atMost, type Job, shownOnly } from "../kit/job.ts"
import { openMarket } from "../kit/market.ts"
import { cpuSeconds, residentMb } from "../kit/process-figures.ts"
import { startPayers, type WaitingPayers } from "../kit/waiting-payers.ts"

const tickMs = 50
const wait = { beforeMs: 3_000, missedMs: 15_000 }

/**
 * Arguments: `streams=`, `perSecond=` confirmations; a tenth of the streams is kept for each of the two interruptions.
 */
export const job: Job = {
  title: "Streams of waiting payers",
  async run(args) {
    const streams = numberOf(args, "streams", 5_000)
    const perSecond = numberOf(args, "perSecond", 1_000)
    const market = await openMarket({ sellers: 1_000, charges: streams + 200 })
    const booking = openBooking(market.databaseUrl)
    const payers = startPayers(streams)
    try {
      const server = await market.startServer()
      const port = Number(new URL(server.url).port)
      // Warm-up, so that code loaded by the first streams does not count as memory per stream.
      await payers.open(port, 200)
      await payers.close()
      await booking.book(Array.from({ length: 200 }, (_, n) => streams + n))
      await sleep(wait.beforeMs)
      const before = residentMb(server.pid)
      await payers.open(port, streams)
      await sleep(wait.beforeMs)
      const kbEach = ((residentMb(server.pid) - before) * 1024) / streams

      const cpu = cpuSeconds(server.pid)
      const tenth = Math.floor(streams / 10)
      const confirmed = streams - 2 * tenth
      const committedAtMs = await bookSteadily(booking, confirmed, perSecond)
      const missedStraight = await missed(payers, confirmed)
      const cpuUs = ((cpuSeconds(server.pid) - cpu) / confirmed) * 1e6
      const { paidAtMs } = await payers.heard()
      const delays = committedAtMs.map((at, n) => Math.max(0, (paidAtMs[n] ?? 0) - at)).sort((a, b) => a - b)
      const quantile = (share: number) => delays[Math.floor(delays.length * share)] ?? Number.NaN

      // Booked while every stream is disconnected or just reconnecting.
      await payers.close()
      const back = payers.open(port, streams)
      await bookRange(booking, confirmed, tenth)
      await back
      const missedAway = await missed(payers, confirmed + tenth)
      await market.query(`select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = 'tilinta events' and datname = current_database()`)
      await bookRange(booking, confirmed + tenth, tenth)
      const missedUnheard = await missed(payers, streams)

      return {
        rows: [
          atMost(50, { what: "COMMIT to the event, p99", figure: quantile(0.99), unit: "ms" }),
          shownOnly({ what: "COMMIT to the event, p50", figure: quantile(0.5), unit: "ms" }),
          shownOnly({ what: "the server's CPU for a confirmation", figure: cpuUs, unit: "µs" }),
          atMost(30, { what: "the server's memory for a stream", figure: kbEach, unit: "kB" }),
          atMost(0, { what: "missed while all were there", figure: missedStraight, unit: "" }),
          atMost(0, { what: "missed by who came back", figure: missedAway, unit: "" }),
          atMost(0, { what: "missed after a lost listening connection", figure: missedUnheard, unit: "" }),
        ],
        notes: [
          `${streams.toLocaleString("en-US")} streams, held by a process of their own, and ${perSecond.toLocaleString("en-US")} confirmations a second, each of another
stream's charge, booked in this process in batches of ${(perSecond * tickMs) / 1000}, as by another node. The delay is from the return of the batch's COMMIT to the
moment at which the payer's process has read \`pago\`. Memory is what the server's process grew by, for each stream.`,
        ],
      }
    } finally {
      payers.stop()
      await booking.stop()
      await market.close()
    }
  },
}

/** Open loop: a batch per tick, however long the last one takes. Returns when each payer's COMMIT had returned. */
async function bookSteadily(booking: Booking, count: number, perSecond: number): Promise<number[]> {
  const each = Math.max(1, Math.round((perSecond * tickMs) / 1000))
  const committedAtMs: number[] = []
  const begin = performance.now()
  const batches: Promise<void>[] = []
  for (let first = 0; first < count; first += each) {
    await sleep(Math.max(0, begin + (first / each) * tickMs - performance.now()))
    const numbers = Array.from({ length: Math.min(each, count - first) }, (_, at) => first + at)
    batches.push(
      booking.book(numbers).then(() => {
        for (const n of numbers) committedAtMs[n] = performance.timeOrigin + performance.now()
      }),
    )
  }
  await Promise.all(batches)
  return committedAtMs
}

async function bookRange(booking: Booking, first: number, count: number): Promise<void> {
  await booking.book(Array.from({ length: count }, (_, at) => first + at))
}

/** The number of the first `count` payers that never hear of their payment within the time limit. */
async function missed(payers: WaitingPayers, count: number): Promise<number> {
  const giveUpAt = performance.now() + wait.missedMs
  for (;;) {
    const { paidAtMs } = await payers.heard()
    const silent = paidAtMs.slice(0, count).filter((at) => at === 0).length
    if (silent === 0 || performance.now() > giveUpAt) return silent
    await sleep(100)
  }
}
