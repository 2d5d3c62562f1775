import { Button } from "#ui/button.tsx"
import { SearchInput } from "#ui/search-input.tsx"
import { Select } from "#ui/select.tsx"

interface Props<W extends string> {
  searchLabel: string
  search: string | undefined
  onSearch: (text: string) => void
  onType?: (text: string) => void
  status: W | undefined
  options: readonly { word: W; label: string }[]
  onStatus: (status: W | undefined) => void
  onClear: () => void
}

/** Search, status and 'Limpar filtros' on one line, for every list of the seller. */
export function ListFilters<W extends string>(props: Props<W>) {
  const { searchLabel, search, onSearch, onType, status, options, onStatus, onClear } = props
  return (
    <div className="flex flex-wrap gap-3 px-2 pb-3 md:px-3.5">
      <SearchInput label={searchLabel} value={search ?? ""} onSearch={onSearch} {...(onType && { onType })} />
      <Select
        aria-label="Status"
        value={status ?? ""}
        onChange={(event) => onStatus(options.find(({ word }) => word === event.target.value)?.word)}
        className="shrink-0 basis-44 max-sm:basis-full"
      >
        <option value="">Todos os status</option>
        {options.map(({ word, label }) => (
          <option key={word} value={word}>
            {label}
          </option>
        ))}
      </Select>
      {(status !== undefined || search !== undefined) && (
        <Button look="ghost" onClick={onClear}>
          Limpar filtros
        </Button>
      )}
    </div>
  )
}
