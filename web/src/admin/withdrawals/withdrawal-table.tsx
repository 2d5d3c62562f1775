import { Link } from "@tanstack/react-router"
import type { AdminWithdrawalView } from "@tilinta/contract/admin-withdrawals"
import { isDecidable } from "@tilinta/contract/vocabulary/withdrawals"
import { useUser } from "#api/session.ts"
import { formatDateTime } from "#format/dates.ts"
import { countOf } from "#format/money-text.ts"
import { destinationDetail, holdNote, shortDestination } from "#format/withdrawal-texts.ts"
import { useReais } from "#ui/amounts.tsx"
import { Button } from "#ui/button.tsx"
import { Checkbox } from "#ui/choice-inputs.tsx"
import { type Column, DataTable, DateCell, RowText } from "#ui/data-table.tsx"
import { amountColumn } from "#ui/table-columns.tsx"
import type { Selection } from "./batch.ts"
import { type Decision, decisionsOf } from "./withdrawal-decision.ts"
import { payoutMethodLabel, Signals, signalsOf, stateNote } from "./withdrawal-facts.tsx"
import { waitingTime } from "./withdrawal-steps.ts"
import { WithdrawalStatusBadge } from "./withdrawals-cards.tsx"

interface Choosing extends Pick<Selection<AdminWithdrawalView>, "isChosen" | "toggle"> {
  canChoose: (row: AdminWithdrawalView) => boolean
}

interface Props {
  rows: readonly AdminWithdrawalView[]
  dimmed: boolean
  /** Null when nothing can be selected. */
  selection: Choosing | null
  /** True when every row is pending: then only the waiting time matters. */
  allWait: boolean
  onDecide: (decision: Decision, withdrawal: AdminWithdrawalView) => void
}

export function WithdrawalTable({ rows, dimmed, selection, allWait, onDecide }: Props) {
  const adminId = useUser()?._id
  const now = new Date()
  const columns: readonly Column<AdminWithdrawalView>[] = [
    ...(selection === null ? [] : [selectColumn(selection)]),
    {
      header: "Solicitado em",
      area: "date",
      cell: (row) => <RequestedCell withdrawal={row} now={now} waits={allWait} />,
    },
    { header: "Vendedor", area: "title", cell: (row) => <SellerCell withdrawal={row} /> },
    amountColumn("Valor", (row) => row.amount),
    ...(rows.some(({ facts }) => facts !== null) ? [factsColumn(now)] : []),
    ...(allWait ? [] : [statusColumn(now)]),
    {
      header: "Ações",
      area: "actions",
      end: true,
      cell: (row) => <Actions withdrawal={row} decisions={decisionsInRow(row, adminId)} onDecide={onDecide} />,
    },
  ]
  return <DataTable caption="Saques" columns={columns} rows={rows} dimmed={dimmed} wide />
}

function selectColumn({ canChoose, isChosen, toggle }: Choosing): Column<AdminWithdrawalView> {
  return {
    header: "Selecionar",
    silent: true,
    area: "select",
    cell: (row) =>
      canChoose(row) && (
        <Checkbox
          label={`Selecionar saque de ${row.user.name}`}
          labelHidden
          checked={isChosen(row)}
          onChange={(event) => toggle(row, (event.nativeEvent as MouseEvent).shiftKey)}
        />
      ),
  }
}

function factsColumn(now: Date): Column<AdminWithdrawalView> {
  return { header: "Para decidir", area: "extra", cell: (row) => <FactsCell withdrawal={row} now={now} /> }
}

function FactsCell({ withdrawal, now }: { withdrawal: AdminWithdrawalView; now: Date }) {
  const { facts } = withdrawal
  const reais = useReais()
  if (facts === null) return null
  const paid = countOf(facts.paidCount, "pago", "pagos")
  return (
    <div className="grid w-36 gap-1 cards:w-auto">
      <Signals signals={signalsOf(withdrawal, now)} shown={2} />
      <span
        className="text-[12.5px] text-pretty text-t3 tabular-nums cards:hidden"
        title={`${countOf(facts.paidCount, "saque pago", "saques pagos")} antes`}
      >
        fica com {reais(facts.balanceAfter)} · {paid}
      </span>
    </div>
  )
}

