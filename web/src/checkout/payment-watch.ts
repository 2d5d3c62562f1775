import { paymentStatusEvent } from "@tilinta/contract/vocabulary/events"
import type { PayerStatus } from "@tilinta/contract/vocabulary/transaction-status"
import { readStatus, statusPath } from "./checkout-api.ts"

const TICK_MS = 3000

export interface PaymentWatch {
  askNow: () => void
  stop: () => void
}

/**
 * Polls at a fixed interval that no error ends, and at once when the payer returns from the bank's app.
 * The event stream only makes it faster: any proxy on the way may cut it.
 */
export function watchPayment(transactionId: string, onStatus: (status: PayerStatus) => void): PaymentWatch {
  const ending = new AbortController()
  const { signal } = ending
  const askNow = (): void => {
    readStatus(transactionId, signal).then(onStatus).catch(console.warn)
  }
  const stream = openStream(transactionId, onStatus)
  const tick = setInterval(askNow, TICK_MS)
  document.addEventListener("visibilitychange", () => document.hidden || askNow(), { signal })
  addEventListener("pageshow", askNow, { signal })
  addEventListener("online", askNow, { signal })

  return {
    askNow,
    stop() {
      clearInterval(tick)
      stream.close()
      ending.abort()
    },
  }
}

function openStream(transactionId: string, onStatus: (status: PayerStatus) => void): EventSource {
  const stream = new EventSource(statusPath(transactionId).replace("?", "/stream?"))
  stream.addEventListener(paymentStatusEvent, (event) => onStatus(JSON.parse(event.data).status))
  return stream
}
