import { type ChargePageStatus, chargePageStatusLabels } from "@tilinta/contract/vocabulary/charge-page-status"
import { suspendedPageLabel } from "@tilinta/contract/vocabulary/page-reports"
import { Badge, type BadgeTone } from "./badge.tsx"

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
