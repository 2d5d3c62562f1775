import type { Books } from "./books.ts"
import type { Delivery, WebhookBook } from "./webhook-book.ts"

const second = 1000
const backoffMs = [1, 2, 5, 10, 30, 60, 120, 300, 600, 1800, 3600].map((seconds) => seconds * second)
const giveUpAfterMs = 24 * 3600 * second
const answerTimeoutMs = 10 * second
const maxInFlight = 32

export type WebhookDelivery = {
  /** Something is owed now. Returns at once. */
  wake(): void
  /** Ends what is in flight; it stays owed and goes on after a restart. */
  stop(): Promise<void>
}

type Parts = { books: Books; webhooks: WebhookBook; log: (line: string) => void }

/** At least once, as banks do: what a crash leaves between the answer and the note of it is sent again. */
export function createWebhookDelivery({ books, webhooks, log }: Parts): WebhookDelivery {
  const stopping = new AbortController()
  const inFlight = new Map<number, Promise<void>>()
  let timer: NodeJS.Timeout | undefined

  function sendDue(): void {
    if (stopping.signal.aborted || inFlight.size >= maxInFlight) return
    clearTimeout(timer)
    const now = Date.now()
    for (const delivery of webhooks.due(now, maxInFlight)) {
      if (inFlight.size >= maxInFlight) return
      if (inFlight.has(delivery.id)) continue
      inFlight.set(delivery.id, deliver(delivery))
    }
    const nextDue = webhooks.nextDueAfter(now)
    if (nextDue !== null) timer = setTimeout(sendDue, Math.max(nextDue - Date.now(), 1))
  }

  async function deliver(delivery: Delivery): Promise<void> {
    const failure = await post(delivery, stopping.signal)
    if (!stopping.signal.aborted && !(await isNoted(delivery, failure))) return
    inFlight.delete(delivery.id)
    sendDue()
  }

  /** What the books refuse to note stays in flight: better told twice after a restart than over and over now. */
  async function isNoted(delivery: Delivery, failure: string | undefined): Promise<boolean> {
    try {
      await note(delivery, failure)
      return true
    } catch (error) {
      log(`webhook ${delivery.id}, não anotado: ${error instanceof Error ? error.message : String(error)}`)
      return false
    }
  }

  async function note(delivery: Delivery, failure: string | undefined): Promise<void> {
    const now = Date.now()
    const isLost = failure !== undefined && now - delivery.createdAt >= giveUpAfterMs
    if (failure !== undefined) log(`webhook ${delivery.id}, tentativa ${delivery.attempts + 1}: ${failure}`)
    await books.write(() => {
      if (failure === undefined || isLost) webhooks.settle(delivery.id)
      else webhooks.postpone(delivery.id, now + waitAfter(delivery.attempts))
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

/** Undefined when it was taken; otherwise why not. */
async function post({ url, body }: Delivery, stopping: AbortSignal): Promise<string | undefined> {
  try {
    const response = await fetch(`${url.replace(/\/+$/, "")}/pix`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
      redirect: "manual",
      signal: AbortSignal.any([stopping, AbortSignal.timeout(answerTimeoutMs)]),
    })
    await response.arrayBuffer()
    return response.ok ? undefined : `o recebedor respondeu ${response.status}`
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
