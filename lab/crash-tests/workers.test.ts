import { readFile } from "node:fs/promises"
import { afterEach, beforeEach, expect, test } from "vitest"
import { embeddedUrl, query, readPostmaster, untilDatabaseEnded } from "./embedded-books.ts"
import { eventually, report } from "./eventually.ts"
import { isAlive, openWorkshop, type ServerProcess, type Workshop } from "./server-process.ts"
import {
  createPix,
  netOf,
  openShop,
  type Pix,
  pay,
  payAtBank,
  readBalanceCents,
  readStatus,
  type Shop,
} from "./shop.ts"
import { openStatusStream } from "./status-stream.ts"

const workers = 2

let workshop: Workshop
let server: ServerProcess
let dataDir: string
let shop: Shop

beforeEach(async () => {
  workshop = await openWorkshop()
  dataDir = await workshop.newFolder()
  server = await workshop.startServer({ dataDir, env: { WORKERS: String(workers) } })
  shop = await openShop(server.url, { reais: 100 })
})

afterEach(() => workshop.close())

async function pidsOfWorkers(): Promise<number[]> {
  const children = await readFile(`/proc/${server.pid}/task/${server.pid}/children`, "utf8")
  const pids = children.trim().split(" ").map(Number)
  const commands = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")))
  return pids.filter((_pid, at) => commands[at]?.includes("server/src/start/worker.ts"))
}

/** Each request on a connection of its own, so that another worker may get it. */
const fetchAlone = (path: string) => fetch(server.url + path, { headers: { connection: "close" } })

async function countHealthChecks(): Promise<number> {
  const text = await (await fetchAlone("/metrics")).text()
  expect(text.match(/^# HELP reconciliation_lag_seconds /gm)).toHaveLength(1)
  const line = /^http_request_duration_seconds_count\{[^}]*route="\/healthz"[^}]*\} (\d+)$/m
  return Number(line.exec(text)?.[1] ?? 0)
}

async function countFourEach(): Promise<void> {
  for (let request = 0; request < 4 * workers; request += 1) expect((await fetchAlone("/healthz")).status).toBe(200)
  // Counted after the reply.
  await eventually(
    () => countHealthChecks(),
    (count) => count === 4 * workers,
  )
}

test("several processes sell as one, stream what another booked, and add up their metrics", async () => {
  const stillOpen = await createPix(server.url, shop)
  const streams = await Promise.all(Array.from({ length: 2 * workers }, () => openStatusStream(server.url, stillOpen)))
  await Promise.all(streams.map((stream) => stream.until("pendente")))
  await pay(server.url, stillOpen)
  await Promise.all(streams.map((stream) => stream.until("pago")))
  for (const stream of streams) stream.close()

  await countFourEach()
  const [row] = await query<{ served: number }>(
    await embeddedUrl(dataDir),
    "select count(distinct client_port)::int as served from pg_stat_activity where application_name = 'tilinta events'",
  )
  expect(row?.served).toBe(workers)
})

/** Its own request may be the one that is lost; the bank refuses to be paid twice. */
async function payUntilPaid({ pixCode }: Pix): Promise<void> {
  await eventually(
    () => payAtBank(server.url, pixCode).catch(() => null),
    (answer) => answer?.status === 201 || answer?.status === 422,
  )
}

test("one that is killed is replaced, the others serve meanwhile, and nothing is lost, doubled or counted anew", async () => {
  const before = await readBalanceCents(server.url, shop)
  const codes = await Promise.all(Array.from({ length: 10 }, () => createPix(server.url, shop)))
  const [victim = 0, ...others] = await pidsOfWorkers()
  expect(others).toHaveLength(workers - 1)
  await countFourEach()
  const paying = codes.map(payUntilPaid)
  process.kill(victim, "SIGKILL")
  const killedAt = performance.now()
  await Promise.all(paying)
  await eventually(
    () => pidsOfWorkers(),
    (pids) => pids.length === workers && !pids.includes(victim),
  )
  expect(await countHealthChecks()).toBe(4 * workers)
  report(`a killed process was replaced after ${Math.round(performance.now() - killedAt)} ms`)
  await eventually(
    () => Promise.all(codes.map((pix) => readStatus(server.url, pix).catch(() => "unreachable"))),
    (statuses) => statuses.every((status) => status === "pago"),
  )
  expect(await readBalanceCents(server.url, shop)).toBe(before + 10 * netOf(10_000))
  expect(await workshop.verify({ dataDir })).toMatchObject({ code: 0 })
})

test.each(["SIGTERM", "SIGINT"] as const)("%s stops all of them, and then the database", async (signal) => {
  const pids = await pidsOfWorkers()
  const url = await embeddedUrl(dataDir)
  if (signal === "SIGINT") server.killGroup(signal)
  else server.kill(signal)
  expect(await server.exited).toEqual({ code: 0, signal: null })
  expect(pids.filter(isAlive)).toEqual([])
  expect(await readPostmaster(dataDir)).toBeNull()
  await expect(query(url, "select 1")).rejects.toThrow("ECONNREFUSED")
})

test("when the process that started them is killed they end, and the next start takes the database over", async () => {
  const pids = await pidsOfWorkers()
  const before = await readBalanceCents(server.url, shop)
  server.kill("SIGKILL")
  await server.exited
  await eventually(
    async () => pids.filter(isAlive),
    (alive) => alive.length === 0,
  )
  server = await workshop.startServer({ dataDir, env: { WORKERS: "2" } })
  expect(await readBalanceCents(server.url, shop)).toBe(before)
  server.kill("SIGTERM")
  await server.exited
  await untilDatabaseEnded(dataDir)
})

test("what keeps the first from starting ends them all with its line", async () => {
  const taken = workshop.run("server/src/main.ts", {
    ...{ DATA_DIR: await workshop.newFolder(), LOG_LEVEL: "warn", WORKERS: "2" },
    PORT: new URL(server.url).port,
  })
  expect(await taken.exited).toEqual({ code: 1, signal: null })
  expect(taken.stderr()).toBe(`PORT: a porta ${new URL(server.url).port} já está em uso; escolha outra com PORT=…\n`)
})
