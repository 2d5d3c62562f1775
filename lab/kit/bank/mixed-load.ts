import { type OpenLoopFigures, openLoop, quantilesOf } from "../open-loop.ts"
import { openConnection, rawRequest } from "../raw-http.ts"
import type { Receipts } from "./receipts.ts"

/** The rate of one kind of caller. */
interface Stream {
  perSecond: number
  connections: number
}

/** Payers who pay, who poll and who ask for a Pix, all at once. */
export interface MixWish {
  kind: "mix"
  seconds: number
  whenBusy: "wait" | "drop"
  port: number
  webhookPath: string
  /** The first unpaid charge; those after it are paid in order. */
  firstUnpaid: number
  sellers: number
  charges: number
  confirm: Stream
  poll: Stream
  create: Stream
}

export interface MixFigures {
  confirm: OpenLoopFigures
  poll: OpenLoopFigures
  create: OpenLoopFigures
  /** Latency from sending a webhook until payment-status answers `pago`, for a sample. */
  seen: { count: number; p50Ms: number; p99Ms: number }
  /** The first unpaid charge after the run. */
  firstUnpaid: number
}

/** Charges polled every three seconds: most are still unpaid, some have just been paid. */
const payers = { justPaid: 2_000, all: 20_000 }
const watchers = 2
const lookEveryMs = 5

/** Webhooks, polls and creations, each at its own rate, and some payers who watch for the moment of confirmation. */
export async function sendMix(receipts: Receipts, wish: MixWish): Promise<MixFigures> {
  const { port, sellers, charges, webhookPath } = wish
  const common = { port, seconds: wish.seconds, whenBusy: wish.whenBusy }
  const seenAfter: number[] = []
  let unpaid = wish.firstUnpaid
  let lastPaid: { n: number; atMs: number } | null = null
  let isOver = false

  function nextWebhook(): Buffer {
    const n = unpaid++
    lastPaid = { n, atMs: performance.now() }
    return rawRequest("POST", webhookPath, { body: `{"pix":[${receipts.pay(n)}]}` })
  }

  function somePayer(): number {
    const first = Math.min(Math.max(0, unpaid - payers.justPaid), Math.max(0, charges - payers.all))
    return first + Math.floor(Math.random() * Math.min(payers.all, charges))
  }

  async function watch(): Promise<void> {
    const connection = await openConnection(port)
    const look = (n: number) =>
      new Promise<boolean>((resolve) => {
        connection.send(statusOf(n), ({ text }) => resolve(text().includes('"pago"')))
      })
    while (!isOver) {
      const watched = lastPaid
      lastPaid = null
      if (watched !== null) {
        while (!isOver && !(await look(watched.n))) await pause()
        if (!isOver) seenAfter.push(performance.now() - watched.atMs)
      }
      await pause()
    }
    connection.close()
  }

  const watching = Array.from({ length: watchers }, watch)
  const [confirm, poll, create] = await Promise.all([
    openLoop({ ...common, ...wish.confirm, next: nextWebhook }),
    openLoop({ ...common, ...wish.poll, next: () => statusOf(somePayer()) }),
    openLoop({ ...common, ...wish.create, next: () => creation(Math.floor(Math.random() * sellers)) }),
  ])
  isOver = true
  await Promise.all(watching)
  const { p50Ms, p99Ms } = quantilesOf(seenAfter)
  return { confirm, poll, create, seen: { count: seenAfter.length, p50Ms, p99Ms }, firstUnpaid: unpaid }
}

function statusOf(n: number): Buffer {
  const id = `${n.toString(16).padStart(8, "0")}-0000-7000-8000-000000000000`
  return rawRequest("GET", `/api/v1/checkout/payment-status/${id}`, { headers: from(n) })
}

function creation(seller: number): Buffer {
  const checkoutPageId = `01900000-0000-7000-9000-${seller.toString(16).padStart(12, "0")}`
  return rawRequest("POST", "/api/v1/checkout/process-modern-pix-payment", {
    headers: from(Math.floor(Math.random() * 60_000)),
    body: JSON.stringify({ checkoutPageId }),
  })
}

/** A proxy header with an address of the payer's own. */
function from(n: number): Record<string, string> {
  return { "x-forwarded-for": `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}` }
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, lookEveryMs))
}
