import { keepPreviousData, useQuery } from "@tanstack/react-query"
import {
  type WithdrawalStatus,
  withdrawalStatuses,
  withdrawalStatusLabels,
} from "@tilinta/contract/vocabulary/withdrawals"
import { StatusCards } from "#admin/status-cards.tsx"
import { useReais } from "#ui/amounts.tsx"
import { Badge, type BadgeTone } from "#ui/badge.tsx"
import { optionsOf } from "#ui/list-filters.tsx"
import { summaryQuery, type WithdrawalsFilter } from "./withdrawals-data.ts"

const withdrawalTones = {
  pending: "warning",
  approved: "success",
  processing: "primary",
  completed: "success",
  rejected: "danger",
  cancelled: "danger",
} as const satisfies Record<WithdrawalStatus, BadgeTone>

export const withdrawalStatusOptions = optionsOf(withdrawalStatuses, withdrawalStatusLabels)

export function WithdrawalStatusBadge({ status }: { status: WithdrawalStatus }) {
  return <Badge tone={withdrawalTones[status] ?? "secondary"}>{withdrawalStatusLabels[status] ?? status}</Badge>
}

interface Props {
  criteria: WithdrawalsFilter
  onChoose: (status: WithdrawalStatus | undefined) => void
}

/** Counts of every status, whichever is selected. */
export function WithdrawalsCards({ criteria, onChoose }: Props) {
  const reais = useReais()
  const totals = useQuery({
    ...summaryQuery({ ...criteria, status: undefined }),
    placeholderData: keepPreviousData,
  })
  const summary = totals.data
  const cards = withdrawalStatuses.map((word) => ({
    word,
    title: withdrawalStatusLabels[word],
    tone: withdrawalTones[word],
    count: summary?.[word].count,
    note: summary && reais(summary[word].amount),
  }))
  return (
    <StatusCards
      label="Saques por status"
      cards={cards}
      chosen={criteria.status}
      onChoose={onChoose}
      waiting={totals.isPending}
    />
  )
}
