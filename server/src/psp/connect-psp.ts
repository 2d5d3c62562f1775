import type { Logger } from "pino"
import { type ApiPixOptions, createApiPixPsp } from "#psp/api-pix/api-pix-psp"
import { bankProfiles } from "#psp/api-pix/bank-profiles"
import { bankOptions } from "#psp/api-pix/connect-bank"
import type { ApiPixProfile } from "#psp/api-pix/profile"
import { simulatorProfile } from "#psp/api-pix/profiles/simulator"
import { connectWoovi } from "#psp/woovi/connect-woovi"
import { usualPausesMs } from "./circuit.ts"
import type { PixSettings } from "./pix-settings.ts"
import type { Psp } from "./psp.ts"

/** Reads its settings and the files they name; missing or bad ones end the start. */
type ConnectPsp = (settings: PixSettings, log: Logger) => Psp

const connectBank =
  (profile: ApiPixProfile): ConnectPsp =>
  (settings, log) =>
    createApiPixPsp(bankOptions(profile, settings, log))

/** Providers with real money, by their name in PIX_PROVIDER. */
export const connectByName: Readonly<Record<string, ConnectPsp>> = {
  ...Object.fromEntries(Object.entries(bankProfiles).map(([name, profile]) => [name, connectBank(profile)])),
  woovi: connectWoovi,
}

interface SimulatorConnection {
  url: string
  clientId: string
  clientSecret: string
  receiverKey: string
  pausesMs?: readonly number[]
}

const TIMEOUT_MS = 8_000

/** The sandbox's provider: the simulator, called over HTTP like a bank. */
export function connectSimulator(connection: SimulatorConnection, log: Logger): Psp {
  return createApiPixPsp(simulatorOptions(connection, log))
}

export function simulatorOptions(
  { url, clientId, clientSecret, receiverKey, pausesMs = usualPausesMs }: SimulatorConnection,
  log: Logger,
): ApiPixOptions {
  return {
    name: "simulator",
    profile: simulatorProfile,
    baseUrl: `${url}/v2`,
    tokenUrl: `${url}/oauth/token`,
    givenToken: null,
    clientId,
    clientSecret,
    appKey: null,
    receiver: { key: receiverKey, name: "TILINTA SANDBOX", city: "SAO PAULO" },
    certificate: null,
    authorities: [],
    webhookCertHeader: null,
    timeoutMs: TIMEOUT_MS,
    pausesMs,
    log,
  }
}
