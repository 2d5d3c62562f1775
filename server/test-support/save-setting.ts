import { defaultSettings, type KnownSettingKey, type SettingValue } from "#platform/settings/defaults"
import type { TestDatabase } from "./test-database.ts"

export async function saveSetting(db: TestDatabase["db"], key: KnownSettingKey, value: SettingValue): Promise<void> {
  const { type, category, description, isPublic } = defaultSettings[key]
  const stored = JSON.stringify(value)
  await db
    .insertInto("settings")
    .values({ key, value: stored, type, category, description, is_public: isPublic, updated_by: null })
    .onConflict((conflict) => conflict.column("key").doUpdateSet({ value: stored }))
    .execute()
}
