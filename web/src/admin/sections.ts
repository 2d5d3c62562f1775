import { queryOptions } from "@tanstack/react-query"
import type { LinkProps } from "@tanstack/react-router"
import * as heads from "@tilinta/contract/heads"
import type { PendingCounts } from "@tilinta/contract/pending-counts"
import { call } from "#api/client.ts"
import type { IconName } from "#ui/icon.tsx"

export interface SectionTab {
  to: Extract<NonNullable<LinkProps["to"]>, `/admin/${string}`>
  label: string
  /** The screen's name where its section isn't in sight. */
  name: string
  icon: IconName
  /** The count of what waits there. */
  queue?: keyof PendingCounts
}

export interface Section {
  name: string
  tabs: readonly SectionTab[]
  /** A tab where nothing waits is one step away. */
  foldsEmpty?: boolean
}

/** Screens that share an entry of the menu. */
export const sections = {
  transactions: {
    name: "Transações",
    tabs: [
      { to: "/admin/transactions", label: "Transações", name: "Transações", icon: "exchange" },
      { to: "/admin/checkout-pages", label: "Páginas", name: "Páginas de Cobrança", icon: "file" },
      { to: "/admin/invoices", label: "Vencimentos", name: "Cobranças com vencimento", icon: "calendar" },
    ],
  },
  pending: {
    name: "Pendências",
    foldsEmpty: true,
    tabs: [
      {
        to: "/admin/unmatched-payments",
        label: "Conferir",
        name: "Pagamentos a conferir",
        icon: "alert",
        queue: "unmatchedPayments",
      },
      { to: "/admin/disputes", label: "Contestações", name: "Contestações", icon: "flag", queue: "disputes" },
      { to: "/admin/page-reports", label: "Denúncias", name: "Denúncias", icon: "ban", queue: "pageReports" },
      { to: "/admin/approvals", label: "Aprovações", name: "Aprovações", icon: "check", queue: "approvals" },
    ],
  },
  books: {
    name: "Contabilidade",
    tabs: [
      { to: "/admin/daily-closes", label: "Fechamento", name: "Fechamento diário", icon: "calendar" },
      { to: "/admin/accounts", label: "Contas", name: "Contas", icon: "table" },
      { to: "/admin/journal", label: "Lançamentos", name: "Lançamentos", icon: "edit", queue: "manualEntries" },
    ],
  },
  system: {
    name: "Sistema",
    tabs: [
      { to: "/admin/system", label: "Estado", name: "Sistema", icon: "pulse" },
      { to: "/admin/audit", label: "Auditoria", name: "Auditoria", icon: "history" },
    ],
  },
} as const satisfies Record<string, Section>

/** Asked for once by the menu; every screen that shows what waits reads the same answer. */
export const pendingCountsQuery = queryOptions({
  queryKey: ["admin", "pending-counts"],
  queryFn: async ({ signal }) => (await call(heads.getPendingCounts, { signal })).data,
  refetchInterval: 30_000,
})

export function countOfTab({ queue }: SectionTab, counts: PendingCounts | undefined): number {
  return (queue && counts?.[queue]) ?? 0
}
