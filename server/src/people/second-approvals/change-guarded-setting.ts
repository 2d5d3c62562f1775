import type { Tx } from "#db/transaction"
import type { Protection } from "#kit/request-scope"
import type { Actor } from "#platform/audit/rules"
import { defaultSettings, isKnownSettingKey } from "#platform/settings/defaults"
import {
  getSetting,
  lockAndMerge,
  refuseImpossible,
  type SettingChanges,
  type SettingDeps,
  type SettingInput,
  saveSetting,
  storeSetting,
} from "#platform/settings/manage"
import { findFullSetting } from "#platform/settings/reads"
import { refuseSenseless } from "#platform/settings/rules"
import { askSecondPerson } from "./approve.ts"
import { changesBetween, type SecondApproval } from "./rules.ts"

type Deps = SettingDeps & { protection: Protection }

type FullSetting = Awaited<ReturnType<typeof getSetting>>

export interface ChangedSetting {
  /** As it is now, which is as before while the change waits. */
  setting: FullSetting
  /** The first approval, when nothing has changed yet; null otherwise. */
  waits: SecondApproval | null
}

/**
 * The fee, the settings that stand between a thief and the money, the addresses of the mails, without which owners would
 * hear of nothing, and what sellers and payers are told about who holds their money and on which terms.
 */
const guardedKeys: ReadonlySet<string> = new Set([
  "TRANSACTION_FEE_PERCENTAGE",
  "PLATFORM_NAME",
  "LEGAL_NAME",
  "LEGAL_CNPJ",
  "PRIVACY_CONTACT",
  "TERMS_TEXT",
  "PRIVACY_TEXT",
  "SECOND_APPROVAL_ABOVE",
  "NEW_DESTINATION_HOLD_HOURS",
  "RECOVERY_HOLD_HOURS",
  "DAILY_WITHDRAWAL_LIMIT",
  "PLATFORM_DAILY_LIMIT",
  "OWN_NAME_ONLY",
  "MAIL_FROM",
  "SUPPORT_EMAIL",
])

/** One person may stop withdrawals, ask more of sellers, or tell more; taking that back needs two. */
const safeValues: ReadonlyMap<string, boolean> = new Map([
  ["WITHDRAWALS_ENABLED", false],
  ["AUTOMATIC_PIX", false],
  ["SELLERS_NEED_SECOND_FACTOR", true],
  ["NOTIFY_SELLER_ON_PAYMENT", true],
  ["NOTIFY_ADMIN_ON_WITHDRAWAL", true],
])

/** Data that are erased early are evidence that nobody finds; 0 keeps them for ever. */
const retentionKeys: ReadonlySet<string> = new Set([
  "ADDRESS_DAYS",
  "PAYER_DATA_DAYS",
  "CUSTOMER_DATA_DAYS",
  "WEBHOOK_BODY_DAYS",
  "EVENT_RETENTION_DAYS",
])

/** Reserves pay for refunds and disputes after a seller is gone; codes that live for a minute stop all sales. */
const loweredByTwo: ReadonlySet<string> = new Set([
  "RESERVE_PERCENT",
  "RESERVE_DAYS",
  "SETTLEMENT_DAYS",
  "PIX_EXPIRATION_MINUTES",
])

/** A minimum that nobody reaches stops withdrawals, and doesn't look like a stop. */
const raisedByTwo: ReadonlySet<string> = new Set(["MIN_WITHDRAWAL_AMOUNT"])

/** Sales that are held keep their day and part, whatever the setting says later: one person holds them no longer, and no more. */
const heldByOne: ReadonlyMap<string, number> = new Map([
  ["RESERVE_PERCENT", 30],
  ["RESERVE_DAYS", 30],
  ["SETTLEMENT_DAYS", 30],
])

/** A Pix that nobody may ask for stops withdrawals; 0 is no limit. */
const LARGEST_PIX = "MAX_PIX_PAYOUT"

type Value = SettingInput["value"] | undefined

