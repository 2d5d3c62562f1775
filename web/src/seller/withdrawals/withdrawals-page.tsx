import { useQuery } from "@tanstack/react-query"
import { getRouteApi } from "@tanstack/react-router"
import { ownerAlone } from "@tilinta/contract/vocabulary/team"
import { sellerWithdrawalFilterWords } from "@tilinta/contract/vocabulary/withdrawals"
import { type ComponentProps, useCallback } from "react"
import { failureDetail } from "#api/api-error.ts"
import { useMay } from "#api/session.ts"
import { daysOf, saoPauloDay } from "#format/dates.ts"
import { Button } from "#ui/button.tsx"
import { lazyDialog, lazyPart } from "#ui/lazy-part.tsx"
import { isFiltered, ListFilters, noFilters } from "#ui/list-filters.tsx"
import { ListScreen, NoRows, useListPage } from "#ui/list-screen.tsx"
import { knownStatus } from "#ui/list-search.ts"
import { Only } from "#ui/only.tsx"
import * as sellerTexts from "../seller-texts.ts"
import { WithdrawalTable } from "./withdrawal-table.tsx"
import { pageSize, useRequestWithdrawal, withdrawalRulesQuery, withdrawalsQuery } from "./withdrawals-data.ts"
import { WithdrawalsSummary, withdrawalStatusOptions } from "./withdrawals-summary.tsx"

interface Props {
  /** Undefined while loading. */
  available: number | undefined
  onRequest: () => void
}

/** A disabled button says why, next to it. */
export function RequestButton({ available, onRequest }: Props) {
  const rules = useQuery(withdrawalRulesQuery)
  const reason = reasonNotTo(available, rules.data?.enabled ?? true)
  return (
    <div className="grid flex-none justify-items-end gap-1.5 max-md:justify-items-stretch">
      <Button
        variant="primary"
        icon="withdraw"
        onClick={onRequest}
        disabled={available === undefined || reason !== null}
        aria-describedby={reason === null ? undefined : "withdrawal-reason"}
      >
        Solicitar Saque
      </Button>
      {reason !== null && (
        <p id="withdrawal-reason" className="text-meta text-t3 max-md:text-center">
          {reason}
        </p>
      )}
    </div>
  )
}

function reasonNotTo(available: number | undefined, enabled: boolean): string | null {
  if (!enabled) return "Os saques estão suspensos no momento."
  return available !== undefined && available <= 0 ? "Você não tem saldo disponível para sacar." : null
}

const RequestDialog = lazyDialog(() => import("./request-dialog.tsx"), "RequestDialog")
const WithdrawalDialog = lazyDialog(() => import("./withdrawal-dialog.tsx"), "WithdrawalDialog")

const WithdrawalRule = lazyPart(() => import("./withdrawal-rule.tsx"), "WithdrawalRule")

const route = getRouteApi("/session/withdrawals")

export function WithdrawalsPage() {
  const {
    withdrawal: openId,
    request: isAsked,
    ...filters
  } = knownStatus(route.useSearch(), sellerWithdrawalFilterWords)
  const { page = 1, status, search } = filters
  const criteria = { status, search, ...daysOf(filters, saoPauloDay(new Date())) }
  const { list, set, filter, screen } = useListPage(route, {
    query: withdrawalsQuery(page, criteria),
    refreshMs: 10_000,
    failed: sellerTexts.withdrawalsFailed,
    waiting: { rows: 6, label: "Carregando saques" },
    paging: { page, perPage: pageSize },
  })
  const isRequesting = useMay(ownerAlone) && isAsked === true
  const closeForm = () => set({ request: undefined })
  const request = useRequestWithdrawal(closeForm)
  const clear = useCallback(() => filter(noFilters), [filter])

  const { withdrawals: rows = [], summary } = list.data?.data ?? {}
  const hidesSome = isFiltered(filters) || page > 1
  const opened = rows.find(({ _id }) => _id === openId)
  return (
    <>
      <ListScreen
        title="Saques"
        intro="Retire o seu saldo por Pix ou transferência bancária."
        actions={
          <Only roles={ownerAlone}>
            <RequestButton available={summary?.available} onRequest={() => set({ request: true })} />
          </Only>
        }
        {...screen}
        failure={list.isError ? { message: sellerTexts.withdrawalsFailed, detail: failureDetail(list.error) } : null}
        summary={<WithdrawalsSummary summary={summary} waiting={list.isPending} />}
        filters={
          <ListFilters
            searchLabel="Buscar por chave ou ID do Pix"
            value={filters}
            options={withdrawalStatusOptions}
            onChange={filter}
            onClear={clear}
          />
        }
      >
        {rows.length > 0 && <WithdrawalTable rows={rows} dimmed={list.isPlaceholderData} />}
        {list.isSuccess && rows.length === 0 && (
          <NoRows
            filtered={hidesSome}
            onClear={clear}
            title={sellerTexts.noWithdrawals}
            filteredTitle="Nenhum saque com estes filtros"
            icon="bank"
          >
            Quando você pedir um saque, cada etapa dele aparece aqui.
          </NoRows>
        )}
        <RequestForm isOpen={isRequesting} available={summary?.available} request={request} onClose={closeForm} />
        {opened !== undefined && (
          <WithdrawalDialog withdrawal={opened} onClose={() => set({ withdrawal: undefined })} />
        )}
      </ListScreen>
      <Only roles={ownerAlone}>
        <WithdrawalRule />
      </Only>
    </>
  )
}

interface RequestFormProps extends Omit<ComponentProps<typeof RequestDialog>, "available"> {
  isOpen: boolean | undefined
  available: number | undefined
}

/** Also opened by its address; without a balance the button explains why it isn't. */
function RequestForm({ isOpen, available, ...rest }: RequestFormProps) {
  if (!isOpen || available === undefined || available <= 0) return null
  return <RequestDialog available={available} {...rest} />
}
