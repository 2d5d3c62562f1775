import type { MoneyKind } from "@tilinta/contract/vocabulary/system"
import { StartError } from "#kit/errors"

export const pixEnvironments = ["producao", "homologacao"] as const
export type PixEnvironment = (typeof pixEnvironments)[number]

/** The operator's account at a provider with real money. */
export interface PixSettings {
  environment: PixEnvironment
  clientId: string | null
  clientSecret: string | null
  /** The Pix key of the receiving account. */
  key: string | null
  receiverName: string | null
  receiverCity: string
  /** PEM, or PKCS#12 including the key. */
  certFile: string | null
  certKeyFile: string | null
  certPassword: string | null
  /** Authorities trusted in addition to the usual ones. */
  caFile: string | null
  appKey: string | null
  /** The current account, where the application has several. */
  account: string | null
  baseUrl: string | null
  tokenUrl: string | null
  /** The header by which our proxy reports a verified client certificate on a webhook. */
  webhookCertHeader: { name: string; value: string } | null
  /** Our webhook takes the place of another system's on the same key. */
  replacesWebhook: boolean
  /** Invoices may have one code for their whole life: with some banks a contract of its own. */
  dueCharges: boolean
  /** The account that Pix Automático is paid into: named, it switches the product on, with some banks a contract of its own. */
  debitAccount: { agencia: string; conta: string; tipoConta: "CORRENTE" | "POUPANCA" | "PAGAMENTO" } | null
  /** A PEM public key that signs webhooks, in addition to the published ones. */
  webhookKeyFile: string | null
}

const pixVariables = {
  clientId: "PIX_CLIENT_ID",
  clientSecret: "PIX_CLIENT_SECRET",
  key: "PIX_KEY",
  receiverName: "PIX_RECEIVER_NAME",
  certFile: "PIX_CERT_FILE",
  certKeyFile: "PIX_CERT_KEY_FILE",
  certPassword: "PIX_CERT_PASSWORD",
  caFile: "PIX_CA_FILE",
  appKey: "PIX_APP_KEY",
  account: "PIX_ACCOUNT",
  baseUrl: "PIX_BASE_URL",
  tokenUrl: "PIX_TOKEN_URL",
  dueCharges: "PIX_DUE_CHARGES",
  debitAccount: "PIX_AUTOMATIC_ACCOUNT",
  webhookCertHeader: "PIX_WEBHOOK_CERT_HEADER",
  webhookKeyFile: "PIX_WEBHOOK_KEY_FILE",
} as const satisfies Partial<Record<keyof PixSettings, string>>

export type PixSetting = keyof typeof pixVariables

/** The message names the variable and the reason, and never repeats the value, which may be a secret. */
export class PixSettingError extends StartError {
  override name = "PixSettingError"

  constructor(setting: PixSetting, problem: string, options?: ErrorOptions) {
    super(`Variável de ambiente ${pixVariables[setting]} ${problem}`, options)
  }
}

/** The setting's value; throws when it is missing. */
export function settingOf<Setting extends PixSetting>(
  settings: PixSettings,
  setting: Setting,
  reason: string,
): NonNullable<PixSettings[Setting]> {
  const value = settings[setting]
  if (value === null) throw new PixSettingError(setting, `ausente: ${reason}.`)
  return value
}

/** The kind of money that a provider moves with these settings. */
export function moneyKindOf(provider: string, { environment }: Pick<PixSettings, "environment">): MoneyKind {
  if (provider === "simulator") return "sandbox"
  return environment === "producao" ? "real" : "homologation"
}

/** The name in accounts and rows: money of a bank's test environment has books of its own. */
export function nameInBooks(provider: string, { environment }: Pick<PixSettings, "environment">): string {
  return environment === "producao" ? provider : `${provider}-${environment}`
}

/** Reads settings of the former bank; problems name its variables, which have FORMER in their names. */
export function namingFormer<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof StartError)) throw error
    throw new StartError(error.message.replace(/\bPIX_(?!FORMER_)/g, "PIX_FORMER_"), { cause: error })
  }
}