function isGuarded(key: string, before: Value, value: Value): boolean {
  if (before === value) return false
  const safe = safeValues.get(key)
  if (guardedKeys.has(key) || (safe !== undefined && value !== safe)) return true
  if (retentionKeys.has(key) || key === LARGEST_PIX) return isLower(orEndless(before), orEndless(value))
  const most = heldByOne.get(key)
  if (most !== undefined && isLower(value, before) && isLower(value, most)) return true
  return (loweredByTwo.has(key) && isLower(before, value)) || (raisedByTwo.has(key) && isLower(value, before))
}

function orEndless(value: Value): Value {
  return value === 0 ? Number.POSITIVE_INFINITY : value
}

/** True also where one of them is no number, which nobody can tell. */
function isLower(before: Value, value: Value): boolean {
  return !(typeof before === "number" && typeof value === "number" && value >= before)
}

const shownFields = ["value", "description"] as const
const createdFields = ["value", "description", "type", "category"] as const
const nothing = { description: null, type: null, category: null }

export async function changeGuardedSetting(
  deps: Deps,
  actor: Actor,
  { key, changes }: { key: string; changes: SettingChanges },
): Promise<ChangedSetting> {
  const change = { key: key.toUpperCase(), changes }
  const waits = await deps.db.transaction().execute((tx) => askAndChange(tx, deps, actor, change))
  return { setting: await getSetting(deps.db, change.key), waits }
}

type Change = Parameters<typeof lockAndMerge>[1]

async function askAndChange(tx: Tx, deps: Deps, actor: Actor, change: Change): Promise<SecondApproval | null> {
  const merged = await lockAndMerge(tx, change)
  const { before, after } = merged
  if (before.value !== after.value) await refuseImpossible(tx, deps.offersAutomatic, after)
  if (isGuarded(after.key, before.value, after.value)) {
    const changes = changesBetween(before, after, shownFields)
    const about = { act: "setting.change", subjectId: after.key, subjectName: after.key, changes } as const
    const { waits } = await askSecondPerson(tx, { ...about, by: actor, protection: deps.protection }, deps.clock.now())
    if (waits !== null) return waits
  }
  await saveSetting(tx, deps, actor, merged)
  return null
}

type NewSetting = SettingInput & { idempotencyKey: string | null }

export async function createGuardedSetting(deps: Deps, actor: Actor, input: NewSetting): Promise<ChangedSetting> {
  const waits = await deps.db.transaction().execute((tx) => askAndCreate(tx, deps, actor, input))
  const stored = await findFullSetting(deps.db, input.key)
  return { setting: stored ?? unstored(input, deps.clock.now()), waits }
}

/** Storing a default changes nothing; a repeated request for a key that is stored by now asks nobody. */
async function askAndCreate(tx: Tx, deps: Deps, actor: Actor, input: NewSetting): Promise<SecondApproval | null> {
  refuseSenseless(input)
  await refuseImpossible(tx, deps.offersAutomatic, input)
  const before = inForce(input.key)
  const isGrave = isGuarded(input.key, before?.value, input.value)
  if (isGrave && (await findFullSetting(tx, input.key)) === undefined) {
    const changes = changesBetween({ ...nothing, value: before?.value ?? null }, input, createdFields)
    const about = { act: "setting.create", subjectId: input.key, subjectName: input.key, changes } as const
    const { waits } = await askSecondPerson(tx, { ...about, by: actor, protection: deps.protection }, deps.clock.now())
    if (waits !== null) return waits
  }
  await storeSetting(tx, deps, actor, input)
  return null
}

function inForce(key: string): Pick<SettingInput, "value" | "description"> | null {
  return isKnownSettingKey(key) ? defaultSettings[key] : null
}

/** The value in force without a stored one. */
function unstored({ key, type, category, description, value }: NewSetting, now: Date): FullSetting {
  const shown = inForce(key)?.value ?? value
  return { key, type, category, description, value: shown, updatedAt: now, updatedBy: null }
}
