import { type MandateStatus, mandateStatusLabels } from "@tilinta/contract/vocabulary/mandates"
import { Badge, type BadgeTone } from "#ui/badge.tsx"

const tones: Record<MandateStatus, BadgeTone> = {
  draft: "warning",
  waiting: "warning",
  approved: "success",
  rejected: "danger",
  expired: "secondary",
  cancelled_by_payer: "danger",
  cancelled_by_us: "secondary",
  cancelled_by_bank: "danger",
}

export function MandateBadge({ status }: { status: MandateStatus }) {
  return <Badge tone={tones[status]}>{mandateStatusLabels[status]}</Badge>
}