function SellerCell({ withdrawal }: { withdrawal: AdminWithdrawalView }) {
  const { user, pixKey } = withdrawal
  return (
    <Link
      from="/admin/withdrawals"
      to="/admin/withdrawals"
      search={(old) => ({ ...old, withdrawal: withdrawal._id })}
      aria-haspopup="dialog"
      className="row-link min-w-36 cards:min-w-0"
    >
      <RowText
        title={
          <>
            <span className="sr-only">Ver saque de </span>
            {user.name}
          </>
        }
        note={
          <>
            {payoutMethodLabel(withdrawal.paymentMethod)} · {shortDestination(withdrawal)}
            {pixKey === null && ` · ${destinationDetail(withdrawal)}`}
          </>
        }
      />
      <span className="row-note cards:hidden">{user.email}</span>
    </Link>
  )
}

function statusColumn(now: Date): Column<AdminWithdrawalView> {
  return {
    header: "Status",
    area: "status",
    cell: (row) => (
      <span className="grid justify-items-start gap-y-0.5">
        <WithdrawalStatusBadge status={row.status} />
        <span className="cards:hidden">
          <Waited text={waitedOf(row, now)} />
        </span>
      </span>
    ),
  }
}

/** A card has space for one of both: how long a pending withdrawal has waited, otherwise the date. */
function RequestedCell({ withdrawal, now, waits }: { withdrawal: AdminWithdrawalView; now: Date; waits: boolean }) {
  const waited = waitedOf(withdrawal, now)
  return (
    <>
      <span className={waits ? "" : "hidden cards:inline"}>
        <Waited text={waits ? waited : waited.replace(/^Espera até/, "Até")} />
      </span>
      <span className={waited === "" ? "" : "cards:hidden"}>
        <DateCell text={formatDateTime(withdrawal.createdAt)} />
      </span>
    </>
  )
}

function waitedOf(withdrawal: AdminWithdrawalView, now: Date): string {
  if (!isDecidable(withdrawal.status)) return stateNote(withdrawal)
  return holdNote(withdrawal, now) || waitingTime(withdrawal.createdAt, now)
}

function Waited({ text }: { text: string }) {
  if (text === "") return null
  return <span className="block text-meta font-semibold whitespace-nowrap text-amber">{text}</span>
}

interface ActionsProps {
  withdrawal: AdminWithdrawalView
  decisions: readonly Decision[]
  onDecide: Props["onDecide"]
}

const shortVerbs = {
  approve: "Aprovar",
  reject: "Rejeitar",
  complete: "Marcar como pago",
  return: "Devolver",
} as const satisfies Record<Decision, string>

/** A return is rare and needs the details: it is offered where they are shown. */
function decisionsInRow(withdrawal: AdminWithdrawalView, adminId: string | undefined): Decision[] {
  return decisionsOf(withdrawal, adminId).filter((decision) => decision !== "return")
}

function Actions({ withdrawal, decisions, onDecide }: ActionsProps) {
  const shown = useReais()
  if (decisions.length === 0) return null
  return (
    <div className="flex justify-end gap-1.5 cards:hidden">
      {decisions.map((decision) => (
        <Button
          key={decision}
          variant={decision === "reject" ? "quiet-danger" : "secondary"}
          className="px-3! whitespace-nowrap"
          aria-label={`${shortVerbs[decision]} saque de ${shown(withdrawal.amount)} de ${withdrawal.user.name}`}
          onClick={() => onDecide(decision, withdrawal)}
        >
          {shortVerbs[decision]}
        </Button>
      ))}
    </div>
  )
}
