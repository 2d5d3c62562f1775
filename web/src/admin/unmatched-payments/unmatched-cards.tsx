import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { type ReviewReason, reviewReasons } from "@tilinta/contract/vocabulary/review-status"
import { useReais } from "#ui/shown-amounts.ts"
import { StatusCards } from "../status-cards.tsx"
import { reasonWords } from "./review-words.ts"
import { type UnmatchedFilter, unmatchedQuery } from "./unmatched-data.ts"

interface Props {
  asked: UnmatchedFilter
  onChoose: (reason: ReviewReason | undefined) => void
}

/** Counts of every reason, whichever is selected. */
export function UnmatchedCards({ asked, onChoose }: Props) {
  const reais = useReais()
  const totals = useQuery({ ...unmatchedQuery(1, { ...asked, reason: undefined }), placeholderData: keepPreviousData })
  const summary = totals.data?.data.summary
  const cards = reviewReasons.map((word) => ({
    word,
    title: reasonWords[word].label,
    tone: reasonWords[word].tone,
    count: summary?.[word].count,
    note: summary && reais(summary[word].amount),
  }))
  return (
    <StatusCards
      label="Pagamentos por motivo"
      cards={cards}
      chosen={asked.reason}
      onChoose={onChoose}
      waiting={totals.isPending}
    />
  )
}
