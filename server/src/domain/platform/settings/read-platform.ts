import type { Db } from "#db/transaction"
import { defaultSettings, type SettingValue } from "./default-settings.ts"
import { findSettings } from "./settings-repository.ts"

/** The installation's name, support address and sender of mails, in one query. */
export async function readPlatform(db: Db): Promise<Platform> {
  const stored = await findSettings(db, ["PLATFORM_NAME", "SUPPORT_EMAIL", "MAIL_FROM"])
  const supportEmail = textOr(stored.get("SUPPORT_EMAIL"), defaultSettings.SUPPORT_EMAIL.value)
  return {
    name: textOr(stored.get("PLATFORM_NAME"), defaultSettings.PLATFORM_NAME.value),
    supportEmail,
    mailFrom: textOr(stored.get("MAIL_FROM"), "") || supportEmail,
  }
}

interface Platform {
  name: string
  supportEmail: string
  mailFrom: string
}

function textOr(value: SettingValue | undefined, fallback: string): string {
  return typeof value === "string" ? value : fallback
}

interface Operator {
  /** Each empty when the operator gave none. */
  legalName: string
  cnpj: string
  privacyContact: string
}

/** The operator of the installation, for its legal texts. */
export async function readOperator(db: Db): Promise<Operator> {
  const stored = await findSettings(db, ["LEGAL_NAME", "LEGAL_CNPJ", "PRIVACY_CONTACT"])
  return {
    legalName: textOr(stored.get("LEGAL_NAME"), defaultSettings.LEGAL_NAME.value),
    cnpj: textOr(stored.get("LEGAL_CNPJ"), defaultSettings.LEGAL_CNPJ.value),
    privacyContact: textOr(stored.get("PRIVACY_CONTACT"), defaultSettings.PRIVACY_CONTACT.value),
  }
}
