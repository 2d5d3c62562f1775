#!/usr/bin/env node
import { parseArgs } from "node:util"
import { listen } from "./cli-listen.ts"
import { trigger, triggers } from "./cli-trigger.ts"
import { TilintaError } from "./send-request.ts"
import { createTilinta } from "./tilinta.ts"

const usage = `Usage:
  tilinta listen [--forward URL] [--types charge.paid,charge.refunded] [--after SEQUENCE]
      prints the account's events as they come and posts them to URL, signed like a webhook
  tilinta trigger TYPE
      makes it happen in the sandbox: ${Object.keys(triggers).join(", ")}

TILINTA_API_KEY  the key, from Integrações
TILINTA_URL      the server's address, http://localhost:3000 by default
`

async function run(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { forward: { type: "string" }, types: { type: "string" }, after: { type: "string" } },
  })
  const [command, subject = ""] = positionals
  const apiKey = process.env["TILINTA_API_KEY"] ?? ""
  const url = process.env["TILINTA_URL"] ?? "http://localhost:3000"
  if (command !== "listen" && command !== "trigger") return complain(usage)
  if (apiKey === "") return complain("Set TILINTA_API_KEY to a key from Integrações.\n")
  const tilinta = createTilinta({ apiKey, url })

  if (command === "listen") await listen(tilinta, { ...values, apiKey, url, signal: untilInterrupted() })
  else if (Object.hasOwn(triggers, subject))
    await trigger(tilinta, { type: subject as keyof typeof triggers, apiKey, url })
  else return complain(`'${subject}' can't be triggered. ${Object.keys(triggers).join(", ")} can.\n`)
  return 0
}

function untilInterrupted(): AbortSignal {
  const interruption = new AbortController()
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => interruption.abort())
  return interruption.signal
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
