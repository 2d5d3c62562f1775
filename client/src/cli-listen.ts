import { createHash, randomBytes } from "node:crypto"
import { mkdir, readFile, writeFile } from "node:fs/promises"
import { homedir } from "node:os"
import { dirname, join } from "node:path"
import { pauseFor } from "./send-request.ts"
import type { Tilinta, TilintaEvent } from "./tilinta.ts"
import { signingKey } from "./verify-webhook.ts"

interface ListenInput {
  forward?: string
  types?: string
  after?: string
  apiKey: string
  url: string
  signal: AbortSignal
}

/** The last event dealt with, and the secret that signs, so that the next run goes on where this one ended. */
interface Progress {
  after: number
  secret: string
}

const ATTEMPTS = 3

/** Prints the account's events as they come and posts them on, until the signal. */
export async function listen(
  tilinta: Tilinta,
  { forward, types, after, apiKey, url, signal }: ListenInput,
): Promise<void> {
  const file = progressFile(apiKey, url)
  const known = await readProgress(file)
  const secret = known?.secret ?? `whsec_${randomBytes(24).toString("base64")}`
  const begin = after === undefined ? (known?.after ?? (await lastSequence(tilinta, signal))) : Number(after)
  await writeProgress(file, { after: begin, secret })
  if (forward !== undefined) say(`Signed with ${secret}`)
  say(`Listening to ${url} after event ${begin}`)

  const chosen = types === undefined ? {} : { types: types.split(",") as TilintaEvent["type"][] }
  for await (const event of tilinta.events({ after: begin, signal, ...chosen })) {
    say(`${event.createdAt} #${event.sequence} ${event.type} ${JSON.stringify(event.data)}`)
    if (forward !== undefined) say(`  ${await post(event, { forward, secret, signal })}`)
    await writeProgress(file, { after: event.sequence, secret })
  }
}

/** A first run begins with what happens from now on. */
async function lastSequence(tilinta: Tilinta, signal: AbortSignal): Promise<number> {
  return (await tilinta.listEvents({ query: { last: 1 }, signal })).next
}

async function post(
  event: TilintaEvent,
  { forward, secret, signal }: { forward: string; secret: string; signal: AbortSignal },
): Promise<string> {
  const body = JSON.stringify(event)
  const sentAt = String(Math.floor(Date.now() / 1000))
  const signed = new TextEncoder().encode(`${event.id}.${sentAt}.${body}`)
  const signature = Buffer.from(await crypto.subtle.sign("HMAC", await signingKey(secret), signed)).toString("base64")
  const headers = {
    "content-type": "application/json",
    "webhook-id": event.id,
    "webhook-timestamp": sentAt,
    "webhook-signature": `v1,${signature}`,
  }
  for (let attempt = 1; ; attempt += 1) {
    const answer = await fetch(forward, { method: "POST", headers, body, signal }).catch((error: unknown) => error)
    if (answer instanceof Response && answer.ok) return `${answer.status} ${forward}`
    const problem = answer instanceof Response ? String(answer.status) : "no answer"
    if (attempt === ATTEMPTS || signal.aborted) return `${problem} ${forward}: not delivered`
    await pauseFor(1000 * attempt, signal).catch(() => undefined)
  }
}

function progressFile(apiKey: string, url: string): string {
  const folder = process.env["XDG_STATE_HOME"] ?? join(homedir(), ".local", "state")
  const name = createHash("sha256").update(`${url} ${apiKey}`).digest("hex").slice(0, 16)
  return join(folder, "tilinta", `${name}.json`)
}

async function readProgress(file: string): Promise<Progress | null> {
  try {
    return JSON.parse(await readFile(file, "utf8")) as Progress
  } catch {
    return null
  }
}

async function writeProgress(file: string, progress: Progress): Promise<void> {
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, JSON.stringify(progress), { mode: 0o600 })
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
