import { useInfiniteQuery } from "@tanstack/react-query"
import { getRouteApi } from "@tanstack/react-router"
import * as heads from "@tilinta/contract/heads"
import { type StatementFormat, statementFileName } from "@tilinta/contract/statements"
import { saoPauloDay } from "#format/dates.ts"
import { useRefreshMs } from "#seller/live/live-store.ts"
import * as sellerTexts from "#seller/seller-texts.ts"
import { useRequestRefund } from "#seller/transactions/refund-data.ts"
import { useReais } from "#ui/amounts.tsx"
import { IconButton } from "#ui/button.tsx"
import { EmptyState } from "#ui/card.tsx"
import { ExportMenu, useDownload } from "#ui/export-button.tsx"
import { SumsLine } from "#ui/facts.tsx"
import { lazyDialog } from "#ui/lazy-part.tsx"
import { ListScreen, listState, MoreButton } from "#ui/list-screen.tsx"
import { IncomeCard } from "./income-card.tsx"
import { monthText, movementsOf, neighbourMonth, statementQuery } from "./statement-data.ts"
import { StatementTable } from "./statement-table.tsx"

const formats = [
  { format: "pdf", label: "PDF", about: "Para imprimir ou enviar à contabilidade" },
  { format: "ofx", label: "OFX", about: "Para programas de contabilidade" },
  { format: "xlsx", label: "Planilha (XLSX)", about: "Para qualquer programa de planilhas" },
  { format: "csv", label: "CSV", about: "Para outros programas" },
  { format: "csv-proofs", label: "CSV com provas", about: "Para conferir cada lançamento" },
] as const satisfies readonly { format: StatementFormat; label: string; about: string }[]

export function StatementDownloads({ month }: { month: string }) {
  const { busy, submit } = useDownload(sellerTexts.statementNotExported)
  return (
    <ExportMenu
      label="Exportar extrato"
      busy={busy}
      formats={formats}
      onFormat={(format) =>
        void submit([heads.exportStatement, { query: { month, format } }, statementFileName(month, format)])
      }
    />
  )
}

const TransactionDialog = lazyDialog(() => import("../transactions/transaction-dialog.tsx"), "TransactionDialog")

const WithdrawalById = lazyDialog(() => import("../withdrawals/withdrawal-dialog.tsx"), "WithdrawalById")

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
  const rows = movementsOf(pages?.flatMap((page) => page.rows) ?? [])
  const open = (to: string) => void navigate({ search: { month: to === present ? undefined : to }, replace: true })

  return (
    <>
      <ListScreen
        title="Extrato"
        intro="Tudo o que moveu o seu saldo disponível, do mais novo ao mais antigo, com o saldo depois de cada lançamento."
        actions={<StatementDownloads month={month} />}
        {...listState(list, sellerTexts.statementFailed, { rows: 8, label: "Carregando extrato" })}
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
            <MoreButton list={list}>{list.isFetchingNextPage ? "Carregando..." : "Mostrar mais"}</MoreButton>
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
      <IconButton icon="chevronLeft" label="Mês anterior" onClick={() => onMonth(neighbourMonth(month, -1))} />
      <p aria-live="polite" className="min-w-40 text-center font-semibold first-letter:uppercase">
        {monthText(month)}
      </p>
      <IconButton
        icon="chevronRight"
        label="Mês seguinte"
        disabled={month >= present}
        onClick={() => onMonth(neighbourMonth(month, 1))}
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
        ...(isOpen && toCome > 0 ? [{ term: "A liberar", value: reais(toCome) }] : []),
      ]}
    />
  )
}
