import { setTimeout as sleep } from "node:timers/promises"

/** Before it stops, a server says that it is not ready, and goes on serving until no proxy sends it anything. */
export interface Drain {
  isDraining(): boolean
  /** Resolves when the server may stop. */
  begin(): Promise<void>
}

/** `seconds` is what a load balancer needs to notice; 0 stops at once. */
export function createDrain(seconds: number): Drain {
  let isDraining = false
  return {
    isDraining: () => isDraining,
    async begin() {
      isDraining = seconds > 0
      await sleep(seconds * 1_000)
    },
  }
}
