import { useQuery, useQueryClient } from "@tanstack/react-query"
import { getRouteApi } from "@tanstack/react-router"
import type { AdminTransactionsSummary } from "@tilinta/contract/admin-transactions"
import * as heads from "@tilinta/contract/heads"
import { adminStatusLabels } from "@tilinta/contract/vocabulary/transactions"
import { paymentMethodLabels, paymentMethods } from "@tilinta/contract/vocabulary/withdrawals"
import { useCallback } from "react"
import { adminTexts } from "#admin/admin-texts.ts"
import type { StatusGroup } from "#admin/search-params.ts"
import { inTransactions } from "#admin/section-tabs.tsx"
import { daysOf, saoPauloDay } from "#format/dates.ts"
import { TransactionSums } from "#parts/transactions/transaction-details.tsx"
import { Button } from "#ui/button.tsx"
import { ExportButton } from "#ui/export-button.tsx"
import { lazyDialog } from "#ui/lazy-part.tsx"
import { FilterSelect, isFiltered, ListFilters, noFilters, optionsOf } from "#ui/list-filters.tsx"
import { ListScreen, NoRows, useListPage } from "#ui/list-screen.tsx"
import { wordOf } from "#ui/list-search.ts"
import { TransactionsCards, TransactionTable } from "./transaction-table.tsx"
import {
  pageSize,
  type TransactionsFilter,
  totalsQuery,
  transactionsKey,
  transactionsQuery,
  useRefund,
} from "./transactions-data.ts"

const TransactionDialog = lazyDialog(() => import("./transaction-dialog.tsx"), "TransactionDialog")

const exported = { head: heads.exportAllTransactions, name: "transacoes", failed: adminTexts.notExported } as const

const methodOptions = optionsOf(paymentMethods, paymentMethodLabels)

const net = { term: "Valor líquido", of: ({ totalNet }: AdminTransactionsSummary) => totalNet }

const route = getRouteApi("/session/admin/transactions")

const statusOptions = [
  { word: "approved", label: adminStatusLabels.approved },
  { word: "pending", label: adminStatusLabels.pending },
  { word: "failed", label: "Falhou ou cancelada" },
  { word: "refunded", label: adminStatusLabels.refunded },
] as const satisfies readonly { word: StatusGroup; label: string }[]

export function TransactionsPage() {
  const { transaction, ...filters } = route.useSearch()
  const { page = 1, status, search } = filters
  const paymentMethod = wordOf(filters.paymentMethod, paymentMethods)
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
      {...inTransactions}
      title="Transações"
      intro="Todas as transações Pix dos vendedores e a situação de cada uma."
      actions={<Actions busy={list.isFetching} criteria={criteria} />}
      {...screen}
      summary={<TransactionsCards criteria={criteria} onChoose={(word) => filter({ status: word })} />}
      filters={
        <ListFilters
          searchLabel="Buscar por vendedor, pagador, descrição ou txid"
          value={filters}
          options={statusOptions}
          onChange={filter}
          onClear={clear}
          hidesMore={hidesMore}
        >
          <FilterSelect
            label="Método de pagamento"
            none="Todos os métodos"
            options={methodOptions}
            value={paymentMethod}
            onChange={(method) => filter({ paymentMethod: method })}
            className="shrink-0 basis-48"
          />
        </ListFilters>
      }
      total={totals.data?.exact === false ? undefined : totals.data?.count}
      mayGoOn={rows.length === pageSize}
    >
      {rows.length > 0 && (
        <div className="grid grid-cols-[minmax(0,1fr)]">
          {/* On a phone, below tabs and cards, the rows come first. */}
          <div className="max-md:order-last max-md:mt-2">
            <TransactionSums summary={totals.data} failed={totals.isError} net={net} />
          </div>
          <TransactionTable rows={rows} dimmed={list.isPlaceholderData} />
        </div>
      )}
      {list.isSuccess && rows.length === 0 && (
        <NoRows
          filtered={isFiltered(filters) || hidesMore || page > 1}
          onClear={clear}
          title={adminTexts.noTransactions}
          icon="exchange"
        >
          Quando um cliente gerar um Pix, ele aparece aqui.
        </NoRows>
      )}
      {transaction !== undefined && (
        <TransactionDialog
          key={transaction}
          id={transaction}
          onRefund={refund}
          onClose={() => set({ transaction: undefined })}
        />
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
