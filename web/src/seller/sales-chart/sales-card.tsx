import { keepPreviousData, useQuery } from "@tanstack/react-query"
import type { ReportDays, SalesDayView, SellerReportView } from "@tilinta/contract/reports"
import { useState } from "react"
import { countOf, formatCount, formatShort, withMinus } from "#format/money-text.ts"
import { SalesCardSkeleton } from "#seller/dashboard/dashboard-skeletons.tsx"
import { useRefreshMs } from "#seller/live/live-store.ts"
import * as sellerTexts from "#seller/seller-texts.ts"
import { hiddenAmounts, Reais, useReais } from "#ui/amounts.tsx"
import { BarChart } from "#ui/bar-chart.tsx"
import { Card, QueryFailure } from "#ui/card.tsx"
import { Segments } from "#ui/segments.tsx"
import { dayLabel, growthOf, netOf, salesQuery, shareOf } from "./sales-figures.ts"

const percentFormat = new Intl.NumberFormat("pt-BR", { style: "percent", maximumFractionDigits: 0 })

export function ConversionFunnel({ conversion }: { conversion: SellerReportView["conversion"] }) {
  const { opened, generated, paid } = conversion
  const widest = Math.max(opened, generated)
  const steps = [
    { term: "Visitas às páginas", count: opened, bar: "bg-ctl", of: null },
    { term: "Pix gerados", count: generated, bar: "bg-sky", of: opened },
    { term: "Pagos", count: paid, bar: "bg-mint", of: generated },
  ]
  return (
    <ul aria-label="Conversão" className="grid gap-3 border-t border-line pt-4">
      {steps.map(({ term, count, bar, of }) => (
        <li key={term}>
          <div className="flex items-baseline justify-between gap-3 text-meta">
            <span className="text-t2">{term}</span>
            <span className="tabular-nums">
              {of !== null && of > 0 && count <= of && (
                <span className="mr-2 text-t3">{percentFormat.format(count / of)}</span>
              )}
              <b className="font-[650]">{formatCount(count)}</b>
            </span>
          </div>
          <div aria-hidden="true" className="mt-1.5 h-[5px] overflow-hidden rounded-full bg-s3">
            <div className={`h-full rounded-full ${bar}`} style={{ width: `${shareOf(count, widest) * 100}%` }} />
          </div>
        </li>
      ))}
    </ul>
  )
}

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

const periods = [
  { value: "7", label: "7 dias" },
  { value: "30", label: "30 dias" },
] as const satisfies readonly { value: ReportDays; label: string }[]

export function SalesCard() {
  const [days, setDays] = useState<ReportDays>("7")
  const report = useQuery({
    ...salesQuery(days),
    placeholderData: keepPreviousData,
    refetchInterval: useRefreshMs(),
  })
  if (report.data === undefined && report.isError) {
    return <QueryFailure query={report} failed={sellerTexts.salesFailed} />
  }
  if (report.data === undefined) return <SalesCardSkeleton />
  return (
    <Card
      aria-labelledby="sales-title"
      className={`p-5 transition-opacity md:p-6 ${report.isPlaceholderData ? "opacity-60" : ""}`}
    >
      <div className="flex flex-wrap items-start justify-between gap-x-5 gap-y-3">
        <div>
          <h2 id="sales-title" className="text-section font-[650]">
            Recebido por dia
          </h2>
          <p className="text-meta text-t3">Valor líquido, já sem a taxa</p>
        </div>
        <Segments label="Período do gráfico" options={periods} value={days} onChange={setDays} />
      </div>
      <Figures report={report.data} />
    </Card>
  )
}

function Figures({ report }: { report: SellerReportView }) {
  const { days, previousDays, conversion } = report
  const net = netOf(days)
  return (
    <div className="mt-4 grid grid-cols-[minmax(0,1fr)] gap-x-8 gap-y-5 lg:grid-cols-[232px_minmax(0,1fr)]">
      <div className="grid content-start gap-4">
        <div>
          <p className="text-[28px] leading-tight font-bold tracking-[-0.03em] tabular-nums">
            <Reais>{net}</Reais>
          </p>
          <Growth now={net} before={netOf(previousDays)} days={days.length} />
        </div>
        <p className="flex flex-wrap gap-x-4 gap-y-1 text-meta text-t2">
          <span className="inline-flex items-center gap-2">
            <i aria-hidden="true" className="size-2.5 rounded-[3px] bg-mint" />
            Estes {days.length} dias
          </span>
          <span className="inline-flex items-center gap-2">
            <i aria-hidden="true" className="h-0.5 w-3.5 rounded-full bg-t2" />
            {days.length} dias antes
          </span>
        </p>
        <ConversionFunnel conversion={conversion} />
      </div>
      <div>
        <SalesBars days={days} previousDays={previousDays} />
        <SalesTable days={days} />
      </div>
    </div>
  )
}

const percentFormatSalesCard = new Intl.NumberFormat("pt-BR", { style: "percent", maximumFractionDigits: 1 })

function Growth({ now, before, days }: { now: number; before: number; days: number }) {
  const growth = growthOf(now, before)
  if (growth === null) return <p className="mt-0.5 text-meta text-t3">sem vendas nos {days} dias antes</p>
  const tone = growth > 0 ? "text-mint" : growth < 0 ? "text-coral" : "text-t2"
  return (
    <p className="mt-0.5 text-meta text-t3">
      <b className={`font-[650] ${tone}`}>
        {growth > 0 ? "+" : ""}
        {withMinus(percentFormatSalesCard.format(growth))}
      </b>{" "}
      vs. {days} dias antes
    </p>
  )
}
