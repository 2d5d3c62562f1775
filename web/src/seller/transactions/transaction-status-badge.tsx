import { type SellerStatus, sellerStatusLabels } from "@tilinta/contract/vocabulary/transaction-status"
import { Badge, type BadgeTone } from "#ui/badge.tsx"

const tones = {
  pago: "success",
  pendente: "warning",
  expirado: "danger",
  recusado: "danger",
  cancelado: "danger",
  estornado: "secondary",
} as const satisfies Record<SellerStatus, BadgeTone>

export function TransactionStatusBadge({ status }: { status: SellerStatus }) {
  return <Badge tone={tones[status] ?? "secondary"}>{sellerStatusLabels[status] ?? status}</Badge>
}
