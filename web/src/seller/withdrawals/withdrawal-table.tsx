import { Link } from "@tanstack/react-router"
import type { WithdrawalView } from "@tilinta/contract/api/withdrawals-endpoints"
import { useState } from "react"
import { formatDateTime } from "#format/date.ts"
import { formatReais } from "#format/money.ts"
import { type Column, DataTable } from "#ui/data-table.tsx"
import { DateCell } from "#ui/date-cell.tsx"
import { Icon } from "#ui/icon.tsx"
import { IconButton, iconButtonClass } from "#ui/icon-button.tsx"
import { CancelWithdrawalDialog } from "./cancel-withdrawal-dialog.tsx"
import { destinationDetail, methodLabels, shortDestination } from "./destination.ts"
import { WithdrawalStatusBadge } from "./withdrawal-status-badge.tsx"

export function WithdrawalTable({ rows, dimmed }: { rows: readonly WithdrawalView[]; dimmed: boolean }) {
  const [cancelling, setCancelling] = useState<WithdrawalView | null>(null)
  return (
    <>
      <DataTable
        caption="Saques"
        columns={columnsFor(setCancelling)}
        rows={rows}
        rowKey={(row) => row._id}
        dimmed={dimmed}
        wide
      />
      {cancelling !== null && <CancelWithdrawalDialog withdrawal={cancelling} onClose={() => setCancelling(null)} />}
    </>
  )
}

function columnsFor(onCancel: (withdrawal: WithdrawalView) => void): Column<WithdrawalView>[] {
  return [
    { header: "Data", area: "date", cell: (row) => <DateCell text={formatDateTime(row.createdAt)} /> },
    {
      header: "Valor",
      area: "amount",
      end: true,
      cell: (row) => <b className="font-semibold whitespace-nowrap tabular-nums">{formatReais(row.amount)}</b>,
    },
    {
      header: "Método",
      area: "none",
      cell: (row) => <span className="whitespace-nowrap text-t2">{methodLabels[row.paymentMethod]}</span>,
    },
    { header: "Destino", area: "title", cell: (row) => <Destination withdrawal={row} /> },
    { header: "Status", area: "status", cell: (row) => <WithdrawalStatusBadge status={row.status} /> },
    {
      header: "Ações",
      area: "actions",
      end: true,
      cell: (row) => <Actions withdrawal={row} onCancel={onCancel} />,
    },
  ]
}

function Destination({ withdrawal }: { withdrawal: WithdrawalView }) {
  return (
    <div className="min-w-0">
      <b className="block truncate font-semibold" title={withdrawal.pixKey ?? undefined}>
        {shortDestination(withdrawal)}
      </b>
      <span className="block truncate text-meta text-t3">{destinationDetail(withdrawal)}</span>
    </div>
  )
}

interface ActionsProps {
  withdrawal: WithdrawalView
  onCancel: (withdrawal: WithdrawalView) => void
}

function Actions({ withdrawal, onCancel }: ActionsProps) {
  const amount = formatReais(withdrawal.amount)
  return (
    <div className="flex justify-end gap-0.5">
      {withdrawal.status === "pending" && (
        <IconButton
          icon="ban"
          label={`Cancelar saque de ${amount}`}
          title="Cancelar"
          onClick={() => onCancel(withdrawal)}
        />
      )}
      <Link
        from="/withdrawals"
        to="/withdrawals"
        search={(old) => ({ ...old, withdrawal: withdrawal._id })}
        aria-label={`Ver etapas do saque de ${amount}`}
        title="Ver etapas"
        className={iconButtonClass}
      >
        <Icon name="chevronRight" />
      </Link>
    </div>
  )
}
