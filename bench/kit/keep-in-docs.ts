import { readFile, writeFile } from "node:fs/promises"
import { fileURLToPath } from "node:url"

const page = fileURLToPath(new URL("../../docs/performance.md", import.meta.url))

/** Replaces what stands between the job's two marks. */
export async function keepInDocs(name: string, text: string): Promise<void> {
  const [begin, end] = [`<!-- bench ${name} -->`, `<!-- end ${name} -->`]
  const before = await readFile(page, "utf8")
  const [from, to] = [before.indexOf(begin), before.indexOf(end)]
  if (from === -1 || to < from) throw new Error(`docs/performance.md has no place for ${name}: ${begin} … ${end}`)
  await writeFile(page, `${before.slice(0, from + begin.length)}\n\n${text}\n\n${before.slice(to)}`)
}
