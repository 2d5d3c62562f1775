import { readFileSync } from "node:fs"

/** The reference's beginning: in a sandbox five calls that can be pasted into a terminal, from no account to a paid charge. */
export function firstSteps(publicUrl: string, isSandbox: boolean): string {
  const steps = read(isSandbox ? "sandbox.md" : "real.md").replaceAll("{{publicUrl}}", () => publicUrl)
  return `${steps}\n${read("conventions.md")}`
}

function read(name: string): string {
  return readFileSync(new URL(name, import.meta.url), "utf8")
}
