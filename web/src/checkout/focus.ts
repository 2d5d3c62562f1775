import type { CheckoutState } from "./checkout-state.ts"

/** Each screen marks one element with `data-focus`. */
const pointOfInterest = "[data-focus],main input"

/** Both calls force a layout, so for a QR code they wait until its image is loading. */
function enterScreen(): void {
  document.querySelector<HTMLElement>(pointOfInterest)?.focus({ preventScroll: true })
  scrollTo(0, 0)
}

/** Moves the focus to a new screen's point of interest, or to the field that was refused. */
export function focusAfter(before: CheckoutState, now: CheckoutState): void {
  const isReload = now.isRestored && !before.isRestored
  if (now.screen !== before.screen && !isReload) {
    if (now.screen === "awaiting") requestAnimationFrame(enterScreen)
    else enterScreen()
  }
  if (now.problem && now.problem !== before.problem) document.getElementById(now.problem.field)?.focus()
}
