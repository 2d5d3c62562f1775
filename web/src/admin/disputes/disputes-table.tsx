import type { AdminDisputeView } from "@tilinta/contract/disputes"
import { disputeReasonLabels } from "@tilinta/contract/vocabulary/dispute-status"
import { SellerCell } from "#admin/seller-picker.tsx"
import { formatDateTime } from "#format/dates.ts"
import { Badge } from "#ui/badge.tsx"
import { type Column, DataTable, DateCell, RowLink } from "#ui/data-table.tsx"
import { amountColumn, quietAmountColumn } from "#ui/table-columns.tsx"
import { stateWords } from "./disputes-data.ts"

const columns: readonly Column<AdminDisputeView>[] = [
  {
    header: "Responder até",
    area: "date",
    cell: (row) => (row.respondUntil === null ? "Sem prazo" : <DateCell text={formatDateTime(row.respondUntil)} />),
  },
  { header: "Motivo", area: "title", cell: (row) => <ReasonCell dispute={row} /> },
  { header: "Vendedor", area: "none", cell: (row) => <SellerCell user={row.user} /> },
  amountColumn("Contestado", (row) => row.amount),
  quietAmountColumn("Bloqueado", (row) => row.blocked),
  {
    header: "Status",
    area: "status",
    cell: (row) => <Badge tone={stateWords[row.status].tone}>{stateWords[row.status].label}</Badge>,
  },
]

export function DisputesTable({ rows, dimmed }: { rows: readonly AdminDisputeView[]; dimmed: boolean }) {
  return <DataTable caption="Contestações" columns={columns} rows={rows} dimmed={dimmed} wide />
}

function ReasonCell({ dispute }: { dispute: AdminDisputeView }) {
  return (
    <RowLink
      from="/admin/disputes"
      to="/admin/disputes"
      search={(old) => ({ ...old, dispute: dispute._id })}
      aria-haspopup="dialog"
      text={disputeReasonLabels[dispute.reason]}
      note={
        <>
          {dispute.checkoutPage?.title ?? dispute.endToEndId}
          <span className="hidden cards:inline"> · {dispute.user?.name ?? "Vendedor desconhecido"}</span>
        </>
      }
    />
  )
}
