import {
  type SellerWithdrawalStatus,
  sellerWithdrawalFilterWords,
} from "@tilinta/contract/vocabulary/withdrawal-status"
import { Badge, type BadgeTone } from "#ui/badge.tsx"

const labels = {
  pending: "Pendente",
  approved: "Aprovado",
  completed: "Concluído",
  rejected: "Rejeitado",
  cancelled: "Cancelado",
} as const satisfies Record<SellerWithdrawalStatus, string>

export const withdrawalStatusOptions = sellerWithdrawalFilterWords.map((word) => ({ word, label: labels[word] }))

const tones = {
  pending: "warning",
  approved: "success",
  completed: "success",
  rejected: "danger",
  cancelled: "danger",
} as const satisfies Record<SellerWithdrawalStatus, BadgeTone>

export function WithdrawalStatusBadge({ status }: { status: SellerWithdrawalStatus }) {
  return <Badge tone={tones[status] ?? "secondary"}>{labels[status] ?? status}</Badge>
}
