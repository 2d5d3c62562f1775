import type { SettingCategory, SettingType } from "@tilinta/contract/vocabulary/settings"
import { prepared } from "#db/prepared"
import type { ChangedRow, NewRow } from "#db/row-types"
import { textList } from "#db/rows-of"
import type { Db, Tx } from "#db/transaction"
import type { SettingValue } from "./default-settings.ts"

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

interface NewSetting {
  key: string
  value: SettingValue
  type: SettingType
  category: SettingCategory
  description: string
}

/** False when the key already exists. Defaults have no author, because nobody chose them. */
export async function insertSettingOnce(
  tx: Tx,
  { isPublic, ...setting }: NewSetting & { isPublic: boolean },
  adminId: string | null,
  now: Date,
): Promise<boolean> {
  const inserted = await tx
    .insertInto("settings")
    .values({
      key: setting.key,
      value: JSON.stringify(setting.value),
      type: setting.type,
      category: setting.category,
      description: setting.description,
      is_public: isPublic,
      updated_at: now,
      updated_by: adminId,
    } satisfies NewRow<"settings">)
    .onConflict((conflict) => conflict.doNothing())
    .returning("key")
    .executeTakeFirst()
  return inserted !== undefined
}

export async function lockSetting(tx: Tx, key: string): Promise<NewSetting | undefined> {
  return tx
    .selectFrom("settings")
    .where("key", "=", key)
    .select(["key", "value", "type", "category", "description"])
    .forUpdate()
    .executeTakeFirst()
}

export async function updateSettingRow(tx: Tx, setting: NewSetting, adminId: string | null, now: Date): Promise<void> {
  await tx
    .updateTable("settings")
    .set({
      value: JSON.stringify(setting.value),
      type: setting.type,
      category: setting.category,
      description: setting.description,
      updated_at: now,
      updated_by: adminId,
    } satisfies ChangedRow<"settings", "key" | "is_public">)
    .where("key", "=", setting.key)
    .execute()
}
