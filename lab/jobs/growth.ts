import { checkTotals } from "../growth/check-totals.ts"
import { measureRequest, type RequestFigures } from "../growth/measure-request.ts"
import { type MeasuredRequest, measuredRequests, type Place } from "../growth/measured-requests.ts"
import { plansOf } from "../growth/plans-of.ts"
import { numberOf, textOf } from "../kit/arguments.ts"
import { atMost, type Job, type Row } from "../kit/job.ts"
import { openRecorder } from "../recorded-statements.ts"
import { withSeededServers } from "../seeded-server.ts"
import { markdownTable } from "../timings.ts"

const defaultSizes = "10000,1000000,10000000"
const verifiedUpTo = 1_000_000
/** A page of ten may read 25 buffers, one of a hundred three for each row. */
const mostOfListPage = { 10: 25, 20: 60, 100: 300 }
const mostGrowth = 1.3
/** Allowed growth in pages: one more index level costs about this, whatever the page costs. */
const slack = 5

interface Measured {
  request: MeasuredRequest
  figures: RequestFigures[]
}

/** Arguments: `sizes=10000,1000000`, `only=` a part of the names, `calls=` per size, `plans=1` to print the plans. */
export const job: Job = {
  title: "Growth of reads",
  async run(args) {
    const sizes = textOf(args, "sizes", defaultSizes).split(",").map(Number)
    const asked = measuredRequests.filter(({ name }) => name.includes(textOf(args, "only", "")))
    const measured: Measured[] = []
    const plans: string[] = []
    await withSeededServers(sizes, async (servers) => {
      const places: Place[] = []
      for (const server of servers) {
        const recorder = await openRecorder(server.databaseUrl)
        if (server.charges > verifiedUpTo) await checkTotals(recorder.run)
        places.push({ server, recorder })
      }
      const calls = numberOf(args, "calls", 30)
      for (const request of asked) measured.push({ request, figures: await measureRequest(request, places, calls) })
      const longest = places.at(-1)
      for (const request of asked.filter(({ kind }) => kind !== "search")) {
        if (longest !== undefined) plans.push(await plansOf(request, longest))
      }
      if (numberOf(args, "plans", 0) === 1) console.log(plans.join("\n\n"))
      for (const { recorder } of places) await recorder.close()
    })
    return {
      rows: measured.flatMap((each) => rowsOf(each, sizes)),
      notes: [tableOf(measured, sizes)],
      plans: plans.join("\n\n"),
    }
  },
}

function rowsOf({ request, figures }: Measured, sizes: readonly number[]): Row[] {
  const [first, last] = [figures.at(0)?.buffers ?? 0, figures.at(-1)?.buffers ?? 0]
  const row = { what: request.name, figure: last, unit: "buffers", limit: { name: counted(sizes[0]), figure: first } }
  if (request.kind === "search" || request.kind === "shown") return [{ ...row, target: null, isMet: null }]
  const isFlat = last <= Math.max(first * mostGrowth, first + slack)
  const growth = { ...row, target: `≤ ${mostGrowth}× or + ${slack}`, isMet: isFlat }
  if (request.kind !== "list") return [growth]
  return [
    atMost(mostOfListPage[request.rows ?? (request.as === "admin" ? 100 : 10)], {
      what: request.name,
      figure: last,
      unit: "buffers",
    }),
    growth,
  ]
}

function tableOf(measured: readonly Measured[], sizes: readonly number[]): string {
  const header = [
    "",
    ...sizes.map((size) => `buffers at ${counted(size)}`),
    ...sizes.map((size) => `ms at ${counted(size)}`),
  ]
  const lines = measured.map(({ request, figures }) => [
    request.name,
    ...figures.map(({ buffers }) => String(buffers)),
    ...figures.map(({ ms }) => ms.toFixed(1)),
  ])
  return markdownTable(header, lines)
}

function counted(size = 0): string {
  return size.toLocaleString("en-US")
}
