import { type KeyboardEvent, type ReactNode, useCallback, useEffect, useId, useRef, useState } from "react"
import type { Period } from "#format/days.ts"
import { formatCount } from "#format/money-text.ts"
import { useShortcut, useWidth } from "./browser-hooks.ts"
import { Button, IconButton } from "./button.tsx"
import { Select } from "./choice-inputs.tsx"
import { controlClass } from "./field.tsx"
import { Icon } from "./icon.tsx"
import { hasPeriod, noPeriod } from "./list-search.ts"
import { PeriodFilter } from "./period-filter.tsx"

interface Props {
  search: ReactNode
  /** The number of filters in use, without the search. */
  inUse: number
  /** Undefined while nothing is filtered. */
  onClear: (() => void) | undefined
  children: ReactNode
}

/** Everything on one line; on a phone the search and one button that unfolds the filters. */
export function FilterBar({ search, inUse, onClear, children }: Props) {
  const [isOpen, setIsOpen] = useState(false)
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)

  function closeByEscape(event: KeyboardEvent): void {
    if (event.key !== "Escape" || !isOpen) return
    setIsOpen(false)
    button.current?.focus()
  }

  return (
    <div className="flex flex-wrap gap-2 px-1 pb-2 md:gap-3 md:px-3.5 md:pb-3">
      {search}
      <Button
        ref={button}
        aria-expanded={isOpen}
        aria-controls={id}
        className="px-3.5 md:hidden"
        onClick={() => setIsOpen((open) => !open)}
        onKeyDown={closeByEscape}
      >
        <Icon name="filter" />
        Filtros
        {inUse > 0 && (
          <span className="rounded-full bg-mint px-1.5 text-[12px] font-bold text-mint-ink tabular-nums">
            {formatCount(inUse)}
            <span className="sr-only"> em uso</span>
          </span>
        )}
      </Button>
      <div id={id} data-open={isOpen || undefined} className="filter-panel" onKeyDown={closeByEscape}>
        {children}
        {onClear !== undefined && (
          <Button variant="ghost" onClick={onClear}>
            Limpar filtros
          </Button>
        )}
      </div>
    </div>
  )
}

interface SearchInputProps {
  label: string
  value: string
  onSearch: (text: string) => void
  onType?: (text: string) => void
}

const paddingPx = 56
/** About; a placeholder that doesn't fit would be cut. */
const letterPx = 7.4

/** Calls `onType` on each keystroke, and `onSearch` once typing pauses. */
export function SearchInput({ label, value, onSearch, onType }: SearchInputProps) {
  const [text, setText] = useState(value)
  const field = useRef<HTMLInputElement>(null)
  const textPx = useWidth(field) - paddingPx
  useShortcut(
    "/",
    useCallback(() => field.current?.focus(), []),
  )
  const [sent, setSent] = useState(value)
  const [outside, setOutside] = useState(value)
  if (outside !== value) {
    setOutside(value)
    // Syncs only with outside changes such as 'Limpar filtros': our own value coming back must not undo a keystroke.
    if (value !== sent) setText(value)
  }

  useEffect(() => {
    if (text.trim() === value) return
    const timer = setTimeout(() => {
      setSent(text.trim())
      onSearch(text.trim())
    }, 300)
    return () => clearTimeout(timer)
  }, [text, value, onSearch])

  function type(next: string): void {
    setText(next)
    onType?.(next)
  }

  return (
    <div className="relative min-w-0 flex-1 basis-32 md:basis-40">
      <Icon name="search" className="pointer-events-none absolute top-3 left-3.5 size-5 text-t3" />
      <input
        ref={field}
        type="search"
        aria-keyshortcuts="/"
        aria-label={label}
        placeholder={label.length * letterPx > textPx ? "Buscar" : label}
        value={text}
        maxLength={200}
        onChange={(event) => type(event.target.value)}
        className={`${controlClass} h-11 pl-11 text-ellipsis ${text === "" ? "pr-3" : "pr-11"}`}
      />
      {text !== "" && (
        <IconButton
          icon="close"
          label="Limpar busca"
          className="absolute top-0 right-0 md:top-0.5 md:right-0.5"
          onClick={() => type("")}
        />
      )}
    </div>
  )
}

/** The choices of a filter, in the order of their words. */
export function optionsOf<W extends string>(words: readonly W[], labels: Readonly<Record<W, string>>) {
  return words.map((word) => ({ word, label: labels[word] }))
}

interface FilterSelectProps<W extends string> {
  label: string
  /** Shown while nothing is filtered. */
  none: string
  options: readonly { word: W; label: string }[]
  value: W | undefined
  onChange: (word: W | undefined) => void
  className?: string
}

export function FilterSelect<W extends string>(props: FilterSelectProps<W>) {
  const { label, none, options, value = "", onChange, className = "shrink-0 basis-44" } = props
  return (
    <Select
      aria-label={label}
      value={value}
      onChange={({ target }) => onChange(options.find(({ word }) => word === target.value)?.word)}
      className={className}
    >
      <option value="">{none}</option>
      {options.map(({ word, label }) => (
        <option key={word} value={word}>
          {label}
        </option>
      ))}
    </Select>
  )
}

interface ListSearch<W extends string> extends Period {
  page?: number | undefined
  status?: W | undefined
  search?: string | undefined
}

interface ListFiltersProps<W extends string> {
  searchLabel: string
  value: ListSearch<W>
  /** The status filter's text while it isn't used. */
  none?: string
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
export function ListFilters<W extends string>(props: ListFiltersProps<W>) {
  const {
    searchLabel,
    value,
    none = "Todos os status",
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
      <FilterSelect
        label="Status"
        none={none}
        options={options}
        value={value.status}
        onChange={(status) => onChange({ status })}
      />
      {children}
      {!timeless && <PeriodFilter value={value} onChange={onChange} />}
    </FilterBar>
  )
}
