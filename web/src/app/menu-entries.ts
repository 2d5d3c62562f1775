import type { UserView } from "@tilinta/contract/api/users-endpoints"
import type { IconName } from "#ui/icon.tsx"

export interface MenuEntry {
  to:
    | "/dashboard"
    | "/checkouts"
    | "/transactions"
    | "/withdrawals"
    | "/statement"
    | "/developers"
    | "/admin"
    | "/admin/users"
    | "/admin/transactions"
    | "/admin/checkout-pages"
    | "/admin/unmatched-payments"
    | "/admin/disputes"
    | "/admin/page-reports"
    | "/admin/daily-closes"
    | "/admin/accounts"
    | "/admin/journal"
    | "/admin/withdrawals"
    | "/admin/approvals"
    | "/admin/reports"
    | "/admin/audit"
    | "/admin/system"
    | "/admin/settings"
  icon: IconName
  label: string
}

const adminEntries: readonly MenuEntry[] = [
  { to: "/admin", icon: "home", label: "Painel" },
  { to: "/admin/users", icon: "users", label: "Usuários" },
  { to: "/admin/checkout-pages", icon: "file", label: "Páginas" },
  { to: "/admin/transactions", icon: "exchange", label: "Transações" },
  { to: "/admin/withdrawals", icon: "bank", label: "Saques" },
  { to: "/admin/approvals", icon: "check", label: "Aprovações" },
  { to: "/admin/unmatched-payments", icon: "alert", label: "Pagamentos a conferir" },
  { to: "/admin/disputes", icon: "flag", label: "Contestações" },
  { to: "/admin/page-reports", icon: "ban", label: "Denúncias" },
  { to: "/admin/daily-closes", icon: "calendar", label: "Fechamento diário" },
  { to: "/admin/accounts", icon: "table", label: "Contas" },
  { to: "/admin/journal", icon: "edit", label: "Lançamentos" },
  { to: "/admin/reports", icon: "chart", label: "Relatórios" },
  { to: "/admin/audit", icon: "history", label: "Auditoria" },
  { to: "/admin/system", icon: "pulse", label: "Sistema" },
  { to: "/admin/settings", icon: "gear", label: "Configurações" },
]

const sellerEntries: readonly MenuEntry[] = [
  { to: "/dashboard", icon: "home", label: "Painel" },
  { to: "/checkouts", icon: "file", label: "Páginas de Cobrança" },
  { to: "/transactions", icon: "exchange", label: "Transações" },
  { to: "/withdrawals", icon: "bank", label: "Saques" },
  { to: "/statement", icon: "table", label: "Extrato" },
  { to: "/developers", icon: "code", label: "Integrações" },
]

/** Screens that the menu and the search offer to the signed-in user. */
export function menuEntriesOf(user: Pick<UserView, "role"> | null): readonly MenuEntry[] {
  return user?.role === "admin" ? adminEntries : sellerEntries
}
