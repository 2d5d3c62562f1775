import { useInfiniteQuery } from "@tanstack/react-query"
import { getRouteApi } from "@tanstack/react-router"
import { messageOf } from "#api/api-error.ts"
import { saoPauloDay } from "#format/period.ts"
import { Button } from "#ui/button.tsx"
import { EmptyState } from "#ui/empty-state.tsx"
import { IconButton } from "#ui/icon-button.tsx"
import { lazyDialog } from "#ui/lazy-part.tsx"
import { listState } from "#ui/list-page.ts"
import { ListScreen } from "#ui/list-screen.tsx"
import { useReais } from "#ui/shown-amounts.ts"
import { SumsLine } from "#ui/sums-line.tsx"
import { failureDetail } from "../failure-detail.ts"
import { useRefreshMs } from "../live/live-store.ts"
import { sellerTexts } from "../seller-texts.ts"
import { useRequestRefund } from "../transactions/use-request-refund.ts"
import { IncomeCard } from "./income-card.tsx"
import { statementQuery } from "./statement-data.ts"
import { StatementDownloads } from "./statement-downloads.tsx"
import { monthBeside, monthText } from "./statement-months.ts"
import { StatementTable } from "./statement-table.tsx"

const TransactionDialog = lazyDialog(() =>
  import("../transactions/transaction-dialog.tsx").then((module) => module.TransactionDialog),
)

const WithdrawalById = lazyDialog(() =>
  import("../withdrawals/withdrawal-by-id.tsx").then((module) => module.WithdrawalById),
)

const route = getRouteApi("/session/statement")

export function StatementPage() {
  const { month: wanted, transaction, withdrawal } = route.useSearch()
  const navigate = route.useNavigate()
  const request = useRequestRefund()
  const present = saoPauloDay(new Date()).slice(0, 7)
  const month = wanted ?? present
  const list = useInfiniteQuery({ ...statementQuery(month), refetchInterval: useRefreshMs() })
  const pages = list.data?.pages
  const newest = pages?.at(-1)
  const rows = pages?.flatMap((page) => page.rows) ?? []
  const open = (to: string) => void navigate({ search: { month: to === present ? undefined : to }, replace: true })

  return (
    <>
      <ListScreen
        title="Extrato"
        intro="Tudo o que moveu o seu saldo disponível, com o saldo depois de cada lançamento."
        actions={<StatementDownloads month={month} />}
        {...listState(list, sellerTexts.statementFailed, { rows: 8, label: "Carregando extrato" })}
        failure={
          list.isError
            ? { message: messageOf(list.error, sellerTexts.statementFailed), detail: failureDetail(list.error) }
            : null
        }
        filters={<MonthSwitch month={month} present={present} onMonth={open} />}
      >
        {newest !== undefined && <Balances {...newest} isOpen={month === present} />}
        {rows.length > 0 && <StatementTable rows={rows} />}
        {newest !== undefined && rows.length === 0 && (
          <EmptyState icon="table" title="Nenhum lançamento neste mês">
            Vendas, taxas, estornos e saques aparecem aqui.
          </EmptyState>
        )}
        {list.hasNextPage && (
          <div className="grid p-3">
            <Button
              className="justify-self-center"
              disabled={list.isFetchingNextPage}
              onClick={() => void list.fetchNextPage()}
            >
              {list.isFetchingNextPage ? "Carregando..." : "Mostrar mais"}
            </Button>
          </div>
        )}
      </ListScreen>
      <IncomeCard key={month.slice(0, 4)} year={month.slice(0, 4)} />
      {transaction !== undefined && (
        <TransactionDialog
          key={transaction}
          id={transaction}
          request={request}
          onClose={() => void navigate({ search: (old) => ({ ...old, transaction: undefined }), replace: true })}
        />
      )}
      {withdrawal !== undefined && (
        <WithdrawalById
          key={withdrawal}
          id={withdrawal}
          onClose={() => void navigate({ search: (old) => ({ ...old, withdrawal: undefined }), replace: true })}
        />
      )}
    </>
  )
}

interface SwitchProps {
  month: string
  present: string
  onMonth: (month: string) => void
}

function MonthSwitch({ month, present, onMonth }: SwitchProps) {
  return (
    <div className="mb-3 flex items-center gap-1 px-2">
      <IconButton icon="chevronLeft" label="Mês anterior" onClick={() => onMonth(monthBeside(month, -1))} />
      <p aria-live="polite" className="min-w-40 text-center font-semibold first-letter:uppercase">
        {monthText(month)}
      </p>
      <IconButton
        icon="chevronRight"
        label="Mês seguinte"
        disabled={month >= present}
        onClick={() => onMonth(monthBeside(month, 1))}
      />
    </div>
  )
}

interface BalancesProps {
  opening: number
  closing: number
  toCome: number
  isOpen: boolean
}

function Balances({ opening, closing, toCome, isOpen }: BalancesProps) {
  const reais = useReais()
  return (
    <SumsLine
      sums={[
        { term: "Saldo no início", value: reais(opening) },
        { term: isOpen ? "Saldo agora" : "Saldo no fim", value: reais(closing) },
        ...(isOpen && toCome > 0 ? [{ term: "A receber", value: reais(toCome) }] : []),
      ]}
    />
  )
}
