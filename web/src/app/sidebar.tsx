import { Link } from "@tanstack/react-router"
import type { UserView } from "@tilinta/contract/users"
import { useUser } from "#api/session.ts"
import { FeeCard } from "#seller/fee/fee-card.tsx"
import { buttonClass } from "#ui/button.tsx"
import { Icon, type IconName, LogoMark } from "#ui/icon.tsx"
import { lazyPart } from "#ui/lazy-part.tsx"
import { productName } from "#ui/page-title.tsx"
import { homePathOf } from "./screen-states.tsx"

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

type MenuWidth = "auto" | "full" | "rail"

const storageKey = "menu"
const railPx = 80

export function readMenuWidth(): MenuWidth {
  try {
    const stored = localStorage.getItem(storageKey)
    return stored === "full" || stored === "rail" ? stored : "auto"
  } catch {
    return "auto"
  }
}

export function storeMenuWidth(width: MenuWidth): void {
  try {
    localStorage.setItem(storageKey, width)
  } catch {}
}

/** Toggles from the width on the screen, because before a first choice the viewport alone decides. */
export function nextMenuWidth(shownPx: number): MenuWidth {
  return shownPx > railPx ? "rail" : "full"
}

const ApprovalsCount = lazyPart(() => import("#admin/menu-counts.tsx"), "ApprovalsCount")

const OpenReportsCount = lazyPart(() => import("#admin/menu-counts.tsx"), "OpenReportsCount")

/** Renders as a rail when its container is narrow. */
export function Sidebar() {
  const user = useUser()
  const isAdmin = user?.role === "admin"
  const entries = menuEntriesOf(user)
  return (
    <div className="flex h-full flex-col gap-[22px] overflow-y-auto px-4 pt-[22px] pb-[18px] @max-[120px]:px-3.5">
      <Link
        to={homePathOf(user)}
        aria-label={`${productName}, início`}
        className="-my-[5px] flex min-h-11 items-center gap-[11px] rounded-m px-2 text-[20px] font-[750] tracking-[-0.025em] @max-[120px]:justify-center @max-[120px]:px-0"
      >
        <LogoMark />
        <span className="@max-[120px]:sr-only">{productName}</span>
      </Link>
      {!isAdmin && (
        <Link
          to="/checkouts/create"
          title="Nova Cobrança"
          className={buttonClass("secondary", "w-full @max-[120px]:px-0")}
        >
          <Icon name="plus" className="size-5 stroke-[2.1]" />
          <span className="@max-[120px]:sr-only">Nova Cobrança</span>
        </Link>
      )}
      <nav aria-label="Principal">
        <ul className="grid gap-[3px]">
          {entries.map((entry) => (
            <li key={entry.label}>
              <Link
                to={entry.to}
                title={entry.label}
                activeOptions={{ includeSearch: false, exact: entry.to === "/admin" }}
                className="group relative -my-[5px] flex min-h-11 items-center gap-3 rounded-m px-3 font-[550] text-t2 transition-colors hover:bg-s1 hover:text-t1 aria-[current]:bg-s2 aria-[current]:font-[650] aria-[current]:text-t1 @max-[120px]:justify-center @max-[120px]:px-0"
              >
                <Icon name={entry.icon} className="size-5 group-aria-[current]:text-mint" />
                <span className="@max-[120px]:sr-only">{entry.label}</span>
                {entry.to === "/admin/approvals" && <ApprovalsCount />}
                {entry.to === "/admin/page-reports" && <OpenReportsCount />}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      {!isAdmin && (
        <div className="mt-auto @max-[120px]:hidden">
          <FeeCard />
        </div>
      )}
    </div>
  )
}
