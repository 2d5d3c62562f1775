import { spawn } from "node:child_process"
import { type IncomingMessage, request } from "node:http"
import { numberOf } from "../kit/arguments.ts"
import { atLeast, atMost, type Job, type Row, shownOnly } from "../kit/job.ts"
import { cpuSeconds, residentMb } from "../kit/process-figures.ts"
import { openRecorder, type Recorder } from "../recorded-statements.ts"
import { asOwner, download, type SeededServer, withSeededServers } from "../seeded-server.ts"
import { median } from "../timings.ts"

interface Export {
  name: string
  path: string
  as: "bigSeller" | "admin"
}

const exports: Export[] = [
  { name: "transactions of the big seller", path: "/api/v1/payments/transactions/export", as: "bigSeller" },
  { name: "transactions of all", path: "/api/v1/admin/transactions/export", as: "admin" },
  { name: "withdrawals of all", path: "/api/v1/admin/withdrawals/export", as: "admin" },
]

interface Round {
  rowsPerSecond: number
  psqlRowsPerSecond: number
  firstByteMs: number
  grownMb: number
  serverUsPerRow: number
}

/** Arguments: `rows=` transactions, `rounds=`. */
export const job: Job = {
  title: "CSV export",
  async run(args) {
    const rounds = numberOf(args, "rounds", 3)
    const transactions = numberOf(args, "rows", 1_000_000)
    const rows: Row[] = []
    await withSeededServers([transactions], async ([server]) => {
      if (server === undefined) return
      const recorder = await openRecorder(server.databaseUrl)
      for (const each of exports) rows.push(...rowsOf(each.name, await measure(server, recorder, each, rounds)))
      rows.push(await leaveEarly(server))
      await recorder.close()
    })
    return {
      rows,
      notes: [
        `Whole files of ${transactions.toLocaleString("en-US")} transactions over HTTP, beside \`psql\` that lets the very statement run as COPY over TCP, written to nowhere; rounds that take turns, medians of ${rounds}. Memory: how far that of the server process grows during an export, the most of all rounds. Leaving: from the moment that the client cuts the connection in the middle until PostgreSQL knows no such query any more.`,
      ],
    }
  },
}

function rowsOf(name: string, rounds: Round[]): Row[] {
  const of = (key: keyof Round) => median(rounds.map((round) => round[key]))
  const limit = { name: "psql COPY", figure: of("psqlRowsPerSecond") }
  return [
    atLeast(0.7, { what: name, figure: of("rowsPerSecond"), unit: "rows/s", limit }),
    atMost(64, { what: "memory grows by", figure: Math.max(...rounds.map(({ grownMb }) => grownMb)), unit: "MB" }),
    shownOnly({ what: "first byte", figure: of("firstByteMs"), unit: "ms" }),
    shownOnly({ what: "CPU of the server process", figure: of("serverUsPerRow"), unit: "µs a row" }),
  ]
}

async function measure(server: SeededServer, recorder: Recorder, wish: Export, rounds: number): Promise<Round[]> {
  const { token } = server[wish.as]
  const select = await recorder.exportOf(wish.path, token)
  const measured: Round[] = []
  // Round -1 warms the caches, and the first file makes the memory grow once; neither counts.
  for (let round = -1; round < rounds; round += 1) {
    const psqlMs = await psqlToNowhere(server.databaseUrl, select)
    const exported = await exportOnce(server, wish.path, token)
    const perSecond = (ms: number) => (exported.rows / ms) * 1000
    if (round >= 0) {
      const { firstByteMs, grownMb, serverUsPerRow } = exported
      const rates = { rowsPerSecond: perSecond(exported.ms), psqlRowsPerSecond: perSecond(psqlMs) }
      measured.push({ ...rates, firstByteMs, grownMb, serverUsPerRow })
    }
  }
  return measured
}

async function exportOnce({ process: { pid, url } }: SeededServer, path: string, token: string) {
  const [before, cpuBefore] = [residentMb(pid), cpuSeconds(pid)]
  let highest = before
  const watch = setInterval(() => {
    highest = Math.max(highest, residentMb(pid))
  }, 20)
  const reply = await download(url + path, token)
  clearInterval(watch)
  if (reply.status !== 200) throw new Error(`${path} answered ${reply.status}`)
  const rows = reply.lines - 1
  const serverUsPerRow = ((cpuSeconds(pid) - cpuBefore) / rows) * 1e6
  return { rows, ms: reply.ms, firstByteMs: reply.firstByteMs, grownMb: highest - before, serverUsPerRow }
}

/** Uses the settings of the server's own export connections. The address holds a password and is never logged. */
async function psqlToNowhere(url: string, select: string): Promise<number> {
  const begin = performance.now()
  const child = spawn("psql", ["-X", "-q", "-f", "-", url], {
    env: { ...process.env, PGOPTIONS: "-c enable_sort=off -c default_transaction_read_only=on" },
    stdio: ["pipe", "ignore", "inherit"],
  })
  const code = new Promise<number | null>((resolve, reject) => {
    child.once("error", () => reject(new Error("This job needs psql on the PATH; it comes with PostgreSQL.")))
    child.once("close", resolve)
  })
  child.stdin.end(`copy (${select}) to stdout (format csv, header, delimiter ';');\n`)
  if ((await code) !== 0) throw new Error("psql failed")
  return performance.now() - begin
}

async function leaveEarly({ process: { url }, admin, databaseUrl }: SeededServer): Promise<Row> {
  const left: number[] = []
  await asOwner(databaseUrl, async (query) => {
    const copying = () =>
      query("select from pg_stat_activity where state = 'active' and application_name = 'tilinta exports'")
    for (let round = 0; round < 3; round += 1) {
      const reply = await theBeginningOf(`${url}/api/v1/admin/transactions/export`, admin.token)
      if ((await copying()) === 0) throw new Error("the export ended before its client disconnected")
      const begin = performance.now()
      reply.destroy()
      while ((await copying()) > 0) await new Promise((resolve) => setTimeout(resolve, 5))
      left.push(performance.now() - begin)
    }
  })
  return atMost(1000, { what: "its query ends after the client left", figure: Math.max(...left), unit: "ms" })
}

/** Resolves after the first bytes and stops reading, like a stalled client. */
function theBeginningOf(url: string, token: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const call = request(url, { headers: { authorization: `Bearer ${token}` } }, (response) => {
      response.on("error", () => undefined)
      response.once("data", () => resolve(response.pause()))
    })
    call.once("error", reject).end()
  })
}
