/** Safari has no idle callbacks. */
const whenIdle = (work: () => void): unknown =>
  "requestIdleCallback" in window ? requestIdleCallback(work) : setTimeout(work)

export type Wake = (upTo: number) => void

/** Each step is done once, in its order, at the latest when somebody asks for it. */
export function inSteps(...steps: readonly (() => void)[]): Wake {
  let done = 0
  return (upTo) => {
    while (done < upTo) steps[done++]?.()
  }
}

/** A task for each step, once the payer sees the page: on a slow phone nothing holds up what is painted, or a finger. */
export function wakeSlowly(wake: Wake, steps: number, next = 1): void {
  requestAnimationFrame(() =>
    whenIdle(() => {
      wake(next)
      if (next < steps) wakeSlowly(wake, steps, next + 1)
    }),
  )
}

const HIDDEN_MS = 300

/** Once what was drawn is seen; a page that nobody looks at is never painted, so it is done soon all the same. */
export function oncePainted(work: () => void): void {
  let isDone = false
  const doOnce = (): void => {
    if (!isDone) work()
    isDone = true
  }
  requestAnimationFrame(() => setTimeout(doOnce))
  setTimeout(doOnce, HIDDEN_MS)
}

/** By a reload, or from the bank's app: the form must not flash up before the code that the payer left. */
export function hasComeBack(): boolean {
  const [visit] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[]
  return visit?.type !== "navigate"
}
