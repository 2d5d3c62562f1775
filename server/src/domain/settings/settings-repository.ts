import type { SettingCategory } from "@tilinta/contract/vocabulary/settings"
import type { Db } from "#db/transaction"
import type { SettingValue } from "./default-settings.ts"

export interface StoredSetting {
  value: SettingValue
  category: SettingCategory
  isPublic: boolean
}

export async function findSetting(db: Db, key: string): Promise<StoredSetting | undefined> {
  return db
    .selectFrom("settings")
    .where("key", "=", key)
    .select(["value", "category", "is_public as isPublic"])
    .executeTakeFirst()
}

export async function findSettings(db: Db, keys: string[]): Promise<Map<string, SettingValue>> {
  const rows = await db.selectFrom("settings").where("key", "in", keys).select(["key", "value"]).execute()
  return new Map(rows.map(({ key, value }) => [key, value]))
}
