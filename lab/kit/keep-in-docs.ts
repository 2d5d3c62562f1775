import { readFile, writeFile } from "node:fs/promises"
import { fileURLToPath } from "node:url"
import { markdownTable } from "../timings.ts"

const header = ["job", "figure", "measured", "limit", "target", "", "when"]
const MOST_FIGURES = 20

/**
 * Replaces the job's lines in the table of docs/performance.md. Figures without a limit or a target are left out; a job of
 * many keeps those that miss theirs.
 */
export async function keepFigures(name: string, rows: readonly string[][], when: string): Promise<void> {
  const path = fileURLToPath(new URL("../../docs/performance.md", import.meta.url))
  const before = await readFile(path, "utf8")
  const table = /^\| job [\s\S]*?(?=\n\n)/m.exec(before)?.[0]
  if (table === undefined) throw new Error("docs/performance.md has no table of figures")
  const lines = table.split("\n").slice(2)
  const kept = lines.map((line) => line.split("|").slice(1, -1)).map((cells) => cells.map((cell) => cell.trim()))
  const place = kept.findIndex(([job]) => job === name)
  const others = kept.filter(([job]) => job !== name)
  const mine = judged(rows).map((cells) => [name, ...cells, when])
  const all = others.toSpliced(place === -1 ? others.length : place, 0, ...mine)
  await writeFile(
    path,
    before.replace(table, () => markdownTable(header, all)),
  )
}

/** Rows as main.ts shows them: what, figure, limit, ratio, target, verdict. */
function judged(rows: readonly string[][]): string[][] {
  const cells = rows.flatMap(([what = "", figure = "", limit = "", ratio = "", target = "", verdict = ""]) =>
    limit === "" && target === "" ? [] : [[what, figure, limit && `${limit} (${ratio}×)`, target, verdict]],
  )
  if (cells.length <= MOST_FIGURES) return cells
  const missed = cells.filter((row) => row.at(-1) === "MISSED")
  return [...missed, [`${cells.length - missed.length} other figures`, "", "", "", "met"]]
}

/** For a person to read after a run: no commit holds it. Returns the file's place. */
export async function writePlans(text: string): Promise<string> {
  const path = fileURLToPath(new URL("../query-plans.md", import.meta.url))
  await writeFile(path, `# Query plans\n\n${text}\n`)
  return path
}
