import type { SellerReportView } from "@tilinta/contract/api/seller-report-endpoints"
import { formatCount } from "#format/count.ts"
import { shareOf } from "./sales-figures.ts"

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
