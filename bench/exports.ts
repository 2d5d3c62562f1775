import { execFileSync } from "node:child_process"
import { createPool } from "../server/src/db/pool.ts"
import { openRecorder } from "./recorded-statements.ts"
import { download, type Reply, type SeededServer, withSeededServers } from "./seeded-server.ts"
import { printTable, timed, timingsOf } from "./timings.ts"

/** `npm run bench:exports [transactions]`: whole files of a long history, beside the same COPY to nowhere. */
const rounds = 3
const charges = Number(process.argv[2] ?? 1_000_000)

interface Export {
  name: string
  path: string
  token: string
}

interface Figures {
  reply: Reply
  rssGrowthMb: number
  /** Somebody's small requests meanwhile. */
  meanwhileMs: number[]
}

await withSeededServers([charges], async ([server]) => {
  if (server === undefined) return
  const { admin, bigSeller } = server
  const exports: Export[] = [
    { name: "transactions of a big seller", path: "/api/v1/payments/transactions/export", token: bigSeller.token },
    { name: "transactions of all", path: "/api/v1/admin/transactions/export", token: admin.token },
    { name: "withdrawals of all", path: "/api/v1/admin/withdrawals/export", token: admin.token },
  ]
  const rows: string[][] = []
  for (const each of exports) rows.push(await measure(server, each))
  const header = [
    "export",
    "rows",
    "rows/s",
    "MB/s",
    "first byte ms",
    "RSS growth MB",
    "COPY to /dev/null, rows/s",
    "share of it",
  ]
  printTable([...header, "users/me meanwhile p50 / p95 ms", "alone"], rows)
})

async function measure(server: SeededServer, { name, path, token }: Export): Promise<string[]> {
  const recorder = await openRecorder(server.databaseUrl)
  const select = await recorder.exportOf(path, token)
  await recorder.close()
  const alone: number[] = []
  for (let call = 0; call < 100; call += 1) alone.push(await smallCall(server))
  const limits: number[] = []
  const runs: Figures[] = []
  for (let round = 0; round < rounds; round += 1) {
    limits.push(await copyToNowhere(server.databaseUrl, select))
    runs.push(await exportOnce(server, path, token))
  }
  const best = runs.toSorted((a, b) => a.reply.ms - b.reply.ms)[0]
  if (best === undefined) throw new Error("no round")
  const count = best.reply.lines - 1
  const rate = (count / best.reply.ms) * 1000
  const limitRate = (count / Math.min(...limits)) * 1000
  const both = ({ p50, p95 }: ReturnType<typeof timingsOf>) => `${p50.toFixed(1)} / ${p95.toFixed(1)}`
  return [
    ...[name, String(count), rate.toFixed(0), (best.reply.bytes / 1000 / best.reply.ms).toFixed(1)],
    ...[best.reply.firstByteMs.toFixed(0), Math.max(...runs.map((run) => run.rssGrowthMb)).toFixed(0)],
    ...[limitRate.toFixed(0), (rate / limitRate).toFixed(2)],
    ...[both(timingsOf(runs.flatMap((run) => run.meanwhileMs))), both(timingsOf(alone))],
  ]
}

async function exportOnce(server: SeededServer, path: string, token: string): Promise<Figures> {
  const before = rssMb(server.process.pid)
  let highest = before
  let isOver = false
  const meanwhileMs: number[] = []
  const watch = async () => {
    while (!isOver) {
      meanwhileMs.push(await smallCall(server))
      highest = Math.max(highest, rssMb(server.process.pid))
    }
  }
  const watching = watch()
  const reply = await download(server.process.url + path, token)
  isOver = true
  await watching
  if (reply.status !== 200) throw new Error(`${path} answered ${reply.status}`)
  return { reply, rssGrowthMb: highest - before, meanwhileMs }
}

function smallCall({ process, bigSeller }: SeededServer): Promise<number> {
  return timed(() => download(`${process.url}/api/v1/users/me`, bigSeller.token))
}

/** PostgreSQL alone: the same rows, formatted the same, sent to nobody. */
async function copyToNowhere(url: string, select: string): Promise<number> {
  const settings = ["enable_sort=off"]
  const pool = createPool({ url, max: 1, applicationName: "bench", statementMs: 600_000, silenceMs: 600_000, settings })
  const session = await pool.connect()
  try {
    await session.query("set role none")
    return await timed(() => session.query(`copy (${select}) to '/dev/null' (format csv, header, delimiter ';')`))
  } finally {
    session.release(true)
    await pool.end()
  }
}

function rssMb(pid: number): number {
  return Number(execFileSync("ps", ["-o", "rss=", "-p", String(pid)]).toString()) / 1024
}
