import { quantilesOf } from "../open-loop.ts"
import { cpuSeconds } from "../process-figures.ts"
import { closedLoop, type LoadFigures, rawRequest } from "../raw-http.ts"
import { startBankServer } from "./bank-server.ts"
import { type MixWish, sendMix } from "./mixed-load.ts"
import { createReceipts } from "./receipts.ts"

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

/** How far the bank's clock is ahead, which also says when a seller's webhook is due again. */
export interface ClockWish {
  kind: "clock"
  aheadMs: number
}

type BankWish = PayWish | MixWish | WebhooksWish | ClockWish | { kind: "asked" }

export interface PayFigures extends Omit<LoadFigures, "latencies"> {
  p50Ms: number
  p99Ms: number
}

const receipts = createReceipts()
const bank = await startBankServer(receipts)
process.send?.({ port: bank.port })
process.on("message", ({ id, wish }: { id: number; wish: BankWish }) => {
  fulfil(wish).then(
    (figures) => process.send?.({ id, figures }),
    (error: unknown) => process.send?.({ id, error: String(error) }),
  )
})
process.on("disconnect", () => process.exit(0))

async function fulfil(wish: BankWish): Promise<object> {
  if (wish.kind === "pay") return pay(wish)
  if (wish.kind === "webhooks") return webhooks(wish)
  if (wish.kind === "mix") return sendMix(receipts, wish)
  if (wish.kind === "clock") bank.moveClock(wish.aheadMs)
  return { asked: bank.asked(), cpu: cpuSeconds(process.pid) }
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
