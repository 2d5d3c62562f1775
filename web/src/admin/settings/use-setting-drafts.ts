import { useMutation } from "@tanstack/react-query"
import type { SettingView } from "@tilinta/contract/api/settings-endpoints"
import * as heads from "@tilinta/contract/heads"
import { useState } from "react"
import { messageOf } from "#api/api-error.ts"
import { call } from "#api/client.ts"
import { adminTexts } from "../admin-texts.ts"
import { type Draft, draftOf, type SettingValue, valueOf } from "./setting-draft.ts"

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
