import type { SettingCategory, SettingType } from "@tilinta/contract/vocabulary/settings"
import type { Db, Tx } from "#db/transaction"
import type { Actor } from "#domain/platform/audit/audit-entry"
import { recordAudit } from "#domain/platform/audit/record-audit"
import { claimIdempotencyKey } from "#domain/platform/idempotency/claim-idempotency-key"
import type { Clock } from "#kit/clock"
import { DomainError } from "#kit/domain-error"
import { newId } from "#kit/ids"
import { type DefaultSetting, defaultSettings, isKnownSettingKey, type SettingValue } from "./default-settings.ts"
import { refuseSenseless } from "./setting-rules.ts"
import {
  type FullSetting,
  findFullSetting,
  insertSettingOnce,
  listFullSettings,
  lockSetting,
  updateSettingRow,
} from "./settings-repository.ts"

interface Deps {
  db: Db
  clock: Clock
}

interface SettingInput {
  key: string
  value: SettingValue
  description: string
  type: SettingType
  category: SettingCategory
}

interface SettingChanges {
  value?: SettingValue | undefined
  description?: string | undefined
  type?: SettingType | undefined
  category?: SettingCategory | undefined
}

export async function listSettings(db: Db): Promise<FullSetting[]> {
  return listFullSettings(db)
}

/** Only known settings can be public: a new key belongs to the admins. */
export async function createSetting(
  { db, clock }: Deps,
  actor: Actor,
  input: SettingInput & { idempotencyKey: string | null },
): Promise<FullSetting> {
  refuseSenseless(input)
  const now = clock.now()
  await db.transaction().execute((tx) => storeSetting(tx, actor, input, now))
  return getSetting(db, input.key)
}

async function storeSetting(
  tx: Tx,
  actor: Actor,
  { idempotencyKey, ...input }: SettingInput & { idempotencyKey: string | null },
  now: Date,
): Promise<void> {
  const resourceId = newId()
  const claim = { ownerId: actor.id, key: idempotencyKey, request: { setting: input }, resourceId }
  if ((await claimIdempotencyKey(tx, claim)) !== resourceId) return
  const isPublic = isKnownSettingKey(input.key) && defaultSettings[input.key].isPublic
  const isNew = await insertSettingOnce(tx, { ...input, isPublic }, actor.id, now)
  if (!isNew) throw new DomainError("setting_exists")
  await audit(tx, { actor, now, action: "create", key: input.key, before: null, after: input })
}

/** Takes effect from the next request on. A change never creates a key. */
export async function changeSetting(
  { db, clock }: Deps,
  actor: Actor,
  { key, changes }: { key: string; changes: SettingChanges },
): Promise<FullSetting> {
  const now = clock.now()
  const upperKey = key.toUpperCase()
  await db.transaction().execute((tx) => applyChanges(tx, actor, { key: upperKey, changes }, now))
  return getSetting(db, upperKey)
}

async function applyChanges(
  tx: Tx,
  actor: Actor,
  { key, changes }: { key: string; changes: SettingChanges },
  now: Date,
): Promise<void> {
  const before = await lockSetting(tx, key)
  if (before === undefined) throw new DomainError("setting_not_found")
  const after: SettingInput = {
    key,
    value: changes.value ?? before.value,
    description: changes.description ?? before.description,
    type: changes.type ?? before.type,
    category: changes.category ?? before.category,
  }
  refuseSenseless(after)
  await updateSettingRow(tx, after, actor.id, now)
  await audit(tx, { actor, now, action: "update", key, before, after })
}

/** `created` counts new keys; `updated` counts existing ones, which stay as they are. */
export async function initializeSettings(
  { db, clock }: Deps,
  actor: Actor,
): Promise<{ created: number; updated: number }> {
  const now = clock.now()
  return db.transaction().execute((tx) => storeDefaults(tx, actor, now))
}

async function storeDefaults(tx: Tx, actor: Actor, now: Date): Promise<{ created: number; updated: number }> {
  const defaults: [string, DefaultSetting][] = Object.entries(defaultSettings)
  let created = 0
  for (const [key, setting] of defaults) {
    const isNew = await insertSettingOnce(tx, { key, ...setting }, null, now)
    if (!isNew) continue
    created += 1
    await audit(tx, { actor, now, action: "create", key, before: null, after: setting })
  }
  return { created, updated: defaults.length - created }
}

async function getSetting(db: Db, key: string): Promise<FullSetting> {
  const setting = await findFullSetting(db, key)
  if (setting === undefined) throw new DomainError("setting_not_found")
  return setting
}

interface Change {
  actor: Actor
  now: Date
  action: "create" | "update"
  key: string
  before: object | null
  after: object
}

async function audit(tx: Tx, { actor, now, action, key, before, after }: Change): Promise<void> {
  await recordAudit(tx, {
    actor,
    happenedAt: now,
    action: `setting.${action}`,
    entity: "setting",
    entityId: key,
    before,
    after,
  })
}
