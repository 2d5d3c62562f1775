import { StartError } from "#kit/start-error"

export const pixEnvironments = ["producao", "homologacao"] as const
export type PixEnvironment = (typeof pixEnvironments)[number]

/** The account at a provider that moves real money, as the operator's variables tell it. */
export interface PixSettings {
  environment: PixEnvironment
  clientId: string | null
  clientSecret: string | null
  /** The Pix key whose account receives. */
  key: string | null
  receiverName: string | null
  receiverCity: string
  /** PEM, or PKCS#12 with the key inside. */
  certFile: string | null
  certKeyFile: string | null
  certPassword: string | null
  /** Trusted beside the usual authorities. */
  caFile: string | null
  appKey: string | null
  baseUrl: string | null
  tokenUrl: string | null
  /** What our proxy tells of a webhook whose client certificate it verified. */
  webhookCertHeader: { name: string; value: string } | null
  /** A public key that signs webhooks, beside those that the provider publishes. PEM. */
  webhookKeyFile: string | null
}

export const pixVariables = {
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

/** Names the variable and says why, and never repeats its value: it may be a secret. */
export class PixSettingError extends StartError {
  override name = "PixSettingError"

  constructor(setting: PixSetting, problem: string, options?: ErrorOptions) {
    super(`Variável de ambiente ${pixVariables[setting]} ${problem}`, options)
  }
}

/** The value, where the provider can't do without it. */
export function settingOf<Setting extends PixSetting>(
  settings: PixSettings,
  setting: Setting,
  reason: string,
): NonNullable<PixSettings[Setting]> {
  const value = settings[setting]
  if (value === null) throw new PixSettingError(setting, `ausente: ${reason}.`)
  return value
}
