import { StartError } from "#kit/start-error"

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
  baseUrl: string | null
  tokenUrl: string | null
  /** The header by which our proxy reports a verified client certificate on a webhook. */
  webhookCertHeader: { name: string; value: string } | null
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
  baseUrl: "PIX_BASE_URL",
  tokenUrl: "PIX_TOKEN_URL",
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
