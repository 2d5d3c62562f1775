import { Link } from "@tanstack/react-router"
import type { AuditSubject } from "@tilinta/contract/vocabulary/audit"
import type { ReactNode } from "react"
import { formatCount } from "#format/money-text.ts"
import type { BadgeTone } from "#ui/badge.tsx"
import { Icon } from "#ui/icon.tsx"
import { Skeleton } from "#ui/lazy-part.tsx"

/** Links to all audit records about one thing. */
export function AuditLink({ subject, id }: { subject: AuditSubject; id: string }) {
  return (
    <Link
      to="/admin/audit"
      search={{ entity: subject, entityId: id }}
      className="inline-flex min-h-11 items-center gap-2 self-start text-label font-semibold text-t2 hover:text-mint"
    >
      <Icon name="history" className="size-4" />
      Ver auditoria
    </Link>
  )
}

interface StatusCard<W extends string> {
  /** The filter that a press sets. */
  word: W
  title: string
  tone: BadgeTone
  /** Undefined until loaded. */
  count: number | undefined
  note?: ReactNode
}

interface Props<W extends string> {
  label: string
  cards: readonly StatusCard<W>[]
  chosen: W | undefined
  onChoose: (word: W | undefined) => void
  waiting: boolean
}

const tones = {
  success: "text-mint",
  warning: "text-amber",
  danger: "text-coral",
  primary: "text-sky",
  secondary: "text-t2",
} as const satisfies Record<BadgeTone, string>

const columns: Readonly<Record<number, string>> = {
  4: "md:grid-cols-4",
  5: "md:grid-cols-3 xl:grid-cols-5",
  6: "md:grid-cols-3 xl:grid-cols-6",
}

/** Counts per status; each card also toggles the filter by its status. */
export function StatusCards<W extends string>({ label, cards, chosen, onChoose, waiting }: Props<W>) {
  return (
    <section aria-label={label} className={`phone-line grid gap-3 ${columns[cards.length] ?? "md:grid-cols-4"}`}>
      {cards.map(({ word, title, tone, count, note }) => (
        <button
          key={title}
          type="button"
          aria-pressed={word === chosen}
          onClick={() => onChoose(word === chosen ? undefined : word)}
          className="min-w-0 rounded-l border border-line bg-s1 text-left shadow-card transition-colors hover:border-line-2 aria-pressed:border-ctl aria-pressed:bg-s2 px-4 py-3"
        >
          <span className={`block truncate text-label font-semibold ${tones[tone]}`}>{title}</span>
          {count === undefined && waiting ? (
            <Skeleton className="my-1.5 h-7 w-14" />
          ) : (
            <span className="mt-0.5 block text-[25px] leading-[1.3] font-bold tracking-[-0.03em] tabular-nums">
              {count === undefined ? "–" : formatCount(count)}
            </span>
          )}
          {note !== undefined && (
            <span className="block min-h-5 text-meta whitespace-nowrap text-t2 tabular-nums">{note}</span>
          )}
        </button>
      ))}
    </section>
  )
}
