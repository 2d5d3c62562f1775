import { decodeBrCode } from "@tilinta/brcode/decode"
import { encodeDynamic } from "@tilinta/brcode/encode"
import { newId } from "../../server/src/kit/ids.ts"
import { qrPng, qrSvg } from "../../server/src/kit/qr-code.ts"
import type { ServerProcess } from "../crash-tests/server-process.ts"
import { numberOf } from "../kit/arguments.ts"
import { callBank } from "../kit/bank/call-bank.ts"
import { chargeInsert } from "../kit/charge-insert.ts"
import { atLeast, atMost, type Job, type Row, shownOnly } from "../kit/job.ts"
import { type Market, openMarket } from "../kit/market.ts"
import { pgbench } from "../kit/pgbench.ts"
import { cpuSeconds, postgresCpuSeconds } from "../kit/process-figures.ts"
import { closedLoop, rawRequest } from "../kit/raw-http.ts"
import { restDatabase } from "../kit/rest-database.ts"
import { median } from "../timings.ts"

const sellers = 1_000
const connections = 64
const clients = 16
const images = 300
/** Payers have this many addresses, because each address is rate-limited. */
const addresses = 5_000

interface Figures {
  insertsPerSecond: number
  insertUs: number
  createsPerSecond: number
  serverUs: number
  postgresUs: number
  callUs: number
  p50Ms: number
  p99Ms: number
  png: number
  svg: number
  encode: number
  decode: number
}

/** Arguments: `rounds=`, `creations=` per round, `seconds=` per pgbench run. */
export const job: Job = {
  title: "A Pix created",
  async run(args) {
    const rounds = numberOf(args, "rounds", 5)
    const creations = numberOf(args, "creations", 10_000)
    const seconds = numberOf(args, "seconds", 5)
    const market = await openMarket({ sellers, charges: 0 })
    try {
      // In the product's own the server's jobs would fold and number pgbench's charges while creations are measured.
      const reference = await openMarket({ sellers, charges: 0 })
      try {
        const figures = await measure(market, reference, { rounds, creations, seconds })
        return { rows: rowsOf(figures), notes: notesOf(rounds, creations) }
      } finally {
        await reference.close()
      }
    } finally {
      await market.close()
    }
  },
}

interface Size {
  rounds: number
  creations: number
  seconds: number
}

async function measure(market: Market, reference: Market, { rounds, creations, seconds }: Size): Promise<Figures[]> {
  const server = await market.startServer()
  // Warm-up: connections, plans and hot code are ready before the first round.
  await create(market, server, creations)
  const figures: Figures[] = []
  for (let round = 0; round < rounds; round += 1) {
    figures.push({
      ...(await insert(reference, seconds)),
      ...(await create(market, server, creations)),
      callUs: await callBank(market.bank.url, { calls: creations, atOnce: connections }),
      ...(await draw()),
    })
  }
  return figures
}

async function insert(reference: Market, seconds: number): Promise<Pick<Figures, "insertsPerSecond" | "insertUs">> {
  const wish = { databaseUrl: reference.databaseUrl, clients, seconds, variables: { sellers } }
  const before = postgresCpuSeconds(reference.postmaster())
  const insertsPerSecond = await pgbench({ ...wish, script: chargeInsert })
  const used = postgresCpuSeconds(reference.postmaster()) - before
  await restDatabase(reference.query)
  return { insertsPerSecond, insertUs: (used / (insertsPerSecond * seconds)) * 1e6 }
}

async function create(
  market: Market,
  server: ServerProcess,
  creations: number,
): Promise<Pick<Figures, "createsPerSecond" | "serverUs" | "postgresUs" | "p50Ms" | "p99Ms">> {
  const cpu = { server: cpuSeconds(server.pid), postgres: postgresCpuSeconds(market.postmaster()) }
  let sent = 0
  const load = await closedLoop({
    port: Number(new URL(server.url).port),
    connections,
    next: () => (sent < creations ? askForPix(sent++) : null),
  })
  if (load.answered !== creations) throw new Error(`creations were refused: ${JSON.stringify(load.failed)}`)
  const sorted = load.latencies.toSorted((a, b) => a - b)
  return {
    createsPerSecond: creations / load.seconds,
    serverUs: ((cpuSeconds(server.pid) - cpu.server) / creations) * 1e6,
    postgresUs: ((postgresCpuSeconds(market.postmaster()) - cpu.postgres) / creations) * 1e6,
    p50Ms: sorted[creations >> 1] ?? 0,
    p99Ms: sorted[Math.floor(creations * 0.99)] ?? 0,
  }
}

