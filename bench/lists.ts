import { openRecorder, type Recorder, type Statement } from "./recorded-statements.ts"
import { download, type SeededServer, withSeededServers } from "./seeded-server.ts"
import { printTable, timed, timingsOf } from "./timings.ts"

/**
 * `npm run bench:lists`: every list and summary over a short and a long history, beside the same statements by
 * the bare driver on the long one, in rounds that take turns. With `-- --plans` also how PostgreSQL finds them.
 */
const sizes = [1_000, Number(process.argv.find((word) => /^\d+$/.test(word)) ?? 1_000_000)] as const
const rounds = 20
const callsPerRound = 10
/** What takes long is known after fewer rounds. */
const enoughMs = 10_000

interface Place {
  server: SeededServer
  recorder: Recorder
}

interface List {
  name: string
  as: "bigSeller" | "admin"
  path(place: Place): Promise<string> | string
}

const transactions = "/api/v1/payments/transactions"
const allTransactions = "/api/v1/admin/transactions"
const pages = "/api/v1/checkout/pages"
const year = `startDate=${dayBefore(360)}&endDate=${dayBefore(0)}`
const month = `dateFrom=${dayBefore(60)}&dateTo=${dayBefore(30)}`

const lists: List[] = [
  { name: "seller: balance", as: "bigSeller", path: () => "/api/v1/users/myBalance" },
  { name: "seller: pages", as: "bigSeller", path: () => `${pages}?limit=10` },
  { name: "seller: pages, of one status", as: "bigSeller", path: () => `${pages}?limit=10&status=completed` },
  { name: "seller: pages, searched", as: "bigSeller", path: () => `${pages}?limit=10&search=mentoria` },
  { name: "seller: transactions", as: "bigSeller", path: () => `${transactions}?limit=100` },
  {
    name: "seller: transactions, of one status",
    as: "bigSeller",
    path: () => `${transactions}?limit=100&status=pendente`,
  },
  { name: "seller: transactions, of a month", as: "bigSeller", path: () => `${transactions}?limit=100&${month}` },
  { name: "seller: transactions, searched", as: "bigSeller", path: searchedPayer(`${transactions}?`) },
  { name: "seller: everything, searched", as: "bigSeller", path: searchedPayer("/api/v1/search?", { parameter: "q" }) },
  { name: "seller: withdrawals", as: "bigSeller", path: () => "/api/v1/withdrawals?limit=100" },
  { name: "admin: users", as: "admin", path: () => "/api/v1/admin/users?limit=100" },
  { name: "admin: users, inactive", as: "admin", path: () => "/api/v1/admin/users?limit=100&active=false" },
  { name: "admin: users, searched", as: "admin", path: () => "/api/v1/admin/users?limit=100&search=vendedor17%40" },
  { name: "admin: users, from the middle", as: "admin", path: middleOf("/api/v1/admin/users", "users", 20) },
  { name: "admin: withdrawals", as: "admin", path: () => "/api/v1/admin/withdrawals?limit=100" },
  {
    name: "admin: withdrawals, of one status",
    as: "admin",
    path: () => "/api/v1/admin/withdrawals?limit=100&status=pending",
  },
  { name: "admin: withdrawals, of a month", as: "admin", path: () => `/api/v1/admin/withdrawals?limit=100&${month}` },
  { name: "admin: transactions", as: "admin", path: () => `${allTransactions}?limit=100` },
  { name: "admin: transactions, failed", as: "admin", path: () => `${allTransactions}?limit=100&status=failed` },
  { name: "admin: transactions, of a month", as: "admin", path: () => `${allTransactions}?limit=100&${month}` },
  { name: "admin: transactions, a payer", as: "admin", path: searchedPayer(`${allTransactions}?totals=none`) },
  {
    name: "admin: transactions, a payer's totals",
    as: "admin",
    path: searchedPayer(`${allTransactions}?`, { limit: 1 }),
  },
  {
    name: "admin: transactions, a word in all",
    as: "admin",
    path: () => `${allTransactions}?limit=100&search=mentoria&totals=none`,
  },
  {
    name: "admin: transactions, a word in all, totals",
    as: "admin",
    path: () => `${allTransactions}?limit=1&search=mentoria`,
  },
  { name: "admin: transactions, from the middle", as: "admin", path: middleOf(allTransactions, "charges", 2) },
  { name: "admin: pages", as: "admin", path: () => "/api/v1/admin/checkout-pages?limit=100" },
  {
    name: "admin: pages, searched",
    as: "admin",
    path: () => "/api/v1/admin/checkout-pages?limit=100&search=curso%2077",
  },
  { name: "admin: everything, a payer", as: "admin", path: searchedPayer("/api/v1/admin/search?", { parameter: "q" }) },
  { name: "admin: everything, a word in all", as: "admin", path: () => "/api/v1/admin/search?q=mentoria" },
  { name: "admin: unmatched payments", as: "admin", path: () => "/api/v1/admin/unmatched-payments" },
  { name: "admin: dashboard", as: "admin", path: () => "/api/v1/admin/reports/dashboard" },
  { name: "admin: report of a year", as: "admin", path: () => `/api/v1/admin/reports/summary?${year}` },
  {
    name: "admin: best sellers of a month",
    as: "admin",
    path: () => "/api/v1/admin/reports/top-users?limit=5&period=month",
  },
  {
    name: "admin: best sellers of a year",
    as: "admin",
    path: () => `/api/v1/admin/reports/top-users?limit=5&period=custom&${year}`,
  },
]

