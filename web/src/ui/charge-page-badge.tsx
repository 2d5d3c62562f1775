import { type ChargePageStatus, chargePageStatusLabels } from "@tilinta/contract/vocabulary/charge-page-status"
import { Badge, type BadgeTone } from "./badge.tsx"

const tones = {
  active: "primary",
  completed: "success",
  expired: "secondary",
  cancelled: "secondary",
} as const satisfies Record<ChargePageStatus, BadgeTone>

export function ChargePageBadge({ status }: { status: ChargePageStatus }) {
  return <Badge tone={tones[status]}>{chargePageStatusLabels[status]}</Badge>
}
