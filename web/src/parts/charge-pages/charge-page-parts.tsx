import type { ChargePageView } from "@tilinta/contract/charge-pages"
import {
  type ChargePageStatus,
  chargePageStatusLabels,
  suspendedPageLabel,
} from "@tilinta/contract/vocabulary/charge-pages"
import { useReais } from "#ui/amounts.tsx"
import { Badge, type BadgeTone } from "#ui/badge.tsx"
import type { Column } from "#ui/data-table.tsx"

const tones = {
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
  return <Badge tone={tones[status]}>{chargePageStatusLabels[status]}</Badge>
}

/** The fixed amount, which the switch for hiding amounts hides, or that payers choose it. */
export function PageAmount({ amount }: { amount: number | null }): string {
  const reais = useReais()
  return amount === null ? "Valor livre" : reais(amount)
}

export function pageAmountColumn<Row extends { amount: number | null }>(): Column<Row> {
  const cell = ({ amount }: Row) => (
    <b className="font-semibold whitespace-nowrap tabular-nums">
      <PageAmount amount={amount} />
    </b>
  )
  return { header: "Valor", area: "amount", end: true, cell }
}

/** The line that tells a page of the API's from others in a list; null for a page that people made, without a reference. */
export function orderNote({
  kind,
  externalReference,
}: Pick<ChargePageView, "kind" | "externalReference">): string | null {
  return [kind === "single" ? "Avulsa" : null, externalReference].filter(Boolean).join(" · ") || null
}
