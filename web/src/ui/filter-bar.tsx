import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from "react"
import { formatCount } from "#format/count.ts"
import { Button } from "./button.tsx"
import { Icon } from "./icon.tsx"

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
          <Button look="ghost" onClick={onClear}>
            Limpar filtros
          </Button>
        )}
      </div>
    </div>
  )
}
