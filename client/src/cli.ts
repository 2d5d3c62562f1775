#!/usr/bin/env node
import { parseArgs } from "node:util"
import { trigger, triggers } from "./cli-trigger.ts"
import { createTilinta } from "./tilinta.ts"
import { TilintaError } from "./tilinta-error.ts"

const usage = `Usage:
  tilinta trigger TYPE
      makes it happen in the sandbox: ${Object.keys(triggers).join(", ")}

TILINTA_API_KEY  the key, from Integrações
TILINTA_URL      the server's address, http://localhost:3000 by default
`

async function run(): Promise<number> {
  const { positionals } = parseArgs({ allowPositionals: true })
  const [command, subject = ""] = positionals
  const apiKey = process.env["TILINTA_API_KEY"] ?? ""
  const url = process.env["TILINTA_URL"] ?? "http://localhost:3000"
  if (command !== "trigger") return complain(usage)
  if (apiKey === "") return complain("Set TILINTA_API_KEY to a key from Integrações.\n")
  const tilinta = createTilinta({ apiKey, url })

  if (subject in triggers) await trigger(tilinta, { type: subject as keyof typeof triggers, apiKey, url })
  else return complain(`'${subject}' can't be triggered. ${Object.keys(triggers).join(", ")} can.\n`)
  return 0
}

function complain(text: string): number {
  process.stderr.write(text)
  return 2
}

try {
  process.exitCode = await run()
} catch (error) {
  if (!(error instanceof TilintaError) && !(error instanceof TypeError)) throw error
  process.exitCode = complain(`${error.message}\n`)
}
