import type { Logger } from "pino"
import { createApiPixPsp } from "#psp/api-pix/api-pix-psp"
import { connectWoovi } from "#psp/woovi/connect-woovi"
import type { PixSettings } from "./pix-settings.ts"
import type { Psp } from "./psp.ts"

/** Reads what it needs of the settings and of the files they name; what is missing or bad ends the start. */
export type ConnectPsp = (settings: PixSettings, log: Logger) => Psp

/** The providers that move real money, by the name that PIX_PROVIDER chooses them by. */
export const connectByName: Readonly<Record<string, ConnectPsp>> = {
  woovi: connectWoovi,
}

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
