import { parentPort, workerData } from "node:worker_threads"
import { quantilesOf } from "../open-loop.ts"
import { closedLoop, type LoadFigures, rawRequest } from "../raw-http.ts"
import { type MixWish, sendMix } from "./mixed-load.ts"
import { createReceipts, type receiptsMemory } from "./receipts.ts"

/** Pays these charges and notifies of each so many times, shuffled differently for each repetition. */
export interface PayWish {
  kind: "pay"
  first: number
  last: number
  times: number
  connections: number
  /** Webhook targets, used round robin. */
  webhooks: { port: number; path: string }[]
}

/** The webhooks of payments that were made before. */
export interface WebhooksWish {
  kind: "webhooks"
  first: number
  last: number
}

export type LoadWish = PayWish | MixWish | WebhooksWish

export interface PayFigures extends Omit<LoadFigures, "latencies"> {
  p50Ms: number
  p99Ms: number
}

/** A thread of its own: a bank that waited for the load would make the server's requests late. */
const receipts = createReceipts(workerData as ReturnType<typeof receiptsMemory>)
parentPort?.on("message", ({ id, wish }: { id: number; wish: LoadWish }) => {
  fulfil(wish).then(
    (figures) => parentPort?.postMessage({ id, figures }),
    (error: unknown) => parentPort?.postMessage({ id, error: String(error) }),
  )
})

async function fulfil(wish: LoadWish): Promise<object> {
  if (wish.kind === "pay") return pay(wish)
  return wish.kind === "mix" ? sendMix(receipts, wish) : webhooks(wish)
}

function webhooks({ first, last }: WebhooksWish): string[] {
  return Array.from({ length: last - first + 1 }, (_, at) => `{"pix":[${receipts.pay(first + at)}]}`)
}

async function pay({ first, last, times, connections, webhooks }: PayWish): Promise<PayFigures> {
  const count = last - first + 1
  const order = shuffledOrder(count * times)
  const perServer = Math.ceil(connections / webhooks.length)
  let at = 0
  const next = (path: string) => () => {
    if (at === count * times) return null
    const n = first + (order(at++) % count)
    return rawRequest("POST", path, { body: `{"pix":[${receipts.pay(n)}]}` })
  }
  const all = await Promise.all(
    webhooks.map(({ port, path }) => closedLoop({ port, connections: perServer, next: next(path) })),
  )
  const failed: Record<number, number> = {}
  for (const each of all) {
    for (const [status, times] of Object.entries(each.failed))
      failed[Number(status)] = (failed[Number(status)] ?? 0) + times
  }
  return {
    answered: all.reduce((sum, each) => sum + each.answered, 0),
    failed,
    seconds: Math.max(...all.map((each) => each.seconds)),
    ...quantilesOf(all.flatMap((each) => each.latencies)),
  }
}

/**
 * A permutation of the numbers below `size`; neighbours end up far apart when `size` is large. Identity when there is
 * nothing to mix.
 */
function shuffledOrder(size: number): (at: number) => number {
  const step = [7_368_787, 2_750_159, 611_953].find((prime) => size % prime !== 0) ?? 1
  return (at) => Number((BigInt(at) * BigInt(step)) % BigInt(size))
}
