import {
  type ChargePageStatus,
  chargePageStatusLabels,
  suspendedPageLabel,
} from "@tilinta/contract/vocabulary/charge-pages"
import { countOf } from "#format/money-text.ts"

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

const tonesChargePageBadge = {
  active: "primary",
  completed: "success",
  expired: "secondary",
  cancelled: "secondary",
} as const satisfies Record<ChargePageStatus, BadgeTone>

interface Props {
  status: ChargePageStatus
  /** Shown instead of the status: nobody can pay. */
  isSuspended: boolean
}

export function ChargePageBadge({ status, isSuspended }: Props) {
  if (isSuspended) return <Badge tone="danger">{suspendedPageLabel}</Badge>
  return <Badge tone={tonesChargePageBadge[status]}>{chargePageStatusLabels[status]}</Badge>
}

interface MenuCountProps {
  count: number
  one: string
  many: string
}

/** The number of things that wait behind an entry of the menu; nothing while there are none. */
export function MenuCount({ count, one, many }: MenuCountProps) {
  if (count === 0) return null
  return (
    <span className="ml-auto grid h-5 min-w-5 place-items-center rounded-full bg-amber-bg px-1.5 text-[12.5px] font-bold text-amber tabular-nums @max-[120px]:absolute @max-[120px]:top-1 @max-[120px]:right-1">
      <span aria-hidden="true">{count}</span>
      <span className="sr-only">, {countOf(count, one, many)}</span>
    </span>
  )
}

/** A key as drawn on a keyboard. */
export function Kbd({ children }: { children: string }) {
  return (
    <kbd className="grid min-h-8 min-w-8 place-items-center rounded-s border border-line-2 bg-s2 px-2 font-sans text-meta font-semibold">
      {children}
    </kbd>
  )
}
