import { setTimeout as sleep } from "node:timers/promises"
import type { ServerProcess } from "../../server/crash-tests/server-process.ts"
import type { Market } from "./market.ts"
import { cpuSeconds, postgresCpuSeconds } from "./process-figures.ts"

export interface ConfirmFigures {
  perSecond: number
  serverUs: number
  postgresUs: number
  walBytes: number
  p50Ms: number
  p99Ms: number
}

/** Pays these charges by one webhook each, and waits until the last one is booked. */
export async function confirmByServer(
  market: Market,
  server: ServerProcess,
  { first, last }: { first: number; last: number },
): Promise<ConfirmFigures> {
  const count = last - first + 1
  const before = await paidCount(market)
  const webhooks = [await market.webhookOf(server)]
  const cpu = { server: cpuSeconds(server.pid), postgres: postgresCpuSeconds(market.postmaster()) }
  const wal = await walPosition(market)
  const begin = performance.now()
  const load = await market.bank.pay({ first, last, times: 1, connections: 128, webhooks })
  if (load.answered !== count) throw new Error(`webhooks were refused: ${JSON.stringify(load.failed)}`)
  while ((await paidCount(market)) < before + count) await sleep(10)
  const seconds = (performance.now() - begin) / 1000
  return {
    perSecond: count / seconds,
    serverUs: ((cpuSeconds(server.pid) - cpu.server) / count) * 1e6,
    postgresUs: ((postgresCpuSeconds(market.postmaster()) - cpu.postgres) / count) * 1e6,
    walBytes: ((await walPosition(market)) - wal) / count,
    p50Ms: load.p50Ms,
    p99Ms: load.p99Ms,
  }
}

async function walPosition({ query }: Market): Promise<number> {
  const [row] = await query<{ bytes: number }>("select (pg_current_wal_insert_lsn() - '0/0')::bigint as bytes")
  return row?.bytes ?? 0
}

/** Reads the platform's totals, which costs the same however long the history is and however many sellers there are. */
export async function paidCount({ query }: Market): Promise<number> {
  const [paid] = await query<{ count: number }>(
    "select coalesce(sum(count), 0)::bigint as count from platform_day_totals where subject = 'charge-paid'",
  )
  return paid?.count ?? 0
}
