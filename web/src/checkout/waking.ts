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
