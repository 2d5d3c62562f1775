import { queryOptions, useMutation } from "@tanstack/react-query"
import * as heads from "@tilinta/contract/heads"
import type { SettingView } from "@tilinta/contract/settings"
import type { SettingType } from "@tilinta/contract/vocabulary/system"
import { useState } from "react"
import { adminTexts } from "#admin/admin-texts.ts"
import { messageOf } from "#api/api-error.ts"
import { call } from "#api/client.ts"

export const settingsQuery = queryOptions({
  queryKey: ["admin", "settings"],
  queryFn: ({ signal }) => call(heads.listSettings, { signal }).then(({ data }) => data.settings),
})

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

/** Unsaved input of the settings table, row by row. */
export function useSettingDrafts(onSaved: (message: string) => Promise<void>) {
  const [drafts, setDrafts] = useState<Readonly<Record<string, Draft>>>({})
  const [refusal, setRefusal] = useState<{ key: string; message: string } | null>(null)

  const draftFor = ({ key, value }: SettingView): Draft => drafts[key] ?? draftOf(value)
  const newValueOf = (setting: SettingView): SettingValue => valueOf(setting.type, draftFor(setting))

  const save = useMutation({
    mutationFn: (setting: SettingView) => {
      const { key, description, type, category } = setting
      return call(heads.updateSetting, {
        params: { key },
        body: { value: newValueOf(setting), description, type, category },
      })
    },
    onMutate: () => setRefusal(null),
    onSuccess: async ({ data }, { key }) => {
      await onSaved(data.pending === true ? adminTexts.waitsForAnother : adminTexts.settingSaved(key))
      setDrafts(({ [key]: _saved, ...others }) => others)
    },
    onError: (error, { key }) => setRefusal({ key, message: messageOf(error, adminTexts.settingNotSaved) }),
  })

  return {
    save,
    draftFor,
    newValueOf,
    isDirty: (setting: SettingView) => newValueOf(setting) !== setting.value,
    refusalOf: ({ key }: SettingView) => (refusal?.key === key ? refusal.message : null),
    change: ({ key }: SettingView, draft: Draft) => {
      setDrafts((old) => ({ ...old, [key]: draft }))
      setRefusal(null)
    },
  }
}

export type SettingDrafts = ReturnType<typeof useSettingDrafts>
