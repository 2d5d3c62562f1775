import type { ReactNode } from "react"
import { Button } from "#ui/button.tsx"

/** Renders nothing while the list is empty. */
export function ProblemList({ label, children }: { label: string; children: readonly ReactNode[] }) {
  if (children.length === 0) return null
  return (
    <ul
      aria-label={label}
      className="grid grid-cols-[minmax(0,1fr)] divide-y divide-line border-y border-line text-label"
    >
      {children}
    </ul>
  )
}

interface ItemProps {
  title: string
  note: string
  /** The technical error text. */
  error: string | null
  busy: boolean
  /** Undefined where a retry would not help. */
  onRetry?: (() => void) | undefined
}

export function ProblemItem({ title, note, error, busy, onRetry }: ItemProps) {
  return (
    <li className="flex items-center justify-between gap-4 py-2.5">
      <div className="min-w-0">
        <p className="font-semibold wrap-anywhere">{title}</p>
        <p className="text-meta break-words text-t3">{note}</p>
        {error !== null && <p className="mt-0.5 font-mono text-[12px] wrap-anywhere text-t2">{error}</p>}
      </div>
      {onRetry !== undefined && (
        <Button className="flex-none px-3" aria-label={`Tentar agora: ${title}`} disabled={busy} onClick={onRetry}>
          Tentar agora
        </Button>
      )}
    </li>
  )
}
