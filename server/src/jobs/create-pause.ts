/** Runs the work once, a while after it was first asked for, however often it is asked for meanwhile. */
export function createPause(ms: number, work: () => void): { ask(): void; stop(): void } {
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
    stop() {
      isStopped = true
      if (timer !== null) clearTimeout(timer)
    },
  }
}
