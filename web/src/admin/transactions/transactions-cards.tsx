import { keepPreviousData, useQuery } from "@tanstack/react-query"
import type { StatusGroup } from "../search-params.ts"
import { StatusCards } from "../status-cards.tsx"
import { type TransactionsFilter, totalsQuery } from "./transactions-data.ts"

interface Props {
  asked: TransactionsFilter
  onChoose: (status: StatusGroup | undefined) => void
}

/** Counts of every status, whichever is selected. */
export function TransactionsCards({ asked, onChoose }: Props) {
  const totals = useQuery({
    ...totalsQuery({ ...asked, status: undefined }),
    placeholderData: keepPreviousData,
  })
  const summary = totals.data?.exact === true ? totals.data : undefined
  return (
    <StatusCards
      label="Transações por status"
      cards={[
        { word: "approved", title: "Aprovadas", tone: "success", count: summary?.approvedCount },
        { word: "pending", title: "Pendentes", tone: "warning", count: summary?.pendingCount },
        { word: "failed", title: "Falhas e canceladas", tone: "danger", count: summary?.failedCount },
        { word: "refunded", title: "Estornadas", tone: "secondary", count: summary?.refundedCount },
      ]}
      chosen={asked.status}
      onChoose={onChoose}
      waiting={totals.isPending}
    />
  )
}
