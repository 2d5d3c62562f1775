import type { ReviewStatus } from "@tilinta/contract/vocabulary/review-status"
import { Badge } from "#ui/badge.tsx"
import { statusWords } from "./review-words.ts"

export function ReviewStatusBadge({ status }: { status: ReviewStatus }) {
  const { label, tone } = statusWords[status]
  return <Badge tone={tone}>{label}</Badge>
}
