import { useMutation } from "@tanstack/react-query"
import * as heads from "@tilinta/contract/heads"
import {
  type SettingCategory,
  type SettingType,
  settingCategories,
  settingCategoryLabels,
  settingTypeLabels,
  settingTypes,
} from "@tilinta/contract/vocabulary/system"
import { type FormEvent, useRef, useState } from "react"
import { adminTexts } from "#admin/admin-texts.ts"
import { ApiError, messageOf } from "#api/api-error.ts"
import { call } from "#api/client.ts"
import { Options, Select } from "#ui/choice-inputs.tsx"
import { FormDialog } from "#ui/dialog.tsx"
import { Field, FormAlert, TextArea, TextInput } from "#ui/field.tsx"
import { emptyDraftOf, valueOf } from "./settings-data.ts"
import { ValueEditor } from "./settings-table.tsx"

interface Form {
  key: string
  type: SettingType
  category: SettingCategory
  draft: string | boolean
  description: string
}

const emptyForm: Form = { key: "", type: "string", category: "general", draft: "", description: "" }

/** The server's refusals are shown at their fields: only the server knows which values make sense. */
export function NewSettingDialog({ onClose, onCreated }: { onClose: () => void; onCreated: (waits: boolean) => void }) {
  const element = useRef<HTMLFormElement>(null)
  const [form, setForm] = useState(emptyForm)
  const create = useMutation({
    mutationFn: ({ key, type, category, draft, description }: Form) =>
      call(heads.createSetting, { body: { key, type, category, description, value: valueOf(type, draft) } }),
    onSuccess: ({ data }) => onCreated(data.pending === true),
    onError: (error) => focusField(element.current, fieldProblems(error).keys().next().value),
  })
  const problems = fieldProblems(create.error)
  const change = (fields: Partial<Form>) => setForm((old) => ({ ...old, ...fields }))

  function send(event: FormEvent): void {
    event.preventDefault()
    if (!create.isPending) create.mutate(form)
  }

  return (
    <FormDialog
      ref={element}
      title="Nova Configuração"
      verb="Criar Configuração"
      cancelVerb="Voltar"
      busy={create.isPending}
      onSubmit={send}
      onClose={onClose}
    >
      <FormAlert
        message={create.isError && problems.size === 0 ? messageOf(create.error, adminTexts.settingNotCreated) : null}
      />
      <SettingFields form={form} problems={problems} change={change} />
    </FormDialog>
  )
}

interface FieldsProps {
  form: Form
  problems: ReadonlyMap<string, string>
  change: (fields: Partial<Form>) => void
}

function SettingFields({ form, problems, change }: FieldsProps) {
  return (
    <>
      <Field label="Chave" error={problems.get("key")} hint="Letras, números e _, em maiúsculas.">
        {(control) => (
          <TextInput
            {...control}
            name="key"
            autoCapitalize="characters"
            spellCheck={false}
            maxLength={100}
            value={form.key}
            onChange={(event) => change({ key: event.target.value.toUpperCase() })}
          />
        )}
      </Field>
      <div className="grid gap-4 sm:grid-cols-2">
        <Choice
          label="Tipo"
          name="type"
          words={settingTypes}
          labels={settingTypeLabels}
          value={form.type}
          error={problems.get("type")}
          onChange={(type) => change({ type, draft: emptyDraftOf(type) })}
        />
        <Choice
          label="Categoria"
          name="category"
          words={settingCategories}
          labels={settingCategoryLabels}
          value={form.category}
          error={problems.get("category")}
          onChange={(category) => change({ category })}
        />
      </div>
      <Field label="Valor" error={problems.get("value")}>
        {(control) => (
          <ValueEditor
            {...control}
            type={form.type}
            draft={form.draft}
            label="Valor"
            onChange={(draft) => change({ draft })}
          />
        )}
      </Field>
      <Field label="Descrição" error={problems.get("description")} aside="opcional">
        {(control) => (
          <TextArea
            {...control}
            name="description"
            maxLength={500}
            value={form.description}
            onChange={(event) => change({ description: event.target.value })}
          />
        )}
      </Field>
    </>
  )
}

interface ChoiceProps<W extends string> {
  label: string
  name: string
  words: readonly W[]
  labels: Readonly<Record<W, string>>
  value: W
  error: string | undefined
  onChange: (word: W) => void
}

function Choice<W extends string>({ label, name, words, labels, value, error, onChange }: ChoiceProps<W>) {
  return (
    <Field label={label} error={error}>
      {(control) => (
        <Select
          {...control}
          name={name}
          value={value}
          onChange={({ target }) => onChange(words.find((word) => word === target.value) ?? value)}
        >
          <Options words={words} labels={labels} />
        </Select>
      )}
    </Field>
  )
}

function fieldProblems(error: unknown): Map<string, string> {
  return new Map(error instanceof ApiError ? error.errors.map(({ path, message }) => [path, message]) : [])
}

function focusField(form: HTMLFormElement | null, name: string | undefined): void {
  const field = name === undefined ? null : form?.querySelector(`[name="${name}"]`)
  if (field instanceof HTMLElement) field.focus()
}
