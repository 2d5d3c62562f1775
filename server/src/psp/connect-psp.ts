import type { Logger } from "pino"
import { createApiPixPsp } from "#psp/api-pix/api-pix-psp"
import { bankOptions } from "#psp/api-pix/connect-bank"
import type { ApiPixProfile } from "#psp/api-pix/profile"
import { bb } from "#psp/api-pix/profiles/bb"
import { bradesco } from "#psp/api-pix/profiles/bradesco"
import { efi } from "#psp/api-pix/profiles/efi"
import { inter } from "#psp/api-pix/profiles/inter"
import { itau } from "#psp/api-pix/profiles/itau"
import { santander } from "#psp/api-pix/profiles/santander"
import { sicoob } from "#psp/api-pix/profiles/sicoob"
import { sicredi } from "#psp/api-pix/profiles/sicredi"
import { simulatorProfile } from "#psp/api-pix/profiles/simulator"
import { connectWoovi } from "#psp/woovi/connect-woovi"
import { usualPausesMs } from "./circuit.ts"
import type { PixSettings } from "./pix-settings.ts"
import type { Psp } from "./psp.ts"

/** Reads what it needs of the settings and of the files they name; what is missing or bad ends the start. */
export type ConnectPsp = (settings: PixSettings, log: Logger) => Psp

const bank =
  (profile: ApiPixProfile): ConnectPsp =>
  (settings, log) =>
    createApiPixPsp(bankOptions(profile, settings, log))

/** The providers that move real money, by the name that PIX_PROVIDER chooses them by. */
export const connectByName: Readonly<Record<string, ConnectPsp>> = {
  efi: bank(efi),
  inter: bank(inter),
  sicoob: bank(sicoob),
  sicredi: bank(sicredi),
  itau: bank(itau),
  bb: bank(bb),
  santander: bank(santander),
  bradesco: bank(bradesco),
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

/** The sandbox's provider: the simulator, spoken to over HTTP as a bank would be. */
export function connectSimulator(
  { url, clientId, clientSecret, receiverKey, pausesMs = usualPausesMs }: SimulatorConnection,
  log: Logger,
): Psp {
  return createApiPixPsp({
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
  })
}
