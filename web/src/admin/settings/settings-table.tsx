import { useMutation } from "@tanstack/react-query"
import type { SettingView } from "@tilinta/contract/api/settings-endpoints"
import { settingCategoryLabels } from "@tilinta/contract/vocabulary/settings"
import { useState } from "react"
import { messageOf } from "#api/api-error.ts"
import { call } from "#api/client.ts"
import { formatDateTime } from "#format/date.ts"
import { Badge } from "#ui/badge.tsx"
import { Button } from "#ui/button.tsx"
import { ConfirmDialog } from "#ui/confirm-dialog.tsx"
import { type Column, DataTable } from "#ui/data-table.tsx"
import { adminTexts } from "../admin-texts.ts"
import { type Draft, draftOf, feeWarning, valueOf } from "./setting-draft.ts"
import { updateSetting } from "./settings-data.ts"
import { ValueEditor } from "./value-editor.tsx"

interface Props {
  settings: readonly SettingView[]
  onSaved: (message: string) => Promise<void>
}

interface Question {
  setting: SettingView
  warning: string
}

export function SettingsTable({ settings, onSaved }: Props) {
  const [drafts, setDrafts] = useState<Readonly<Record<string, Draft>>>({})
  const [refusal, setRefusal] = useState<{ key: string; message: string } | null>(null)
  const [question, setQuestion] = useState<Question | null>(null)
  const newValueOf = (setting: SettingView) => valueOf(setting.type, drafts[setting.key] ?? draftOf(setting.value))
  const isDirty = (setting: SettingView) => newValueOf(setting) !== setting.value

  const save = useMutation({
    mutationFn: (setting: SettingView) => {
      const { key, description, type, category } = setting
      return call(updateSetting, { params: { key }, body: { value: newValueOf(setting), description, type, category } })
    },
    onSuccess: async (_, { key }) => {
      await onSaved(adminTexts.settingSaved(key))
      setDrafts(({ [key]: _saved, ...others }) => others)
    },
    onMutate: () => setRefusal(null),
    onError: (error, { key }) => setRefusal({ key, message: messageOf(error, adminTexts.settingNotSaved) }),
    onSettled: () => setQuestion(null),
  })

  function saveOrAsk(setting: SettingView): void {
    const warning = feeWarning(setting.key, setting.value, newValueOf(setting))
    if (warning === null) save.mutate(setting)
    else setQuestion({ setting, warning })
  }

  const columns: readonly Column<SettingView>[] = [
    {
      header: "Categoria",
      area: "status",
      cell: ({ category }) => <Badge tone="secondary">{settingCategoryLabels[category] ?? category}</Badge>,
    },
    { header: "Chave", area: "none", cell: (setting) => <SettingKey setting={setting} /> },
    {
      header: "Descrição",
      area: "title",
      cell: (setting) => (
        <>
          <div className="mb-0.5 hidden cards:block">
            <SettingKey setting={setting} />
          </div>
          <span className="text-t2 cards:text-meta">{setting.description}</span>
        </>
      ),
    },
    {
      header: "Valor",
      area: "extra",
      cell: (setting) => (
        <div className="w-44 cards:w-auto">
          <ValueEditor
            type={setting.type}
            draft={drafts[setting.key] ?? draftOf(setting.value)}
            label={`Valor de ${setting.key}`}
            onChange={(draft) => {
              setDrafts((old) => ({ ...old, [setting.key]: draft }))
              setRefusal(null)
            }}
            aria-invalid={refusal?.key === setting.key || undefined}
            aria-describedby={`${setting.key}-note`}
          />
          <div id={`${setting.key}-note`} role="status" className="text-meta">
            {refusal?.key === setting.key ? (
              <p className="mt-1 text-coral">{refusal.message}</p>
            ) : (
              isDirty(setting) && <p className="mt-1 text-amber">Não salvo</p>
            )}
          </div>
        </div>
      ),
    },
    {
      header: "Ações",
      area: "actions",
      end: true,
      cell: (setting) => (
        <Button
          aria-label={`Salvar ${setting.key}`}
          look={isDirty(setting) ? "primary" : "secondary"}
          disabled={save.isPending}
          onClick={() => saveOrAsk(setting)}
        >
          Salvar
        </Button>
      ),
    },
  ]

  return (
    <>
      <DataTable caption="Configurações" columns={columns} rows={settings} rowKey={({ key }) => key} wide />
      {question !== null && (
        <ConfirmDialog
          title="Mudar a taxa?"
          verb="Mudar taxa"
          busy={save.isPending}
          onConfirm={() => save.mutate(question.setting)}
          onClose={() => setQuestion(null)}
        >
          <p>
            De <b className="text-t1">{percent(question.setting.value)}</b> para{" "}
            <b className="text-t1">{percent(newValueOf(question.setting))}</b>. {question.warning}
          </p>
          <p>Transações que já existem continuam com a taxa delas.</p>
        </ConfirmDialog>
      )}
    </>
  )
}

function percent(value: SettingView["value"]): string {
  return `${Number(value).toLocaleString("pt-BR", { maximumFractionDigits: 2 })}%`
}

function SettingKey({ setting: { key, updatedAt, updatedBy } }: { setting: SettingView }) {
  return (
    <>
      <b className="block font-semibold break-words">{key}</b>
      {updatedBy !== null && (
        <span className="block text-meta text-t3" title={updatedBy.email}>
          {updatedBy.name}, {formatDateTime(updatedAt)}
        </span>
      )}
    </>
  )
}
