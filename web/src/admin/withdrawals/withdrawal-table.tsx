import { Link } from "@tanstack/react-router"
import type { AdminWithdrawalView } from "@tilinta/contract/api/admin-withdrawals-endpoints"
import { useUser } from "#api/session.ts"
import { formatDateTime } from "#format/date.ts"
import { destinationDetail, shortDestination } from "#format/withdrawal-destination.ts"
import { Button } from "#ui/button.tsx"
import { type Column, DataTable } from "#ui/data-table.tsx"
import { DateCell } from "#ui/date-cell.tsx"
import { Reais, useReais } from "#ui/shown-amounts.ts"
import { type Decision, decisionsOf } from "./decision.ts"
import { payoutMethodLabel } from "./payout-method.ts"
import { waitingTime } from "./waiting-time.ts"
import { WithdrawalStatusBadge } from "./withdrawal-status-badge.tsx"

interface Props {
  rows: readonly AdminWithdrawalView[]
  dimmed: boolean
  onDecide: (decision: Decision, withdrawal: AdminWithdrawalView) => void
}

export function WithdrawalTable({ rows, dimmed, onDecide }: Props) {
  const adminId = useUser()?._id
  const now = new Date()
  const columns: readonly Column<AdminWithdrawalView>[] = [
    { header: "Solicitado em", area: "date", cell: (row) => <DateCell text={formatDateTime(row.createdAt)} /> },
    { header: "Vendedor", area: "title", cell: (row) => <SellerCell withdrawal={row} /> },
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
    { header: "Destino", area: "none", cell: (row) => <DestinationCell withdrawal={row} /> },
    { header: "Status", area: "status", cell: (row) => <StatusCell withdrawal={row} now={now} /> },
    {
      header: "Ações",
      area: "actions",
      end: true,
      cell: (row) => <Actions withdrawal={row} decisions={decisionsOf(row, adminId)} onDecide={onDecide} />,
    },
  ]
  return <DataTable caption="Saques" columns={columns} rows={rows} rowKey={(row) => row._id} dimmed={dimmed} wide />
}

function SellerCell({ withdrawal }: { withdrawal: AdminWithdrawalView }) {
  const { user } = withdrawal
  return (
    <Link
      from="/admin/withdrawals"
      to="/admin/withdrawals"
      search={(old) => ({ ...old, withdrawal: withdrawal._id })}
      aria-haspopup="dialog"
      className="group block min-w-0"
    >
      <span className="sr-only">Ver saque de </span>
      <b className="block truncate font-semibold underline-offset-4 group-hover:underline">{user.name}</b>
      <span className="block truncate text-meta text-t3">{user.email}</span>
      <span className="hidden truncate text-meta text-t3 cards:block">
        {payoutMethodLabel(withdrawal.paymentMethod)} · {shortDestination(withdrawal)}
      </span>
    </Link>
  )
}

function DestinationCell({ withdrawal }: { withdrawal: AdminWithdrawalView }) {
  return (
    <span className="block max-w-48">
      <span className="block truncate text-t2">{shortDestination(withdrawal)}</span>
      <span className="block truncate text-meta text-t3">
        {withdrawal.paymentMethod === "pix"
          ? destinationDetail(withdrawal)
          : `${payoutMethodLabel(withdrawal.paymentMethod)} · ${destinationDetail(withdrawal)}`}
      </span>
    </span>
  )
}

function StatusCell({ withdrawal, now }: { withdrawal: AdminWithdrawalView; now: Date }) {
  const waited = withdrawal.status === "pending" ? waitingTime(withdrawal.createdAt, now) : ""
  return (
    <>
      <WithdrawalStatusBadge status={withdrawal.status} />
      {waited !== "" && (
        <span className="mt-0.5 block text-meta whitespace-nowrap text-t3 cards:ml-2 cards:inline">{waited}</span>
      )}
    </>
  )
}

interface ActionsProps {
  withdrawal: AdminWithdrawalView
  decisions: readonly Decision[]
  onDecide: Props["onDecide"]
}

const shortVerbs = { approve: "Aprovar", reject: "Rejeitar", complete: "Marcar como pago" } as const satisfies Record<
  Decision,
  string
>

function Actions({ withdrawal, decisions, onDecide }: ActionsProps) {
  const shown = useReais()
  if (decisions.length === 0) return null
  return (
    <div className="flex justify-end gap-1.5">
      {decisions.map((decision) => (
        <Button
          key={decision}
          look={decision === "reject" ? "quiet-danger" : "secondary"}
          className="px-3"
          aria-label={`${shortVerbs[decision]} saque de ${shown(withdrawal.amount)} de ${withdrawal.user.name}`}
          onClick={() => onDecide(decision, withdrawal)}
        >
          {shortVerbs[decision]}
        </Button>
      ))}
    </div>
  )
}