/** The checkout's request. */
function askForPix(n: number): Buffer {
  const address = n % addresses
  const page = `01900000-0000-7000-9000-${(n % sellers).toString(16).padStart(12, "0")}`
  return rawRequest("POST", "/api/v1/checkout/process-modern-pix-payment", {
    headers: { "x-forwarded-for": `10.0.${address >> 8}.${address & 255}`, "idempotency-key": newId() },
    body: JSON.stringify({ checkoutPageId: page, customerInfo: null }),
  })
}

async function draw(): Promise<Pick<Figures, "png" | "svg" | "encode" | "decode">> {
  const codes = Array.from({ length: images }, (_, n) => codeOf(n))
  return {
    png: await cpuOf(codes, async (code) => qrPng(code)),
    svg: await cpuOf(codes, async (code) => qrSvg(code)),
    encode: await cpuOf(
      Array.from({ length: images * 50 }, (_, n) => n),
      async (n) => codeOf(n),
    ),
    decode: await cpuOf(Array.from({ length: 50 }, () => codes).flat(), async (code) => decodeBrCode(code)),
  }
}

function codeOf(n: number): string {
  return encodeDynamic({
    url: `qrcodes.banco.example.com.br/v2/cobv/${(1e15 + n).toString(16)}${(2e15 + n * n).toString(16)}`,
    amountCents: 1_000 + n,
    merchantName: "Ana Souza Cursos Ltda",
    merchantCity: "Sao Paulo",
  })
}

/** CPU microseconds per item, measured in the second pass, when the code is hot. */
async function cpuOf<Item>(items: readonly Item[], work: (item: Item) => Promise<unknown>): Promise<number> {
  for (const item of items) await work(item)
  const before = process.cpuUsage()
  for (const item of items) await work(item)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / items.length
}

function rowsOf(figures: Figures[]): Row[] {
  const of = (pick: (each: Figures) => number) => median(figures.map(pick))
  const ownUs = of((each) => each.serverUs + each.postgresUs - each.callUs)
  const insertUs = of((each) => each.insertUs)
  const rate = { what: "created over HTTP, the bank and the load on the same cores", unit: "/s" }
  return [
    atLeast(0.5, {
      what: "a Pix created, our own part",
      figure: 1e6 / ownUs,
      unit: "/CPU s",
      limit: { name: "INSERT", figure: 1e6 / insertUs },
    }),
    atMost(500, { what: "its image, a PNG", figure: of((each) => each.png), unit: "µs" }),
    shownOnly({
      what: "CPU of a creation: the server, without the bank's call",
      figure: of((each) => each.serverUs - each.callUs),
      unit: "µs",
    }),
    shownOnly({ what: "PostgreSQL", figure: of((each) => each.postgresUs), unit: "µs" }),
    shownOnly({ what: "the bank's call by itself", figure: of((each) => each.callUs), unit: "µs" }),
    shownOnly({
      ...rate,
      figure: of((each) => each.createsPerSecond),
      limit: { name: "pgbench INSERT", figure: of((each) => each.insertsPerSecond) },
    }),
    shownOnly({ what: "asked to answered, p50", figure: of((each) => each.p50Ms), unit: "ms" }),
    shownOnly({ what: "asked to answered, p99", figure: of((each) => each.p99Ms), unit: "ms" }),
    shownOnly({ what: "a QR code as SVG", figure: of((each) => each.svg), unit: "µs" }),
    shownOnly({ what: "BR Code written", figure: of((each) => each.encode), unit: "µs" }),
    shownOnly({ what: "BR Code read and checked", figure: of((each) => each.decode), unit: "µs" }),
  ]
}

function notesOf(rounds: number, creations: number): string[] {
  return [
    `${rounds} rounds that take turns, medians. ${creations.toLocaleString("en-US")} creations a round over ${connections} connections, on the open pages of ${sellers.toLocaleString("en-US")} sellers, each with a key of its own; the reply holds code and image. INSERT: pgbench writes the row as it stands afterwards, open and with its code, one transaction each, ${clients} clients, on the same table with its indexes and triggers, in a PostgreSQL of its own that rests while the product takes its turn; its CPU is PostgreSQL's alone, without pgbench's own.`,
    "Our own part is the CPU of the server and of PostgreSQL less the bank's call: the same adapter, calling the same bank as often and as many at once, in a process of its own and the same round.",
  ]
}
