import { setTimeout as sleep } from "node:timers/promises"
import { askForPix, call, payCode } from "../crash-tests/exchanges/market.ts"
import type { Scene } from "./faults.ts"

/** A round as payers saw it. */
export interface Seen {
  /** The longest time in which no new Pix was answered with 201. */
  gapMs: number
  /** The longest time in which no payer's page turned to paid. */
  unbookedMs: number
  asked: number
  /** Payers who got no Pix although their page repeated its question, which it does for half a second here. */
  turnedAway: number
}

const [askers, payers] = [3, 2]
const askEveryMs = 100
const lookEveryMs = 150

/** Some only ask for Pix, each a write of its own; others pay them too, and look at their page until it says so. */
export function watchPayers({ market, pageId }: Pick<Scene, "market" | "pageId">) {
  let isOver = false
  const [writes, bookings] = [longestGap(), longestGap()]
  const counts = { asked: 0, turnedAway: 0 }

  async function ask() {
    counts.asked += 1
    const pix = await askForPix(market, pageId)
    if (pix === null) counts.turnedAway += 1
    else writes.note()
    return pix
  }
  async function keepAsking(): Promise<void> {
    while (!isOver) {
      await ask()
      await sleep(askEveryMs)
    }
  }
  async function keepPaying(): Promise<void> {
    while (!isOver) {
      const pix = await ask()
      if (pix !== null && (await payCode(market, pix)) && (await untilPaid(pix.transactionId))) bookings.note()
      await sleep(askEveryMs)
    }
  }
  async function untilPaid(id: string): Promise<boolean> {
    while (!isOver) {
      const { status, body } = await call(market, "GET", `/checkout/payment-status/${id}`)
      if (status === 200 && (body["data"] as { status: string }).status === "pago") return true
      await sleep(lookEveryMs)
    }
    return false
  }

  const watching = Promise.all([
    ...Array.from({ length: askers }, keepAsking),
    ...Array.from({ length: payers }, keepPaying),
  ])
  return {
    async stop(): Promise<Seen> {
      isOver = true
      const [gapMs, unbookedMs] = [writes.end(), bookings.end()]
      await watching
      return { gapMs, unbookedMs, ...counts }
    },
  }
}

function longestGap() {
  let lastAt = performance.now()
  let longestMs = 0
  const note = () => {
    const now = performance.now()
    longestMs = Math.max(longestMs, now - lastAt)
    lastAt = now
  }
  return {
    note,
    end() {
      note()
      return Math.round(longestMs)
    },
  }
}
