import { setTimeout as sleep } from "node:timers/promises"
import type { QueryResultRow } from "pg"
import { expect } from "vitest"
import { type Day, daysAfter, saoPauloDay } from "../../../server/src/kit/clock.ts"
import { query } from "../embedded-books.ts"
import { eventually } from "../eventually.ts"
import { type Installation, logInAsAdmin } from "../installation.ts"
import type { ServerProcess } from "../server-process.ts"
import { type Answer, send, somePayer, untilNotBusy } from "../shop.ts"
import type { Act } from "./acts.ts"
import { createGate, type Gate } from "./gate.ts"
import type { SellerBooks } from "./seller-books.ts"

const databaseBackWithinMs = 120_000
/** A night, and what a database needs to come back. */
const answeredWithinMs = 120_000
const pauseMs = 100

/** Centavos by account, without those that have none. */
export type Balances = Record<string, number>

/** The installation that all histories share at the same time. */
export interface World {
  installation: Installation
  gate: Gate
  nodes: ServerProcess[]
  adminToken: string
  /** Another administrator, whose word counts while `isActive`. */
  second: { id: string; token: string; isActive: boolean }
  feeBasisPoints: number
  /** The rules by which sales wait: changed only while nobody is in the middle of what depends on them. */
  rulesGate: Gate
  reserve: ReserveRules
  /** How often they have changed. */
  ruleChanges: number
  /** How far nights have moved the clocks of the servers and of the bank. */
  aheadMs: number
  /** In São Paulo, and before anything was booked. */
  firstDay: Day
  sellers: SellerBooks[]
  /** Balances of each account at the end of each past day, in centavos, as first told: they never change. */
  pastDays: Map<Day, Balances>
  /** The platform's totals, in centavos. */
  totals: Record<
    "paidIn" | "refunded" | "suspense" | "fees" | "byHand" | "capital" | "tariffs" | "ownPayouts" | "corrected",
    number
  >
  counts: {
    histories: number
    steps: number
    restarts: number
    nights: number
    kills: number
    cutCalls: number
    waiting: number
  }
  /** Something went wrong, and no more nights come. */
  isStopping: boolean
  /** Something went wrong that no history is to blame for; nobody waits for servers any more. */
  isAbandoned: boolean
  /** How often each kind of act was accepted. */
  acts: Map<Act, number>
}

export interface ReserveRules {
  settlementDays: number
  reservePercent: number
  reserveDays: number
}

interface Call {
  body?: unknown
  token?: string
  key?: string | undefined
  /** A 503 is an answer here, although the request has a key and may be repeated. */
  isRefusable?: boolean
}

export async function openWorld(installation: Installation, nodeCount: number): Promise<World> {
  const nodes = await Promise.all(Array.from({ length: nodeCount }, () => installation.startNode()))
  const world: World = {
    installation,
    gate: createGate(),
    nodes,
    adminToken: await logInAsAdmin(nodes[0]?.url ?? ""),
    second: { id: "", token: "", isActive: false },
    feeBasisPoints: 1500,
    rulesGate: createGate(),
    reserve: { settlementDays: 0, reservePercent: 0, reserveDays: 0 },
    ruleChanges: 0,
    aheadMs: 0,
    firstDay: daysAfter(saoPauloDay(new Date()), -1),
    sellers: [],
    pastDays: new Map(),
    totals: {
      ...{ paidIn: 0, refunded: 0, suspense: 0, fees: 0, byHand: 0, capital: 0, tariffs: 0 },
      ...{ ownPayouts: 0, corrected: 0 },
    },
    counts: { histories: 0, steps: 0, restarts: 0, nights: 0, kills: 0, cutCalls: 0, waiting: 0 },
    isStopping: false,
    isAbandoned: false,
    acts: new Map(),
  }
  await callAsAdmin(world, "POST", "/settings/initialize")
  for (const key of ["NOTIFY_SELLER_ON_PAYMENT", "NOTIFY_ADMIN_ON_WITHDRAWAL"]) {
    await callAsAdmin(world, "PATCH", `/settings/${key}`, { value: false })
  }
  return world
}

/**
 * Calls the nodes round robin, as behind a load balancer. No call is under way while a node restarts, but for those with
 * a key: they are cut off wherever they are, and repeated until there is an answer.
 */
export function call(world: World, method: string, path: string, wishes: Call = {}): Promise<Answer> {
  if (isRepeatable(wishes)) return callThroughKills(world, method, path, wishes)
  return world.gate.together(() => callNow(world, method, path, wishes))
}

