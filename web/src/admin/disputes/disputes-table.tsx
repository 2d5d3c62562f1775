import { Link } from "@tanstack/react-router"
import type { AdminDisputeView } from "@tilinta/contract/api/disputes-endpoints"
import { disputeReasonLabels } from "@tilinta/contract/vocabulary/dispute-status"
import { formatDateTime } from "#format/date.ts"
import { Badge } from "#ui/badge.tsx"
import { type Column, DataTable } from "#ui/data-table.tsx"
import { DateCell } from "#ui/date-cell.tsx"
import { RowText } from "#ui/row-text.tsx"
import { Reais } from "#ui/shown-amounts.ts"
import { SellerCell } from "../seller-cell.tsx"
import { stateWords } from "./dispute-words.ts"

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
