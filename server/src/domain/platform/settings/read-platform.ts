import type { Db } from "#db/transaction"
import { defaultSettings, type SettingValue } from "./default-settings.ts"
import { findSettings } from "./settings-repository.ts"

/** The installation's name and support address, in one query. */
export async function readPlatform(db: Db): Promise<{ name: string; supportEmail: string }> {
  const stored = await findSettings(db, ["PLATFORM_NAME", "SUPPORT_EMAIL"])
  return {
    name: textOr(stored.get("PLATFORM_NAME"), defaultSettings.PLATFORM_NAME.value),
    supportEmail: textOr(stored.get("SUPPORT_EMAIL"), defaultSettings.SUPPORT_EMAIL.value),
  }
}

function textOr(value: SettingValue | undefined, fallback: string): string {
  return typeof value === "string" ? value : fallback
}
