import type { ReactNode } from "react"
import "../styles/table.css"

export interface Column<Row> {
  header: string
  cell: (row: Row) => ReactNode
  /** The cell's grid area in the two-line card of a phone. */
  area: "title" | "amount" | "status" | "date" | "extra" | "actions" | "menu" | "select" | "none"
  end?: boolean
  /** The header is for screen readers only. */
  silent?: boolean
}

interface Props<Row> {
  caption: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string
  dimmed?: boolean
  /** Highlights rows that have just arrived. */
  isFresh?: (row: Row) => boolean
  /** Switches to cards at a greater width, for tables of many columns. */
  wide?: boolean
}

/** A table that becomes cards on phones. The roles are written out because `display: grid` takes them away. */
export function DataTable<Row>({ caption, columns, rows, rowKey, dimmed = false, isFresh, wide = false }: Props<Row>) {
  return (
    <div className={wide ? "table-frame-wide" : "table-frame"}>
      <table role="table" className={`table transition-opacity ${dimmed ? "opacity-60" : ""}`}>
        <caption className="sr-only">{caption}</caption>
        <thead role="rowgroup">
          <tr role="row">
            {columns.map((column) => (
              <th key={column.header} role="columnheader" scope="col" data-end={column.end || undefined}>
                {column.silent ? <span className="sr-only">{column.header}</span> : column.header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((row) => (
            <tr key={rowKey(row)} role="row" data-fresh={isFresh?.(row) || undefined}>
              {columns.map((column) => (
                <td key={column.header} role="cell" data-area={column.area} data-end={column.end || undefined}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
