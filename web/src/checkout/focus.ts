import type { CheckoutState } from "./checkout-state.ts"

/** Each screen marks one element with `data-focus`. */
const pointOfInterest = "[data-focus],main input"

/** Both make the browser measure the page: before a QR code, only once its picture is being loaded. */
function enterScreen(): void {
  document.querySelector<HTMLElement>(pointOfInterest)?.focus({ preventScroll: true })
  scrollTo(0, 0)
}

/** The focus follows what changed: a new screen's point of interest, or the field that was refused. */
export function focusAfter(before: CheckoutState, now: CheckoutState): void {
  const isReload = now.isRestored && !before.isRestored
  if (now.screen !== before.screen && !isReload) {
    if (now.screen === "awaiting") requestAnimationFrame(enterScreen)
    else enterScreen()
  }
  if (now.problem !== null && now.problem !== before.problem) document.getElementById(now.problem.field)?.focus()
}
