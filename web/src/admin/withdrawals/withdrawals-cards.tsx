import { keepPreviousData, useQuery } from "@tanstack/react-query"
import {
  type WithdrawalStatus,
  withdrawalStatuses,
  withdrawalStatusLabels,
} from "@tilinta/contract/vocabulary/withdrawal-status"
import { useReais } from "#ui/shown-amounts.ts"
import { StatusCards } from "../status-cards.tsx"
import { withdrawalTones } from "./withdrawal-status-badge.tsx"
import { summaryQuery, type WithdrawalsFilter } from "./withdrawals-data.ts"

interface Props {
  asked: WithdrawalsFilter
  onChoose: (status: WithdrawalStatus | undefined) => void
}

/** Counts of every status, whichever is selected. */
export function WithdrawalsCards({ asked, onChoose }: Props) {
  const reais = useReais()
  const totals = useQuery({
    ...summaryQuery({ ...asked, status: undefined }),
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
      chosen={asked.status}
      onChoose={onChoose}
      waiting={totals.isPending}
    />
  )
}
