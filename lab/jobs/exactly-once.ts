import { setTimeout as sleep } from "node:timers/promises"
import { numberOf } from "../kit/arguments.ts"
import { centsOf } from "../kit/bank/charge-names.ts"
import { paidCount } from "../kit/confirm-by-server.ts"
import { atMost, type Job, shownOnly } from "../kit/job.ts"
import { type Market, openMarket } from "../kit/market.ts"
import { type Node, restart, startNode } from "../kit/node.ts"

const times = 3

/** Arguments: `payments=`, `kill=` seconds between two kill -9. */
export const job: Job = {
  title: "Exactly once",
  async run(args) {
    const payments = numberOf(args, "payments", 1_000_000)
    const killSeconds = numberOf(args, "kill", 15)
    const market = await openMarket({ sellers: 1_000, charges: payments })
    try {
      const nodes = [await startNode(market), await startNode(market)]
      const webhooks = await Promise.all(nodes.map(({ server }) => market.webhookOf(server)))
      const begin = performance.now()
      const telling = market.bank.pay({ first: 0, last: payments - 1, times, connections: 128, webhooks })
      let isReported = false
      void telling.finally(() => {
        isReported = true
      })
      const kills = await killInTurn(market, nodes, killSeconds, () => isReported)
      const told = await telling
      await untilBooked(market, payments)
      const seconds = (performance.now() - begin) / 1000
      const books = await compareBooks(market, payments)
      for (const { server } of nodes) server.kill("SIGTERM")
      const verified = await market.workshop.verify({
        dataDir: nodes[0]?.server.dataDir ?? "",
        env: { DATABASE_URL: market.databaseUrl },
      })
      return {
        rows: [
          atMost(0, { what: "lost payments", figure: books.lost, unit: "" }),
          atMost(0, { what: "payments booked twice", figure: books.doubled, unit: "" }),
          atMost(0, { what: "difference of the balances", figure: books.differenceCents, unit: "centavos" }),
          atMost(0, { what: "differences that npm run verify finds", figure: verified.code ?? 1, unit: "" }),
          shownOnly({ what: "payments", figure: payments, unit: "" }),
          shownOnly({ what: "webhooks answered with 200", figure: told.answered, unit: "" }),
          shownOnly({ what: "webhooks refused or cut off, and sent again", figure: sum(told.failed), unit: "" }),
          shownOnly({ what: "kill -9", figure: kills, unit: "" }),
          shownOnly({ what: "all booked, with all interruptions", figure: seconds, unit: "s" }),
        ],
        notes: [
          `Each webhook is sent ${times} times in random order, to two servers in turn; every ${killSeconds} s a kill -9 ends the one server, PostgreSQL, or the other server, which start again. \`npm run verify\`: ${verified.output.trim()}`,
        ],
      }
    } finally {
      await market.close()
    }
  },
}

async function killInTurn(
  market: Market,
  nodes: readonly Node[],
  everySeconds: number,
  isOver: () => boolean,
): Promise<number> {
  let kills = 0
  for (;;) {
    const until = performance.now() + everySeconds * 1000
    while (performance.now() < until && !isOver()) await sleep(50)
    if (isOver()) return kills
    const node = [nodes[0], null, nodes[1]][kills % 3]
    kills += 1
    if (node) await restart(market, node)
    else process.kill(market.postmaster(), "SIGKILL")
  }
}

async function untilBooked(market: Market, payments: number): Promise<void> {
  const giveUpAt = performance.now() + 10 * 60_000
  while (performance.now() < giveUpAt) {
    const booked = await paidCount(market).catch(() => 0)
    if (booked === payments) return
    await sleep(100)
  }
}

async function compareBooks({ query }: Market, payments: number) {
  const [books] = await query<{ payments: number; entries: number; cents: number }>(`
    select (select count(*) from payments where disposition = 'credited') as payments,
      (select count(*) from ledger_postings where kind = 'payment' and line = 1) as entries,
      (select sum(balance_cents)::bigint from ledger_accounts where kind in ('seller-available', 'fee-revenue')) as cents`)
  const [paid] = await query<{ count: number }>("select count(*) from charges where status = 'paid'")
  let expectedCents = 0
  for (let n = 0; n < payments; n += 1) expectedCents += centsOf(n)
  return {
    lost: payments - (paid?.count ?? 0),
    doubled: Math.max(books?.payments ?? 0, books?.entries ?? 0) - payments,
    differenceCents: Math.abs((books?.cents ?? 0) - expectedCents),
  }
}

function sum(counts: Record<number, number>): number {
  return Object.values(counts).reduce((all, count) => all + count, 0)
}
