import { keepPreviousData, useQuery } from "@tanstack/react-query"
import {
  type UnmatchedPaymentReason,
  unmatchedPaymentReasons,
} from "@tilinta/contract/vocabulary/unmatched-payment-status"
import { useReais } from "#ui/shown-amounts.ts"
import { StatusCards } from "../status-cards.tsx"
import { type UnmatchedFilter, unmatchedQuery } from "./unmatched-data.ts"
import { reasonWords } from "./unmatched-payment-words.ts"

interface Props {
  asked: UnmatchedFilter
  onChoose: (reason: UnmatchedPaymentReason | undefined) => void
}

/** Counts of every reason, whichever is selected. */
export function UnmatchedCards({ asked, onChoose }: Props) {
  const reais = useReais()
  const totals = useQuery({ ...unmatchedQuery(1, { ...asked, reason: undefined }), placeholderData: keepPreviousData })
  const summary = totals.data?.data.summary
  const cards = unmatchedPaymentReasons.map((word) => ({
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
