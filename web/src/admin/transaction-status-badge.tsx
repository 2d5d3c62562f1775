import { type AdminStatus, adminStatusLabels } from "@tilinta/contract/vocabulary/transaction-status"
import { Badge, type BadgeTone } from "#ui/badge.tsx"

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
