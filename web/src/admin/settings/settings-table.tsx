import { Link } from "@tanstack/react-router"
import type { SettingView } from "@tilinta/contract/settings"
import {
  longSettings,
  type SettingType,
  settingCategoryLabels,
  settingGroupLabels,
  settingGroups,
} from "@tilinta/contract/vocabulary/system"
import { Fragment, useState } from "react"
import { formatDateTime } from "#format/dates.ts"
import { Badge } from "#ui/badge.tsx"
import { Button } from "#ui/button.tsx"
import { type Column, DataTable } from "#ui/data-table.tsx"
import { ConfirmDialog } from "#ui/dialog.tsx"
import { type Control, TextArea, TextInput } from "#ui/field.tsx"
import { inlineLink } from "#ui/page-title.tsx"
import { SwitchControl } from "#ui/switch.tsx"
import { type Draft, feeWarning, type SettingDrafts, type SettingValue, useSettingDrafts } from "./settings-data.ts"

interface Props {
  before: SettingValue
  after: SettingValue
  warning: string
  busy: boolean
  onConfirm: () => void
  onClose: () => void
}

function FeeQuestion({ before, after, warning, ...question }: Props) {
  return (
    <ConfirmDialog title="Mudar a taxa?" verb="Mudar taxa" {...question}>
      <p>
        De <b className="text-t1">{percent(before)}</b> para <b className="text-t1">{percent(after)}</b>. {warning}
      </p>
      <p>Transações que já existem continuam com a taxa delas.</p>
    </ConfirmDialog>
  )
}

function percent(value: SettingValue): string {
  return `${Number(value).toLocaleString("pt-BR", { maximumFractionDigits: 2 })}%`
}

interface ValueEditorProps extends Partial<Control> {
  type: SettingType
  /** A text of paragraphs. */
  isLong?: boolean
  draft: Draft
  label: string
  onChange: (draft: Draft) => void
}

export function ValueEditor({ type, isLong = false, draft, label, onChange, ...control }: ValueEditorProps) {
  if (type === "boolean") {
    return (
      <label className="flex min-h-11 cursor-pointer items-center gap-3">
        <SwitchControl
          aria-label={label}
          checked={draft === true}
          onChange={(event) => onChange(event.target.checked)}
          {...control}
        />
        <span aria-hidden="true" className="text-t2">
          {draft === true ? "Sim" : "Não"}
        </span>
      </label>
    )
  }
  if (isLong) {
    return (
      <TextArea
        aria-label={label}
        rows={6}
        value={String(draft)}
        onChange={(event) => onChange(event.target.value)}
        {...control}
      />
    )
  }
  return (
    <TextInput
      type={type === "number" ? "number" : "text"}
      {...(type === "number" && { step: 0.01, inputMode: "decimal" as const })}
      aria-label={label}
      value={String(draft)}
      onChange={(event) => onChange(event.target.value)}
      className={type === "number" ? "tabular-nums" : ""}
      {...control}
    />
  )
}

interface SettingsTableProps {
  settings: readonly SettingView[]
  onSaved: (message: string) => Promise<void>
}

export function SettingsTable({ settings, onSaved }: SettingsTableProps) {
  const drafts = useSettingDrafts(onSaved)
  const [opened, setOpened] = useState<SettingView | null>(null)
  const warningOf = (setting: SettingView) => feeWarning(setting.key, setting.value, drafts.newValueOf(setting))

  function saveOrAsk(setting: SettingView): void {
    if (warningOf(setting) === null) drafts.save.mutate(setting)
    else setOpened(setting)
  }

  return (
    <>
      <DataTable
        caption="Configurações"
        columns={columnsOf(drafts, saveOrAsk)}
        rows={inGroups(settings)}
        rowKey={(setting: SettingView) => setting.key}
        groupOf={({ group }: SettingView) => settingGroupLabels[group]}
        wide
      />
      {opened !== null && (
        <FeeQuestion
          before={opened.value}
          after={drafts.newValueOf(opened)}
          warning={warningOf(opened) ?? ""}
          busy={drafts.save.isPending}
          onConfirm={() => drafts.save.mutate(opened, { onSettled: () => setOpened(null) })}
          onClose={() => setOpened(null)}
        />
      )}
    </>
  )
}

