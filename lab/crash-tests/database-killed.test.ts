import { rename } from "node:fs/promises"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { afterAll, beforeAll, expect, test } from "vitest"
import { embeddedUrl, killDatabase, readBankPayments, readBookedPayments } from "./embedded-books.ts"
import { eventually, report } from "./eventually.ts"
import { openWorkshop, type ServerProcess, type Workshop } from "./server-process.ts"
import {
  type Answer,
  askForPix,
  askForStatus,
  createPix,
  logIn,
  netOf,
  openCheckout,
  openShop,
  type Pix,
  pay,
  readBalanceCents,
  readStatus,
  type Shop,
  send,
} from "./shop.ts"
import { openStatusStream } from "./status-stream.ts"

let workshop: Workshop
let server: ServerProcess
let shop: Shop

beforeAll(async () => {
  workshop = await openWorkshop()
  server = await workshop.startServer({ dataDir: await workshop.newFolder() })
  shop = await openShop(server.url)
})

afterAll(() => workshop.close())

/** Moves its settings away, so that it can't restart for a while. */
async function killDatabaseFor(ms: number): Promise<void> {
  const settings = join(server.dataDir, "postgres", "postgresql.conf")
  await rename(settings, `${settings}.away`)
  await killDatabase(server.dataDir)
  await sleep(ms)
  await rename(`${settings}.away`, settings)
}

/** Sends requests of each kind one after another, every kind in parallel, until stopped. */
function keepAsking(requests: (() => Promise<Answer>)[]): { stop(): Promise<Answer[]> } {
  let isOver = false
  const asking = requests.map(async (request) => {
    const answers: Answer[] = []
    while (!isOver) {
      answers.push(await request())
      // Stays below the rate limit of ten polls a second, which is none of this test's concern.
      await sleep(150)
    }
    return answers
  })
  return {
    async stop() {
      isOver = true
      return (await Promise.all(asking)).flat()
    },
  }
}

test("a database that is killed comes back, nothing but a 503 was seen meanwhile, and no payment is lost", async () => {
  const codes = await Promise.all(Array.from({ length: 30 }, () => createPix(server.url, shop)))
  const [watched = codes[0] as Pix] = codes.slice(-1)
  const stream = await openStatusStream(server.url, watched)
  await stream.until("pendente")
  const asking = keepAsking([
    () => openCheckout(server.url, shop),
    () => logIn(server.url, shop),
    () => askForPix(server.url, shop),
    () => askForStatus(server.url, watched),
    () => send(`${server.url}/readyz`),
  ])
  const paying = codes.map((pix, index) => sleep(index * 20).then(() => pay(server.url, pix)))
  await sleep(300)
  const killedAt = performance.now()
  await killDatabaseFor(3_000)
  const backAt = performance.now()
  await eventually(
    () => send(`${server.url}/readyz`),
    ({ status }) => status === 200,
  )
  report(`killed and kept away for 3 s, the database served ${Math.round(performance.now() - backAt)} ms later`)
  await Promise.all(paying)
  const shownAt = await stream.until("pago")
  report(`a stream that was open showed the payment ${Math.round(shownAt - killedAt)} ms after the kill`)
  stream.close()
  expectOnlyShortRefusals(await asking.stop())
  await everyPaymentIsBookedOnce(codes)
})

function expectOnlyShortRefusals(answers: Answer[]): void {
  const refused = answers.filter(({ status }) => status !== 200 && status !== 201)
  report(`${answers.length} answers meanwhile, ${refused.length} of them 503`)
  expect(refused.length).toBeGreaterThan(0)
  for (const { status, body, headers } of refused) {
    expect({ status, body }).toEqual({ status: 503, body: expect.objectContaining({ status: "error" }) })
    expect(body.message).toEqual(expect.stringMatching(/\p{L}/u))
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(0)
  }
  expect(Math.max(...answers.map(({ tookMs }) => tookMs))).toBeLessThan(10_000)
}

async function everyPaymentIsBookedOnce(codes: Pix[]): Promise<void> {
  await eventually(
    () => Promise.all(codes.map((pix) => readStatus(server.url, pix))),
    (states) => states.every((status) => status === "pago"),
  )
  const booked = await readBookedPayments(await embeddedUrl(server.dataDir))
  // The logins meanwhile may have been so many that they ended the shop's own session.
  const { token } = (await logIn(server.url, shop)).body
  const balanceCents = await readBalanceCents(server.url, { ...shop, token: String(token) })
  expect(await workshop.verify({ dataDir: server.dataDir })).toMatchObject({ code: 0 })
  server.kill("SIGTERM")
  expect(await server.exited).toEqual({ code: 0, signal: null })
  const atBank = readBankPayments(server.dataDir)
  expect(booked).toEqual(new Map(atBank.map(({ endToEndId }) => [endToEndId, { times: 1, as: "credited" }])))
  expect(balanceCents).toBe(atBank.reduce((sum, { amountCents }) => sum + netOf(amountCents), 0))
}
