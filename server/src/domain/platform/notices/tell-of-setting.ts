import type { Tx } from "#db/transaction"
import type { SettingChange } from "#domain/platform/settings/manage-settings"
import { findUserName } from "./notices-repository.ts"
import { tellAdmins } from "./tell-owner.ts"

const MOST_SHOWN = 120

/** Every administrator hears of it, also the one who did it: a stolen session must not change settings unheard. */
export async function tellOfSetting(tx: Tx, { actor, key, before, after }: SettingChange, now: Date): Promise<void> {
  const changedBy = await findUserName(tx, actor.id)
  const notice = {
    kind: "setting_changed",
    key,
    before: valueText(before),
    after: valueText(after),
    changedBy,
    changedAt: now.toISOString(),
  } as const
  await tellAdmins(tx, { notice }, now)
}

function valueText(value: SettingChange["after"] | null): string {
  if (typeof value === "boolean") return value ? "Sim" : "Não"
  if (value === null || value === "") return "vazio"
  const text = String(value)
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text
}
