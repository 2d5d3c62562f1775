import type { SummaryReport } from "@tilinta/contract/api/reports-endpoints"
import { paymentMethodLabels } from "@tilinta/contract/vocabulary/payment-methods"
import { formatCount } from "#format/count.ts"
import { DoughnutChart } from "#ui/doughnut-chart.tsx"
import { adminTexts } from "../admin-texts.ts"
import { ReportPanel } from "./report-panel.tsx"

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
        { head: "Transações", text: ({ value }) => formatCount(value), cell: ({ value }) => String(value) },
      ]}
      emptyText={adminTexts.noData}
      file="relatorio_metodos_de_pagamento"
    >
      <DoughnutChart unit="transações" parts={methods ?? []} />
    </ReportPanel>
  )
}
