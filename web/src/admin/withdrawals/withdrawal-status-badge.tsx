import {
  type WithdrawalStatus,
  withdrawalStatuses,
  withdrawalStatusLabels,
} from "@tilinta/contract/vocabulary/withdrawal-status"
import { Badge, type BadgeTone } from "#ui/badge.tsx"

export const withdrawalTones = {
  pending: "warning",
  approved: "success",
  processing: "primary",
  completed: "success",
  rejected: "danger",
  cancelled: "danger",
} as const satisfies Record<WithdrawalStatus, BadgeTone>

export const withdrawalStatusOptions = withdrawalStatuses.map((word) => ({ word, label: withdrawalStatusLabels[word] }))

export function WithdrawalStatusBadge({ status }: { status: WithdrawalStatus }) {
  return <Badge tone={withdrawalTones[status] ?? "secondary"}>{withdrawalStatusLabels[status] ?? status}</Badge>
}
