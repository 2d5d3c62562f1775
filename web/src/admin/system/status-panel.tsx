import { type ReactNode, useId } from "react"
import { Badge } from "#ui/badge.tsx"
import { Button } from "#ui/button.tsx"
import { Card } from "#ui/card.tsx"
import type { Health } from "./health.ts"

interface Props {
  title: string
  health: Health
  /** Content next to the title. */
  action?: ReactNode
  wide?: boolean
  children: ReactNode
}

const words = { success: "Tudo certo", warning: "Atenção", danger: "Problema" } as const

const notes = {
  warning: "border-line-2 bg-amber-bg",
  danger: "border-coral-line bg-coral-bg",
} as const

/** One component of the installation: its health in a word, advice when it is unwell, and figures. */
export function StatusPanel({ title, health, action, wide = false, children }: Props) {
  const titleId = useId()
  const { tone, says, advice, waits } = health
  return (
    <Card aria-labelledby={titleId} className={`flex min-w-0 flex-col gap-4 p-5 md:p-6 ${wide ? "lg:col-span-2" : ""}`}>
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-3">
        <div className="min-w-0">
          <h2 id={titleId} className="flex flex-wrap items-center gap-x-3 gap-y-1.5 text-section font-[650]">
            {title}
            <Badge tone={waits === undefined ? tone : "secondary"}>{waits ?? words[tone]}</Badge>
          </h2>
          {tone === "success" && <p className="mt-1 text-label text-t2">{says}</p>}
        </div>
        {action}
      </div>
      {tone !== "success" && (
        <div className={`rounded-m border px-4 py-3 ${notes[tone]}`}>
          <p className="font-semibold break-words">{says}</p>
          {advice !== undefined && <p className="mt-0.5 text-label text-t2">{advice}</p>}
        </div>
      )}
      {children}
    </Card>
  )
}

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
