import { Link } from "@tanstack/react-router"
import { formatDateTime } from "#format/dates.ts"
import { statementSearch } from "#seller/search-params.ts"
import { Reais } from "#ui/amounts.tsx"
import { type Column, DataTable, DateCell, RowText } from "#ui/data-table.tsx"
import { amountColumn } from "#ui/table-columns.tsx"
import type { Movement } from "./statement-data.ts"

const columns: readonly Column<Movement>[] = [
  { header: "Data", area: "none", cell: (row) => <DateCell text={formatDateTime(row.at)} /> },
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
      <span className="whitespace-nowrap text-t2 tabular-nums cards:text-meta cards:text-t3">
        <span className="hidden cards:inline">Saldo </span>
        <Reais>{balance}</Reais>
      </span>
    ),
  },
]

/** A card has no space for a word that the amount says. */
function Name({ row: { kind, description, pageTitle } }: { row: Movement }) {
  if (pageTitle === null) return description
  return (
    <>
      <span className={kind === "sale" ? "cards:hidden" : ""}>{description} · </span>
      {pageTitle}
    </>
  )
}

/** The dialog that its line opens next to the list. */
function openedBy({ kind, reference, transactionId }: Movement) {
  if (transactionId !== null) return { transaction: transactionId }
  if (kind !== "withdrawal" && kind !== "withdrawal_returned") return null
  // A part that came back is named by its withdrawal and the amount.
  return { withdrawal: reference.replace(/\/.*/s, "") }
}

function Title({ row }: { row: Movement }) {
  const text = <RowText title={<Name row={row} />} note={<Note row={row} />} />
  const opened = openedBy(row)
  if (opened === null) return <span className="row-plain">{text}</span>
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

/** The fee; in a card the moment before it. */
function Note({ row: { at, fee } }: { row: Movement }) {
  return (
    <>
      <span className="hidden whitespace-normal tabular-nums cards:inline">
        {formatDateTime(at).replace(/\/\d{4}/, "")}
        {fee !== null && (
          <>
            {" "}
            · taxa <Reais>{-fee}</Reais>
          </>
        )}
      </span>
      {fee !== null && (
        <span className="cards:hidden">
          Já descontada a taxa de <Reais>{-fee}</Reais>
        </span>
      )}
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
