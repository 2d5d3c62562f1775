import type { SettingType } from "@tilinta/contract/vocabulary/settings"
import type { Control } from "#ui/field.tsx"
import { SwitchControl } from "#ui/switch.tsx"
import { TextArea, TextInput } from "#ui/text-input.tsx"
import type { Draft } from "./setting-draft.ts"

interface Props extends Partial<Control> {
  type: SettingType
  /** A text of paragraphs. */
  isLong?: boolean
  draft: Draft
  label: string
  onChange: (draft: Draft) => void
}

export function ValueEditor({ type, isLong = false, draft, label, onChange, ...control }: Props) {
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
