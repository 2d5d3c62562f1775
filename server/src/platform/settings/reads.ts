import type { SettingCategory, SettingType } from "@tilinta/contract/vocabulary/system"
import { prepared } from "#db/prepared"
import { textList } from "#db/rows-of"
import type { Db } from "#db/transaction"
import type { SettingValue } from "./defaults.ts"

interface StoredSetting {
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
  const { rows } = await prepared<{ key: string; value: SettingValue }>("find-settings")`
    select key, value from settings where key = any(${textList(keys)})`.execute(db)
  return new Map(rows.map(({ key, value }) => [key, value]))
}

export interface FullSetting {
  key: string
  value: SettingValue
  type: SettingType
  category: SettingCategory
  description: string
  updatedAt: Date
  updatedBy: { name: string; email: string } | null
}

function fullSettings(db: Db) {
  return db
    .selectFrom("settings")
    .leftJoin("users", "users.id", "settings.updated_by")
    .select([
      "settings.key",
      "settings.value",
      "settings.type",
      "settings.category",
      "settings.description",
      "settings.updated_at as updatedAt",
      "users.name as adminName",
      "users.email as adminEmail",
    ])
}

type Joined = Omit<FullSetting, "updatedBy"> & { adminName: string | null; adminEmail: string | null }

function toFullSetting({ adminName, adminEmail, ...setting }: Joined): FullSetting {
  const isKnown = adminName !== null && adminEmail !== null
  return { ...setting, updatedBy: isKnown ? { name: adminName, email: adminEmail } : null }
}

export async function listFullSettings(db: Db): Promise<FullSetting[]> {
  const rows = await fullSettings(db).orderBy("settings.category").orderBy("settings.key").execute()
  return rows.map(toFullSetting)
}

export async function findFullSetting(db: Db, key: string): Promise<FullSetting | undefined> {
  const row = await fullSettings(db).where("settings.key", "=", key).executeTakeFirst()
  return row === undefined ? undefined : toFullSetting(row)
}
