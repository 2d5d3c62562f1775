import { formatDateTime } from "#format/date.ts"

export interface Moment {
  label: string
  at: string
  tone: "done" | "good" | "bad"
}

const dots = { done: "bg-t3", good: "bg-mint", bad: "bg-coral" } as const satisfies Record<Moment["tone"], string>

/** Events in chronological order. */
export function Timeline({ moments }: { moments: readonly Moment[] }) {
  return (
    <ol aria-label="Linha do tempo" className="grid">
      {moments.map(({ label, at, tone }) => (
        <li key={`${at} ${label}`} className="group relative flex items-baseline gap-3 pb-3 last:pb-0">
          <i aria-hidden="true" className={`size-2.5 flex-none rounded-full ${dots[tone]}`} />
          <i aria-hidden="true" className="absolute top-5 bottom-0 left-[4.5px] w-px bg-line-2 group-last:hidden" />
          <span className="min-w-0 flex-1 font-medium">{label}</span>
          <time dateTime={at} className="text-label whitespace-nowrap text-t3 tabular-nums">
            {formatDateTime(at)}
          </time>
        </li>
      ))}
    </ol>
  )
}
