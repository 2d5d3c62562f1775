import { createLink } from "@tanstack/react-router"
import type { ComponentPropsWithRef, ReactNode } from "react"
import "#styles/table.css"

export interface Column<Row> {
  header: string
  cell: (row: Row) => ReactNode
  /** The cell's grid area in the two-line card of a phone. */
  area: "title" | "amount" | "status" | "date" | "extra" | "actions" | "menu" | "select" | "none"
  end?: boolean
  /** The header is for screen readers only. */
  silent?: boolean
}

interface TableProps<Row> {
  caption: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  dimmed?: boolean
  /** Highlights rows that have just arrived. */
  isFresh?: (row: Row) => boolean
  /** The heading under which a row stands; rows of one heading follow each other. */
  groupOf?: (row: Row) => string
  /** Switches to cards at a greater width, for tables of many columns. */
  wide?: boolean
}

function idOf(row: unknown): string {
  return (row as { _id: string })._id
}

/** A table that becomes cards on phones. The roles are written out because `display: grid` takes them away. */
export function DataTable<Row extends { _id: string }>(props: TableProps<Row>): ReactNode
export function DataTable<Row>(props: TableProps<Row> & { rowKey: (row: Row) => string }): ReactNode
export function DataTable<Row>(props: TableProps<Row> & { rowKey?: (row: Row) => string }) {
  const { caption, columns, rows, rowKey = idOf, dimmed = false, isFresh, groupOf = () => "", wide = false } = props
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
        {groupsOf(rows, groupOf).map(({ heading, members }) => (
          <tbody key={heading} role="rowgroup">
            {heading !== "" && <GroupHeading columns={columns.length}>{heading}</GroupHeading>}
            {members.map((row) => (
              <tr key={rowKey(row)} role="row" data-fresh={isFresh?.(row) || undefined}>
                {columns.map((column) => (
                  <td key={column.header} role="cell" data-area={column.area} data-end={column.end || undefined}>
                    {column.cell(row)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        ))}
      </table>
    </div>
  )
}

function groupsOf<Row>(rows: readonly Row[], headingOf: (row: Row) => string) {
  const groups: { heading: string; members: Row[] }[] = []
  for (const row of rows) {
    const heading = headingOf(row)
    const last = groups.at(-1)
    if (last?.heading === heading) last.members.push(row)
    else groups.push({ heading, members: [row] })
  }
  return groups
}

function GroupHeading({ columns, children }: { columns: number; children: string }) {
  return (
    <tr role="row" className="table-group">
      <th role="rowheader" scope="rowgroup" colSpan={columns}>
        <h2 className="text-section font-[650] text-t1">{children}</h2>
      </th>
    </tr>
  )
}

interface DateCellProps {
  text: string
  /** A card has one line for the note, the date and the status: without the hour the note has space. */
  dayOnCards?: boolean
}

/** Day above, hour below; text that isn't a date stays whole. */
export function DateCell({ text, dayOnCards = false }: DateCellProps) {
  const [day, hour] = /^\d/.test(text) ? text.split(" ") : [text]
  return (
    <span className="text-t2 tabular-nums cards:text-t3">
      <span className="block whitespace-nowrap cards:inline">{day}</span>
      {hour !== undefined && (
        <span className={`block text-meta text-t3 ${dayOnCards ? "cards:hidden" : "cards:ml-1 cards:inline"}`}>
          {hour}
        </span>
      )}
    </span>
  )
}

/** The two lines inside a row's opening link, which is a `row-link`. In a card the note shares its line with the date. */
export function RowText({ title, note }: { title: ReactNode; note: ReactNode }) {
  return (
    <>
      <b className="row-title">{title}</b>
      <span className="row-note">{note}</span>
    </>
  )
}

interface RowAnchorProps extends ComponentPropsWithRef<"a"> {
  text: ReactNode
  note: ReactNode
}

/** Opens what a row is about. */
export const RowLink = createLink(({ text, note, className = "", ...rest }: RowAnchorProps) => (
  <a {...rest} className={`row-link ${className}`}>
    <RowText title={text} note={note} />
  </a>
))
