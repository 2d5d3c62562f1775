import { execFile } from "node:child_process"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"

const execute = promisify(execFile)
const templates = fileURLToPath(new URL("../../deploy/cluster/", import.meta.url))

/** A file of deploy/cluster, with what stands in its braces. */
export async function fill(file: string, facts: Record<string, string>): Promise<string> {
  const text = await readFile(join(templates, file), "utf8")
  return text.replaceAll(/\{\{(\w+)\}\}/g, (_all, name: string) => {
    const fact = facts[name]
    if (fact === undefined) throw new Error(`deploy/cluster/${file} names {{${name}}}`)
    return fact
  })
}

/** The variables of an environment file. */
export function readVariables(text: string): Record<string, string> {
  return Object.fromEntries(text.split("\n").flatMap((line) => [...line.matchAll(/^(\w+)=(.*)$/g)].map(pairOf)))
}

function pairOf([, name = "", value = ""]: RegExpExecArray): [string, string] {
  return [name, value]
}

/** One certificate for each machine, valid for all of its addresses. */
export async function makeCertificates(folder: string, machines: Record<string, readonly string[]>): Promise<void> {
  const named = Object.entries(machines).map(([name, addresses]) => `${name}=${addresses.join()}`)
  await execute(join(templates, "make-certificates.sh"), [folder, ...named])
}