function inGroups(settings: readonly SettingView[]): readonly SettingView[] {
  return settings.toSorted((a, b) => settingGroups.indexOf(a.group) - settingGroups.indexOf(b.group))
}

function columnsOf(drafts: SettingDrafts, onSave: (setting: SettingView) => void): readonly Column<SettingView>[] {
  return [
    {
      header: "Categoria",
      // A card stands below its heading.
      area: "none",
      cell: ({ category }) => <Badge tone="secondary">{settingCategoryLabels[category] ?? category}</Badge>,
    },
    {
      header: "Chave",
      area: "none",
      cell: (setting) => (
        <div className="w-48">
          <SettingKey setting={setting} />
        </div>
      ),
    },
    {
      header: "Descrição",
      area: "title",
      cell: (setting) => (
        <>
          <div className="mb-0.5 hidden cards:block">
            <SettingKey setting={setting} />
          </div>
          <span className="text-t2 cards:text-meta">
            <WholeWords text={setting.description} />
          </span>
          {!setting.actsHere && (
            <span className="mt-1.5 block">
              <Badge tone="secondary">Não vale aqui</Badge>
              <span className="ml-2 text-meta text-t3">a proteção está relaxada</span>
            </span>
          )}
        </>
      ),
    },
    { header: "Valor", area: "extra", cell: (setting) => <ValueCell setting={setting} drafts={drafts} /> },
    {
      header: "Ações",
      area: "actions",
      end: true,
      cell: (setting) => (
        <Button
          aria-label={`Salvar ${setting.key}`}
          variant={drafts.isDirty(setting) ? "primary" : "secondary"}
          disabled={drafts.save.isPending}
          onClick={() => onSave(setting)}
        >
          Salvar
        </Button>
      ),
    },
  ]
}

/** Keeps "e-mails" on one line. */
function WholeWords({ text }: { text: string }) {
  return text.split(/((?<!\S)[^\s-]*-\S*)/).map((part, at) =>
    part.includes("-") ? (
      <span key={`${at}-${part}`} className="whitespace-nowrap">
        {part}
      </span>
    ) : (
      part
    ),
  )
}

function SettingKey({ setting: { key, updatedAt, updatedBy } }: { setting: SettingView }) {
  return (
    <>
      <b className="block font-semibold">
        {key.split(/(?<=_)/).map((word, at) => (
          <Fragment key={`${at}-${word}`}>
            {word}
            <wbr />
          </Fragment>
        ))}
      </b>
      <Link
        to="/admin/audit"
        search={{ entity: "setting", entityId: key }}
        title={updatedBy === null ? undefined : updatedBy.email}
        className={`${inlineLink} text-meta text-t3 not-hover:no-underline hover:text-t1`}
      >
        {updatedBy === null ? "Valor padrão" : `Alterado por ${updatedBy.name} em ${formatDateTime(updatedAt)}`}
        <span className="sr-only">: ver auditoria de {key}</span>
      </Link>
    </>
  )
}

function ValueCell({ setting, drafts }: { setting: SettingView; drafts: SettingDrafts }) {
  const refusal = drafts.refusalOf(setting)
  const noteId = `${setting.key}-note`
  return (
    <div className="w-44 cards:w-auto">
      <ValueEditor
        type={setting.type}
        isLong={longSettings.includes(setting.key)}
        draft={drafts.draftFor(setting)}
        label={`Valor de ${setting.key}`}
        onChange={(draft) => drafts.change(setting, draft)}
        aria-invalid={refusal === null ? undefined : true}
        aria-describedby={noteId}
      />
      <div id={noteId} role="status" className="text-meta">
        {refusal !== null && <p className="mt-1 text-coral">{refusal}</p>}
        {refusal === null && drafts.isDirty(setting) && <p className="mt-1 text-amber">Não salvo</p>}
      </div>
    </div>
  )
}
