import { readdir } from "node:fs/promises"
import { afterAll, beforeAll, expect, test } from "vitest"
import { embeddedUrl, query, readPostmaster, untilDatabaseEnded } from "./embedded-books.ts"
import { eventually, report } from "./eventually.ts"
import { isAlive, openWorkshop, type ServerProcess, type Workshop } from "./server-process.ts"
import { type Answer, askForPix, createPix, openCheckout, openShop, readStatus, type Shop, setFaults } from "./shop.ts"
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

const ways: [name: string, stop: (server: ServerProcess) => void][] = [
  ["SIGTERM", (running) => running.kill("SIGTERM")],
  ["SIGINT", (running) => running.kill("SIGINT")],
  [
    "Ctrl+C, pressed twice",
    (running) => {
      running.killGroup("SIGINT")
      running.killGroup("SIGINT")
    },
  ],
]

test.each(ways)("%s amid requests and streams: what is in flight is answered, nothing stays", async (name, stop) => {
  const pix = await createPix(server.url, shop)
  const streams = await Promise.all(Array.from({ length: 5 }, () => openStatusStream(server.url, pix)))
  await Promise.all(streams.map((stream) => stream.until("pendente")))
  await setFaults(server.url, { atrasoMs: 2_500 })
  const inFlight = await askForFive()
  await expectGoodEnd(name, stop)
  expect((await Promise.all(inFlight)).map((answer) => answer?.status)).toEqual([201, 201, 201, 201, 201])
  await Promise.all(streams.map((stream) => stream.ended))
  await expect(openCheckout(server.url, shop)).rejects.toThrow("fetch failed")

  server = await workshop.startServer({ dataDir: server.dataDir })
  report(`started again on its database in ${server.readyMs} ms`)
  await setFaults(server.url, { atrasoMs: 0 })
  expect(await readStatus(server.url, pix)).toBe("pendente")
})

test("a bank that doesn't answer can't keep the server from stopping", async () => {
  await createPix(server.url, shop)
  await setFaults(server.url, { atrasoMs: 60_000 })
  const inFlight = await askForFive()
  await expectGoodEnd("SIGTERM while the bank doesn't answer", (running) => running.kill("SIGTERM"))
  await Promise.all(inFlight)
})

/** Starts five requests for a Pix and waits until the server works on them. */
async function askForFive(): Promise<Promise<Answer | null>[]> {
  const inFlight = Array.from({ length: 5 }, () => askForPix(server.url, shop).catch(() => null))
  const databaseUrl = await embeddedUrl(server.dataDir)
  await eventually(
    () => query(databaseUrl, "select id from charges where status = 'creating'"),
    (creating) => creating.length === inFlight.length,
  )
  return inFlight
}

async function expectGoodEnd(name: string, stop: (server: ServerProcess) => void): Promise<void> {
  const postmaster = await readPostmaster(server.dataDir)
  expect(isAlive(postmaster?.pid ?? 0)).toBe(true)
  const begin = performance.now()
  stop(server)
  expect(await server.exited).toEqual({ code: 0, signal: null })
  const tookMs = performance.now() - begin
  report(`${name}: ended after ${Math.round(tookMs)} ms`)
  expect(tookMs).toBeLessThan(10_000)
  expect(server.stderr()).toBe("")
  await untilDatabaseEnded(server.dataDir)
  await eventually(
    async () => isAlive(postmaster?.pid ?? 0),
    (alive) => !alive,
  )
}

test.each([
  ["the database is being made", async (dataDir: string) => (await readdir(dataDir)).some(isUnfinished)],
  ["the database has just been started", async (dataDir: string) => (await readPostmaster(dataDir)) !== null],
])("SIGTERM while %s ends the start, and the next one works", async (_moment, isReached) => {
  const dataDir = await workshop.newFolder()
  const starting = workshop.run("server/src/main.ts", { DATA_DIR: dataDir, PORT: "0", LOG_LEVEL: "warn" })
  await eventually(
    () => isReached(dataDir),
    (reached) => reached,
  )
  starting.kill("SIGTERM")
  expect(await starting.exited).toEqual({ code: 0, signal: null })
  expect(starting.stderr()).toBe("")
  await untilDatabaseEnded(dataDir)
  const next = await workshop.startServer({ dataDir })
  next.kill("SIGTERM")
  expect(await next.exited).toEqual({ code: 0, signal: null })
})

function isUnfinished(name: string): boolean {
  return name.startsWith("postgres-unfinished-")
}
