import { measureRequest, type RequestFigures } from "../growth/measure-request.ts"
import { measuredRequests } from "../growth/measured-requests.ts"
import { numberOf } from "../kit/arguments.ts"
import { atMost, type Job, type Row, shownOnly } from "../kit/job.ts"
import { openRecorder } from "../recorded-statements.ts"
import { withSeededServers } from "../seeded-server.ts"

const words = ["a word in all", "a word in all, totals", "a payer", "a payer's totals"]
const names = words.map((name) => `admin: transactions, ${name}`)
const own = "/api/v1/payments/transactions"
const all = "/api/v1/admin/transactions"
/** All rows have a page of this name; all have a payer of that one. */
const searches = [
  { name: "seller: a word in all", path: `${own}?limit=10&search=mentoria&totals=none`, as: "bigSeller" },
  { name: "seller: a word in all, totals", path: `${own}?limit=1&search=mentoria`, as: "bigSeller" },
  { name: "seller: a word in all payers", path: `${own}?limit=10&search=cliente&totals=none`, as: "bigSeller" },
  { name: "admin: a word in all payers", path: `${all}?limit=100&search=cliente&totals=none`, as: "admin" },
  { name: "admin: a word in all payers, totals", path: `${all}?limit=1&search=cliente`, as: "admin" },
  {
    name: "admin: a word in all, pending",
    path: `${all}?limit=100&search=mentoria&status=pending&totals=none`,
    as: "admin",
  },
  { name: "admin: a word in all, pending, totals", path: `${all}?limit=1&search=mentoria&status=pending`, as: "admin" },
] as const
const mostMs = 100

/** Arguments: `rows=` transactions, `calls=` of each search. */
export const job: Job = {
  title: "Search",
  async run(args) {
    const rows = numberOf(args, "rows", 1_000_000)
    const calls = numberOf(args, "calls", 20)
    const found: Row[] = []
    await withSeededServers([rows], async ([server]) => {
      if (server === undefined) return
      const place = { server, recorder: await openRecorder(server.databaseUrl) }
      const known = measuredRequests.filter(({ name }) => names.includes(name))
      const more = searches.map(({ path, ...rest }) => ({ kind: "search" as const, ...rest, path: () => path }))
      for (const request of [...known, ...more]) {
        const [figures] = await measureRequest(request, [place], calls)
        if (figures !== undefined) found.push(...rowsOf(request.name, figures))
      }
      await place.recorder.close()
    })
    return {
      rows: found,
      notes: [
        `${rows.toLocaleString("en-US")} transactions of a year, a tenth of them one seller's. Each request over HTTP, median of ${calls}; buffers are the pages that its statements read. Screens ask for the rows without their totals, and for the totals apart: these count what they find, up to 10,000.`,
      ],
    }
  },
}

function rowsOf(name: string, { ms, buffers }: RequestFigures): Row[] {
  const inMs = { what: name, figure: ms, unit: "ms" }
  const isCommon = name.includes("in all")
  return [
    isCommon ? atMost(mostMs, inMs) : shownOnly(inMs),
    shownOnly({ what: name, figure: buffers, unit: "buffers" }),
  ]
}
