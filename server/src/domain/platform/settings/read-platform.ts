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
