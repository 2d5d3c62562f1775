import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import type { UnmatchedPaymentView } from "@tilinta/contract/unmatched-payments"
import {
  type UnmatchedPaymentReason,
  type UnmatchedPaymentStatus,
  unmatchedPaymentReasons,
} from "@tilinta/contract/vocabulary/transactions"
import { useCallback } from "react"
import { settlementWait } from "#admin/hand-settlements/settle-words.ts"
import { otherUnmatchedStatuses, type UnmatchedSearch } from "#admin/search-params.ts"
import { SellerCell } from "#admin/seller-picker.tsx"
import { StatusCards } from "#admin/status-cards.tsx"
import { formatDateTime } from "#format/dates.ts"
import { Reais, useReais } from "#ui/amounts.tsx"
import { Badge } from "#ui/badge.tsx"
import { Select } from "#ui/choice-inputs.tsx"
import { type Column, DataTable, DateCell, RowText } from "#ui/data-table.tsx"
import { FilterBar, SearchInput } from "#ui/list-filters.tsx"
import { decisionWords, reasonWords, statusWords, type UnmatchedFilter, unmatchedQuery } from "./unmatched-data.ts"

export function UnmatchedPaymentStatusBadge({ status }: { status: UnmatchedPaymentStatus }) {
  const { label, tone } = statusWords[status]
  return <Badge tone={tone}>{label}</Badge>
}

interface Props {
  value: UnmatchedSearch
  onChange: (change: UnmatchedSearch) => void
  onClear: () => void
}

export function hasFilters({ status, reason, search }: UnmatchedSearch): boolean {
  return status !== undefined || reason !== undefined || search !== undefined
}

/** Open payments are listed first; reasons are filtered by their cards. */
export function UnmatchedFilters({ value, onChange, onClear }: Props) {
  const searchFor = useCallback((text: string) => onChange({ search: text === "" ? undefined : text }), [onChange])
  return (
    <FilterBar
      search={
        <SearchInput
          label="Buscar por vendedor, txid ou ID do pagamento"
          value={value.search ?? ""}
          onSearch={searchFor}
        />
      }
      inUse={[value.status, value.reason].filter((word) => word !== undefined).length}
      onClear={hasFilters(value) ? onClear : undefined}
    >
      <Select
        aria-label="Status"
        value={value.status ?? ""}
        onChange={({ target }) => onChange({ status: otherUnmatchedStatuses.find((word) => word === target.value) })}
        className="shrink-0 basis-44"
      >
        <option value="">A conferir</option>
        <option value="resolved">Conferidos</option>
        <option value="all">Todos</option>
      </Select>
    </FilterBar>
  )
}

interface UnmatchedCardsProps {
  criteria: UnmatchedFilter
  onChoose: (reason: UnmatchedPaymentReason | undefined) => void
}

/** Counts of every reason, whichever is selected. */
export function UnmatchedCards({ criteria, onChoose }: UnmatchedCardsProps) {
  const reais = useReais()
  const totals = useQuery({
    ...unmatchedQuery(1, { ...criteria, reason: undefined }),
    placeholderData: keepPreviousData,
  })
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
      chosen={criteria.reason}
      onChoose={onChoose}
      waiting={totals.isPending}
    />
  )
}

const columns: readonly Column<UnmatchedPaymentView>[] = [
  { header: "Pago em", area: "date", cell: (row) => <DateCell text={formatDateTime(row.paidAt)} /> },
  { header: "Motivo", area: "title", cell: (row) => <ReasonCell payment={row} /> },
  { header: "Vendedor", area: "none", cell: (row) => <SellerCell user={row.user} /> },
  {
    header: "Valor",
    area: "amount",
    end: true,
    cell: (row) => (
      <b className="font-semibold whitespace-nowrap tabular-nums">
        <Reais>{row.amount}</Reais>
      </b>
    ),
  },
  {
    header: "Status",
    area: "status",
    cell: (row) => (
      <>
        <UnmatchedPaymentStatusBadge status={row.status} />
        <RefundWait refund={row.refund} />
      </>
    ),
  },
  {
    header: "Sugestão",
    area: "none",
    cell: (row) =>
      row.suggestion === null ? null : <span className="text-t2">{decisionWords[row.suggestion].verb}</span>,
  },
]

export function UnmatchedTable({ rows, dimmed }: { rows: readonly UnmatchedPaymentView[]; dimmed: boolean }) {
  return (
    <DataTable
      caption="Pagamentos a conferir"
      columns={columns}
      rows={rows}
      rowKey={(row) => row._id}
      dimmed={dimmed}
      wide
    />
  )
}

function RefundWait({ refund }: Pick<UnmatchedPaymentView, "refund">) {
  const text = refund === null ? "" : settlementWait(refund)
  if (text === "") return null
  return <span className="block text-meta font-semibold whitespace-nowrap text-amber">{text}</span>
}

function ReasonCell({ payment }: { payment: UnmatchedPaymentView }) {
  return (
    <Link
      from="/admin/unmatched-payments"
      to="/admin/unmatched-payments"
      search={(old) => ({ ...old, payment: payment._id })}
      aria-haspopup="dialog"
      className="row-link"
    >
      <RowText
        title={reasonWords[payment.reason].label}
        note={
          <>
            {payment.checkoutPage?.title ?? payment.endToEndId}
            <span className="hidden cards:inline"> · {payment.user?.name ?? "Vendedor desconhecido"}</span>
          </>
        }
      />
    </Link>
  )
}
