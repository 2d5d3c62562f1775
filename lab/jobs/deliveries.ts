import { setTimeout as sleep } from "node:timers/promises"
import { newId } from "../../server/src/kit/ids.ts"
import { hashOfToken, newApiKey } from "../../server/src/kit/secrets.ts"
import { numberOf } from "../kit/arguments.ts"
import { atMost, type Job, type Row, shownOnly } from "../kit/job.ts"
import { type Market, openMarket, type Query } from "../kit/market.ts"
import { type Node, restart, startNode } from "../kit/node.ts"
import { quantilesOf } from "../kit/open-loop.ts"
import { cpuSeconds, postgresCpuSeconds } from "../kit/process-figures.ts"
import { manners, openReceivers, type Receivers } from "../kit/webhook-receivers.ts"
import { median } from "../timings.ts"

interface Seller {
  number: number
  key: string
  /** The id of the endpoint that fails half of the time, once there is one. */
  halfId: string
}

/** A port that nothing listens on. */
const deadUrl = "http://127.0.0.1:9/hook"
const troubled = manners.filter((manner) => manner !== "living")
const hour = 3_600_000
const day = 24 * hour
/** The schedule's end. */
const lastHour = 130
/** With seven endpoints a seller seventy deliveries, of which sixty fail, on the cores of bank, load and PostgreSQL. */
const calmPerSecond = 10
/** Longer than a request to an endpoint that is no more may last. */
const afterTroubleMs = 11_000

/** All phases share it. Events are payments, numbered from 0 on; each seller sells in turn. */
interface Fair {
  market: Market
  receivers: Receivers
  nodes: Node[]
  sellers: Seller[]
  pay(first: number, count: number, connections: number): Promise<unknown>
}

/** Arguments: `events=`, `sellers=`, `kills=`, `rounds=` of quiet comparisons, `calm=` events of each half of one. */
export const job: Job = {
  title: "Events and webhooks",
  async run(args) {
    const [sellers, kills] = [numberOf(args, "sellers", 100), numberOf(args, "kills", 40)]
    const amid = numberOf(args, "events", 10_000)
    const [rounds, calm] = [numberOf(args, "rounds", 5), numberOf(args, "calm", 250)]
    const quiet = (1 + 2 * rounds) * calm
    const market = await openMarket({ sellers, charges: amid + quiet })
    const receivers = await openReceivers()
    try {
      const fair = await openFair(market, receivers, sellers)
      const waits = await compareWaits(fair, { rounds, calm })
      const killed = await payAmidKills(fair, { first: quiet, count: amid, kills })
      const whole = await rowsOfWhole(fair, { all: amid + quiet, before: quiet - calm })
      return {
        rows: [...whole, ...rowsOfWaits(waits), ...killed],
        notes: [
          `Payments of ${sellers} sellers, each with an endpoint that answers, one that nobody listens on, one that answers after 15 s, one that says 404, one that redirects, one that fails half of the time, and one that answers 503 until the deliveries' clock has been moved by a day. At first, after ${calm} payments to warm up, ${rounds} rounds of ${calm} payments told to living endpoints alone, ${calmPerSecond} a second, and ${calm} with all take turns: medians of the rounds' quantiles. Then ${kills} times a server or PostgreSQL is killed while ${amid} more arrive over 16 connections at two servers. The feed is read whole at the end.`,
        ],
      }
    } finally {
      receivers.close()
      await market.close()
    }
  },
}

async function openFair(market: Market, receivers: Receivers, count: number): Promise<Fair> {
  const nodes = [await startNode(market), await startNode(market)]
  const sellers = await createSellers(market.query, count)
  const webhooks = await Promise.all(nodes.map(({ server }) => market.webhookOf(server)))
  return {
    market,
    receivers,
    nodes,
    sellers,
    pay: (first, paid, connections) =>
      market.bank.pay({ first, last: first + paid - 1, times: 1, connections, webhooks }),
  }
}

