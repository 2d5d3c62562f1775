import type { UnmatchedPaymentStatus } from "@tilinta/contract/vocabulary/unmatched-payment-status"
import { Badge } from "#ui/badge.tsx"
import { statusWords } from "./unmatched-payment-words.ts"

export function UnmatchedPaymentStatusBadge({ status }: { status: UnmatchedPaymentStatus }) {
  const { label, tone } = statusWords[status]
  return <Badge tone={tone}>{label}</Badge>
}
