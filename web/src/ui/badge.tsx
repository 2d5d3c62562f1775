import { MOST_PENDING_COUNTED } from "@tilinta/contract/vocabulary/api"
import { countOf, formatCount } from "#format/money-text.ts"

export type BadgeTone = "success" | "warning" | "danger" | "primary" | "secondary"

const tones = {
  success: "bg-mint-bg text-mint",
  warning: "bg-amber-bg text-amber",
  danger: "bg-coral-bg text-coral",
  primary: "bg-sky-bg text-sky",
  secondary: "bg-slate-bg text-t2",
} as const satisfies Record<BadgeTone, string>

/** Colour is never the only signal: each tone also has a shape of its own. */
const shapes = {
  success: "size-[7px] rounded-full bg-current",
  warning: "size-[7px] rounded-full border-2 border-current",
  danger: "size-[7px] rotate-45 bg-current",
  primary: "h-2 w-[5px] rounded-[2px] bg-current",
  secondary: "h-0.5 w-[7px] bg-current",
} as const satisfies Record<BadgeTone, string>

export function Badge({ tone, children }: { tone: BadgeTone; children: string }) {
  return (
    <span
      className={`inline-flex items-center gap-[7px] rounded-full py-[3px] pr-[11px] pl-[9px] text-meta font-semibold whitespace-nowrap ${tones[tone]}`}
    >
      <i aria-hidden="true" className={`flex-none ${shapes[tone]}`} />
      {children}
    </span>
  )
}

interface CountBadgeProps {
  count: number
  className?: string
}

/** How many things wait for the person who looks; nothing while there are none. */
export function CountBadge({ count, className = "" }: CountBadgeProps) {
  if (count === 0) return null
  return (
    <span
      className={`grid h-5 min-w-5 place-items-center rounded-full bg-amber-bg px-1.5 text-[12.5px] font-bold text-amber tabular-nums ${className}`}
    >
      <span aria-hidden="true">
        {count < MOST_PENDING_COUNTED ? formatCount(count) : `${MOST_PENDING_COUNTED - 1}+`}
      </span>
      <span className="sr-only">, {countOf(count, "espera você", "esperam você")}</span>
    </span>
  )
}
