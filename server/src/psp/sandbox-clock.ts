import * as z from "zod/mini"
import type { Clock } from "#kit/clock"
import { askHttp, openConnections } from "#kit/http-client"

export interface MovableClock extends Clock {
  /** Asks how far the clock was moved; what it was stays true while nobody answers. */
  refresh(): Promise<void>
}

const path = "/simulador/api/controle/relogio"
const bounds = { timeoutMs: 2_000, maxBytes: 10_000 }
const reply = z.object({ adiantadoMs: z.number() })

/** The simulated bank's time: whoever moves it a day forward tries out what happens after a day. */
export function createSandboxClock(clock: Clock, simulatorUrl: string): MovableClock {
  const connections = openConnections({ connections: 1 })
  let aheadMs = 0
  return {
    now: () => new Date(clock.now().getTime() + aheadMs),
    async refresh() {
      try {
        const { text } = await askHttp(connections, new URL(simulatorUrl).origin, { method: "GET", path }, bounds)
        const answer = reply.safeParse(JSON.parse(text))
        if (answer.success) aheadMs = answer.data.adiantadoMs
      } catch {
        // A bank elsewhere tells its clock to nobody, and one that is down can't.
      }
    },
  }
}

/** Real money has one clock. */
export function unmovable(clock: Clock): MovableClock {
  return { now: () => clock.now(), refresh: async () => undefined }
}
