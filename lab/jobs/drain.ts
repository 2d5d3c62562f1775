import { setTimeout as sleep } from "node:timers/promises"
import { webhookStore } from "../../server/src/bank/psp-inbox/store.ts"
import { createPool } from "../../server/src/db/pools.ts"
import { createDb } from "../../server/src/db/transaction.ts"
import { systemClock } from "../../server/src/kit/clock.ts"
import { numberOf } from "../kit/arguments.ts"
import { confirmByServer, paidCount } from "../kit/confirm-by-server.ts"
import { atLeastFigure, atMost, type Job, shownOnly } from "../kit/job.ts"
import { type Market, openMarket } from "../kit/market.ts"
import { cpuSeconds, postgresCpuSeconds } from "../kit/process-figures.ts"

/** Fewer than a batch's queue holds. */
const storedAtOnce = 4_000
const lookEveryMs = 250

/** Arguments: `messages=` to drain, `payments=` that they repeat. */
export const job: Job = {
  title: "A bank that repeats everything",
  async run(args) {
    const messages = numberOf(args, "messages", 1_700_000)
    const payments = Math.min(numberOf(args, "payments", 100_000), messages)
    const market = await openMarket({ sellers: 1_000, charges: payments })
    try {
      const first = await market.startServer()
      await confirmByServer(market, first, { first: 0, last: payments - 1 })
      first.kill("SIGTERM")
      await first.exited
      await storeRepeated(market, { messages, payments })

      const asked = await market.bank.asked()
      const postgresBefore = postgresCpuSeconds(market.postmaster())
      const server = await market.startServer()
      const [begin, serverBefore] = [performance.now(), cpuSeconds(server.pid)]
      while ((await waitingMessages(server.url)) > 0) await sleep(lookEveryMs)
      const seconds = (performance.now() - begin) / 1000
      const us = (cpu: number) => (cpu / messages) * 1e6
      const calls = (await market.bank.asked()).asked - asked.asked
      const booked = await paidCount(market)
      return {
        rows: [
          atLeastFigure(10_000, { what: "messages drained", figure: messages / seconds, unit: "/s" }),
          atMost(0, { what: "payments booked a second time", figure: booked - payments, unit: "" }),
          shownOnly({ what: "CPU of the server", figure: us(cpuSeconds(server.pid) - serverBefore), unit: "µs" }),
          shownOnly({
            what: "CPU of PostgreSQL",
            figure: us(postgresCpuSeconds(market.postmaster()) - postgresBefore),
            unit: "µs",
          }),
          shownOnly({ what: "calls of the bank", figure: calls, unit: "" }),
        ],
        notes: [
          `${messages.toLocaleString("en-US")} webhooks wait in the inbox, stored as a server that had no room for them would, when a server starts; they repeat ${payments.toLocaleString("en-US")} payments that are all booked, each in turn, and the bank is asked about them as about any other. The time ends when the inbox is empty.`,
        ],
      }
    } finally {
      await market.close()
    }
  },
}

async function storeRepeated(market: Market, size: { messages: number; payments: number }): Promise<void> {
  const pool = createPool({ url: market.databaseUrl, max: 2, applicationName: "bench inbox" })
  const worker = { capacity: () => 0, take: () => undefined }
  const store = webhookStore({ db: createDb(pool), clock: systemClock, psp: { name: "simulator" }, worker })
  const bodies = await market.bank.webhooksOf({ first: 0, last: size.payments - 1 })
  for (let at = 0; at < size.messages; at += storedAtOnce) {
    const count = Math.min(storedAtOnce, size.messages - at)
    const told = Array.from({ length: count }, (_, n) => bodies[(at + n) % bodies.length] ?? "")
    await Promise.all(told.map((body) => store(Buffer.from(body))))
  }
  await pool.end()
}

async function waitingMessages(url: string): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`)).text()
  const depth = /^psp_inbox_depth (\d+)/m.exec(metrics)?.[1]
  if (depth === undefined) throw new Error("the server doesn't say how many messages wait")
  return Number(depth)
}
