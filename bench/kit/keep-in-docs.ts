import { readFile, writeFile } from "node:fs/promises"
import { fileURLToPath } from "node:url"

/** Replaces the text between the job's two markers in docs/performance.md. */
export async function keepInDocs(name: string, text: string): Promise<void> {
  const path = fileURLToPath(new URL("../../docs/performance.md", import.meta.url))
  const [begin, end] = [`<!-- bench ${name} -->`, `<!-- end ${name} -->`]
  const before = await readFile(path, "utf8")
  const [from, to] = [before.indexOf(begin), before.indexOf(end)]
  if (from === -1 || to < from) throw new Error(`docs/performance.md has no place for ${name}: ${begin} … ${end}`)
  await writeFile(path, `${before.slice(0, from + begin.length)}\n\n${text}\n\n${before.slice(to)}`)
}

/** For a person to read after a run: no commit holds it. Returns the file's place. */
export async function writePlans(text: string): Promise<string> {
  const path = fileURLToPath(new URL("../query-plans.md", import.meta.url))
  await writeFile(path, `# Query plans\n\n${text}\n`)
  return path
}
