import { isDeepStrictEqual } from "node:util"
import type { ChangeReminderSettingsBody } from "@tilinta/contract/reminders"
import { reminderSteps } from "@tilinta/contract/vocabulary/reminders"
import type { Db, Tx } from "#db/transaction"
import type { Clock } from "#kit/clock"
import type { Protection } from "#kit/request-scope"
import { refuseMisleading } from "#people/users/misleading-names"
import { recordAudit } from "#platform/audit/record"
import type { Actor } from "#platform/audit/rules"
import { readReminderSettings, readStoredSettings, type StoredSettings } from "./reads.ts"
import { enabledSteps, type OwnSteps, type ReminderSettings } from "./rules.ts"
import { lockReminderSettings, updateReminderSettings } from "./table.ts"

interface Change {
  /** The seller, or the API key that acts for them. */
  seller: Actor
  changes: ChangeReminderSettingsBody
}

/** Missing fields stay; an empty text brings ours back. @throws validation_failed */
export async function changeReminderSettings(
  deps: { db: Db; clock: Clock; protection: Protection },
  { seller, changes }: Change,
): Promise<ReminderSettings> {
  const texts = Object.entries(changes.steps ?? {}).map(([step, sent]) => [
    `steps.${step}.text`,
    sent?.text ?? undefined,
  ])
  await refuseMisleading(deps, { userId: seller.id, texts: Object.fromEntries(texts) })
  return deps.db.transaction().execute((tx) => change(tx, { seller, changes }, deps.clock.now()))
}

async function change(tx: Tx, { seller, changes }: Change, now: Date): Promise<ReminderSettings> {
  await lockReminderSettings(tx, seller.id, now)
  const before = await readStoredSettings(tx, seller.id)
  const after = withChanges(before, changes, now)
  if (!isDeepStrictEqual(after, before)) {
    await updateReminderSettings(tx, seller.id, after)
    const settings = await readReminderSettings(tx, seller.id)
    await recordAudit(tx, {
      actor: seller,
      happenedAt: now,
      action: "reminders.changed",
      entity: "reminders",
      entityId: seller.id,
      before: null,
      after: {
        enabled: settings.enabled,
        steps: enabledSteps(settings).join(", "),
        ownTexts: reminderSteps.filter((step) => after.own[step]?.text !== undefined).join(", "),
      },
    })
  }
  return readReminderSettings(tx, seller.id)
}

function withChanges(
  before: StoredSettings,
  { enabled, steps = {} }: ChangeReminderSettingsBody,
  now: Date,
): StoredSettings {
  const isEnabled = enabled ?? before.enabled
  const own: OwnSteps = { ...before.own }
  for (const step of reminderSteps) {
    const sent = steps[step]
    if (sent === undefined) continue
    const { enabled: on = own[step]?.enabled, text = own[step]?.text } = sent
    own[step] = { ...(on !== undefined && { enabled: on }), ...(text && { text }) }
  }
  return { enabled: isEnabled, enabledAt: isEnabled && !before.enabled ? now : before.enabledAt, own }
}
