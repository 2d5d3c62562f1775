import { readFileSync } from "node:fs"
import { childrenOf, cpuSeconds } from "./process-figures.ts"

const lookEveryMs = 250

/** Adds up the CPU of autovacuum's workers. What one spends after the last look at it is missed: at most a look's time. */
export function watchVacuum(postmaster: number): { stop(): number } {
  const spent = new Map<number, number>()
  const look = () => {
    for (const pid of childrenOf(postmaster)) {
      if (titleOf(pid).includes("autovacuum worker")) spent.set(pid, cpuSeconds(pid) || (spent.get(pid) ?? 0))
    }
  }
  const timer = setInterval(look, lookEveryMs)
  return {
    stop() {
      clearInterval(timer)
      return [...spent.values()].reduce((sum, seconds) => sum + seconds, 0)
    },
  }
}

function titleOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8")
  } catch {
    return ""
  }
}
