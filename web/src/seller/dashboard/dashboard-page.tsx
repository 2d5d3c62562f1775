import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import type { TransactionView } from "@tilinta/contract/transactions"
import { useEffect, useRef } from "react"
import { hasStatus } from "#api/api-error.ts"
import { useActingShop, useUser } from "#api/session.ts"
import { recentChargePagesQuery } from "#seller/charge-page-parts/charge-pages-data.ts"
import { useRefreshMs } from "#seller/live/live-store.ts"
import { announcePayments } from "#seller/live/live-updates.tsx"
import * as sellerTexts from "#seller/seller-texts.ts"
import { Reais } from "#ui/amounts.tsx"
import { buttonClass } from "#ui/button.tsx"
import { QueryFailure, together } from "#ui/card.tsx"
import { Icon } from "#ui/icon.tsx"
import { installFromSales, isInstallable } from "#ui/install-prompt.ts"
import { lazyPart } from "#ui/lazy-part.tsx"
import { PageTitle } from "#ui/page-title.tsx"
import { balanceQuery, greetingFor, newlyPaid, recentTransactionsQuery } from "./dashboard-data.ts"
import { RecentSkeleton, SalesCardSkeleton } from "./dashboard-skeletons.tsx"
import { SummaryCards } from "./summary-cards.tsx"

const NextStep = lazyPart(() => import("../first-steps/next-step.tsx"), "NextStep")
const InstallOffer = lazyPart(() => import("../first-steps/install-offer.tsx"), "InstallOffer")
const RecentActivity = lazyPart(
  () => import("./recent-activity.tsx"),
  "RecentActivity",
  <>
    <RecentSkeleton title="Transações recentes" label="Carregando transações" />
    <RecentSkeleton title="Cobranças recentes" label="Carregando cobranças" />
  </>,
)
const DisputesNotice = lazyPart(() => import("../disputes/disputes-notice.tsx"), "DisputesNotice")
const SalesCard = lazyPart(() => import("../sales-chart/sales-card.tsx"), "SalesCard", <SalesCardSkeleton />)

/** Fewer sales make no curve. */
const chartsFromSales = 10

export function DashboardPage() {
  const user = useUser()
  const live = { refetchInterval: useRefreshMs() }
  const transactions = useQuery({ ...recentTransactionsQuery, ...live })
  const chargePages = useQuery({ ...recentChargePagesQuery, ...live })
  const balance = useQuery({ ...balanceQuery, ...live })
  useAnnouncedPayments(transactions.data?.transactions)

  const parts = [transactions, chargePages, balance]
  const summary = transactions.data?.summary
  const ownBalance = useOwnBalance()
  const money = balance.data ?? { balance: ownBalance, blocked: 0, toCome: 0 }
  const isNew = summary?.paidCount === 0
  // On a phone the card with the next step stands right below, with the same button.
  const hasNoPage = isNew && chargePages.data?.results === 0
  return (
    <>
      <div className="mb-1 flex items-end justify-between gap-5 max-md:flex-col max-md:items-stretch">
        <div className="min-w-0">
          <PageTitle title={greetingFor(user?.name ?? "", new Date())} documentTitle="Painel" />
          <Lead summary={summary} />
        </div>
        <Link
          to="/checkouts/create"
          className={buttonClass(isNew ? "secondary" : "primary", hasNoPage ? "max-md:hidden" : "")}
        >
          <Icon name="plus" className="size-5 stroke-[2.1]" />
          Criar cobrança Pix
        </Link>
      </div>
      <QueryFailure query={failureOf(parts)} failed={sellerTexts.dashboardFailed} detailed />
      {isNew && chargePages.data !== undefined && (
        <NextStep
          summary={summary}
          chargePages={{ results: chargePages.data.results, newest: chargePages.data.data.checkoutPages[0] }}
        />
      )}
      <SummaryCards
        {...money}
        summary={summary}
        waiting={parts.some((part) => part.isPending)}
        chargePages={
          chargePages.data && { total: chargePages.data.results, active: chargePages.data.data.summary.activeCount }
        }
      />
      {money.blocked > 0 && <DisputesNotice />}
      <FromSales paidCount={summary?.paidCount ?? 0} />
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 has-[>:nth-child(2)]:xl:grid-cols-[minmax(0,1.62fr)_minmax(0,1fr)]">
        <RecentActivity
          transactions={transactions.data?.transactions}
          chargePages={chargePages.data?.data.checkoutPages}
          waiting={{ transactions: transactions.isPending, chargePages: chargePages.isPending }}
          hidesEmpty={isNew}
        />
      </div>
    </>
  )
}

/** Somebody else's shop has another balance than the person. */
function useOwnBalance(): number | undefined {
  const user = useUser()
  return useActingShop()?._id === user?._id ? user?.balance : undefined
}

/** Not the end of a session, which the login page explains. */
function failureOf(parts: Parameters<typeof together>[0]) {
  const state = together(parts)
  return hasStatus(state.error, 401) ? { ...state, error: null } : state
}

function FromSales({ paidCount }: { paidCount: number }) {
  return (
    <>
      {paidCount >= installFromSales && isInstallable() && <InstallOffer />}
      {paidCount >= chartsFromSales && <SalesCard />}
    </>
  )
}

function Lead({ summary }: { summary: (TodayProps & { paidCount: number }) | undefined }) {
  return (
    <p className="mt-1 min-h-[22px] text-t2">
      {summary?.paidCount === 0 && "Da loja ao primeiro Pix, um passo de cada vez."}
      {summary !== undefined && summary.paidCount > 0 && <Today {...summary} />}
    </p>
  )
}

interface TodayProps {
  todayReceived: number
  todayPaidCount: number
}

function Today({ todayReceived, todayPaidCount }: TodayProps) {
  if (todayPaidCount === 0) return <>Nenhum pagamento recebido hoje, por enquanto.</>
  return (
    <>
      Hoje você já recebeu{" "}
      <b className="font-[650] whitespace-nowrap text-t1 tabular-nums">
        <Reais>{todayReceived}</Reais>
      </b>{" "}
      em {todayPaidCount === 1 ? "1 pagamento" : `${todayPaidCount} pagamentos`}.
    </>
  )
}

function useAnnouncedPayments(rows: readonly TransactionView[] | undefined): void {
  const seen = useRef<readonly TransactionView[] | null>(null)
  useEffect(() => {
    if (rows === undefined) return
    announcePayments(newlyPaid(seen.current, rows).map((row) => ({ ...row, payerName: row.customerInfo.name })))
    seen.current = rows
  }, [rows])
}