async function callThroughKills(world: World, method: string, path: string, wishes: Call): Promise<Answer> {
  for (const giveUpAt = Date.now() + answeredWithinMs; ; ) {
    try {
      const answer = await callNow(world, method, path, wishes)
      if (answer.status !== 503 || Date.now() > giveUpAt) return answer
    } catch (error) {
      if (world.isAbandoned || Date.now() > giveUpAt) throw error
    }
    world.counts.cutCalls += 1
    await sleep(pauseMs)
  }
}

/** Asks the database itself, as soon as it is there; what it changes may be changed twice. */
export async function queryThroughKills<Row extends QueryResultRow>(
  { installation }: World,
  sql: string,
  values: unknown[],
): Promise<Row[]> {
  for (const giveUpAt = Date.now() + answeredWithinMs; ; await sleep(pauseMs)) {
    try {
      return await query<Row>(installation.databaseUrl, sql, values)
    } catch (error) {
      if (Date.now() > giveUpAt) throw error
    }
  }
}

/** The address of the simulated bank's own interface. */
export function bankApi({ installation }: World): string {
  return `${installation.bankUrl}/simulador/api`
}

/** Notes that something was accepted. */
export function count(world: World, act: Act): void {
  world.acts.set(act, (world.acts.get(act) ?? 0) + 1)
}

export function callAsAdmin(world: World, method: string, path: string, body?: unknown): Promise<Answer> {
  return call(world, method, path, { body, token: world.adminToken })
}

let calls = 0

/**
 * Retries after a 503 `overloaded`, because nothing was begun. Any other 503 is an answer like others, but for a read
 * and for a request with a key, which may be repeated.
 */
export async function callNow(world: World, method: string, path: string, wishes: Call = {}): Promise<Answer> {
  const mayBeRepeated = method === "GET" || isRepeatable(wishes)
  const isTurnedAway = ({ status, body }: Answer) => body["code"] === "overloaded" || (mayBeRepeated && status === 503)
  return untilNotBusy(() => callOnce(world, method, path, wishes), isTurnedAway)
}

function isRepeatable({ key, isRefusable = false }: Call): boolean {
  return key !== undefined && !isRefusable
}

function callOnce(world: World, method: string, path: string, { body, token, key }: Call): Promise<Answer> {
  calls += 1
  const node = world.nodes[calls % world.nodes.length]
  return send(`${node?.url}/api/v1${path}`, {
    method,
    headers: {
      ...(body !== undefined && { "content-type": "application/json" }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...somePayer(),
      ...(key !== undefined && { "idempotency-key": key }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
}

/**
 * Restarts while no call is under way; the nodes' own jobs are cut off wherever they are. `meanwhile` happens before the
 * new ones start.
 */
export async function restart(
  world: World,
  which: ServerProcess[],
  signal: "SIGTERM" | "SIGKILL",
  meanwhile: () => Promise<void> = async () => undefined,
): Promise<void> {
  for (const node of which) node.kill(signal)
  const ends = await Promise.all(which.map((node) => node.exited))
  if (signal === "SIGTERM") expect(ends).toEqual(which.map(() => ({ code: 0, signal: null })))
  if (which.length === world.nodes.length) {
    await untilDatabaseServes(world)
    await expectBooksInOrder(world)
  }
  await meanwhile()
  // A killed node's claim on a payout or refund lasts a minute more, which nothing here needs to wait for.
  for (const table of ["withdrawals", "refunds"]) {
    const sql = `update ${table} set next_attempt_at = now() where status = 'processing'`
    await query(world.installation.databaseUrl, sql)
  }
  const started = await Promise.all(which.map(() => world.installation.startNode(clockOf(world))))
  world.nodes = [...world.nodes.filter((node) => !which.includes(node)), ...started]
  world.counts.restarts += 1
}

function clockOf({ aheadMs }: World): Record<string, string> {
  if (aheadMs === 0) return {}
  const preload = new URL("clock-ahead.ts", import.meta.url).href
  return { NODE_OPTIONS: `--import=${preload}`, CLOCK_AHEAD_MS: String(aheadMs) }
}

/** A killed one needs a moment. */
async function untilDatabaseServes({ installation }: World): Promise<void> {
  const isServing = () =>
    query(installation.databaseUrl, "select").then(
      () => true,
      () => false,
    )
  await eventually(isServing, (isUp) => isUp, databaseBackWithinMs)
}

export function timeIn({ aheadMs }: Pick<World, "aheadMs">): Date {
  return new Date(Date.now() + aheadMs)
}

export async function expectBooksInOrder({ installation }: World): Promise<void> {
  expect(await installation.verify()).toMatchObject({ code: 0, output: expect.stringContaining("Tudo confere") })
}
