import type { SummaryReport } from "@tilinta/contract/api/reports-endpoints"
import { formatCount } from "#format/count.ts"
import { formatShort } from "#format/short-number.ts"
import { BarChart } from "#ui/bar-chart.tsx"
import { ChartTable } from "#ui/chart-table.tsx"
import { hiddenAmounts, useReais } from "#ui/shown-amounts.ts"
import { adminTexts } from "../admin-texts.ts"
import { monthLabel, monthsOf, wholeMonthLabel } from "./report-figures.ts"
import { ReportPanel, stateOf } from "./report-panel.tsx"

export function MonthsPanel({ report }: { report: SummaryReport | undefined }) {
  const shown = useReais()
  const hidesAmounts = hiddenAmounts.use()
  const months = report && monthsOf(report)
  return (
    <ReportPanel
      title="Receita Mensal"
      note="Valor bruto do que foi pago em cada mês"
      icon="chart"
      state={stateOf(months)}
      emptyText={adminTexts.noData}
    >
      <BarChart
        label="Mês do gráfico"
        axisText={(value) => (hidesAmounts ? "••" : formatShort(value))}
        points={(months ?? []).map(({ month, grossAmount }) => ({
          label: monthLabel(month),
          title: wholeMonthLabel(month),
          value: grossAmount,
          text: shown(grossAmount),
        }))}
      />
      <ChartTable
        caption="Receita mensal"
        heads={["Mês", "Valor bruto", "Valor líquido", "Pagamentos"]}
        rows={(months ?? []).map(({ month, grossAmount, netAmount, paidCount }) => [
          wholeMonthLabel(month),
          shown(grossAmount),
          shown(netAmount),
          formatCount(paidCount),
        ])}
      />
    </ReportPanel>
  )
}
