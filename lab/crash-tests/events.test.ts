import { setTimeout as sleep } from "node:timers/promises"
import { afterAll, beforeAll, expect, test } from "vitest"
import { testSizes } from "../../server/test-support/test-sizes.ts"
import { startReceiver, type WebhookReceiver } from "../../server/test-support/webhook-receiver.ts"
import { embeddedUrl, killDatabase, query } from "./embedded-books.ts"
import { eventually, report } from "./eventually.ts"
import { openWorkshop, type ServerProcess, type Workshop } from "./server-process.ts"
import { askForPix, openShop, type Pix, password, payAtBank, type Shop, send, sendJson } from "./shop.ts"

/** Stops after enough rounds or, on a busy machine, after this time. */
const killForMs = 40_000
const shopsAtOnce = 6

let workshop: Workshop
let dataDir: string
/** The address of today; between a kill and the next start nobody answers there. */
let url = ""
const receivers: WebhookReceiver[] = []
let isOver = false
let isAllNumbered = false

beforeAll(async () => {
  workshop = await openWorkshop()
  dataDir = await workshop.newFolder()
})

afterAll(async () => {
  await workshop.close()
  await Promise.all(receivers.map((receiver) => receiver.stop()))
})

const asSeller = ({ token }: Shop) => ({ authorization: `Bearer ${token}` })

/** Payers come and pay, and the seller renames the page: whatever fails is left as it is. */
async function live(shop: Shop): Promise<void> {
  for (let visit = 0; !isOver; visit += 1) {
    const asked = await askForPix(url, shop).catch(() => null)
    if (asked?.status !== 201) {
      await sleep(100)
      continue
    }
    if (visit % 3 > 0) await payAtBank(url, (asked.body["data"] as Pix).pixCode).catch(() => null)
    const renamed = { title: `Mentoria ${visit}` }
    if (visit % 5 === 0) {
      await sendJson(`${url}/api/v1/checkout/pages/${shop.pageId}`, "PATCH", renamed, asSeller(shop)).catch(() => null)
    }
  }
}

interface Heard {
  id: string
  type: string
  sequence: number
}

/** Reads on from what was heard, as an integrator does, however often the server dies meanwhile. */
async function follow(shop: Shop, heard: Heard[]): Promise<void> {
  for (let isLast = false; !isLast; ) {
    const mayBeLast = isAllNumbered
    const after = heard.at(-1)?.sequence ?? 0
    const answer = await send(`${url}/api/v1/events?after=${after}&wait=2`, { headers: asSeller(shop) }).catch(
      () => null,
    )
    if (answer?.status !== 200) {
      await sleep(100)
      continue
    }
    const { events, hasMore } = answer.body["data"] as { events: Heard[]; hasMore: boolean }
    heard.push(...events)
    isLast = mayBeLast && !hasMore && events.length === 0
  }
}

interface Hook {
  receiver: WebhookReceiver
  /** Whatever has a higher number must arrive. */
  after: number
}

/** Adds an address that hears everything of the shop from here on. */
async function openHook(shop: Shop): Promise<Hook> {
  const receiver = await startReceiver()
  receivers.push(receiver)
  const wish = { url: receiver.url, types: [], passwordCurrent: password }
  const { status, body } = await sendJson(`${url}/api/v1/users/me/webhooks`, "POST", wish, asSeller(shop))
  expect(status).toBe(201)
  receiver.trust((body["data"] as { secret: string }).secret)
  const newest = await send(`${url}/api/v1/events?last=1`, { headers: asSeller(shop) })
  return { receiver, after: (newest.body["data"] as { next: number }).next }
}

/** The numbers that never arrived, of those up to the last one. */
function missedBy({ receiver, after }: Hook, last: number): number[] {
  const arrived = new Set(receiver.received.map(({ event }) => event.sequence))
  const first = Math.min(after + 1, ...arrived)
  return Array.from({ length: last - first + 1 }, (_, at) => first + at).filter((sequence) => !arrived.has(sequence))
}

/** Facts that have no event, or more than one, and events of nothing. */
const mismatches = `
  with facts (type, id) as (
    select 'charge.created', id from charges where opened_at is not null
    union all select 'charge.paid', charge_id from payments where disposition = 'credited'
    union all select 'page.created', id from charge_pages
  ), told as (
    select type, subject_id as id, count(*) as times from events
    where type in ('charge.created', 'charge.paid', 'page.created') group by 1, 2
  )
  select * from facts full join told using (type, id) where times is distinct from 1 or facts.type is null`

async function untilAllIsNumbered(): Promise<void> {
  const waiting = `select from event_drafts
    union all select from payments where xid > (select until from numbered_events) and seller_id is not null`
  await eventually(
    async () => query(await embeddedUrl(dataDir), waiting),
    (rows) => rows.length === 0,
  )
}

test("kills of servers and database leave each fact one event, numbered without holes, and readers and webhooks with all of them", async () => {
  let server: ServerProcess = await workshop.startServer({ dataDir })
  url = server.url
  const shops = await Promise.all(Array.from({ length: shopsAtOnce }, () => openShop(server.url)))
  const hooks = await Promise.all(shops.map(openHook))
  const heard = shops.map((): Heard[] => [])
  const working = shops.map(live)
  const following = shops.map((shop, at) => follow(shop, heard[at] ?? []))
  const begin = performance.now()
  let kills = 0
  for (; kills < testSizes.kills && performance.now() - begin < killForMs; kills += 1) {
    const before = heard.flat().length
    await eventually(
      async () => heard.flat().length,
      (count) => count > before + shopsAtOnce,
    )
    await sleep(Math.random() * 300)
    if (kills % 2 === 1) await killDatabase(dataDir)
    server.kill("SIGKILL")
    await server.exited
    server = await workshop.startServer({ dataDir })
    url = server.url
  }
  isOver = true
  await Promise.all(working)
  await untilAllIsNumbered()
  isAllNumbered = true
  await Promise.all(following)

  const databaseUrl = await embeddedUrl(dataDir)
  expect(await query(databaseUrl, mismatches)).toEqual([])
  const logs = await query<{ count: number; last: number; first: number }>(
    databaseUrl,
    `select count(*)::integer as count, min(sequence)::integer as first, max(sequence)::integer as last from events
     group by seller_id`,
  )
  expect(logs).toHaveLength(shopsAtOnce)
  for (const { count, first, last } of logs) expect({ first, last }).toEqual({ first: 1, last: count })
  for (const ofShop of heard) expect(ofShop.map(({ sequence }) => sequence)).toEqual(ofShop.map((_, at) => at + 1))
  expect(heard.flat()).toHaveLength(logs.reduce((sum, { count }) => sum + count, 0))
  expect(new Set(heard.flat().map(({ id }) => id)).size).toBe(heard.flat().length)

  // Deliveries that were under way at a kill are sent again once their lease is over.
  await sendJson(`${url}/simulador/api/controle/relogio`, "PUT", { avancarMs: 60_000 })
  await eventually(
    async () => hooks.map((hook, at) => missedBy(hook, heard[at]?.length ?? 0)),
    (missed) => missed.flat().length === 0,
  )
  const delivered = receivers.flatMap(({ received }) => received).length
  report(`${heard.flat().length} events, ${delivered} deliveries of ${shopsAtOnce} sellers, killed ${kills} times`)
})
