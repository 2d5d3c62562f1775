import { setTimeout as sleep } from "node:timers/promises"
import type { ServerProcess } from "../crash-tests/server-process.ts"
import type { Market } from "./market.ts"
import { cpuSeconds, postgresCpuSeconds } from "./process-figures.ts"

export interface ConfirmFigures {
  perSecond: number
  serverUs: number
  postgresUs: number
  walBytes: number
  /** The part of it that is whole pages, each written at its first change after a checkpoint. */
  imageBytes: number
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
  const postgresUs = ((postgresCpuSeconds(market.postmaster()) - cpu.postgres) / count) * 1e6
  const written = await readWal(market, wal)
  return {
    perSecond: count / seconds,
    serverUs: ((cpuSeconds(server.pid) - cpu.server) / count) * 1e6,
    postgresUs,
    walBytes: written.bytes / count,
    imageBytes: written.imageBytes / count,
    p50Ms: load.p50Ms,
    p99Ms: load.p99Ms,
  }
}

async function walPosition({ query }: Market): Promise<string> {
  const [row] = await query<{ lsn: string }>("select pg_current_wal_insert_lsn() as lsn")
  return row?.lsn ?? "0/0"
}

async function readWal(market: Market, from: string): Promise<{ bytes: number; imageBytes: number }> {
  const until = await walPosition(market)
  await market.query("create extension if not exists pg_walinspect")
  const [row] = await market.query<{ bytes: number; image_bytes: number }>(
    `select pg_wal_lsn_diff('${until}', '${from}')::bigint as bytes, sum(fpi_size)::bigint as image_bytes
    from pg_get_wal_stats('${from}', '${until}')`,
  )
  return { bytes: row?.bytes ?? 0, imageBytes: row?.image_bytes ?? 0 }
}

/** Reads the platform's totals, which costs the same however long the history is and however many sellers there are. */
export async function paidCount({ query }: Market): Promise<number> {
  const [paid] = await query<{ count: number }>(
    "select coalesce(sum(count), 0)::bigint as count from platform_day_totals where subject = 'charge-paid'",
  )
  return paid?.count ?? 0
}
