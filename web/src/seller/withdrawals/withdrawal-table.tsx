import { ownerAlone } from "@tilinta/contract/vocabulary/team"
import { isDecidable } from "@tilinta/contract/vocabulary/withdrawals"
import type { WithdrawalView } from "@tilinta/contract/withdrawals"
import { useState } from "react"
import { useMay } from "#api/session.ts"
import { formatDateTime } from "#format/dates.ts"
import { destinationDetail, holdNote, methodLabels, shortDestination, shownPixKey } from "#format/withdrawal-texts.ts"
import { useReais } from "#ui/amounts.tsx"
import { Button } from "#ui/button.tsx"
import { type Column, DataTable, RowLink } from "#ui/data-table.tsx"
import { amountColumn } from "#ui/table-columns.tsx"
import { CancelWithdrawalDialog } from "./cancel-withdrawal-dialog.tsx"
import { WithdrawalStatusBadge } from "./withdrawals-summary.tsx"

export function WithdrawalTable({ rows, dimmed }: { rows: readonly WithdrawalView[]; dimmed: boolean }) {
  const [cancelling, setCancelling] = useState<WithdrawalView | null>(null)
  const mayCancel = useMay(ownerAlone)
  return (
    <>
      <DataTable
        caption="Saques"
        columns={columnsFor(setCancelling, mayCancel && rows.some(({ status }) => isDecidable(status)))}
        rows={rows}
        dimmed={dimmed}
        wide
      />
      {cancelling !== null && <CancelWithdrawalDialog withdrawal={cancelling} onClose={() => setCancelling(null)} />}
    </>
  )
}

function columnsFor(onCancel: (withdrawal: WithdrawalView) => void, someWait: boolean): Column<WithdrawalView>[] {
  return [
    { header: "Data e destino", area: "title", cell: (row) => <Request withdrawal={row} /> },
    amountColumn("Valor", (row) => row.amount),
    {
      header: "Método",
      area: "none",
      cell: (row) => <span className="whitespace-nowrap text-t2">{methodLabels[row.paymentMethod]}</span>,
    },
    { header: "Status", area: "status", cell: (row) => <Status withdrawal={row} /> },
    ...(someWait ? [cancelColumn(onCancel)] : []),
  ]
}

function Status({ withdrawal }: { withdrawal: WithdrawalView }) {
  const note = holdNote(withdrawal, new Date())
  return (
    <>
      <WithdrawalStatusBadge status={withdrawal.status} />
      {note !== "" && <span className="mt-1 block text-meta font-semibold whitespace-nowrap text-amber">{note}</span>}
    </>
  )
}

/** Only while something can be cancelled; a card opens the details, which cancel too. */
function cancelColumn(onCancel: (withdrawal: WithdrawalView) => void): Column<WithdrawalView> {
  return {
    header: "Ações",
    area: "none",
    end: true,
    cell: (row) => isDecidable(row.status) && <CancelButton withdrawal={row} onCancel={onCancel} />,
  }
}

/** A seller knows a withdrawal by its day and amount: most go to the same key. */
function Request({ withdrawal }: { withdrawal: WithdrawalView }) {
  return (
    <RowLink
      from="/withdrawals"
      to="/withdrawals"
      search={(old) => ({ ...old, withdrawal: withdrawal._id })}
      title={shownPixKey(withdrawal) || undefined}
      aria-haspopup="dialog"
      text={
        <>
          <span className="sr-only">Ver etapas do saque de </span>
          {formatDateTime(withdrawal.createdAt)}
        </>
      }
      note={[shortDestination(withdrawal), withdrawal.bankData && destinationDetail(withdrawal)]
        .filter(Boolean)
        .join(" · ")}
    />
  )
}

interface CancelProps {
  withdrawal: WithdrawalView
  onCancel: (withdrawal: WithdrawalView) => void
}

function CancelButton({ withdrawal, onCancel }: CancelProps) {
  const shown = useReais()
  return (
    <Button
      variant="quiet-danger"
      className="px-3"
      aria-label={`Cancelar saque de ${shown(withdrawal.amount)}`}
      onClick={() => onCancel(withdrawal)}
    >
      Cancelar
    </Button>
  )
}
