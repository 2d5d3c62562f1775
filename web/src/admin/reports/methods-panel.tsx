import type { SummaryReport } from "@tilinta/contract/api/reports-endpoints"
import { paymentMethodLabels } from "@tilinta/contract/vocabulary/payment-methods"
import { DoughnutChart } from "#ui/doughnut-chart.tsx"
import { adminTexts } from "../admin-texts.ts"
import { ReportPanel, stateOf } from "./report-panel.tsx"

export function MethodsPanel({ report }: { report: SummaryReport | undefined }) {
  const methods = report?.paymentMethods.filter(({ count }) => count > 0)
  return (
    <ReportPanel
      title="Métodos de Pagamento"
      note="Transações geradas no período"
      icon="exchange"
      state={stateOf(methods)}
      emptyText={adminTexts.noData}
    >
      <DoughnutChart
        unit="transações"
        parts={(methods ?? []).map(({ paymentMethod, count }) => ({
          label: paymentMethodLabels[paymentMethod] ?? "Outros",
          value: count,
        }))}
      />
    </ReportPanel>
  )
}
