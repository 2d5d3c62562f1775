import { execFileSync } from "node:child_process"
import { cpus } from "node:os"
import { jobs } from "./jobs.ts"
import type { JobResult, Row } from "./kit/job.ts"
import { keepFigures, writePlans } from "./kit/keep-in-docs.ts"
import { markdownTable } from "./timings.ts"

/**
 * `npm run bench` runs every job, `npm run bench -- NAME …` some of them; `--keep` writes their figures into
 * docs/performance.md; `--json` prints only JSON; arguments with a `=` go to the jobs.
 */
const args = process.argv.slice(2)
const names = args.filter((arg) => !arg.startsWith("--") && !arg.includes("="))
const unknown = names.find((name) => !(name in jobs))
if (unknown !== undefined) {
  console.error(`There is no job ${unknown}. There are: ${Object.keys(jobs).join(", ")}.`)
  process.exit(2)
}

const say = args.includes("--json") ? () => undefined : (text: string) => console.log(text)
const results: Record<string, unknown> = {}
for (const name of names.length === 0 ? Object.keys(jobs) : names) {
  const load = jobs[name]
  if (load === undefined) continue
  const { job } = await load()
  const begin = performance.now()
  const result = await job.run(args.filter((arg) => arg.includes("=")))
  const seconds = Math.round((performance.now() - begin) / 1000)
  const cells = result.rows.map(cellsOf)
  const text = [markdownTable(["", "figure", "limit", "ratio", "target", ""], cells), ...result.notes]
  say(`\n## ${job.title}\n\n${text.join("\n\n")}\n`)
  const { plans, ...shown } = result
  results[name] = { title: job.title, seconds, ...shown }
  if (args.includes("--keep")) await keepFigures(name, cells, machine())
  if (plans !== undefined) say(`The plans are in ${await writePlans(`${plans}\n\n${machine()}`)}`)
  if (missed(result)) process.exitCode = 1
}
console.log(JSON.stringify(results))

function missed({ rows }: JobResult): boolean {
  return rows.some(({ isMet }) => isMet === false)
}

function cellsOf({ what, figure, unit, limit, target, isMet }: Row): string[] {
  const ratio = limit === null ? "" : round(timesOf(figure, limit.figure))
  const verdict = isMet === null ? "" : isMet ? "met" : "MISSED"
  const held = limit === null ? "" : `${limit.name}: ${round(limit.figure)}`
  return [what, `${round(figure)} ${unit}`.trim(), held, ratio, target ?? "", verdict]
}

/** 0 against 0 counts as equal. */
function timesOf(figure: number, limit: number): number {
  return figure === limit ? 1 : figure / limit
}

function round(figure: number): string {
  if (Number.isInteger(figure)) return figure.toLocaleString("en-US")
  const digits = Math.abs(figure) >= 100 ? 0 : Math.abs(figure) >= 10 ? 1 : 2
  return figure.toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits })
}

function machine(): string {
  const model = cpus()[0]?.model.trim() ?? "unknown"
  const commit = execFileSync("git", ["rev-parse", "--short", "HEAD"]).toString().trim()
  const day = new Date().toISOString().slice(0, 10)
  return `${day}, ${commit}, ${cpus().length} × ${model}`
}
