import { useState } from "react"
import { type DayRange, daysOf, periodLabels, rangeOfPeriod, saoPauloDay } from "#format/dates.ts"
import type { Period } from "#format/days.ts"
import { isDay, type PeriodWord, periodWords } from "#format/days.ts"
import { Select } from "./choice-inputs.tsx"
import { type Control, controlClass } from "./field.tsx"
import { noPeriod } from "./list-search.ts"

/** The periods that a list offers, and what it calls them. */
export interface Periods {
  label: string
  /** Shown while nothing is filtered. */
  none: string
  options: readonly { word: PeriodWord; label: string }[]
  rangeOf: (word: PeriodWord, today: string) => DayRange
}

const pastPeriods: Periods = {
  label: "Período",
  none: "Todo o período",
  options: periodWords.map((word) => ({ word, label: periodLabels[word] })),
  rangeOf: rangeOfPeriod,
}

interface Props {
  value: Period
  onChange: (period: Period) => void
  periods?: Periods
}

export function PeriodFilter({ value, onChange, periods = pastPeriods }: Props) {
  const { label, none, options, rangeOf } = periods
  const isOwn = value.period === undefined && (value.dateFrom !== undefined || value.dateTo !== undefined)

  function choose(word: string): void {
    const today = saoPauloDay(new Date())
    if (word === "") onChange(noPeriod)
    else if (word !== "custom") onChange({ ...noPeriod, period: word as PeriodWord })
    else onChange({ period: undefined, ...rangeOf("7d", today), ...daysOf(value, today, rangeOf) })
  }

  return (
    <>
      <Select
        aria-label={label}
        value={value.period ?? (isOwn ? "custom" : "")}
        onChange={(event) => choose(event.target.value)}
        className="shrink-0 basis-40"
      >
        <option value="">{none}</option>
        {options.map(({ word, label }) => (
          <option key={word} value={word}>
            {label}
          </option>
        ))}
        <option value="custom">Personalizado</option>
      </Select>
      {isOwn && <OwnDays value={value} onChange={onChange} />}
    </>
  )
}

/** Keeps the days in order: the day changed last wins. */
function OwnDays({ value, onChange }: Omit<Props, "periods">) {
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-2 md:flex-nowrap">
      <DayInput
        aria-label="De"
        value={value.dateFrom}
        onDay={(dateFrom) => onChange({ ...noPeriod, dateFrom, dateTo: later(value.dateTo, dateFrom) })}
      />
      <span aria-hidden="true" className="text-t3">
        a
      </span>
      <DayInput
        aria-label="Até"
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
export function DayInput({
  value,
  max = "2999-12-31",
  onDay,
  ...named
}: {
  value: string | undefined
  max?: string
  onDay: (day: string) => void
} & ({ "aria-label": string } | Control)) {
  const [typed, setTyped] = useState(value ?? "")
  const [outside, setOutside] = useState(value)
  if (outside !== value) {
    setOutside(value)
    setTyped(value ?? "")
  }

  function type(day: string): void {
    setTyped(day)
    if (isDay(day) && day <= max) onDay(day)
  }

  return (
    <input
      {...named}
      type="date"
      value={typed}
      min="2000-01-01"
      max={max}
      onChange={(event) => type(event.target.value)}
      onBlur={() => setTyped(value ?? "")}
      className={`${controlClass} h-11 px-3 tabular-nums max-sm:min-w-34 max-sm:flex-1`}
    />
  )
}
