import { type ReactNode, useCallback } from "react"
import { FilterBar } from "./filter-bar.tsx"
import { hasPeriod, noPeriod, type PeriodSearch } from "./list-search.ts"
import { PeriodFilter } from "./period-filter.tsx"
import { SearchInput } from "./search-input.tsx"
import { Select } from "./select.tsx"

export interface ListSearch<W extends string> extends PeriodSearch {
  page?: number | undefined
  status?: W | undefined
  search?: string | undefined
}

interface Props<W extends string> {
  searchLabel: string
  value: ListSearch<W>
  options: readonly { word: W; label: string }[]
  onChange: (change: ListSearch<W>) => void
  onClear: () => void
  /** Called on each keystroke, before the search is sent. */
  onType?: (text: string) => void
  /** Set for lists without a period filter. */
  timeless?: boolean
  /** Filters of this list alone. */
  children?: ReactNode
  /** True when a filter that only the list knows is active. */
  hidesMore?: boolean
}

export const noFilters = { page: undefined, status: undefined, search: undefined, ...noPeriod } as const

export function isFiltered(value: ListSearch<string>): boolean {
  return value.status !== undefined || value.search !== undefined || hasPeriod(value)
}

/** Search, status, period and 'Limpar filtros', for every list. */
export function ListFilters<W extends string>(props: Props<W>) {
  const {
    searchLabel,
    value,
    options,
    onChange,
    onClear,
    onType,
    timeless = false,
    children,
    hidesMore = false,
  } = props
  const searchFor = useCallback((text: string) => onChange({ search: text === "" ? undefined : text }), [onChange])
  const isInUse = [value.status !== undefined, hasPeriod(value), hidesMore]
  return (
    <FilterBar
      search={
        <SearchInput label={searchLabel} value={value.search ?? ""} onSearch={searchFor} {...(onType && { onType })} />
      }
      inUse={isInUse.filter(Boolean).length}
      onClear={isFiltered(value) || hidesMore ? onClear : undefined}
    >
      <Select
        aria-label="Status"
        value={value.status ?? ""}
        onChange={(event) => onChange({ status: options.find(({ word }) => word === event.target.value)?.word })}
        className="shrink-0 basis-44"
      >
        <option value="">Todos os status</option>
        {options.map(({ word, label }) => (
          <option key={word} value={word}>
            {label}
          </option>
        ))}
      </Select>
      {children}
      {!timeless && <PeriodFilter value={value} onChange={onChange} />}
    </FilterBar>
  )
}
