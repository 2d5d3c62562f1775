import type { Logger } from "pino"
import { invariant, StartError } from "#kit/errors"
import { type ApiPixOptions, bankOptions, createApiPixPsp } from "#psp/api-pix/api-pix-psp"
import type { ApiPixProfile } from "#psp/api-pix/profile"
import { bankProfiles, simulatorProfile } from "#psp/api-pix/profiles"
import { connectWoovi } from "#psp/woovi/woovi-psp"
import { usualPausesMs } from "./bounded-http.ts"
import { moneyKindOf, nameInBooks, namingFormer, type PixSettings } from "./pix-settings.ts"
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

interface Account {
  provider: string
  pix: PixSettings
}

/**
 * The bank before the present one, so that its payments can still be refunded and its codes removed. Its money must be
 * of the same kind.
 */
export function connectFormer(former: Account | null, present: Account, log: Logger): Psp | null {
  if (former === null) return null
  return namingFormer(() => {
    const psp = connectByName[former.provider]?.(former.pix, log)
    invariant(psp !== undefined, `no provider ${former.provider}`)
    if (moneyKindOf(former.provider, former.pix) !== moneyKindOf(present.provider, present.pix)) {
      throw new StartError(
        "Variável de ambiente PIX_ENVIRONMENT inválida: o banco anterior e o atual têm o mesmo tipo de dinheiro.",
      )
    }
    if (psp.name === nameInBooks(present.provider, present.pix)) {
      throw new StartError("Variável de ambiente PIX_PROVIDER inválida: é o banco atual.")
    }
    return psp
  })
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
    account: null,
    receiver: { key: receiverKey, name: "TILINTA SANDBOX", city: "SAO PAULO" },
    certificate: null,
    authorities: [],
    webhookCertHeader: null,
    replacesWebhook: true,
    timeoutMs: TIMEOUT_MS,
    pausesMs,
    log,
  }
}
