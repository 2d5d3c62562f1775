import type { SalesDayView } from "@tilinta/contract/api/seller-report-endpoints"
import { countOf } from "#format/count.ts"
import { formatShort } from "#format/short-number.ts"
import { BarChart } from "#ui/bar-chart.tsx"
import { hiddenAmounts, useReais } from "#ui/shown-amounts.ts"
import { dayLabel } from "./sales-figures.ts"

interface Props {
  days: readonly SalesDayView[]
  previousDays: readonly SalesDayView[]
}

/** Bars of net sales; marks show the period before. */
export function SalesBars({ days, previousDays }: Props) {
  const reais = useReais()
  const hidesAmounts = hiddenAmounts.use()
  return (
    <BarChart
      label="Dia do gráfico"
      axisText={(value) => (hidesAmounts ? "••" : formatShort(value))}
      before={previousDays.map(({ net }) => net)}
      points={days.map(({ day, count, net }, index) => {
        const label = dayLabel(day, index === days.length - 1)
        return {
          label,
          title: label,
          value: net,
          text: `${reais(net)} líquidos`,
          detail: countOf(count, "venda", "vendas"),
        }
      })}
    />
  )
}
