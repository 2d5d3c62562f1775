import type { SettingCategory, SettingType } from "@tilinta/contract/vocabulary/system"
import type { ChangedRow, NewRow } from "#db/rows-of"
import type { Tx } from "#db/transaction"
import type { SettingValue } from "./defaults.ts"

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
