import type { Tx } from "#db/transaction"
import { recordAudit } from "#domain/platform/audit/record-audit"
import { defaultSettings } from "./default-settings.ts"
import { insertSettingOnce, lockSetting, updateSettingRow } from "./settings-repository.ts"

const key = "WITHDRAWALS_ENABLED"

/**
 * A restored database doesn't know what was withdrawn after the backup: those balances would be paid again. An
 * administrator switches withdrawals on again.
 */
export async function suspendWithdrawals(tx: Tx, now: Date): Promise<void> {
  const setting = { key, ...defaultSettings[key], value: false }
  const isNew = await insertSettingOnce(tx, setting, null, now)
  const before = isNew ? null : await lockSetting(tx, key)
  if (before?.value === false) return
  if (before !== undefined && before !== null) await updateSettingRow(tx, { ...before, value: false }, null, now)
  await recordAudit(tx, {
    actor: null,
    happenedAt: now,
    action: isNew ? "setting.create" : "setting.update",
    entity: "setting",
    entityId: key,
    before: before ?? null,
    after: setting,
  })
}
