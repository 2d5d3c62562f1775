import { queryOptions, useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import * as heads from "@tilinta/contract/heads"
import { adminTexts } from "#admin/admin-texts.ts"
import { countOfTab, pendingCountsQuery, sections } from "#admin/sections.ts"
import { usersKey } from "#admin/users/users-data.ts"
import { call } from "#api/client.ts"
import { shownRows } from "#parts/transactions/recent-transactions.tsx"
import { CountBadge } from "#ui/badge.tsx"
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

const refresh = { refetchInterval: 15_000 }

export function DashboardPage() {
  const report = useQuery({ ...dashboardQuery, ...refresh })
  const transactions = useQuery({ ...recentTransactionsQuery, ...refresh })
  const users = useQuery({ ...recentUsersQuery, ...refresh })

  const parts = [report, transactions, users]
  return (
    <>
      <div className="mb-1 flex items-end justify-between gap-5 max-md:flex-col max-md:items-stretch">
        <div className="min-w-0">
          <PageTitle title="Painel da administração" documentTitle="Painel" />
          <p className="mt-1 text-t2">Tudo o que acontece na plataforma, de todos os vendedores.</p>
        </div>
        <PendingLinks />
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

/** The queues where something waits for the person who looks; nothing while they are all empty. */
function PendingLinks() {
  const { data: counts } = useQuery(pendingCountsQuery)
  const waiting = [...sections.pending.tabs, ...sections.books.tabs].filter((tab) => countOfTab(tab, counts) > 0)
  if (waiting.length === 0) return null
  return (
    <nav aria-label={sections.pending.name} className="flex flex-wrap gap-2 max-md:*:flex-auto md:justify-end md:gap-3">
      {waiting.map((tab) => (
        <Link
          key={tab.to}
          to={tab.to}
          className={buttonClass("secondary", "whitespace-nowrap max-md:px-3 max-md:text-label")}
        >
          {tab.name}
          <CountBadge count={countOfTab(tab, counts)} />
        </Link>
      ))}
    </nav>
  )
}
