import type { Db } from "#db/transaction"
import { DomainError } from "#kit/domain-error"
import { defaultSettings, isKnownSettingKey, type SettingValue } from "./default-settings.ts"
import { findSetting } from "./settings-repository.ts"

interface PublicSetting {
  key: string
  value: SettingValue
}

/** Callable by anybody, so it returns only settings marked public, and never the category api. */
export async function getPublicSetting(db: Db, askedKey: string): Promise<PublicSetting> {
  const key = askedKey.toUpperCase()
  const setting = (await findSetting(db, key)) ?? (isKnownSettingKey(key) ? defaultSettings[key] : undefined)
  if (setting === undefined || !setting.isPublic || setting.category === "api") {
    throw new DomainError("setting_not_found")
  }
  return { key, value: setting.value }
}
