import { useMutation } from "@tanstack/react-query"
import {
  type SettingCategory,
  type SettingType,
  settingCategories,
  settingCategoryLabels,
  settingTypeLabels,
  settingTypes,
} from "@tilinta/contract/vocabulary/settings"
import { type FormEvent, useState } from "react"
import { ApiError, messageOf } from "#api/api-error.ts"
import { call } from "#api/client.ts"
import { Button } from "#ui/button.tsx"
import { Dialog } from "#ui/dialog.tsx"
import { Field } from "#ui/field.tsx"
import { FormAlert } from "#ui/form-alert.tsx"
import { Select } from "#ui/select.tsx"
import { TextArea, TextInput } from "#ui/text-input.tsx"
import { adminTexts } from "../admin-texts.ts"
import { emptyDraftOf, valueOf } from "./setting-draft.ts"
import { createSetting } from "./settings-data.ts"
import { ValueEditor } from "./value-editor.tsx"

interface Form {
  key: string
  type: SettingType
  category: SettingCategory
  draft: string | boolean
  description: string
}

const emptyForm: Form = { key: "", type: "string", category: "general", draft: "", description: "" }
const formId = "new-setting"

/** The server's rules are shown beside their fields: which values make sense is known only there. */
export function NewSettingDialog({ onClose, onCreated }: { onClose: () => void; onCreated: () => void }) {
  const [form, setForm] = useState(emptyForm)
  const create = useMutation({
    mutationFn: ({ key, type, category, draft, description }: Form) =>
      call(createSetting, { body: { key, type, category, description, value: valueOf(type, draft) } }),
    onSuccess: onCreated,
    onError: (error) => focusField(fieldProblems(error).keys().next().value),
  })
  const problems = fieldProblems(create.error)
  const change = (fields: Partial<Form>) => setForm((old) => ({ ...old, ...fields }))

  function send(event: FormEvent): void {
    event.preventDefault()
    if (!create.isPending) create.mutate(form)
  }

  return (
    <Dialog
      title="Nova Configuração"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Voltar</Button>
          <Button look="primary" type="submit" form={formId} disabled={create.isPending}>
            Criar Configuração
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={send} className="grid gap-4">
        <FormAlert
          message={create.isError && problems.size === 0 ? messageOf(create.error, adminTexts.settingNotCreated) : null}
        />
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
          <Field label="Tipo" error={problems.get("type")}>
            {(control) => (
              <Select
                {...control}
                name="type"
                value={form.type}
                onChange={({ target }) => {
                  const type = settingTypes.find((known) => known === target.value) ?? form.type
                  change({ type, draft: emptyDraftOf(type) })
                }}
              >
                {settingTypes.map((type) => (
                  <option key={type} value={type}>
                    {settingTypeLabels[type]}
                  </option>
                ))}
              </Select>
            )}
          </Field>
          <Field label="Categoria" error={problems.get("category")}>
            {(control) => (
              <Select
                {...control}
                name="category"
                value={form.category}
                onChange={({ target }) =>
                  change({ category: settingCategories.find((known) => known === target.value) ?? form.category })
                }
              >
                {settingCategories.map((category) => (
                  <option key={category} value={category}>
                    {settingCategoryLabels[category]}
                  </option>
                ))}
              </Select>
            )}
          </Field>
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
      </form>
    </Dialog>
  )
}

function fieldProblems(error: unknown): Map<string, string> {
  return new Map(error instanceof ApiError ? error.errors.map(({ path, message }) => [path, message]) : [])
}

function focusField(name: string | undefined): void {
  const field = name === undefined ? null : document.getElementById(formId)?.querySelector(`[name="${name}"]`)
  if (field instanceof HTMLElement) field.focus()
}
