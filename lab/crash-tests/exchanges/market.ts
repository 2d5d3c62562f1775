import { randomUUID } from "node:crypto"
import { setTimeout as sleep } from "node:timers/promises"
import { query } from "../embedded-books.ts"
import { eventually } from "../eventually.ts"
import { type Installation, logInAsAdmin } from "../installation.ts"
import type { ServerProcess } from "../server-process.ts"
import { type Answer, openShop, type Shop, send, sendJson, somePayer } from "../shop.ts"

export interface Seller extends Shop {
  id: string
}

/** Runs exchanges of every kind at once and records what people did, not what the books should say. */
export interface Market {
  installation: Installation
  nodes: ServerProcess[]
  admin: string
  sellers: Seller[]
  /** Payments that the bank received, for exchanges that build on them. */
  receipts: { endToEndId: string; cents: number }[]
  /** Charges that were paid and cancelled at the same moment. */
  raced: string[]
  /** Charges and withdrawals that were answered with 201: none of them may be lost. */
  acknowledged: { charges: string[]; withdrawals: string[] }
  counts: { kinds: Map<string, number>; answers: Map<number, number>; kills: number }
}

export async function openMarket(
  installation: Installation,
  wishes: { nodes: number; sellers: number },
): Promise<Market> {
  const nodes = await Promise.all(Array.from({ length: wishes.nodes }, () => installation.startNode()))
  const market: Market = {
    installation,
    nodes,
    admin: await logInAsAdmin(nodes[0]?.url ?? ""),
    sellers: [],
    receipts: [],
    raced: [],
    acknowledged: { charges: [], withdrawals: [] },
    counts: { kinds: new Map(), answers: new Map(), kills: 0 },
  }
  for (const key of ["NOTIFY_SELLER_ON_PAYMENT", "NOTIFY_ADMIN_ON_WITHDRAWAL"]) {
    await call(market, "POST", "/settings/initialize", { token: market.admin, body: {} })
    await call(market, "PATCH", `/settings/${key}`, { token: market.admin, body: { value: false } })
  }
  for (let index = 0; index < wishes.sellers; index += 1) market.sellers.push(await openSeller(market, index))
  return market
}

async function openSeller(market: Market, index: number): Promise<Seller> {
  const shop = await openShop(urlOfAny(market), { reais: (1_000 + index * 777) / 100 })
  const { body } = await call(market, "GET", "/users/me", { token: shop.token })
  return { ...shop, id: (body["data"] as { user: { _id: string } }).user._id }
}

interface Call {
  body?: unknown
  token?: string
  /** Idempotency key, which makes retries safe when the server is busy. */
  key?: string
}

/** Sends every Pix back, seconds after it was paid. */
export const refusingReceiver = "devolvido@loja.example"

const mostRepeats = 4
const databaseBackWithinMs = 60_000
const nobody: Answer = { status: 0, body: {}, headers: new Headers(), tookMs: 0 }

let turns = 0

function urlOfAny({ nodes }: Market): string {
  turns += 1
  return nodes[turns % nodes.length]?.url ?? ""
}

/** Calls the nodes round robin, as behind a load balancer. Status 0 is no answer: the node was killed meanwhile. */
export async function call(market: Market, method: string, path: string, wishes: Call = {}): Promise<Answer> {
  let answer = await callOnce(market, method, path, wishes)
  const isRepeatable = method === "GET" || wishes.key !== undefined
  for (let repeats = 0; isRepeatable && [0, 429, 503].includes(answer.status) && repeats < mostRepeats; repeats += 1) {
    await sleep(100)
    answer = await callOnce(market, method, path, wishes)
  }
  return answer
}

async function callOnce(market: Market, method: string, path: string, { body, token, key }: Call): Promise<Answer> {
  const headers = {
    ...(body !== undefined && { "content-type": "application/json" }),
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    ...somePayer(),
    ...(key !== undefined && { "idempotency-key": key }),
  }
  const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) }
  const answer = await send(`${urlOfAny(market)}/api/v1${path}`, init).catch(() => nobody)
  const { answers } = market.counts
  answers.set(answer.status, (answers.get(answer.status) ?? 0) + 1)
  if (answer.status === 201) acknowledge(market, answer)
  return answer
}

function acknowledge({ acknowledged }: Market, { body }: Answer): void {
  const { transactionId, withdrawal } = (body["data"] ?? {}) as {
    transactionId?: string
    withdrawal?: { _id: string }
  }
  if (transactionId !== undefined) acknowledged.charges.push(transactionId)
  if (withdrawal !== undefined) acknowledged.withdrawals.push(withdrawal._id)
}

/** Actions of payers and other banks at the simulated bank, which the faults of its API don't affect. */
export function atBank({ installation }: Market, path: string, body: unknown): Promise<Answer> {
  return sendJson(`${installation.bankUrl}/simulador/api/${path}`, "POST", body)
}

interface OpenPix {
  transactionId: string
  pixCode: string
}

/** Null when the bank's faults reached the payer, who gives up. */
export async function askForPix(market: Market, pageId: string): Promise<OpenPix | null> {
  const answer = await call(market, "POST", "/checkout/process-modern-pix-payment", {
    body: { checkoutPageId: pageId },
    key: randomUUID(),
  })
  return answer.status === 201 ? (answer.body["data"] as OpenPix) : null
}

/** True when the bank took the money. */
export async function payCode(market: Market, { pixCode }: OpenPix): Promise<boolean> {
  const { status, body } = await atBank(market, "pagamentos", { pixCopiaECola: pixCode })
  if (status !== 201) return false
  const cents = Math.round(Number(body["valor"]) * 100)
  market.receipts.push({ endToEndId: String(body["endToEndId"]), cents })
  return true
}

/** Kills one node with SIGKILL and starts another. */
export async function replaceNode(market: Market): Promise<void> {
  await killNode(market)
  await startAnother(market)
}

/** Kills with SIGKILL a node, the database, or both at once, in turns. */
export async function killSomething(market: Market): Promise<void> {
  const turn = market.counts.kills % 3
  market.counts.kills += 1
  await Promise.all([
    ...(turn === 1 ? [] : [killNode(market)]),
    ...(turn === 0 ? [] : [market.installation.killDatabase()]),
  ])
  await eventually(
    () => query(market.installation.databaseUrl, "select 1").catch(() => []),
    (rows) => rows.length === 1,
    databaseBackWithinMs,
  )
  if (turn !== 1) await startAnother(market)
}

export async function killNode(market: Market): Promise<void> {
  const [dying] = market.nodes
  market.nodes = market.nodes.slice(1)
  dying?.kill("SIGKILL")
  await dying?.exited
}

/** As an operator replaces a server: another one first, then SIGTERM, and it ends when it has let everybody go. */
export async function replaceInOrder(market: Market): Promise<void> {
  const [leaving] = market.nodes
  await startAnother(market)
  market.nodes = market.nodes.filter((node) => node !== leaving)
  leaving?.kill("SIGTERM")
  const ended = await leaving?.exited
  if (ended?.code !== 0)
    throw new Error(`a server that was stopped in order ended with ${ended?.code ?? ended?.signal}`)
}

export async function startAnother(market: Market): Promise<void> {
  market.nodes = [...market.nodes, await market.installation.startNode()]
}
