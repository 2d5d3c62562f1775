import type { SummaryReport } from "@tilinta/contract/api/reports-endpoints"
import { countOf, formatCount } from "#format/count.ts"
import { formatShort } from "#format/short-number.ts"
import { LineChart } from "#ui/line-chart.tsx"
import { adminTexts } from "../admin-texts.ts"
import { dayLabel, daysOf, wholeDayLabel } from "./report-figures.ts"
import { ReportPanel } from "./report-panel.tsx"

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
        { head: "Geradas", text: ({ count }) => formatCount(count), cell: ({ count }) => String(count) },
        { head: "Pagas", text: ({ paidCount }) => formatCount(paidCount), cell: ({ paidCount }) => String(paidCount) },
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
