import { queryOptions, useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import * as heads from "@tilinta/contract/heads"
import type { UnmatchedPaymentsSummary } from "@tilinta/contract/unmatched-payments"
import { adminTexts } from "#admin/admin-texts.ts"
import { usersKey } from "#admin/users/users-data.ts"
import { call } from "#api/client.ts"
import { formatCount } from "#format/money-text.ts"
import { shownRows } from "#parts/transactions/recent-transactions.tsx"
import { buttonClass } from "#ui/button.tsx"
import { QueryFailure, together } from "#ui/card.tsx"
import { PageTitle } from "#ui/page-title.tsx"
import { DashboardCards } from "./dashboard-cards.tsx"
import { RecentOfAll, RecentUsers } from "./recent-cards.tsx"

export const dashboardQuery = queryOptions({
  queryKey: ["admin", "dashboard"],
  queryFn: async ({ signal }) => (await call(heads.dashboardReport, { signal })).data,
})

export const recentTransactionsQuery = queryOptions({
  queryKey: ["admin", "transactions", "recent"],
  queryFn: async ({ signal }) => (await call(heads.listAllTransactions, { query: { limit: "10" }, signal })).data,
})

export const recentUsersQuery = queryOptions({
  queryKey: [...usersKey, "recent"],
  queryFn: async ({ signal }) => (await call(heads.listUsers, { query: { limit: String(shownRows) }, signal })).data,
})

export const openUnmatchedPaymentsQuery = queryOptions({
  queryKey: ["admin", "unmatched-payments", "open"],
  queryFn: async ({ signal }) =>
    (await call(heads.listUnmatchedPayments, { query: { limit: "1" }, signal })).data.summary,
})

export const liveDisputesQuery = queryOptions({
  queryKey: ["admin", "disputes", "live"],
  queryFn: async ({ signal }) => (await call(heads.listAllDisputes, { query: { limit: "1" }, signal })).results,
})

const refresh = { refetchInterval: 15_000 }

export function DashboardPage() {
  const report = useQuery({ ...dashboardQuery, ...refresh })
  const transactions = useQuery({ ...recentTransactionsQuery, ...refresh })
  const users = useQuery({ ...recentUsersQuery, ...refresh })
  const unmatchedPayments = useQuery({ ...openUnmatchedPaymentsQuery, ...refresh })

  const disputes = useQuery({ ...liveDisputesQuery, ...refresh })

  const parts = [report, transactions, users, unmatchedPayments, disputes]
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
      <QueryFailure query={together(parts)} failed={adminTexts.dashboardFailed} />
      <DashboardCards
        report={report.data}
        approved={transactions.data?.summary?.approvedCount}
        users={users.data?.summary}
        waiting={parts.some((part) => part.isPending)}
      />
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 xl:grid-cols-[minmax(0,1.62fr)_minmax(0,1fr)]">
        <RecentOfAll rows={transactions.data?.transactions} waiting={transactions.isPending} />
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