interface Compared {
  alone: Waits
  beside: Waits
  /** Cores in use while the last round told endpoints in trouble, too. */
  cores: number
}

interface Waits {
  p50Ms: number
  p99Ms: number
}

/** In turns, so that whatever else the machine does falls upon both; those in trouble stay after the last round. */
async function compareWaits(fair: Fair, { rounds, calm }: { rounds: number; calm: number }): Promise<Compared> {
  const { nodes, sellers, receivers } = fair
  for (const { number, key } of sellers) await listen(nodes, key, receivers.urlOf("living", number))
  await confirmAll(fair)
  await payCalmly(fair, 0, calm)
  const waits: { alone: Waits[]; beside: Waits[] } = { alone: [], beside: [] }
  let cores = Number.NaN
  for (let round = 0; round < rounds; round += 1) {
    const first = (1 + 2 * round) * calm
    receivers.takeDelays()
    await payCalmly(fair, first, calm)
    waits.alone.push(quantilesOf(receivers.takeDelays()))
    const ids = await addTroubled(fair)
    const before = cpuOf(fair)
    await payCalmly(fair, first + calm, calm)
    cores = coresSince(fair, before)
    waits.beside.push(quantilesOf(receivers.takeDelays()))
    if (round < rounds - 1) await removeTroubled(fair, ids)
  }
  return { alone: medianOf(waits.alone), beside: medianOf(waits.beside), cores }
}

interface Cpu {
  atMs: number
  seconds: number
}

/** Everything that takes part counts: servers, PostgreSQL, and this process with its bank and its receivers. */
function cpuOf({ market, nodes }: Fair): Cpu {
  const { user, system } = process.cpuUsage()
  const servers = nodes.reduce((sum, { server }) => sum + cpuSeconds(server.pid), 0)
  return {
    atMs: performance.now(),
    seconds: (user + system) / 1e6 + servers + postgresCpuSeconds(market.postmaster()),
  }
}

function coresSince(fair: Fair, before: Cpu): number {
  const now = cpuOf(fair)
  return (now.seconds - before.seconds) / ((now.atMs - before.atMs) / 1_000)
}

function medianOf(waits: readonly Waits[]): Waits {
  return { p50Ms: median(waits.map(({ p50Ms }) => p50Ms)), p99Ms: median(waits.map(({ p99Ms }) => p99Ms)) }
}

/** Six for each seller; answers their ids. */
async function addTroubled(fair: Fair): Promise<Map<Seller, string[]>> {
  const { nodes, sellers, receivers } = fair
  const idsOf = new Map<Seller, string[]>()
  for (const seller of sellers) {
    const { number, key } = seller
    const ids = [await listen(nodes, key, deadUrl)]
    for (const manner of troubled) {
      const id = await listen(nodes, key, receivers.urlOf(manner, number))
      if (manner === "half") seller.halfId = id
      ids.push(id)
    }
    idsOf.set(seller, ids)
  }
  await confirmAll(fair)
  return idsOf
}

/** As if each had answered its challenge: those in trouble never would. */
async function confirmAll({ market }: Pick<Fair, "market">): Promise<void> {
  await market.query("update webhook_endpoints set confirmed_at = now() where confirmed_at is null")
}

async function removeTroubled({ nodes, receivers }: Fair, idsOf: ReadonlyMap<Seller, string[]>): Promise<void> {
  for (const [{ key }, ids] of idsOf) {
    for (const id of ids) await call(nodes, key, `users/me/webhooks/${id}`, { method: "DELETE" })
  }
  receivers.replaceTroubled()
  await sleep(afterTroubleMs)
}

/** At a rate that leaves room, so that what is late was delayed by another endpoint and not by the load. */
async function payCalmly({ pay, receivers, sellers }: Fair, first: number, calm: number): Promise<void> {
  const paying: Promise<unknown>[] = []
  for (let at = 0; at < calm; at += 1) {
    paying.push(pay(first + at, 1, 1))
    await sleep(1000 / calmPerSecond)
  }
  await Promise.all(paying)
  await untilHeard(receivers, sellers, first + calm)
}

