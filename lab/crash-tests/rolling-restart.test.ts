import { setTimeout as sleep } from "node:timers/promises"
import { afterAll, beforeAll, expect, test } from "vitest"
import { eventually, report } from "./eventually.ts"
import { type Installation, openInstallation } from "./installation.ts"
import { makeNextVersion } from "./next-version.ts"
import { openRoundRobin, type RoundRobin } from "./round-robin.ts"
import type { ServerProcess } from "./server-process.ts"
import {
  type Answer,
  askForPix,
  askForStatus,
  netOf,
  openCheckout,
  openShop,
  type Pix,
  payAtBank,
  readBalanceCents,
  type Shop,
} from "./shop.ts"
import { openStatusStream, type StatusStream } from "./status-stream.ts"

const drainSeconds = 2
const payers = 6
/** Pages that stand open over the restarts, each with a stream. */
const openPages = 5

let installation: Installation
let balancer: RoundRobin
let nodes: ServerProcess[]
let shop: Shop

beforeAll(async () => {
  installation = await openInstallation()
  balancer = await openRoundRobin()
  nodes = await Promise.all([1, 2].map(() => startNode()))
  shop = await openShop(balancer.url, { reais: 100 })
})

afterAll(async () => {
  await balancer.close()
  await installation.close()
})

async function startNode(script?: string): Promise<ServerProcess> {
  const node = await installation.startNode({ DRAIN_SECONDS: String(drainSeconds) }, script)
  await balancer.add(node.url)
  return node
}

interface Load {
  requests: number
  failures: string[]
  /** Answers that asked to come back. */
  refused: number
  /** Streams that ended, and went on at the other server. */
  moved: number
  paid: number
  isOver: boolean
}

/** A server under pressure may ask to come back; nothing else but an answer is right. */
async function ask(load: Load, name: string, asking: Promise<Answer>): Promise<Answer | null> {
  const answer = await asking.catch((error: Error) => error)
  load.requests += 1
  if (answer instanceof Error) load.failures.push(`${name}: ${answer.message}`)
  else if (answer.body["code"] === "overloaded") load.refused += 1
  else if (answer.status >= 500) load.failures.push(`${name}: ${answer.status}`)
  return answer instanceof Error ? null : answer
}

/** Payers open the page, ask for a code, pay and look until it is paid, one after another. */
async function payUntilOver(load: Load): Promise<void> {
  while (!load.isOver) {
    await ask(load, "page", openCheckout(balancer.url, shop))
    const created = await ask(load, "code", askForPix(balancer.url, shop))
    if (created?.status !== 201) continue
    const pix = created.body["data"] as Pix
    const receipt = await ask(load, "payment", payAtBank(balancer.url, pix.pixCode))
    if (receipt?.status !== 201) continue
    load.paid += 1
    await eventually(
      async () => (await ask(load, "status", askForStatus(balancer.url, pix)))?.body["data"],
      (data) => (data as { status?: string } | undefined)?.status === "pago",
    )
    // Without a pause the tables are in use all the time, and an upgrade waits for a moment when they are not.
    await sleep(100)
  }
}

interface OpenPage {
  pix: Pix
  stream: StatusStream
}

async function openPage(): Promise<OpenPage> {
  const { body } = await askForPix(balancer.url, shop)
  const pix = body["data"] as Pix
  return { pix, stream: await openStatusStream(balancer.url, pix) }
}

/** A stream that ends is opened again at once, as a browser does; the answer has to be a stream. */
async function keepOpen(load: Load, page: OpenPage): Promise<void> {
  for (;;) {
    await page.stream.ended
    if (load.isOver) return
    page.stream = await openStatusStream(balancer.url, page.pix)
    load.moved += 1
  }
}

async function payOpenPage({ pix, stream }: OpenPage): Promise<void> {
  expect((await payAtBank(balancer.url, pix.pixCode)).status).toBe(201)
  await stream.until("pago")
  stream.close()
}

/** Replaces both servers, one after the other, while payers pay. */
async function replaceBothUnderLoad(script?: string): Promise<Load> {
  const load: Load = { requests: 0, failures: [], refused: 0, moved: 0, paid: 0, isOver: false }
  const before = await readBalanceCents(balancer.url, shop)
  const pages = await Promise.all(Array.from({ length: openPages }, openPage))
  const open = Promise.all(pages.map((page) => keepOpen(load, page)))
  const paying = Promise.all(Array.from({ length: payers }, () => payUntilOver(load)))
  for (let restarts = 0; restarts < 2; restarts += 1) {
    const [leaving] = nodes
    if (leaving === undefined) break
    if (script !== undefined) await addNext(load, script)
    leaving.kill("SIGTERM")
    expect(await leaving.exited).toEqual({ code: 0, signal: null })
    balancer.remove(leaving.url)
    nodes = nodes.slice(1)
    if (script === undefined) nodes.push(await startNode())
    await sleep(500)
  }
  load.isOver = true
  await paying
  await Promise.all(pages.map(payOpenPage))
  await open
  expect(load.moved).toBeGreaterThanOrEqual(openPages)
  expect(load.paid).toBeGreaterThan(20)
  expect(await readBalanceCents(balancer.url, shop)).toBe(before + (load.paid + openPages) * netOf(10_000))
  expect(await installation.verify()).toMatchObject({ code: 0 })
  return load
}

/** Beside those that run already, which serve some payments more. */
async function addNext(load: Load, script: string): Promise<void> {
  nodes.push(await startNode(script))
  const enough = load.paid + 10
  await eventually(
    () => Promise.resolve(load.paid),
    (paid) => paid >= enough,
  )
}

function told({ requests, refused, moved, paid }: Load): string {
  return `${requests} requests and ${paid} payments, none failed, ${refused} asked to come back, and ${moved} streams went on`
}

test("both servers are restarted one after the other, and no request fails", async () => {
  const load = await replaceBothUnderLoad()
  expect(load.failures).toEqual([])
  report(`${told(load)} over two restarts`)
})

test("a newer version with a newer schema takes over from servers that serve beside it, and no request fails", async () => {
  const script = await makeNextVersion(await installation.newFolder())
  const load = await replaceBothUnderLoad(script)
  expect(load.failures).toEqual([])
  report(`${told(load)} over an upgrade`)
  await expect(startNode()).rejects.toThrow("9999_next.sql")
})
