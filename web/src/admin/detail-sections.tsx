import type { AdminRefundView } from "@tilinta/contract/refunds"
import {
  type AdminStatus,
  adminStatusLabels,
  type RefundStatus,
  refundOriginLabels,
  refundStatusLabels,
} from "@tilinta/contract/vocabulary/transactions"
import type { SettleAction } from "#admin/hand-settlements/settle-words.ts"
import { SettleButtons, SettlementNote } from "#admin/hand-settlements/settlement-note.tsx"
import { formatDateTime } from "#format/dates.ts"
import { Reais } from "#ui/amounts.tsx"
import { Badge, type BadgeTone } from "#ui/badge.tsx"
import { DetailList } from "#ui/facts.tsx"
import { Icon } from "#ui/icon.tsx"

const tones = {
  approved: "success",
  pending: "warning",
  failed: "danger",
  cancelled: "danger",
  refunded: "secondary",
} as const satisfies Record<AdminStatus, BadgeTone>

export function TransactionStatusBadge({ status }: { status: AdminStatus }) {
  return <Badge tone={tones[status] ?? "secondary"}>{adminStatusLabels[status] ?? status}</Badge>
}

const refundTones = {
  processing: "primary",
  completed: "success",
  refused: "danger",
} as const satisfies Record<RefundStatus, BadgeTone>

interface RefundProps {
  refund: AdminRefundView
  actions: readonly SettleAction[]
  onSettle: (action: SettleAction) => void
}

export function RefundItem({ refund, actions, onSettle }: RefundProps) {
  const why = refund.failureReason ?? refund.reason
  // The bank refused nothing: people said so in its place.
  const isByHand = refund.status === "refused" && refund.handSettlement !== null
  return (
    <li className="grid gap-1.5 py-2.5">
      <span className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <b className="font-semibold tabular-nums">
          <Reais>{refund.amount}</Reais>
        </b>
        <Badge tone={refundTones[refund.status]}>{isByHand ? "Não foi pago" : refundStatusLabels[refund.status]}</Badge>
      </span>
      <span className="text-meta break-words text-t3 tabular-nums">
        {formatDateTime(refund.createdAt)} · {refundOriginLabels[refund.origin]}
        {why !== "" && ` · ${why}`}
      </span>
      <SettlementNote subject="refund" settleable={refund.settleable} said={refund.handSettlement} />
      {actions.length > 0 && (
        <span className="mt-1 flex flex-wrap justify-end gap-2">
          <SettleButtons actions={actions} onSettle={onSettle} />
        </span>
      )}
    </li>
  )
}

interface LedgerLine {
  at: string
  debit: string
  credit: string
  amount: number
}

/** The postings about one thing; nothing before there are any. */
export function LedgerSection({ lines }: { lines: readonly LedgerLine[] }) {
  if (lines.length === 0) return null
  return (
    <DetailList title="Lançamentos contábeis">
      {lines.map(({ at, debit, credit, amount }, line) => (
        <li key={`${at} ${line}`} className="flex items-baseline justify-between gap-4 py-2.5">
          <span className="min-w-0">
            <span className="block break-words">
              {debit} <Icon name="arrowRight" className="inline size-3.5 stroke-2 text-t3" /> {credit}
            </span>
            <time dateTime={at} className="text-meta text-t3 tabular-nums">
              {formatDateTime(at)}
            </time>
          </span>
          <b className="flex-none font-semibold tabular-nums">
            <Reais>{amount}</Reais>
          </b>
        </li>
      ))}
    </DetailList>
  )
}

interface EffectProps {
  title: string
  isSuggested?: boolean
  lines: readonly string[]
}

/** The effects of a decision, before it is made. */
export function Effect({ title, isSuggested = false, lines }: EffectProps) {
  return (
    <section className="rounded-m border border-line bg-bg px-4 py-3">
      <h3 className="flex flex-wrap items-center justify-between gap-2 text-label font-semibold">
        {title}
        {isSuggested && <Badge tone="success">Sugerido</Badge>}
      </h3>
      <ul className="mt-1.5 grid gap-1 text-label text-t2 tabular-nums">
        {lines.map((line) => (
          <li key={line}>{line}.</li>
        ))}
      </ul>
    </section>
  )
}
