import { paymentStatusEvent } from "@tilinta/contract/vocabulary/events"
import type { PayerStatus } from "@tilinta/contract/vocabulary/transactions"
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

/** Safari lacks `requestIdleCallback`. */
const whenIdle = (work: () => void): unknown =>
  "requestIdleCallback" in window ? requestIdleCallback(work) : setTimeout(work)

type Wake = (upTo?: number) => boolean

/** Runs each step once and in order: up to the given number, or the next one. True while steps are left. */
export function inSteps(...steps: readonly (() => void)[]): Wake {
  let done = 0
  return (upTo = done + 1) => {
    while (done < upTo) steps[done++]?.()
    return done < steps.length
  }
}

/** Gives each step an idle task of its own after a paint, so that a slow phone keeps painting and reacting to touch. */
export function wakeSlowly(wake: Wake): void {
  requestAnimationFrame(() =>
    whenIdle(() => {
      if (wake()) wakeSlowly(wake)
    }),
  )
}

const HIDDEN_MS = 300

/** Runs after the next paint, or soon in a hidden tab, which is never painted. */
export function oncePainted(work: () => void): void {
  let left: typeof work | null = work
  const doOnce = (): void => {
    left?.()
    left = null
  }
  requestAnimationFrame(() => setTimeout(doOnce))
  setTimeout(doOnce, HIDDEN_MS)
}

/** After a reload, or a return from the bank's app, the form must not flash before the stored code is shown. */
export function hasComeBack(): boolean {
  const visits = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[]
  return visits[0]?.type !== "navigate"
}

/** Polls one Pix at a time, from the moment that the payer sees it. */
export function following(onStatus: (transactionId: string, status: PayerStatus) => void) {
  let watch: PaymentWatch | null = null

  return {
    askNow: () => watch?.askNow(),
    change(transactionId: string | null, isUrgent = false): void {
      oncePainted(() => {
        watch?.stop()
        watch = transactionId === null ? null : watchPayment(transactionId, (status) => onStatus(transactionId, status))
        if (isUrgent) watch?.askNow()
      })
    },
  }
}
