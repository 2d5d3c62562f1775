import type { UseQueryResult } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import type { CustomerView } from "@tilinta/contract/customers"
import type { InvoiceView } from "@tilinta/contract/invoices"
import { formatDay } from "#format/dates.ts"
import { InvoiceBadge } from "#parts/invoices/invoice-badge.tsx"
import { amountOf } from "#seller/receivables/receivables-data.ts"
import * as sellerTexts from "#seller/seller-texts.ts"
import { useReais } from "#ui/amounts.tsx"
import { Card, CardHeader, EmptyState, QueryFailure, RowsSkeleton } from "#ui/card.tsx"
import { type Column, DataTable, DateCell, RowLink } from "#ui/data-table.tsx"
import { SumsLine } from "#ui/facts.tsx"
import { amountColumn } from "#ui/table-columns.tsx"

const columns: readonly Column<InvoiceView>[] = [
  {
    header: "Cobrança",
    area: "title",
    cell: ({ _id, description, customer }) => (
      <RowLink
        to="/receivables"
        search={{ customer: customer._id, invoice: _id }}
        text={description || "Cobrança"}
        note=""
      />
    ),
  },
  { header: "Vencimento", area: "date", cell: ({ dueDate }) => <DateCell text={formatDay(dueDate)} /> },
  amountColumn("Valor", amountOf),
  { header: "Status", area: "status", cell: ({ state }) => <InvoiceBadge state={state} /> },
]

interface Props {
  customer: CustomerView
  query: UseQueryResult<InvoiceView[]>
}

/** The oldest open ones, the latest others, and what all of them ask today. */
export function CustomerInvoices({ customer: { _id, owed }, query }: Props) {
  const reais = useReais()
  const rows = query.data ?? []
  return (
    <Card className="p-2 pt-[18px]">
      <div className="px-4 pb-2 max-md:px-3">
        <CardHeader title="Cobranças">
          <Link
            to="/receivables"
            search={{ customer: _id }}
            className="-my-2.5 inline-flex min-h-11 items-center text-label font-semibold text-mint underline-offset-4 hover:underline"
          >
            Ver todas
          </Link>
        </CardHeader>
      </div>
      <QueryFailure query={query} failed={sellerTexts.invoicesFailed} className="mb-3 px-2" />
      {owed.open > 0 && (
        <SumsLine
          sums={[
            { term: "Deve hoje", value: reais(owed.open) },
            { term: "Vencido", value: reais(owed.overdue) },
          ]}
        />
      )}
      {query.isPending && <RowsSkeleton rows={3} label="Carregando cobranças" />}
      {rows.length > 0 && <DataTable caption="Cobranças do cliente" columns={columns} rows={rows} />}
      {query.isSuccess && rows.length === 0 && (
        <EmptyState icon="calendar" title="Nenhuma cobrança ainda">
          O que você cobrar deste cliente aparece aqui.
        </EmptyState>
      )}
    </Card>
  )
}
