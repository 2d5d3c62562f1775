import type { SettingView } from "@tilinta/contract/api/settings-endpoints"
import type { SettingType } from "@tilinta/contract/vocabulary/settings"

/** An editor's content: text as typed, or a switch. */
export type Draft = string | boolean
export type SettingValue = SettingView["value"]

export function draftOf(value: SettingValue): Draft {
  return typeof value === "boolean" ? value : String(value)
}

export function emptyDraftOf(type: SettingType): Draft {
  return type === "boolean" ? false : ""
}

/** An unreadable number counts as 0; the server decides whether 0 is allowed. */
export function valueOf(type: SettingType, draft: Draft): SettingValue {
  if (type === "boolean") return draft === true || draft === "true"
  if (type === "string") return String(draft)
  const number = Number.parseFloat(String(draft).replace(",", "."))
  return Number.isFinite(number) ? number : 0
}

/** A warning to confirm before a risky fee is saved; null when none is needed. */
export function feeWarning(key: string, before: SettingValue, after: SettingValue): string | null {
  if (key !== "TRANSACTION_FEE_PERCENTAGE" || typeof after !== "number" || before === after) return null
  if (after === 0) return "Com taxa zero a plataforma não recebe nada das próximas cobranças."
  const points = Math.abs(after - Number(before))
  return points > 5 ? `A taxa muda ${format(points)} pontos de uma vez.` : null
}

function format(points: number): string {
  return points.toLocaleString("pt-BR", { maximumFractionDigits: 2 })
}