function rowsOfWaits({ alone, beside, cores }: Compared): Row[] {
  return [
    atMost(50, {
      what: "a living endpoint's p99 beside six in trouble: later by",
      figure: Math.max(0, beside.p99Ms - alone.p99Ms),
      unit: "ms",
    }),
    shownOnly({ what: "event to its delivery, p50", figure: alone.p50Ms, unit: "ms" }),
    shownOnly({ what: "event to its delivery, p99", figure: alone.p99Ms, unit: "ms" }),
    shownOnly({ what: "beside endpoints in trouble, p50", figure: beside.p50Ms, unit: "ms" }),
    shownOnly({ what: "beside endpoints in trouble, p99", figure: beside.p99Ms, unit: "ms" }),
    shownOnly({ what: "CPU of all that take part, meanwhile", figure: cores, unit: "cores" }),
  ]
}

async function payAmidKills(
  { market, nodes, pay, receivers, sellers }: Fair,
  { first, count, kills }: { first: number; count: number; kills: number },
): Promise<Row[]> {
  const begin = performance.now()
  const each = Math.ceil(count / kills)
  for (let round = 0; round < kills; round += 1) {
    const paying = pay(first + round * each, Math.min(each, count - round * each), 16)
    await sleep(Math.random() * 400)
    const node = [nodes[0], null, nodes[1]][round % 3]
    if (node) await restart(market, node)
    else process.kill(market.postmaster(), "SIGKILL")
    await paying
  }
  await untilHeard(receivers, sellers, first + count)
  const seconds = (performance.now() - begin) / 1000
  return [
    shownOnly({ what: "kill -9", figure: kills, unit: "" }),
    shownOnly({
      what: "amid the kills: event to its delivery, p99",
      figure: quantilesOf(receivers.takeDelays()).p99Ms,
      unit: "ms",
    }),
    shownOnly({ what: "amid the kills: all delivered to living endpoints", figure: seconds, unit: "s" }),
  ]
}

async function rowsOfWhole(
  { market, receivers, nodes, sellers }: Fair,
  { all, before }: { all: number; before: number },
): Promise<Row[]> {
  receivers.comeBack()
  const waiting = await passFiveDays(market, receivers, sellers, all - before)
  if (waiting > 0) await sendByOneClick(market, receivers, { nodes, sellers, events: all - before })
  const feed = await holesOfFeed(nodes, sellers)
  const none = (what: string, figure: number) => atMost(0, { what, figure, unit: "" })
  return [
    none("payments without an event, or with two", Math.abs(feed.paid - all)),
    none("holes in the sellers' sequences", feed.holes),
    none("events that a living endpoint missed", missed(receivers, "living", sellers, all)),
    none("events missed by one that fails half of the time", missed(receivers, "half", sellers, all - before)),
    none("events missed by one that came back after a day", missed(receivers, "returning", sellers, all - before)),
    shownOnly({ what: "of these sent by one click, after five days", figure: waiting, unit: "" }),
    shownOnly({ what: "events", figure: all, unit: "" }),
    shownOnly({ what: "delivered again", figure: repeated(receivers, sellers), unit: "" }),
  ]
}

async function createSellers(query: Query, count: number): Promise<Seller[]> {
  const sellers = Array.from({ length: count }, (_, number) => ({ number, key: newApiKey("test"), halfId: "" }))
  for (const { number, key } of sellers) {
    await query(`
      insert into api_keys (id, user_id, token_hash, name, hint, scopes, created_at)
      select '${newId()}', id, '\\x${hashOfToken(key).toString("hex")}', 'Loja', 'tk_test_…', '{webhooks:write,events:read}', now()
      from users where email = 'v${number}@loja.example'`)
  }
  return sellers
}

interface Wish {
  body?: object
  method?: "DELETE"
}

