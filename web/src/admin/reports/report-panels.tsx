import type { SummaryReport } from "@tilinta/contract/reports"
import type { ExportFormat } from "@tilinta/contract/vocabulary/files"
import { paymentMethodLabels } from "@tilinta/contract/vocabulary/withdrawals"
import { type ReactNode, useId, useState } from "react"
import { adminTexts } from "#admin/admin-texts.ts"
import { csvFile, type PageCell, saveFile, xlsxFile } from "#api/download.ts"
import { saoPauloDay } from "#format/dates.ts"
import { countOf, formatCount, formatShort } from "#format/money-text.ts"
import { hiddenAmounts, useReais } from "#ui/amounts.tsx"
import { BarChart, ChartTable } from "#ui/bar-chart.tsx"
import { IconButton, iconButtonClass } from "#ui/button.tsx"
import { Card, CardHeader, EmptyState } from "#ui/card.tsx"
import { ExportMenu, tableFormats } from "#ui/export-button.tsx"
import { Icon, type IconName } from "#ui/icon.tsx"
import { DoughnutChart, LineChart } from "#ui/report-charts.tsx"
import { toast } from "#ui/toast.ts"
import { useSubmit } from "#ui/use-submit.ts"
import { dayLabel, daysOf, monthLabel, monthsOf, wholeDayLabel, wholeMonthLabel } from "./reports-data.ts"

/** A column of the panel: text for people, and a cell for the spreadsheet. */
export interface ReportColumn<Row> {
  head: string
  text: (row: Row) => string
  /** Set where the spreadsheet's cell is a number. */
  cell?: (row: Row) => PageCell
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

  const { busy, submit } = useSubmit(async (format: ExportFormat) => {
    const table = {
      heads: columns.map(({ head }) => head),
      rows: (rows ?? []).map((row) => columns.map(({ text, cell }) => cell?.(row) ?? text(row))),
    }
    const content = format === "xlsx" ? await xlsxFile(table) : csvFile(table)
    saveFile(content, `${file}_${saoPauloDay(new Date())}.${format}`)
  }, notSaved)

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
            <ExportMenu
              label={`Exportar: ${title}`}
              className={iconButtonClass}
              button={
                <>
                  <Icon name="download" className="size-5" />
                  <span className="sr-only">Exportar: {title}</span>
                </>
              }
              busy={busy}
              formats={tableFormats}
              onFormat={(format) => void submit(format)}
            />
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

function notSaved(): null {
  toast.error(adminTexts.notExported)
  return null
}

function headsOf<Row>([first, ...others]: Props<Row>["columns"]): [string, ...string[]] {
  return [first.head, ...others.map(({ head }) => head)]
}

export function DaysPanel({ report }: { report: SummaryReport | undefined }) {
  const days = report && daysOf(report)
  return (
    <ReportPanel
      title="Transações por Dia"
      note="Geradas nos últimos 7 dias do período"
      icon="chart"
      rows={days}
      columns={[
        { head: "Dia", text: ({ day }) => wholeDayLabel(day) },
        { head: "Geradas", text: ({ count }) => formatCount(count), cell: ({ count }) => count },
        { head: "Pagas", text: ({ paidCount }) => formatCount(paidCount), cell: ({ paidCount }) => paidCount },
      ]}
      emptyText={adminTexts.noData}
      file="relatorio_transacoes_por_dia"
    >
      <LineChart
        label="Dia do gráfico"
        axisText={(value) => (Number.isInteger(value) ? formatShort(value) : "")}
        points={(days ?? []).map(({ day, count }) => ({
          label: dayLabel(day),
          title: wholeDayLabel(day),
          value: count,
          text: countOf(count, "transação", "transações"),
        }))}
      />
    </ReportPanel>
  )
}

export function MethodsPanel({ report }: { report: SummaryReport | undefined }) {
  const methods = report?.paymentMethods
    .filter(({ count }) => count > 0)
    .map(({ paymentMethod, count }) => ({ label: paymentMethodLabels[paymentMethod] ?? "Outros", value: count }))
  return (
    <ReportPanel
      title="Métodos de Pagamento"
      note="Transações geradas no período"
      icon="exchange"
      rows={methods}
      columns={[
        { head: "Método", text: ({ label }) => label },
        { head: "Transações", text: ({ value }) => formatCount(value), cell: ({ value }) => value },
      ]}
      emptyText={adminTexts.noData}
      file="relatorio_metodos_de_pagamento"
    >
      <DoughnutChart unit="transações" parts={methods ?? []} />
    </ReportPanel>
  )
}

/** The height of the five users next to it. */
const topUsersHeight = 404

export function MonthsPanel({ report }: { report: SummaryReport | undefined }) {
  const shown = useReais()
  const hidesAmounts = hiddenAmounts.use()
  const months = report && monthsOf(report)
  return (
    <ReportPanel
      title="Receita Mensal"
      note="Valor bruto do que foi pago em cada mês"
      icon="chart"
      rows={months}
      columns={[
        { head: "Mês", text: ({ month }) => wholeMonthLabel(month) },
        { head: "Valor bruto", text: (row) => shown(row.grossAmount), cell: (row) => ({ reais: row.grossAmount }) },
        { head: "Valor líquido", text: (row) => shown(row.netAmount), cell: (row) => ({ reais: row.netAmount }) },
        { head: "Pagamentos", text: (row) => formatCount(row.paidCount), cell: (row) => row.paidCount },
      ]}
      emptyText={adminTexts.noData}
      file="relatorio_receita_mensal"
    >
      <BarChart
        label="Mês do gráfico"
        heightPx={topUsersHeight}
        axisText={(value) => (hidesAmounts ? "••" : formatShort(value))}
        points={(months ?? []).map(({ month, grossAmount }) => ({
          label: monthLabel(month),
          title: wholeMonthLabel(month),
          value: grossAmount,
          text: shown(grossAmount),
        }))}
      />
    </ReportPanel>
  )
}
