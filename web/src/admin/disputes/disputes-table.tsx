import { Link } from "@tanstack/react-router"
import type { AdminDisputeView } from "@tilinta/contract/api/disputes-endpoints"
import { disputeReasonLabels } from "@tilinta/contract/vocabulary/dispute-status"
import { formatDateTime } from "#format/date.ts"
import { Badge } from "#ui/badge.tsx"
import { type Column, DataTable } from "#ui/data-table.tsx"
import { DateCell } from "#ui/date-cell.tsx"
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
    area: "extra",
    end: true,
    cell: (row) => (
      <span className="whitespace-nowrap text-t2 tabular-nums cards:text-meta cards:text-t3">
        <span className="hidden cards:inline">Bloqueado: </span>
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
      className="group block min-w-0"
    >
      <b className="block truncate font-semibold underline-offset-4 group-hover:underline">
        {disputeReasonLabels[dispute.reason]}
      </b>
      <span className="block truncate text-meta text-t3">{dispute.checkoutPage?.title ?? dispute.endToEndId}</span>
      <span className="hidden truncate text-meta text-t3 cards:block">
        {dispute.user?.name ?? "Vendedor desconhecido"}
      </span>
    </Link>
  )
}
