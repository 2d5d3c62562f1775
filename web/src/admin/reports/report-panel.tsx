import { type ReactNode, useId, useState } from "react"
import { saveFile } from "#api/save-file.ts"
import { csvFile, textCell } from "#format/csv.ts"
import { saoPauloDay } from "#format/period.ts"
import { Card, CardHeader } from "#ui/card.tsx"
import { ChartTable } from "#ui/chart-table.tsx"
import { EmptyState } from "#ui/empty-state.tsx"
import type { IconName } from "#ui/icon.tsx"
import { IconButton } from "#ui/icon-button.tsx"

/** A column of the panel: text for people, and a cell for the spreadsheet. */
export interface ReportColumn<Row> {
  head: string
  text: (row: Row) => string
  /** Set where the spreadsheet's cell differs from the text. */
  cell?: (row: Row) => string
}

interface Props<Row> {
  title: string
  /** Exactly which events are counted, and when. */
  note: string
  icon: IconName
  /** Undefined after a failure, which is shown above. */
  rows: readonly Row[] | undefined
  columns: readonly [ReportColumn<Row>, ...ReportColumn<Row>[]]
  emptyText: string
  /** Prefix of the file's name, before the day. */
  file: string
  /** Set when the panel itself is a table, so that it needs no second one. */
  isTable?: boolean
  children: ReactNode
}

export function ReportPanel<Row>(props: Props<Row>) {
  const { title, note, icon, rows, columns, emptyText, file, isTable = false, children } = props
  const id = useId()
  const [showsTable, setShowsTable] = useState(false)
  const isFilled = rows !== undefined && rows.length > 0

  function save(): void {
    const heads = columns.map(({ head }) => textCell(head))
    const cells = (rows ?? []).map((row) => columns.map(({ text, cell }) => cell?.(row) ?? textCell(text(row))))
    saveFile(csvFile([heads, ...cells]), `${file}_${saoPauloDay(new Date())}.csv`)
  }

  return (
    <Card aria-labelledby={id} className="flex min-w-0 flex-col p-5 md:p-6">
      <div className="mb-5 flex items-start justify-between gap-3">
        <div className="min-w-0">
          <CardHeader title={title} id={id} />
          <p className="text-meta text-t3">{note}</p>
        </div>
        {isFilled && (
          <div className="-mt-1.5 -mr-2 flex flex-none">
            {!isTable && (
              <IconButton
                icon={showsTable ? "chart" : "table"}
                label={`${showsTable ? "Ver gráfico" : "Ver tabela"}: ${title}`}
                onClick={() => setShowsTable(!showsTable)}
              />
            )}
            <IconButton icon="download" label={`Exportar: ${title}`} onClick={save} />
          </div>
        )}
      </div>
      <div className="min-w-0">
        {isFilled && !showsTable && children}
        {isFilled && !isTable && (
          <ChartTable
            caption={title}
            heads={headsOf(columns)}
            rows={rows.map((row) => [columns[0].text(row), ...columns.slice(1).map(({ text }) => text(row))])}
            isShown={showsTable}
          />
        )}
        {rows?.length === 0 && <EmptyState icon={icon} title={emptyText} />}
        {rows === undefined && <p className="text-t3">Indisponível no momento.</p>}
      </div>
    </Card>
  )
}

function headsOf<Row>([first, ...others]: Props<Row>["columns"]): [string, ...string[]] {
  return [first.head, ...others.map(({ head }) => head)]
}
