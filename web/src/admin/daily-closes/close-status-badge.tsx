import type { DailyCloseView } from "@tilinta/contract/api/daily-closes-endpoints"
import { Badge } from "#ui/badge.tsx"
import { differencesLabel, statusWords } from "./close-words.ts"

export function CloseStatusBadge({ close }: { close: Pick<DailyCloseView, "status" | "differenceCount"> }) {
  const { label, tone } = statusWords[close.status]
  return <Badge tone={tone}>{close.status === "differences" ? differencesLabel(close.differenceCount) : label}</Badge>
}
