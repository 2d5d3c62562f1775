import type { Logger } from "pino"
import { createApiPixPsp } from "#psp/api-pix/api-pix-psp"
import type { Psp } from "./psp.ts"

interface SimulatorConnection {
  url: string
  clientId: string
  clientSecret: string
  receiverKey: string
}

const TIMEOUT_MS = 8_000

/** The sandbox's provider: the simulator, spoken to over HTTP as a bank would be. */
export function connectSimulator({ url, clientId, clientSecret, receiverKey }: SimulatorConnection, log: Logger): Psp {
  return createApiPixPsp({
    name: "simulator",
    baseUrl: `${url}/v2`,
    tokenUrl: `${url}/oauth/token`,
    clientId,
    clientSecret,
    receiverKey,
    timeoutMs: TIMEOUT_MS,
    log,
  })
}
