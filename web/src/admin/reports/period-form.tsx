import { type FormEvent, useState } from "react"
import { Button } from "#ui/button.tsx"
import { Field } from "#ui/field.tsx"
import { TextInput } from "#ui/text-input.tsx"
import type { ReportsSearch } from "../search-params.ts"

interface Props {
  asked: ReportsSearch
  busy: boolean
  onGenerate: (days: ReportsSearch) => void
}

export function PeriodForm({ asked, busy, onGenerate }: Props) {
  const [days, setDays] = useState(asked)
  const [outside, setOutside] = useState(asked)
  if (outside !== asked) {
    setOutside(asked)
    setDays(asked)
  }
  const isBackwards = days.startDate !== undefined && days.endDate !== undefined && days.startDate > days.endDate

  function generate(event: FormEvent): void {
    event.preventDefault()
    if (!isBackwards && !busy) onGenerate(days)
  }

  return (
    <form
      noValidate
      onSubmit={generate}
      aria-label="Período do relatório"
      className="flex flex-none flex-wrap items-start gap-3"
    >
      <DayField
        label="Data inicial"
        value={days.startDate}
        onChange={(startDate) => setDays((old) => ({ ...old, startDate }))}
      />
      <DayField
        label="Data final"
        value={days.endDate}
        error={isBackwards ? "Deve vir depois da inicial." : undefined}
        onChange={(endDate) => setDays((old) => ({ ...old, endDate }))}
      />
      <Button look="primary" type="submit" disabled={busy} className="mt-[26px] min-w-40 max-sm:mt-0 max-sm:w-full">
        {busy ? "Gerando..." : "Gerar Relatório"}
      </Button>
    </form>
  )
}

interface DayProps {
  label: string
  value: string | undefined
  error?: string | undefined
  onChange: (day: string | undefined) => void
}

function DayField({ label, value, error, onChange }: DayProps) {
  return (
    <Field label={label} error={error} className="min-w-36 max-sm:flex-1">
      {(control) => (
        <TextInput
          {...control}
          type="date"
          min="2000-01-01"
          max="2999-12-31"
          value={value ?? ""}
          onChange={({ target }) => onChange(target.value === "" ? undefined : target.value)}
          className="px-3 tabular-nums"
        />
      )}
    </Field>
  )
}
