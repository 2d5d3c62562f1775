import { keepPreviousData, useQuery } from "@tanstack/react-query"
import type { ReportDays, SellerReportView } from "@tilinta/contract/api/seller-report-endpoints"
import { useState } from "react"
import { detailOf, messageOf } from "#api/api-error.ts"
import { withMinus } from "#format/minus.ts"
import { Card } from "#ui/card.tsx"
import { LoadFailure } from "#ui/load-failure.tsx"
import { Segments } from "#ui/segments.tsx"
import { Reais } from "#ui/shown-amounts.ts"
import { useRefreshMs } from "../live/live-store.ts"
import { sellerTexts } from "../seller-texts.ts"
import { ConversionFunnel } from "./conversion-funnel.tsx"
import { SalesBars } from "./sales-bars.tsx"
import { SalesCardSkeleton } from "./sales-card-skeleton.tsx"
import { salesQuery } from "./sales-data.ts"
import { growthOf, netOf } from "./sales-figures.ts"
import { SalesTable } from "./sales-table.tsx"

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
    return (
      <LoadFailure
        message={messageOf(report.error, sellerTexts.salesFailed)}
        detail={detailOf(report.error)}
        onRetry={() => void report.refetch()}
        busy={report.isFetching}
      />
    )
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

const percentFormat = new Intl.NumberFormat("pt-BR", { style: "percent", maximumFractionDigits: 1 })

function Growth({ now, before, days }: { now: number; before: number; days: number }) {
  const growth = growthOf(now, before)
  if (growth === null) return <p className="mt-0.5 text-meta text-t3">sem vendas nos {days} dias antes</p>
  const tone = growth > 0 ? "text-mint" : growth < 0 ? "text-coral" : "text-t2"
  return (
    <p className="mt-0.5 text-meta text-t3">
      <b className={`font-[650] ${tone}`}>
        {growth > 0 ? "+" : ""}
        {withMinus(percentFormat.format(growth))}
      </b>{" "}
      vs. {days} dias antes
    </p>
  )
}
