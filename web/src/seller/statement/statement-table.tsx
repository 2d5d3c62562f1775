import { Link } from "@tanstack/react-router"
import { formatDateTime } from "#format/dates.ts"
import { statementSearch } from "#seller/search-params.ts"
import { Reais } from "#ui/amounts.tsx"
import { type Column, DataTable, DateCell, RowText } from "#ui/data-table.tsx"
import { amountColumn } from "#ui/table-columns.tsx"
import type { Movement } from "./statement-data.ts"

const columns: readonly Column<Movement>[] = [
  { header: "Data", area: "date", cell: (row) => <DateCell text={formatDateTime(row.at)} /> },
  { header: "Lançamento", area: "title", cell: (row) => <Title row={row} /> },
  amountColumn(
    "Valor",
    ({ amount }) => amount,
    (amount) => (amount > 0 ? "text-mint" : ""),
  ),
  {
    header: "Saldo",
    area: "status",
    end: true,
    cell: ({ balance }) => (
      <span className="whitespace-nowrap text-t2 tabular-nums">
        <span className="hidden cards:inline">Saldo </span>
        <Reais>{balance}</Reais>
      </span>
    ),
  },
]

function titleOf({ kind, description, pageTitle }: Movement): string {
  return pageTitle === null || kind !== "sale" ? description : `${description} · ${pageTitle}`
}

/** The dialog that its line opens next to the list. */
function openedBy({ kind, reference, transactionId }: Movement) {
  if (transactionId !== null) return { transaction: transactionId }
  if (kind !== "withdrawal" && kind !== "withdrawal_returned") return null
  // A part that came back is named by its withdrawal and the amount.
  return { withdrawal: reference.replace(/\/.*/s, "") }
}

function Title({ row }: { row: Movement }) {
  const note = row.fee === null ? <span className="cards:hidden">{row.reference}</span> : <Fee reais={-row.fee} />
  const text = <RowText title={titleOf(row)} note={note} />
  const opened = openedBy(row)
  if (opened === null) return text
  return (
    <Link
      to="/statement"
      search={(old) => statementSearch({ month: old.month, ...opened })}
      aria-haspopup="dialog"
      className="row-link"
    >
      {text}
    </Link>
  )
}

function Fee({ reais }: { reais: number }) {
  return (
    <>
      <span className="cards:hidden">Já descontada a taxa de </span>
      <span className="hidden cards:inline">Taxa </span>
      <Reais>{reais}</Reais>
    </>
  )
}

export function StatementTable({ rows }: { rows: readonly Movement[] }) {
  return (
    <DataTable
      caption="Lançamentos"
      columns={columns}
      rows={rows}
      rowKey={({ kind, reference, at }) => `${kind} ${reference} ${at}`}
      wide
    />
  )
}
