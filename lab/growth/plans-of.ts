import { statementsOf } from "./measure-request.ts"
import type { MeasuredRequest, Place } from "./measured-requests.ts"

const longestText = 700
const longestLine = 160
const mostLines = 60
/** Lines about a node's memory, which say nothing about what it reads. */
const isBeside = /^\s*(Buckets|Batches|Storage|Sort Method|Cache Mode|Index Searches|Worker \d+|Heap Fetches: 0)\b/
const id = /'?[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'?/g

/** The request's statements with their plans, as a section of a document. */
export async function plansOf(request: MeasuredRequest, place: Place): Promise<string> {
  const parts = [`## ${request.name}`]
  for (const { text, values } of await statementsOf(request, place)) {
    const explain = `explain (analyze, buffers, costs off, timing off, summary off) ${text}`
    const rows = (await place.recorder.run({ text: explain, values })) as { "QUERY PLAN": string }[]
    const lines = rows.map((row) => row["QUERY PLAN"])
    const end = lines.findIndex((line) => line.startsWith("Planning"))
    const plan = lines.slice(0, end === -1 ? lines.length : end).filter((line) => !isBeside.test(line))
    const shown = plan.slice(0, mostLines).map((line) => shortened(line, longestLine))
    const more = plan.length > mostLines ? ["…"] : []
    parts.push(["```text", shortened(text, longestText), "", ...shown, ...more, "```"].join("\n"))
  }
  return parts.join("\n\n")
}

/** Ids are shortened, because the plan doesn't depend on which row is read. */
function shortened(text: string, longest: number): string {
  const indent = /^ */.exec(text)?.[0] ?? ""
  const line = indent + text.replace(id, "…").replace(/\s+/g, " ").trim()
  return line.length > longest ? `${line.slice(0, longest)} …` : line
}
