import type { Logger } from "pino"
import { invariant, StartError } from "#kit/errors"
import { isLoopback } from "#kit/outside"
import { type ApiPixOptions, bankOptions, createApiPixPsp } from "#psp/api-pix/api-pix-psp"
import type { ApiPixProfile, BankEnvironment } from "#psp/api-pix/profile"
import { bankProfiles, simulatorProfile } from "#psp/api-pix/profiles"
import { connectWoovi, wooviAddresses } from "#psp/woovi/woovi-psp"
import { usualPausesMs } from "./bounded-http.ts"
import {
  moneyKindOf,
  nameInBooks,
  namingFormer,
  type PixEnvironment,
  PixSettingError,
  type PixSettings,
  pixEnvironments,
} from "./pix-settings.ts"
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

interface KnownHosts extends Readonly<Record<PixEnvironment, readonly string[]>> {
  label: string
}

/** The hosts of each provider's own addresses. */
const knownHosts: Readonly<Record<string, KnownHosts>> = {
  ...Object.fromEntries(
    Object.entries(bankProfiles).map(([name, { label, environments: of }]) => [
      name,
      { label, producao: hostsOf(of.producao), homologacao: hostsOf(of.homologacao) },
    ]),
  ),
  woovi: {
    label: "Woovi",
    producao: [hostOf(wooviAddresses.producao)],
    homologacao: [hostOf(wooviAddresses.homologacao)],
  },
}

function hostsOf({ base, token }: BankEnvironment): string[] {
  return [hostOf(base), hostOf(token)]
}

/** Without the port, and without the dot that may stand behind a name: both lead to the same machine. */
function hostOf(url: string): string {
  return new URL(url).hostname.replace(/(?<!\.)\.+$/, "")
}

const isBelow = (host: string) => (known: string) => host === known || host.endsWith(`.${known}`)
/** `efipay.com.br` of all its hosts: whatever else is below it belongs to the same bank. */
const domainOf = (known: string) => /(?<![^.])[^.]+\.(?:com\.br|[^.]+)$/.exec(known)?.[0] ?? known

interface Account {
  provider: string
  pix: PixSettings
}

/** An address of another bank, or of the bank's other environment, would move another kind of money than it is booked as. */
export function requireOwnHosts({ provider, pix }: Account): void {
  for (const setting of ["baseUrl", "tokenUrl"] as const) {
    const isOf = isBelow(pix[setting] === null ? "" : hostOf(pix[setting]))
    const own = knownHosts[provider]
    if (own === undefined || own[pix.environment].some(isOf)) continue
    const other = pixEnvironments.find((environment) => own[environment].some(isOf))
    if (other !== undefined) throw new PixSettingError(setting, `inválida: é um endereço de PIX_ENVIRONMENT=${other}.`)
    for (const [name, { label, producao, homologacao }] of Object.entries(knownHosts)) {
      if (name === provider || ![...producao, ...homologacao].map(domainOf).some(isOf)) continue
      throw new PixSettingError(setting, `inválida: é um endereço de outro banco: ${label} (PIX_PROVIDER=${name}).`)
    }
  }
}

/** True where no real money can move, whatever the settings call it: the bank's own test hosts, and this machine. */
export function isTestBank({ provider, pix }: Account): boolean {
  if (pix.environment !== "homologacao") return false
  return [pix.baseUrl, pix.tokenUrl].every((address) => {
    if (address === null || knownHosts[provider]?.homologacao.some(isBelow(hostOf(address)))) return true
    const host = hostOf(address).replace(/^\[|\]$/g, "")
    return host === "localhost" || isLoopback(host)
  })
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
    debitAccount: { agencia: "0001", conta: "1234567", tipoConta: "PAGAMENTO" },
    replacesWebhook: true,
    timeoutMs: TIMEOUT_MS,
    pausesMs,
    log,
  }
}
