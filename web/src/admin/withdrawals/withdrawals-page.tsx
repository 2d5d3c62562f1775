import { useQuery } from "@tanstack/react-query"
import { getRouteApi, Link } from "@tanstack/react-router"
import * as heads from "@tilinta/contract/heads"
import { withdrawalStatuses } from "@tilinta/contract/vocabulary/withdrawals"
import { useCallback, useState } from "react"
import { daysOf, saoPauloDay } from "#format/dates.ts"
import { buttonClass } from "#ui/button.tsx"
import { ExportButton } from "#ui/export-button.tsx"
import { Icon } from "#ui/icon.tsx"
import { isFiltered, ListFilters, noFilters } from "#ui/list-filters.tsx"
import { ListScreen, NoRows, useListPage } from "#ui/list-screen.tsx"
import { knownStatus } from "#ui/list-search.ts"
import { adminTexts } from "../admin-texts.ts"
import { payableQuery } from "../payout-batch/batch-data.ts"
import { type AdminWithdrawalsSearch, orderOf, otherOrder, usualOrder } from "../search-params.ts"
import { useApproveBatch } from "./batch.ts"
import { OrderSelect, TriageTable } from "./triage-table.tsx"
import { type Question, WithdrawalDialogs } from "./withdrawal-dialogs.tsx"
import { WithdrawalsCards, withdrawalStatusOptions } from "./withdrawals-cards.tsx"
import { pageSize, refreshMs, withdrawalsQuery } from "./withdrawals-data.ts"

const exported = { head: heads.exportAllWithdrawals, name: "saques", failed: adminTexts.notExported } as const

const route = getRouteApi("/session/admin/withdrawals")

export function WithdrawalsPage() {
  const { withdrawal: openId, ...filters } = knownStatus(route.useSearch(), withdrawalStatuses)
  const { page = 1, status, search } = filters
  const [question, setQuestion] = useState<Question | null>(null)
  const approveBatch = useApproveBatch()
  const order = filters.order ?? usualOrder(status)
  const criteria = { status, search, ...daysOf(filters, saoPauloDay(new Date())) }
  const {
    list,
    set,
    filter: filterRows,
    screen,
  } = useListPage(route, {
    query: withdrawalsQuery(page, { ...criteria, order }),
    refreshMs,
    failed: adminTexts.withdrawalsFailed,
    waiting: { rows: 8, label: "Carregando saques" },
    paging: { page, perPage: pageSize },
  })
  const filter = useCallback(
    (change: AdminWithdrawalsSearch) => filterRows({ ...otherOrder(change), ...change }),
    [filterRows],
  )
  const clear = useCallback(() => filter(noFilters), [filter])
  const rows = list.data?.data.withdrawals ?? []
  return (
    <ListScreen
      title="Saques"
      intro="Pedidos de saque dos vendedores, para aprovar, rejeitar e acompanhar."
      actions={
        <>
          <BatchLink />
          <ExportButton {...exported} query={criteria} />
        </>
      }
      {...screen}
      summary={<WithdrawalsCards criteria={criteria} onChoose={(word) => filter({ status: word })} />}
      filters={
        <ListFilters
          searchLabel="Buscar por vendedor, e-mail ou chave"
          value={filters}
          options={withdrawalStatusOptions}
          onChange={filter}
          onClear={clear}
        >
          <OrderSelect value={order} onChange={(word) => filter({ order: orderOf(word, status) })} />
        </ListFilters>
      }
    >
      {rows.length > 0 && (
        <TriageTable rows={rows} dimmed={list.isPlaceholderData} allWait={status === "pending"} onAsk={setQuestion} />
      )}
      {list.isSuccess && rows.length === 0 && (
        <NoRows filtered={isFiltered(filters) || page > 1} onClear={clear} title={adminTexts.noWithdrawals} icon="bank">
          Quando um vendedor pedir um saque, ele aparece aqui.
        </NoRows>
      )}
      <WithdrawalDialogs
        openId={openId}
        rows={rows}
        question={question}
        approveBatch={approveBatch}
        onAsk={setQuestion}
        onOpen={(withdrawal) => set({ withdrawal })}
      />
    </ListScreen>
  )
}

/** Shown while something waits to be paid by hand. */
function BatchLink() {
  const count = useQuery(payableQuery).data?.length ?? 0
  if (count === 0) return null
  return (
    <Link to="/admin/withdrawals/batch" className={buttonClass("primary")}>
      <Icon name="qr" className="size-5 stroke-[2.1]" />
      Pagar lote ({count})
    </Link>
  )
}
