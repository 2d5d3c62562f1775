import { Agent, type IncomingMessage, request as send } from "node:http"
import { type Chance, createChance } from "../chance.ts"
import { administrator } from "../installation.ts"
import { openWorkshop, type ServerProcess } from "../server-process.ts"
import { createPix, openShop, pay, sendJson, somePayer, untilNotBusy } from "../shop.ts"
import { type Caller, drawRequest, type FuzzRequest, type KnownIds } from "./fuzz-requests.ts"

interface Wishes {
  seed: number
  requests: number
  /** Number of parallel lanes. */
  lanes: number
}

interface Outcome {
  /** One sentence per answer that no request may have. */
  faults: string[]
  statuses: Map<number, number>
  /** The codes of the answers that say 503. */
  refusals: Map<string, number>
  tookMs: number
}

interface Reply {
  status: number
  headers: IncomingMessage["headers"]
  text: string
}

interface Target {
  server: ServerProcess
  agent: Agent
  tokens: Record<Caller, string | null>
  known: KnownIds
  adminId: string
  renewing: Promise<void> | null
}

const patienceMs = 30_000
const mostIds = 400
/** A part of a stream, which has no end of its own. */
const mostRead = 2_000_000

/** Sends valid and wrong requests of every endpoint to a server of its own, with the simulated bank and mails. */
export async function runFuzz({ seed, requests, lanes }: Wishes): Promise<Outcome> {
  const workshop = await openWorkshop()
  const agent = new Agent({ keepAlive: true, maxSockets: lanes })
  let server: ServerProcess | undefined
  try {
    const env = { ADMIN_EMAIL: administrator.email, ADMIN_PASSWORD: administrator.password, LOG_LEVEL: "error" }
    server = await workshop.startServer({ dataDir: await workshop.newFolder(), env })
    const target = await openTarget(server, agent)
    const outcome: Outcome = { faults: [], statuses: new Map(), refusals: new Map(), tookMs: 0 }
    const begin = performance.now()
    let begun = 0
    const live = async (lane: Chance) => {
      while (begun < requests) {
        begun += 1
        await tryOne(target, lane, outcome)
      }
    }
    await Promise.all(Array.from({ length: lanes }, (_, lane) => live(createChance(seed + lane * 7919))))
    outcome.tookMs = performance.now() - begin
    return { ...outcome, faults: [...outcome.faults, ...(await afterwards(server))] }
  } catch (error) {
    throw new Error(`the run broke off; the server said: ${server?.stdout().slice(-3_000)}`, { cause: error })
  } finally {
    agent.destroy()
    await workshop.close()
  }
}

async function openTarget(server: ServerProcess, agent: Agent): Promise<Target> {
  const shop = await openShop(server.url)
  const { body } = await sendJson(`${server.url}/api/v1/auth/login`, "POST", administrator)
  const pix = await createPix(server.url, shop)
  await pay(server.url, pix)
  const { user } = body["data"] as { user: { _id: string } }
  return {
    server,
    agent,
    tokens: { nobody: null, seller: shop.token, admin: String(body["token"]) },
    known: { ids: [shop.pageId, pix.transactionId], links: [shop.uniqueLink] },
    adminId: user._id,
    renewing: null,
  }
}

async function tryOne(target: Target, chance: Chance, outcome: Outcome): Promise<void> {
  const request = drawRequest(chance, target.known)
  const token = target.tokens[request.caller]
  const reply = await ask(target, request, token).catch((error: Error) => error)
  if (reply instanceof Error) {
    // Too much to read is refused by closing the connection, amid our own sending; nobody may be left waiting.
    const isRefused = /ECONNRESET|EPIPE|socket hang up|Data after/.test(reply.message)
    count(outcome.statuses, 0)
    if (!isRefused || String(request.body).length + request.path.length < 8_000)
      outcome.faults.push(`${reply.message}: ${told(request)}`)
    return
  }
  count(outcome.statuses, reply.status)
  if (reply.status === 503) count(outcome.refusals, codeOf(reply))
  const fault = faultOf(request, reply)
  if (fault !== null)
    outcome.faults.push(`${fault}: ${told(request)} answered ${reply.status} ${reply.text.slice(0, 300)}`)
  if (reply.status < 300) learn(target, reply.text)
  if (hasEnded(request, reply) && token === target.tokens[request.caller]) await signInAgain(target, request.caller)
}

