import { useQuery, useQueryClient } from "@tanstack/react-query"
import { getRouteApi } from "@tanstack/react-router"
import type { AdminTransactionsSummary } from "@tilinta/contract/admin-transactions"
import * as heads from "@tilinta/contract/heads"
import { adminStatusLabels } from "@tilinta/contract/vocabulary/transactions"
import { lazy, Suspense, useCallback } from "react"
import { adminTexts } from "#admin/admin-texts.ts"
import type { StatusGroup } from "#admin/search-params.ts"
import { saoPauloDay } from "#format/dates.ts"
import { formatCount, moreThan } from "#format/money-text.ts"
import { useReais } from "#ui/amounts.tsx"
import { Button } from "#ui/button.tsx"
import { EmptyState } from "#ui/card.tsx"
import { ExportButton } from "#ui/export-button.tsx"
import { SumsLine } from "#ui/facts.tsx"
import { isFiltered, ListFilters, noFilters } from "#ui/list-filters.tsx"
import { ListScreen, NothingFound, useListPage } from "#ui/list-screen.tsx"
import { daysOf } from "#ui/list-search.ts"
import { MethodFilter, TransactionsCards, TransactionTable, UnmatchedLink } from "./transaction-table.tsx"
import {
  pageSize,
  type TransactionsFilter,
  totalsQuery,
  transactionsKey,
  transactionsQuery,
  useRefund,
} from "./transactions-data.ts"

const TransactionDialog = lazy(() =>
  import("./transaction-dialog.tsx").then((module) => ({ default: module.TransactionDialog })),
)

const exported = { head: heads.exportAllTransactions, name: "transacoes", failed: adminTexts.notExported } as const

const route = getRouteApi("/session/admin/transactions")

const statusOptions = [
  { word: "approved", label: adminStatusLabels.approved },
  { word: "pending", label: adminStatusLabels.pending },
  { word: "failed", label: "Falhou ou cancelada" },
  { word: "refunded", label: adminStatusLabels.refunded },
] as const satisfies readonly { word: StatusGroup; label: string }[]

export function TransactionsPage() {
  const { transaction, ...filters } = route.useSearch()
  const { page = 1, status, search, paymentMethod } = filters
  const refund = useRefund()
  const criteria = { status, search, paymentMethod, ...daysOf(filters, saoPauloDay(new Date())) }
  const { list, set, filter, screen } = useListPage(route, {
    query: transactionsQuery(page, criteria),
    failed: adminTexts.transactionsFailed,
    waiting: { rows: 8, label: "Carregando transações" },
    paging: { page, perPage: pageSize },
  })
  const totals = useQuery(totalsQuery(criteria))
  const clear = useCallback(() => filter({ ...noFilters, paymentMethod: undefined }), [filter])
  const rows = list.data?.data.transactions ?? []
  const hidesMore = paymentMethod !== undefined
  return (
    <ListScreen
      title="Transações"
      intro="Todas as transações Pix dos vendedores e a situação de cada uma."
      actions={<Actions busy={list.isFetching} criteria={criteria} />}
      {...screen}
      summary={
        <>
          <UnmatchedLink />
          <TransactionsCards criteria={criteria} onChoose={(word) => filter({ status: word })} />
        </>
      }
      filters={
        <ListFilters
          searchLabel="Buscar por vendedor, pagador, descrição ou txid"
          value={filters}
          options={statusOptions}
          onChange={filter}
          onClear={clear}
          hidesMore={hidesMore}
        >
          <MethodFilter value={paymentMethod} onChange={(method) => filter({ paymentMethod: method })} />
        </ListFilters>
      }
      total={totals.data?.exact === false ? undefined : totals.data?.count}
      mayGoOn={rows.length === pageSize}
    >
      {rows.length > 0 && <Sums summary={totals.data} failed={totals.isError} />}
      {rows.length > 0 && <TransactionTable rows={rows} dimmed={list.isPlaceholderData} />}
      {list.isSuccess && rows.length === 0 && (
        <NoTransactions filtered={isFiltered(filters) || hidesMore || page > 1} onClear={clear} />
      )}
      {transaction !== undefined && (
        <Suspense>
          <TransactionDialog
            key={transaction}
            id={transaction}
            onRefund={refund}
            onClose={() => set({ transaction: undefined })}
          />
        </Suspense>
      )}
    </ListScreen>
  )
}

function Actions({ busy, criteria }: { busy: boolean; criteria: TransactionsFilter }) {
  const queryClient = useQueryClient()
  return (
    <>
      <Button
        icon="refresh"
        className="max-md:px-3"
        disabled={busy}
        onClick={() => void queryClient.invalidateQueries({ queryKey: transactionsKey })}
      >
        <span className="max-md:sr-only">Atualizar</span>
      </Button>
      <ExportButton {...exported} query={{ ...criteria }} />
    </>
  )
}

/** Counting a wide search may take a while: the rows are shown meanwhile, with dots in place of the sums. */
function Sums({ summary, failed }: { summary: AdminTransactionsSummary | undefined; failed: boolean }) {
  const reais = useReais()
  if (failed) return <p className="px-4 pb-3 text-meta text-t3">{adminTexts.notSummed}</p>
  if (summary?.exact === false) return <SumsLine sums={[{ term: "Transações", value: moreThan(summary.count) }]} />
  const shown = (value: (summary: AdminTransactionsSummary) => string) => (summary === undefined ? "…" : value(summary))
  const sums = [
    { term: summary?.count === 1 ? "Transação" : "Transações", value: shown(({ count }) => formatCount(count)) },
    { term: "Valor bruto pago", value: shown(({ totalGross }) => reais(totalGross)) },
    { term: "Taxas", value: shown(({ totalFee }) => reais(totalFee)) },
    { term: "Valor líquido", value: shown(({ totalNet }) => reais(totalNet)) },
    { term: "Pendente", value: shown(({ pendingGross }) => reais(pendingGross)), apart: true },
    { term: "Estornado", value: shown(({ totalRefunded }) => reais(totalRefunded)), apart: true },
  ]
  return <SumsLine sums={sums} />
}

function NoTransactions({ filtered, onClear }: { filtered: boolean; onClear: () => void }) {
  if (filtered) return <NothingFound title={adminTexts.noTransactions} onClear={onClear} />
  return (
    <EmptyState icon="exchange" title={adminTexts.noTransactions}>
      Quando um cliente gerar um Pix, ele aparece aqui.
    </EmptyState>
  )
}
