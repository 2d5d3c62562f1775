import { setTimeout as sleep } from "node:timers/promises"
import type { ServerProcess } from "../crash-tests/server-process.ts"
import { adminToken } from "../kit/admin-token.ts"
import { numberOf } from "../kit/arguments.ts"
import type { MixFigures } from "../kit/bank/mixed-load.ts"
import { atMost, type Job, type Row, shownOnly } from "../kit/job.ts"
import { type Market, openMarket } from "../kit/market.ts"
import { cpuSeconds, postgresCpuSeconds } from "../kit/process-figures.ts"

const perSecond = { confirm: 2_000, poll: 6_667, create: 1_000 }
const warmUpSeconds = 3
const sellers = 1_000

interface Round extends MixFigures {
  /** CPU seconds per second of load. */
  serverCores: number
  postgresCores: number
}

/** Arguments: `seconds=` of a round, `share=` of the rates, `rows=` of the export, `connections=` of payers. */
export const job: Job = {
  title: "Mixed load",
  async run(args) {
    const seconds = numberOf(args, "seconds", 20)
    const share = numberOf(args, "share", 1)
    const rows = numberOf(args, "rows", 100_000)
    const connections = numberOf(args, "connections", 1_000)
    const paid = Math.ceil(perSecond.confirm * share * (2 * seconds + warmUpSeconds))
    const charges = Math.max(rows, paid)
    const market = await openMarket({ sellers, charges })
    try {
      const server = await market.startServer()
      const token = await adminToken(market.query)
      const warmUp = await mix(market, server, { seconds: warmUpSeconds, share, charges, connections, firstUnpaid: 0 })
      const common = { seconds, share, charges, connections }
      const alone = await mix(market, server, { ...common, firstUnpaid: warmUp.firstUnpaid })
      const exporting = exportUntil(server, token)
      await exporting.begun
      const both = await mix(market, server, { ...common, firstUnpaid: alone.firstUnpaid })
      const exported = await exporting.stop()
      return {
        rows: [
          ...rowsOf("", alone, bounds),
          ...rowsOf("while exporting: ", both, twice(alone)),
          shownOnly({ what: "rows exported meanwhile", figure: exported.rows, unit: "rows" }),
        ],
        notes: [
          `Open loop: each request is due at a fixed moment, and its latency counts from then. ${seconds} s at ${share * 100} % of 2,000 webhooks with a payment each, 6,667 questions for a status and 1,000 new Pix a second, payers over ${connections.toLocaleString("en-US")} connections each, then the same while an administrator exports all ${charges.toLocaleString("en-US")} transactions, file after file (refused ${exported.refused} times). Seen: from the moment a webhook is sent until payment-status says \`pago\`, asked every 5 ms, for some of the payments.`,
        ],
      }
    } finally {
      await market.close()
    }
  },
}

interface MixOptions {
  seconds: number
  share: number
  charges: number
  /** Polls come over so many, and so do creations; the bank keeps fewer. */
  connections: number
  firstUnpaid: number
}

async function mix(market: Market, server: ServerProcess, options: MixOptions): Promise<Round> {
  const { seconds, share, charges, connections, firstUnpaid } = options
  const { port, path } = await market.webhookOf(server)
  const before = cpuOf(market, server)
  const stream = (rate: number, connections: number) => ({ perSecond: rate * share, connections })
  const figures = await market.bank.mix({
    ...{ seconds, whenBusy: "wait", port, webhookPath: path, firstUnpaid, sellers, charges },
    confirm: stream(perSecond.confirm, 128),
    poll: stream(perSecond.poll, connections),
    create: stream(perSecond.create, connections),
  })
  const after = cpuOf(market, server)
  return {
    ...figures,
    serverCores: (after.server - before.server) / seconds,
    postgresCores: (after.postgres - before.postgres) / seconds,
  }
}

function cpuOf(market: Market, server: ServerProcess) {
  return { server: cpuSeconds(server.pid), postgres: postgresCpuSeconds(market.postmaster()) }
}

/** Exports one file after another, so that one is always under way. */
function exportUntil(server: ServerProcess, token: string) {
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  const sum = { rows: 0, refused: 0 }
  let isOver = false

  async function exportAll(): Promise<void> {
    while (!isOver) {
      const response = await fetch(`${server.url}/api/v1/admin/transactions/export`, {
        headers: { authorization: `Bearer ${token}` },
      })
      begin()
      if (response.status === 200) sum.rows += await linesOf(response)
      else {
        sum.refused += 1
        await response.body?.cancel()
        await sleep(500)
      }
    }
  }

  const running = exportAll()
  return {
    begun,
    async stop() {
      isOver = true
      await running
      return sum
    },
  }
}

async function linesOf(response: Response): Promise<number> {
  let lines = 0
  for await (const chunk of response.body ?? []) for (const byte of chunk) lines += byte === 10 ? 1 : 0
  return lines
}

type Bounds = Record<keyof typeof perSecond, number>

/** Milliseconds of the 99th percentile of those who are served. */
const bounds: Bounds = { confirm: 50, poll: 25, create: 250 }

function twice({ confirm, poll, create }: Round): Bounds {
  return { confirm: 2 * confirm.p99Ms, poll: 2 * poll.p99Ms, create: 2 * create.p99Ms }
}

const names = { confirm: "webhook to its 200", poll: "poll", create: "creation" } as const satisfies Record<
  keyof Bounds,
  string
>

function rowsOf(when: string, round: Round, most: Bounds): Row[] {
  const { seen, serverCores, postgresCores } = round
  const streams = (["confirm", "poll", "create"] as const).map((stream) => ({
    name: names[stream],
    most: most[stream],
    ...round[stream],
  }))
  const errors = streams.flatMap(({ failed }) => Object.values(failed)).reduce((sum, count) => sum + count, 0)
  const ms = (what: string, figure: number) => ({ what: `${when}${what}`, figure, unit: "ms" })
  const shown = (what: string, figure: number, unit: string) => shownOnly({ what: `${when}${what}`, figure, unit })
  return [
    atMost(0, { what: `${when}errors other than refusals`, figure: errors, unit: "errors" }),
    ...streams.flatMap(({ name, most, ...load }) => [
      atMost(Math.round(most), ms(`${name}, p99`, load.p99Ms)),
      shown(`${name}, p50`, load.p50Ms, "ms"),
      shown(`${name}, refused`, (100 * load.refused) / Math.max(1, load.refused + load.answered), "%"),
      shown(`${name}, p99 of a refusal`, load.refusedP99Ms, "ms"),
    ]),
    shown("webhook to seen as paid, p50", seen.p50Ms, "ms"),
    shown("webhook to seen as paid, p99", seen.p99Ms, "ms"),
    shown("CPU of the server", serverCores, "cores"),
    shown("CPU of PostgreSQL", postgresCores, "cores"),
  ]
}
