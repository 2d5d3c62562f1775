import { disputeReasonLabels, disputeReasons } from "@tilinta/contract/vocabulary/dispute-status"
import { useCallback } from "react"
import { FilterBar } from "#ui/filter-bar.tsx"
import { SearchInput } from "#ui/search-input.tsx"
import { Select } from "#ui/select.tsx"
import { type DisputesSearch, otherDisputeStatuses } from "../search-params.ts"

interface Props {
  value: DisputesSearch
  onChange: (change: DisputesSearch) => void
  onClear: () => void
}

export function hasFilters({ status, reason, search }: DisputesSearch): boolean {
  return status !== undefined || reason !== undefined || search !== undefined
}

export function DisputesFilters({ value, onChange, onClear }: Props) {
  const searchFor = useCallback((text: string) => onChange({ search: text === "" ? undefined : text }), [onChange])
  return (
    <FilterBar
      search={
        <SearchInput label="Buscar por vendedor ou ID do pagamento" value={value.search ?? ""} onSearch={searchFor} />
      }
      inUse={[value.status, value.reason].filter((word) => word !== undefined).length}
      onClear={hasFilters(value) ? onClear : undefined}
    >
      <Select
        aria-label="Status"
        value={value.status ?? ""}
        onChange={({ target }) => onChange({ status: otherDisputeStatuses.find((word) => word === target.value) })}
        className="shrink-0 basis-44"
      >
        <option value="">Em andamento</option>
        <option value="accepted">Aceitas</option>
        <option value="released">Liberadas</option>
        <option value="all">Todas</option>
      </Select>
      <Select
        aria-label="Motivo"
        value={value.reason ?? ""}
        onChange={({ target }) => onChange({ reason: disputeReasons.find((word) => word === target.value) })}
        className="shrink-0 basis-44"
      >
        <option value="">Todos os motivos</option>
        {disputeReasons.map((reason) => (
          <option key={reason} value={reason}>
            {disputeReasonLabels[reason]}
          </option>
        ))}
      </Select>
    </FilterBar>
  )
}
