import type { Books } from "./books.ts"
import type { Delivery, WebhookBook } from "./payout-books.ts"
import type { BankClock } from "./tokens.ts"

const second = 1000
const backoffMs = [1, 2, 5, 10, 30, 60, 120, 300, 600, 1800, 3600].map((seconds) => seconds * second)
const giveUpAfterMs = 24 * 3600 * second
const answerTimeoutMs = 10 * second
const maxInFlight = 32

export type WebhookDelivery = {
  /** Wakes the delivery because a notice is owed. Returns at once. */
  wake(): void
  /** Aborts deliveries in flight; they stay owed and continue after a restart. */
  stop(): Promise<void>
}

type Parts = { books: Books; clock: BankClock; webhooks: WebhookBook; log: (line: string) => void }

/** Delivers at least once, as banks do: after a crash between the answer and its record, the notice is sent again. */
export function createWebhookDelivery({ books, clock, webhooks, log }: Parts): WebhookDelivery {
  const stopping = new AbortController()
  const inFlight = new Map<number, Promise<void>>()
  let timer: NodeJS.Timeout | undefined

  function sendDue(): void {
    if (stopping.signal.aborted || inFlight.size >= maxInFlight) return
    clearTimeout(timer)
    const now = clock.now()
    for (const delivery of webhooks.due(now, maxInFlight)) {
      if (inFlight.size >= maxInFlight) return
      if (inFlight.has(delivery.id)) continue
      inFlight.set(delivery.id, deliver(delivery))
    }
    const nextDue = webhooks.nextDueAfter(now)
    if (nextDue !== null) timer = setTimeout(sendDue, Math.max(nextDue - clock.now(), 1))
  }

  async function deliver(delivery: Delivery): Promise<void> {
    const outcome = await post(delivery, stopping.signal)
    if (!stopping.signal.aborted && !(await isNoted(delivery, outcome))) return
    inFlight.delete(delivery.id)
    sendDue()
  }

  /**
   * A delivery whose outcome the books fail to store stays in flight: one repetition after a restart is better than
   * endless ones now.
   */
  async function isNoted(delivery: Delivery, outcome: Outcome): Promise<boolean> {
    try {
      await note(delivery, outcome)
      return true
    } catch (error) {
      log(`webhook ${delivery.id}, não anotado: ${error instanceof Error ? error.message : String(error)}`)
      return false
    }
  }

  async function note(delivery: Delivery, { isTaken, answer }: Outcome): Promise<void> {
    const now = clock.now()
    const isLost = !isTaken && now - delivery.createdAt >= giveUpAfterMs
    if (!isTaken) log(`webhook ${delivery.id}, tentativa ${delivery.attempts + 1}: ${answer}`)
    await books.write(() => {
      if (isTaken || isLost) webhooks.settle(delivery.id, now, answer)
      else webhooks.postpone(delivery.id, now + waitAfter(delivery.attempts), answer)
    })
  }

  return {
    wake: sendDue,
    async stop() {
      clearTimeout(timer)
      stopping.abort()
      await Promise.all(inFlight.values())
    },
  }
}

function waitAfter(failedAttempts: number): number {
  return backoffMs[Math.min(failedAttempts, backoffMs.length - 1)] ?? second
}

/** The receiver's answer, or the reason why there is none. */
type Outcome = { isTaken: boolean; answer: string }

async function post({ url, suffix, body }: Delivery, stopping: AbortSignal): Promise<Outcome> {
  try {
    const response = await fetch(url.replace(/(?<!\/)\/+$/, "") + suffix, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
      redirect: "manual",
      signal: AbortSignal.any([stopping, AbortSignal.timeout(answerTimeoutMs)]),
    })
    await response.arrayBuffer()
    return { isTaken: response.ok, answer: `o recebedor respondeu ${response.status}` }
  } catch (error) {
    return { isTaken: false, answer: error instanceof Error ? error.message : String(error) }
  }
}
