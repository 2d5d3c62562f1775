import { useCallback } from "react"
import { FilterBar } from "#ui/filter-bar.tsx"
import { SearchInput } from "#ui/search-input.tsx"
import { Select } from "#ui/select.tsx"
import { otherUnmatchedStatuses, type UnmatchedSearch } from "../search-params.ts"

interface Props {
  value: UnmatchedSearch
  onChange: (change: UnmatchedSearch) => void
  onClear: () => void
}

export function hasFilters({ status, reason, search }: UnmatchedSearch): boolean {
  return status !== undefined || reason !== undefined || search !== undefined
}

/** Open payments are listed first; reasons are filtered by their cards. */
export function UnmatchedFilters({ value, onChange, onClear }: Props) {
  const searchFor = useCallback((text: string) => onChange({ search: text === "" ? undefined : text }), [onChange])
  return (
    <FilterBar
      search={
        <SearchInput
          label="Buscar por vendedor, txid ou ID do pagamento"
          value={value.search ?? ""}
          onSearch={searchFor}
        />
      }
      inUse={[value.status, value.reason].filter((word) => word !== undefined).length}
      onClear={hasFilters(value) ? onClear : undefined}
    >
      <Select
        aria-label="Status"
        value={value.status ?? ""}
        onChange={({ target }) => onChange({ status: otherUnmatchedStatuses.find((word) => word === target.value) })}
        className="shrink-0 basis-44"
      >
        <option value="">A conferir</option>
        <option value="resolved">Conferidos</option>
        <option value="all">Todos</option>
      </Select>
    </FilterBar>
  )
}
