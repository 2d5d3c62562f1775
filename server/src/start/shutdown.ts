import { setTimeout as sleep } from "node:timers/promises"
import type { Logger } from "#kit/log"

interface Part {
  name: string
  /** The time limit for stopping this part, so that later ones, the database above all, still end properly. */
  limitMs: number
  stop(): Promise<unknown>
}

export interface Shutdown {
  add(part: Part): void
  /** Stops everything started, newest first. Never throws. */
  stopAll(): Promise<void>
}

export function createShutdown(log: Logger): Shutdown {
  const parts: Part[] = []
  let stopping: Promise<void> | undefined

  async function stopAll(): Promise<void> {
    for (let part = parts.pop(); part !== undefined; part = parts.pop()) await stopOne(part)
  }

  async function stopOne({ name, limitMs, stop }: Part): Promise<void> {
    const inTime = new AbortController()
    const late = sleep(limitMs, "late", { signal: inTime.signal }).catch(() => "stopped")
    try {
      if ((await Promise.race([stop(), late])) === "late") log.warn({ part: name }, "did not stop in time")
    } catch (error) {
      log.error({ err: error, part: name }, "did not stop cleanly")
    } finally {
      inTime.abort()
    }
  }

  return {
    add: (part) => {
      parts.push(part)
    },
    stopAll: () => (stopping ??= stopAll()),
  }
}
