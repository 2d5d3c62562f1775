interface Pause {
  ask(): void
  /** Whether the work was asked for and has not begun. */
  isAsked(): boolean
  stop(): void
}

/** Runs the work once, a while after it was first asked for, however often it is asked for meanwhile. */
export function createPause(ms: number, work: () => void): Pause {
  let timer: NodeJS.Timeout | null = null
  let isStopped = false
  return {
    ask() {
      if (isStopped) return
      timer ??= setTimeout(() => {
        timer = null
        work()
      }, ms)
    },
    isAsked: () => timer !== null,
    stop() {
      isStopped = true
      if (timer !== null) clearTimeout(timer)
      timer = null
    },
  }
}