await withSeededServers(sizes, async (servers) => {
  const places = await Promise.all(
    servers.map(async (server) => ({ server, recorder: await openRecorder(server.databaseUrl) })),
  )
  const [short, long] = places
  if (short === undefined || long === undefined) return
  const rows: string[][] = []
  for (const list of lists) {
    const row = await measure(list, short, long)
    console.log(row.join("  "))
    rows.push(row)
  }
  const columns = ["p50", "p95"]
  printTable(
    [
      "ms",
      ...columns.map((each) => `${each} at ${sizes[0]}`),
      ...columns.map((each) => `${each} at ${sizes[1]}`),
      "ratio of p50",
      "bare driver p50",
      "p95",
    ],
    rows,
  )
  if (process.argv.includes("--plans")) for (const list of lists) await printPlans(list, long)
  for (const { recorder } of places) await recorder.close()
})

async function measure(list: List, short: Place, long: Place): Promise<string[]> {
  const statements = await long.recorder.statementsOf(await list.path(long), tokenOf(list, long))
  const durations = { short: [] as number[], long: [] as number[], bare: [] as number[] }
  const calls = {
    short: await httpCall(list, short),
    long: await httpCall(list, long),
    bare: () => runAll(statements, long.recorder),
  }
  const begin = performance.now()
  const isEnough = () => performance.now() - begin > enoughMs
  for (const call of Object.values(calls)) await call()
  for (let round = 0; round < rounds && (round === 0 || !isEnough()); round += 1) {
    for (const kind of ["short", "long", "bare"] as const) {
      for (let count = 0; count < callsPerRound && (count === 0 || !isEnough()); count += 1) {
        durations[kind].push(await timed(calls[kind]))
      }
    }
  }
  const [atShort, atLong, bare] = [durations.short, durations.long, durations.bare].map(timingsOf)
  if (!atShort || !atLong || !bare) throw new Error("nothing was measured")
  const figures = [atShort.p50, atShort.p95, atLong.p50, atLong.p95, atLong.p50 / atShort.p50, bare.p50, bare.p95]
  return [list.name, ...figures.map((figure) => figure.toFixed(1))]
}

async function httpCall(list: List, place: Place): Promise<() => Promise<void>> {
  const url = place.server.process.url + (await list.path(place))
  const token = tokenOf(list, place)
  return async () => {
    const { status } = await download(url, token)
    if (status !== 200 && status !== 503) throw new Error(`${url} answered ${status}`)
    if (status === 503) console.log(`${list.name}: gave up (503)`)
  }
}

async function runAll(statements: readonly Statement[], recorder: Recorder): Promise<void> {
  await Promise.all(statements.map((statement) => recorder.run(statement)))
}

async function printPlans(list: List, place: Place): Promise<void> {
  console.log(`\n## ${list.name}`)
  for (const { text, values } of await place.recorder.statementsOf(await list.path(place), tokenOf(list, place))) {
    const plan = await place.recorder.run({ text: `explain (analyze, buffers) ${text}`, values })
    console.log(`\n${text.replace(/\s+/g, " ").trim()}\n`)
    for (const line of plan as { "QUERY PLAN": string }[]) console.log(`    ${line["QUERY PLAN"]}`)
  }
}

function tokenOf({ as }: List, { server }: Place): string {
  return server[as].token
}

/** Somebody who bought from the big seller in the middle of the year. */
function searchedPayer(path: string, { limit = 100, parameter = "search" } = {}) {
  return async ({ recorder, server }: Place) => {
    const text = `select payer_name from charges where seller_id = $1 order by created_at desc, id desc limit 1 offset $2`
    const values = [server.bigSeller.id, Math.floor(server.charges / 20)]
    const [row] = (await recorder.run({ text, values })) as { payer_name: string }[]
    return `${path}&limit=${limit}&${parameter}=${encodeURIComponent(row?.payer_name ?? "")}`
  }
}

/** The page that follows the row in the middle of the list. */
function middleOf(path: string, table: "users" | "charges", share: number) {
  return async ({ recorder, server }: Place) => {
    const text = `select id from ${table} order by created_at desc, id desc limit 1 offset $1`
    const [row] = (await recorder.run({ text, values: [Math.floor(server.charges / share)] })) as { id: string }[]
    return `${path}?limit=100&after=${row?.id}`
  }
}

function dayBefore(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)
}
