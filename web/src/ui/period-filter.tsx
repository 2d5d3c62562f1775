import { useState } from "react"
import { daysOf, periodLabels, rangeOfPeriod, saoPauloDay } from "#format/dates.ts"
import type { Period } from "#format/days.ts"
import { isDay, type PeriodWord, periodWords } from "#format/days.ts"
import { Select } from "./choice-inputs.tsx"
import { controlClass } from "./field.tsx"
import { noPeriod } from "./list-search.ts"

interface Props {
  value: Period
  onChange: (period: Period) => void
}

export function PeriodFilter({ value, onChange }: Props) {
  const isOwn = value.period === undefined && (value.dateFrom !== undefined || value.dateTo !== undefined)

  function choose(word: string): void {
    const today = saoPauloDay(new Date())
    if (word === "") onChange(noPeriod)
    else if (word !== "custom") onChange({ ...noPeriod, period: word as PeriodWord })
    else onChange({ period: undefined, ...rangeOfPeriod("7d", today), ...daysOf(value, today) })
  }

  return (
    <>
      <Select
        aria-label="Período"
        value={value.period ?? (isOwn ? "custom" : "")}
        onChange={(event) => choose(event.target.value)}
        className="shrink-0 basis-40"
      >
        <option value="">Todo o período</option>
        {periodWords.map((word) => (
          <option key={word} value={word}>
            {periodLabels[word]}
          </option>
        ))}
        <option value="custom">Personalizado</option>
      </Select>
      {isOwn && <OwnDays value={value} onChange={onChange} />}
    </>
  )
}

/** Keeps the days in order: the day changed last wins. */
function OwnDays({ value, onChange }: Props) {
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-2 md:flex-nowrap">
      <DayInput
        label="De"
        value={value.dateFrom}
        onDay={(dateFrom) => onChange({ ...noPeriod, dateFrom, dateTo: later(value.dateTo, dateFrom) })}
      />
      <span aria-hidden="true" className="text-t3">
        a
      </span>
      <DayInput
        label="Até"
        value={value.dateTo}
        onDay={(dateTo) => onChange({ ...noPeriod, dateFrom: earlier(value.dateFrom, dateTo), dateTo })}
      />
    </div>
  )
}

function later(day: string | undefined, than: string): string | undefined {
  return day !== undefined && day < than ? than : day
}

function earlier(day: string | undefined, than: string): string | undefined {
  return day !== undefined && day > than ? than : day
}

/** Reports only plausible days: while a year is being typed the field holds the year 2, then 20. */
function DayInput({ label, value, onDay }: { label: string; value: string | undefined; onDay: (day: string) => void }) {
  const [typed, setTyped] = useState(value ?? "")
  const [outside, setOutside] = useState(value)
  if (outside !== value) {
    setOutside(value)
    setTyped(value ?? "")
  }

  function type(day: string): void {
    setTyped(day)
    if (isDay(day)) onDay(day)
  }

  return (
    <input
      type="date"
      aria-label={label}
      value={typed}
      min="2000-01-01"
      max="2999-12-31"
      onChange={(event) => type(event.target.value)}
      onBlur={() => setTyped(value ?? "")}
      className={`${controlClass} h-11 px-3 tabular-nums max-sm:min-w-34 max-sm:flex-1`}
    />
  )
}
