import { Link } from "@tanstack/react-router"
import type { AdminDisputeView } from "@tilinta/contract/disputes"
import { disputeReasonLabels, disputeReasons } from "@tilinta/contract/vocabulary/dispute-status"
import { useCallback } from "react"
import { type DisputesSearch, otherDisputeStatuses } from "#admin/search-params.ts"
import { SellerCell } from "#admin/seller-picker.tsx"
import { formatDateTime } from "#format/dates.ts"
import { Reais } from "#ui/amounts.tsx"
import { Badge } from "#ui/badge.tsx"
import { Select } from "#ui/choice-inputs.tsx"
import { type Column, DataTable, DateCell, RowText } from "#ui/data-table.tsx"
import { FilterBar, SearchInput } from "#ui/list-filters.tsx"
import { stateWords } from "./disputes-data.ts"

interface Props {
  value: DisputesSearch
  onChange: (change: DisputesSearch) => void
  onClear: () => void
}

export function hasFilters({ status, reason, search }: DisputesSearch): boolean {
  return status !== undefined || reason !== undefined || search !== undefined
}

export function DisputesFilters({ value, onChange, onClear }: Props) {
  const searchFor = useCallback((text: string) => onChange({ search: text === "" ? undefined : text }), [onChange])
  return (
    <FilterBar
      search={
        <SearchInput label="Buscar por vendedor ou ID do pagamento" value={value.search ?? ""} onSearch={searchFor} />
      }
      inUse={[value.status, value.reason].filter((word) => word !== undefined).length}
      onClear={hasFilters(value) ? onClear : undefined}
    >
      <Select
        aria-label="Status"
        value={value.status ?? ""}
        onChange={({ target }) => onChange({ status: otherDisputeStatuses.find((word) => word === target.value) })}
        className="shrink-0 basis-44"
      >
        <option value="">Em andamento</option>
        <option value="accepted">Aceitas</option>
        <option value="released">Liberadas</option>
        <option value="all">Todas</option>
      </Select>
      <Select
        aria-label="Motivo"
        value={value.reason ?? ""}
        onChange={({ target }) => onChange({ reason: disputeReasons.find((word) => word === target.value) })}
        className="shrink-0 basis-44"
      >
        <option value="">Todos os motivos</option>
        {disputeReasons.map((reason) => (
          <option key={reason} value={reason}>
            {disputeReasonLabels[reason]}
          </option>
        ))}
      </Select>
    </FilterBar>
  )
}

const columns: readonly Column<AdminDisputeView>[] = [
  {
    header: "Responder até",
    area: "date",
    cell: (row) => (row.respondUntil === null ? "Sem prazo" : <DateCell text={formatDateTime(row.respondUntil)} />),
  },
  { header: "Motivo", area: "title", cell: (row) => <ReasonCell dispute={row} /> },
  { header: "Vendedor", area: "none", cell: (row) => <SellerCell user={row.user} /> },
  {
    header: "Contestado",
    area: "amount",
    end: true,
    cell: (row) => (
      <b className="font-semibold whitespace-nowrap tabular-nums">
        <Reais>{row.amount}</Reais>
      </b>
    ),
  },
  {
    header: "Bloqueado",
    area: "none",
    end: true,
    cell: (row) => (
      <span className="whitespace-nowrap text-t2 tabular-nums">
        <Reais>{row.blocked}</Reais>
      </span>
    ),
  },
  {
    header: "Status",
    area: "status",
    cell: (row) => <Badge tone={stateWords[row.status].tone}>{stateWords[row.status].label}</Badge>,
  },
]

export function DisputesTable({ rows, dimmed }: { rows: readonly AdminDisputeView[]; dimmed: boolean }) {
  return (
    <DataTable caption="Contestações" columns={columns} rows={rows} rowKey={(row) => row._id} dimmed={dimmed} wide />
  )
}

function ReasonCell({ dispute }: { dispute: AdminDisputeView }) {
  return (
    <Link
      from="/admin/disputes"
      to="/admin/disputes"
      search={(old) => ({ ...old, dispute: dispute._id })}
      aria-haspopup="dialog"
      className="row-link"
    >
      <RowText
        title={disputeReasonLabels[dispute.reason]}
        note={
          <>
            {dispute.checkoutPage?.title ?? dispute.endToEndId}
            <span className="hidden cards:inline"> · {dispute.user?.name ?? "Vendedor desconhecido"}</span>
          </>
        }
      />
    </Link>
  )
}
