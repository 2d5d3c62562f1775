import type { SettingCategory, SettingType } from "@tilinta/contract/vocabulary/system"
import type { Db, Tx } from "#db/transaction"
import type { Clock } from "#kit/clock"
import { brokenRule, DomainError } from "#kit/errors"
import { newId } from "#kit/ids"
import { recordAudit } from "#platform/audit/record"
import type { Actor } from "#platform/audit/rules"
import { claimIdempotencyKey } from "#platform/idempotency/claim"
import { publishLegalText } from "#platform/legal-texts/texts"
import { type DefaultSetting, defaultSettings, isKnownSettingKey, type SettingValue } from "./defaults.ts"
import { type FullSetting, findFullSetting, missingForAutomatic, readSetting } from "./reads.ts"
import { refuseSenseless } from "./rules.ts"
import { insertSettingOnce, lockSetting, updateSettingRow } from "./table.ts"

export interface SettingChange {
  actor: Actor
  key: string
  before: SettingValue | null
  after: SettingValue
}

export interface SettingDeps {
  db: Db
  clock: Clock
  /** Tells the administrators. Their mails are written by these settings, so the mails stand above. */
  notifyOfSetting(tx: Tx, change: SettingChange, now: Date): Promise<void>
  /** Whether the provider offers Pix Automático; not, when absent. */
  offersAutomatic?: boolean
}

export interface SettingInput {
  key: string
  value: SettingValue
  description: string
  type: SettingType
  category: SettingCategory
}

export interface SettingChanges {
  value?: SettingValue | undefined
  description?: string | undefined
  type?: SettingType | undefined
  category?: SettingCategory | undefined
}

/** Only known settings can be public: a new key belongs to the admins. */
export async function storeSetting(
  tx: Tx,
  { clock, notifyOfSetting, offersAutomatic }: SettingDeps,
  actor: Actor,
  { idempotencyKey, ...input }: SettingInput & { idempotencyKey: string | null },
): Promise<void> {
  refuseSenseless(input)
  await refuseImpossible(tx, offersAutomatic, input)
  const now = clock.now()
  const resourceId = newId()
  const claim = { ownerId: actor.id, key: idempotencyKey, request: { setting: input }, resourceId }
  if ((await claimIdempotencyKey(tx, claim)) !== resourceId) return
  const isPublic = isKnownSettingKey(input.key) && defaultSettings[input.key].isPublic
  const isNew = await insertSettingOnce(tx, { ...input, isPublic }, actor.id, now)
  if (!isNew) throw new DomainError("setting_exists")
  await audit(tx, { actor, now, action: "create", key: input.key, before: null, after: input })
  await publishLegalText(tx, { key: input.key, value: input.value, by: actor.id }, now)
  await notifyOfSetting(tx, { actor, key: input.key, before: null, after: input.value }, now)
}

/** Takes effect from the next request on. A change never creates a key. People call it through `change-guarded-setting`. */
export async function changeSetting(
  deps: SettingDeps,
  actor: Actor,
  { key, changes }: { key: string; changes: SettingChanges },
): Promise<FullSetting> {
  const upperKey = key.toUpperCase()
  await deps.db.transaction().execute((tx) => applyChanges(tx, deps, actor, { key: upperKey, changes }))
  return getSetting(deps.db, upperKey)
}

async function applyChanges(
  tx: Tx,
  deps: SettingDeps,
  actor: Actor,
  change: { key: string; changes: SettingChanges },
): Promise<void> {
  await saveSetting(tx, deps, actor, await lockAndMerge(tx, change))
}

/** Pix Automático is on only while all that it needs is there. @throws validation_failed */
export async function refuseImpossible(
  db: Db,
  offersAutomatic: boolean | undefined,
  { key, value }: Pick<SettingInput, "key" | "value">,
): Promise<void> {
  if ((key === "LEGAL_NAME" || key === "LEGAL_CNPJ") && value === "" && (await readSetting(db, "AUTOMATIC_PIX")))
    throw brokenRule("value", "O Pix Automático precisa dele. Desligue AUTOMATIC_PIX antes.")
  if (key !== "AUTOMATIC_PIX" || value !== true) return
  const missing = await missingForAutomatic(db, offersAutomatic ?? false)
  if (missing !== null) throw brokenRule("value", missing)
}

interface MergedSetting {
  before: SettingInput
  after: SettingInput
}

/** The setting as it would become, if that makes sense. */
export async function lockAndMerge(
  tx: Tx,
  { key, changes }: { key: string; changes: SettingChanges },
): Promise<MergedSetting> {
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
  return { before, after }
}

/** Call it after `lockAndMerge`. */
export async function saveSetting(
  tx: Tx,
  { clock, notifyOfSetting, offersAutomatic }: SettingDeps,
  actor: Actor,
  { before, after }: MergedSetting,
): Promise<void> {
  if (after.value !== before.value) await refuseImpossible(tx, offersAutomatic, after)
  const now = clock.now()
  const { key } = after
  await updateSettingRow(tx, after, actor.id, now)
  await audit(tx, { actor, now, action: "update", key, before, after })
  if (after.value === before.value) return
  await publishLegalText(tx, { key, value: after.value, by: actor.id }, now)
  await notifyOfSetting(tx, { actor, key, before: before.value, after: after.value }, now)
}

/** `created` counts new keys; `updated` counts existing ones, which stay as they are. */
export async function initializeSettings(
  { db, clock }: Pick<SettingDeps, "db" | "clock">,
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

export async function getSetting(db: Db, key: string): Promise<FullSetting> {
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
