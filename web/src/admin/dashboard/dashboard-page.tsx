import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import type { UnmatchedPaymentsSummary } from "@tilinta/contract/unmatched-payments"
import { adminTexts } from "#admin/admin-texts.ts"
import { detailOf, messageOf } from "#api/api-error.ts"
import { formatCount } from "#format/money-text.ts"
import { buttonClass } from "#ui/button.tsx"
import { LoadFailure } from "#ui/card.tsx"
import { PageTitle } from "#ui/page-title.tsx"
import { DashboardCards } from "./dashboard-cards.tsx"
import {
  dashboardQuery,
  liveDisputesQuery,
  openUnmatchedPaymentsQuery,
  recentTransactionsQuery,
  recentUsersQuery,
} from "./dashboard-data.ts"
import { RecentTransactions, RecentUsers } from "./recent-cards.tsx"

const refresh = { refetchInterval: 15_000 }

export function DashboardPage() {
  const report = useQuery({ ...dashboardQuery, ...refresh })
  const transactions = useQuery({ ...recentTransactionsQuery, ...refresh })
  const users = useQuery({ ...recentUsersQuery, ...refresh })
  const unmatchedPayments = useQuery({ ...openUnmatchedPaymentsQuery, ...refresh })

  const disputes = useQuery({ ...liveDisputesQuery, ...refresh })

  const parts = [report, transactions, users, unmatchedPayments, disputes]
  const failed = parts.find((part) => part.isError)
  return (
    <>
      <div className="mb-1 flex items-end justify-between gap-5 max-md:flex-col max-md:items-stretch">
        <div className="min-w-0">
          <PageTitle title="Painel da administração" documentTitle="Painel" />
          <p className="mt-1 text-t2">Tudo o que acontece na plataforma, de todos os vendedores.</p>
        </div>
        <div className="flex flex-none flex-wrap gap-3 max-md:gap-2 max-md:*:flex-auto">
          <DisputesLink live={disputes.data} />
          <UnmatchedPaymentsLink open={unmatchedPayments.data} />
        </div>
      </div>
      {failed !== undefined && (
        <LoadFailure
          message={messageOf(failed.error, adminTexts.dashboardFailed)}
          detail={detailOf(failed.error)}
          busy={parts.some((part) => part.isFetching)}
          onRetry={() => {
            for (const part of parts) void part.refetch()
          }}
        />
      )}
      <DashboardCards
        report={report.data}
        approved={transactions.data?.summary?.approvedCount}
        users={users.data?.summary}
        waiting={parts.some((part) => part.isPending)}
      />
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 xl:grid-cols-[minmax(0,1.62fr)_minmax(0,1fr)]">
        <RecentTransactions rows={transactions.data?.transactions} waiting={transactions.isPending} />
        <RecentUsers rows={users.data?.users} waiting={users.isPending} />
      </div>
    </>
  )
}

/** Open disputes and their number. */
function DisputesLink({ live }: { live: number | undefined }) {
  return (
    <Link to="/admin/disputes" className={buttonClass("secondary", "flex-none whitespace-nowrap")}>
      Contestações
      {live !== undefined && live > 0 && <Waiting count={live} />}
    </Link>
  )
}

/** Payments that await a decision: an amber number next to the label once there are any. */
function UnmatchedPaymentsLink({ open }: { open: UnmatchedPaymentsSummary | undefined }) {
  return (
    <Link to="/admin/unmatched-payments" className={buttonClass("secondary", "flex-none whitespace-nowrap")}>
      Pagamentos a conferir
      {open !== undefined && open.count > 0 && <Waiting count={open.count} />}
    </Link>
  )
}

function Waiting({ count }: { count: number }) {
  return (
    <span className="rounded-full bg-amber-bg px-2.5 py-0.5 text-meta font-semibold text-amber tabular-nums">
      {formatCount(count)}
    </span>
  )
}