/** Asks one server after the other, as one of them may just be starting. */
async function call(nodes: readonly Node[], key: string, path: string, wish: Wish = {}): Promise<unknown> {
  const { body, method = body === undefined ? "GET" : "POST" } = wish
  for (let attempt = 0; ; attempt += 1) {
    const url = nodes[attempt % nodes.length]?.server.url
    try {
      const reply = await fetch(`${url}/api/v1/${path}`, {
        method,
        headers: { authorization: `Bearer ${key}`, ...(body && { "content-type": "application/json" }) },
        ...(body && { body: JSON.stringify(body) }),
      })
      if (reply.status === 204) return undefined
      if (reply.ok) return ((await reply.json()) as { data: unknown }).data
      if (reply.status < 500 && reply.status !== 429) throw new Error(`${path}: ${reply.status} ${await reply.text()}`)
    } catch (error) {
      if (attempt > 50 || String(error).startsWith(`Error: ${path}`)) throw error
    }
    await sleep(200)
  }
}

async function listen(nodes: readonly Node[], key: string, url: string): Promise<string> {
  const body = { url, types: ["charge.paid"] }
  const { webhook } = (await call(nodes, key, "users/me/webhooks", { body })) as { webhook: { _id: string } }
  return webhook._id
}

async function untilHeard(receivers: Receivers, sellers: readonly Seller[], events: number): Promise<void> {
  const giveUpAt = performance.now() + 10 * 60_000
  while (performance.now() < giveUpAt && missed(receivers, "living", sellers, events) > 0) await sleep(20)
}

/** A day, and of the schedule's other days as many hours as those that fail half of the time need; the events that then wait. */
async function passFiveDays(
  { bank }: Market,
  receivers: Receivers,
  sellers: readonly Seller[],
  events: number,
): Promise<number> {
  const left = () => missed(receivers, "half", sellers, events)
  for (let hours = 24; hours <= lastHour; hours += 1) {
    await bank.moveClock({ aheadMs: hours * hour })
    for (let look = 0; look < 10; look += 1) {
      if (left() + missed(receivers, "returning", sellers, events) === 0) return 0
      await sleep(200)
    }
  }
  return left()
}

/** Clicks 'Reenviar' once for each seller, and lets two days pass, as an endpoint may still fail half of the time. */
async function sendByOneClick(
  { bank }: Market,
  receivers: Receivers,
  { nodes, sellers, events }: { nodes: readonly Node[]; sellers: readonly Seller[]; events: number },
): Promise<void> {
  const since = new Date(Date.now() - day).toISOString()
  for (const { key, halfId } of sellers)
    await call(nodes, key, `users/me/webhooks/${halfId}/resend`, { body: { since } })
  for (let hours = lastHour + 1; hours <= lastHour + 48; hours += 1) {
    for (let look = 0; look < 20; look += 1) {
      if (missed(receivers, "half", sellers, events) === 0) return
      await sleep(200)
    }
    await bank.moveClock({ aheadMs: hours * hour })
  }
}

function missed(
  receivers: Receivers,
  manner: (typeof manners)[number],
  sellers: readonly Seller[],
  events: number,
): number {
  return events - sellers.reduce((sum, { number }) => sum + receivers.receivedBy(manner, number).size, 0)
}

function repeated(receivers: Receivers, sellers: readonly Seller[]): number {
  const times = sellers.flatMap(({ number }) => [...receivers.receivedBy("living", number).values()])
  return times.reduce((sum, each) => sum + each - 1, 0)
}

async function holesOfFeed(nodes: readonly Node[], sellers: readonly Seller[]) {
  let holes = 0
  let paid = 0
  for (const { key } of sellers) {
    let last = 0
    for (let after: number | null = 0; after !== null; ) {
      const page = (await call(nodes, key, `events?after=${after}`)) as {
        events: { sequence: number; type: string }[]
        hasMore: boolean
        next: number
      }
      for (const { sequence, type } of page.events) {
        if (sequence !== last + 1) holes += 1
        if (type === "charge.paid") paid += 1
        last = sequence
      }
      after = page.hasMore ? page.next : null
    }
  }
  return { holes, paid }
}