/** A wrong header may make the request another one, but never the server's fault. */
function faultOf(request: FuzzRequest, { status, headers, text }: Reply): string | null {
  if (status >= 500 && status !== 503) return "an error of the server"
  if (status === 503 && headers["retry-after"] === undefined) return "a 503 without Retry-After"
  if (/node_modules|\.ts:\d+|\bat \w+ \(|syntax error at/.test(text) && status >= 400) return "an answer about the code"
  const isApi = request.path.startsWith("/api/v1/") && request.method !== "HEAD"
  if (isApi && status >= 400 && codeOf({ status, headers, text }) === "none") return "a refusal without a code"
  return null
}

function codeOf({ text }: Reply): string {
  try {
    const { code, message } = JSON.parse(text) as { code?: string; message?: string }
    return message === undefined ? "none" : (code ?? "none")
  } catch {
    return "none"
  }
}

/** A session may have been ended or an account changed by a request that was valid; a hostile header ends none. */
function hasEnded({ caller, headers }: FuzzRequest, reply: Reply): boolean {
  return caller !== "nobody" && !Object.hasOwn(headers, "authorization") && codeOf(reply) === "unauthenticated"
}

/** Once for all lanes that met the same end. Without a session a run would only knock at closed doors. */
async function signInAgain(target: Target, caller: Caller): Promise<void> {
  target.renewing ??= (caller === "admin" ? logIn(target) : openAnotherShop(target)).finally(() => {
    target.renewing = null
  })
  await target.renewing
}

async function logIn({ server, tokens }: Target): Promise<void> {
  const ask = () => sendJson(`${server.url}/api/v1/auth/login`, "POST", administrator, somePayer())
  const { status, body } = await untilNotBusy(ask)
  if (typeof body["token"] !== "string") throw new Error(`the administrator's login is answered ${status}`)
  tokens.admin = body["token"]
}

/** From an address of its own, because signups are rate-limited per address. */
async function openAnotherShop({ server, tokens, known }: Target): Promise<void> {
  const shop = await openShop(server.url, { from: somePayer() })
  tokens.seller = shop.token
  known.ids.push(shop.pageId)
  known.links.push(shop.uniqueLink)
}

/** Never the id of the administrator who asks, who would lose their own rights. */
function learn({ known, adminId }: Target, text: string): void {
  for (const [, id] of text.slice(0, 50_000).matchAll(/"_id":"([0-9a-f-]{36})"/g)) {
    if (id === undefined || id === adminId || known.ids.includes(id)) continue
    if (known.ids.length < mostIds) known.ids.push(id)
    else known.ids[known.ids.length % mostIds] = id
  }
}

function ask(
  { server, agent }: Target,
  { method, path, headers, body }: FuzzRequest,
  token: string | null,
): Promise<Reply> {
  const { hostname, port } = new URL(server.url)
  const sent = {
    ...somePayer(),
    ...(token !== null && { authorization: `Bearer ${token}` }),
    ...(body !== null && { "content-length": String(Buffer.byteLength(body)) }),
    ...headers,
  }
  return new Promise((resolve, reject) => {
    const call = send({ hostname, port, agent, method, path, headers: sent, timeout: patienceMs }, (response) => {
      const chunks: Buffer[] = []
      let length = 0
      const finish = () => {
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text: Buffer.concat(chunks).toString() })
      }
      if (String(response.headers["content-type"]).startsWith("text/event-stream")) {
        finish()
        call.destroy()
        return
      }
      response.on("data", (chunk: Buffer) => {
        if (length < mostRead) chunks.push(chunk)
        length += chunk.length
      })
      response.on("end", finish)
      response.on("error", reject)
    })
    call.on("timeout", () => call.destroy(new Error(`no answer in ${patienceMs} ms`)))
    call.on("error", reject)
    call.end(body ?? undefined)
  })
}

function told({ caller, method, path, headers, body }: FuzzRequest): string {
  const shown = body === null ? "" : ` ${String(body).slice(0, 300)}`
  return `${caller} ${method} ${path.slice(0, 200)} ${JSON.stringify(headers).slice(0, 200)}${shown}`
}

function count<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

/** The server must still be the same process, and well. Jobs may have failed for want of time on a busy machine. */
async function afterwards(server: ServerProcess): Promise<string[]> {
  const { status } = await fetch(`${server.url}/readyz`)
  const fatal = server
    .stdout()
    .split("\n")
    .filter((line) => line.includes('"level":"fatal"'))
  return [
    ...(status === 200 ? [] : [`/readyz answers ${status} afterwards`]),
    ...fatal.map((line) => `logged: ${line.slice(0, 600)}`),
  ]
}
