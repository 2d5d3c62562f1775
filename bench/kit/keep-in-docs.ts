import { readFile, writeFile } from "node:fs/promises"
import { fileURLToPath } from "node:url"

type Page = "performance.md" | "query-plans.md"

/** Replaces the text between the job's two markers. */
export async function keepInDocs(page: Page, name: string, text: string): Promise<void> {
  const path = fileURLToPath(new URL(`../../docs/${page}`, import.meta.url))
  const [begin, end] = [`<!-- bench ${name} -->`, `<!-- end ${name} -->`]
  const before = await readFile(path, "utf8")
  const [from, to] = [before.indexOf(begin), before.indexOf(end)]
  if (from === -1 || to < from) throw new Error(`docs/${page} has no place for ${name}: ${begin} … ${end}`)
  await writeFile(path, `${before.slice(0, from + begin.length)}\n\n${text}\n\n${before.slice(to)}`)
}
