import type { SummaryReport } from "@tilinta/contract/api/reports-endpoints"
import { countOf, formatCount } from "#format/count.ts"
import { formatShort } from "#format/short-number.ts"
import { ChartTable } from "#ui/chart-table.tsx"
import { LineChart } from "#ui/line-chart.tsx"
import { adminTexts } from "../admin-texts.ts"
import { dayLabel, daysOf, wholeDayLabel } from "./report-figures.ts"
import { ReportPanel, stateOf } from "./report-panel.tsx"

export function DaysPanel({ report }: { report: SummaryReport | undefined }) {
  const days = report && daysOf(report)
  return (
    <ReportPanel
      title="Transações por Dia"
      note="Geradas nos últimos 7 dias do período"
      icon="chart"
      state={stateOf(days)}
      emptyText={adminTexts.noData}
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
      <ChartTable
        caption="Transações por dia"
        heads={["Dia", "Geradas", "Pagas"]}
        rows={(days ?? []).map(({ day, count, paidCount }) => [
          wholeDayLabel(day),
          formatCount(count),
          formatCount(paidCount),
        ])}
      />
    </ReportPanel>
  )
}
