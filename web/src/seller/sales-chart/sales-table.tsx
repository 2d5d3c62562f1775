import type { SalesDayView } from "@tilinta/contract/api/seller-report-endpoints"
import { useReais } from "#ui/shown-amounts.ts"
import { dayLabel } from "./sales-figures.ts"

/** The bars' data for screen readers. A bare table would not shrink to the hidden pixel, so it is wrapped. */
export function SalesTable({ days }: { days: readonly SalesDayView[] }) {
  const reais = useReais()
  return (
    <div className="sr-only">
      <table>
        <caption>Vendas por dia</caption>
        <thead>
          <tr>
            <th scope="col">Dia</th>
            <th scope="col">Vendas</th>
            <th scope="col">Valor bruto</th>
            <th scope="col">Valor líquido</th>
          </tr>
        </thead>
        <tbody>
          {days.map((day, index) => (
            <tr key={day.day}>
              <th scope="row">{dayLabel(day.day, index === days.length - 1)}</th>
              <td>{day.count}</td>
              <td>{reais(day.gross)}</td>
              <td>{reais(day.net)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
