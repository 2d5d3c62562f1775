import type { SummaryReport } from "@tilinta/contract/api/reports-endpoints"
import { formatCount } from "#format/count.ts"
import { moneyCell } from "#format/csv.ts"
import { formatShort } from "#format/short-number.ts"
import { BarChart } from "#ui/bar-chart.tsx"
import { hiddenAmounts, useReais } from "#ui/shown-amounts.ts"
import { adminTexts } from "../admin-texts.ts"
import { monthLabel, monthsOf, wholeMonthLabel } from "./report-figures.ts"
import { ReportPanel } from "./report-panel.tsx"

/** The height of the five users next to it. */
const besideTopUsers = 404

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
        { head: "Valor bruto", text: (row) => shown(row.grossAmount), cell: (row) => moneyCell(row.grossAmount) },
        { head: "Valor líquido", text: (row) => shown(row.netAmount), cell: (row) => moneyCell(row.netAmount) },
        { head: "Pagamentos", text: (row) => formatCount(row.paidCount), cell: (row) => String(row.paidCount) },
      ]}
      emptyText={adminTexts.noData}
      file="relatorio_receita_mensal"
    >
      <BarChart
        label="Mês do gráfico"
        heightPx={besideTopUsers}
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
