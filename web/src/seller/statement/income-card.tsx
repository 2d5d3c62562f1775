import { useQuery } from "@tanstack/react-query"
import * as heads from "@tilinta/contract/heads"
import type { IncomeReportView } from "@tilinta/contract/statements"
import { useState } from "react"
import { formatCount } from "#format/money-text.ts"
import * as sellerTexts from "#seller/seller-texts.ts"
import { Reais, useReais } from "#ui/amounts.tsx"
import { Button } from "#ui/button.tsx"
import { Card, QueryFailure, RowsSkeleton } from "#ui/card.tsx"
import { type Column, DataTable } from "#ui/data-table.tsx"
import { ExportMenu, tableFormats, useDownload } from "#ui/export-button.tsx"
import { SumsLine } from "#ui/facts.tsx"
import { incomeQuery, monthText } from "./statement-data.ts"

type IncomeMonth = IncomeReportView["months"][number]

const amount = (header: string, of: (row: IncomeMonth) => number, area: Column<IncomeMonth>["area"]) => ({
  header,
  area,
  end: true,
  cell: (row: IncomeMonth) => (
    <span className="whitespace-nowrap tabular-nums">
      <Reais>{of(row)}</Reais>
    </span>
  ),
})

const columns: readonly Column<IncomeMonth>[] = [
  {
    header: "Mês",
    area: "title",
    cell: ({ month }) => <span className="first-letter:uppercase">{monthText(month)}</span>,
  },
  { header: "Pagamentos", area: "none", end: true, cell: ({ count }) => formatCount(count) },
  amount("Bruto", ({ gross }) => gross, "date"),
  amount("Taxas", ({ fee }) => fee, "none"),
  amount("Líquido", ({ net }) => net, "amount"),
]

/** Opened on demand: the year's figures for a tax return. */
export function IncomeCard({ year }: { year: string }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <Card className="grid gap-3 p-5">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div>
          <h2 className="text-section font-semibold">Informe de {year}</h2>
          <p className="mt-0.5 text-label text-t2">
            O que foi pago em cada mês, menos o que foi devolvido depois, pelo dia do pagamento.
          </p>
        </div>
        <div className="flex flex-wrap gap-2">
          {!isOpen && <Button onClick={() => setIsOpen(true)}>Mostrar informe</Button>}
          <IncomeDownload year={year} />
        </div>
      </div>
      {isOpen && <Income year={year} />}
    </Card>
  )
}

function IncomeDownload({ year }: { year: string }) {
  const { busy, submit } = useDownload(sellerTexts.incomeNotExported)
  return (
    <ExportMenu
      label="Baixar informe"
      words="Baixar informe"
      busy={busy}
      formats={tableFormats}
      onFormat={(format) => void submit([heads.exportIncome, { query: { year, format } }, `informe_${year}.${format}`])}
    />
  )
}

function Income({ year }: { year: string }) {
  const income = useQuery(incomeQuery(year))
  const { data } = income
  const reais = useReais()
  if (income.isError && data === undefined) {
    return <QueryFailure query={income} failed={sellerTexts.incomeFailed} detailed />
  }
  if (data === undefined) return <RowsSkeleton rows={4} label="Carregando informe" />
  const { total } = data
  const rows = data.months.filter(({ count }) => count > 0)
  return (
    <>
      <SumsLine
        sums={[
          { term: "Bruto no ano", value: reais(total.gross) },
          { term: "Taxas", value: reais(total.fee) },
          { term: "Líquido", value: reais(total.net) },
        ]}
      />
      {rows.length === 0 ? (
        <p className="text-t2">Nenhum pagamento em {year}.</p>
      ) : (
        <DataTable caption={`Informe de ${year}`} columns={columns} rows={rows} rowKey={({ month }) => month} />
      )}
    </>
  )
}
