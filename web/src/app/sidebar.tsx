import { useQuery } from "@tanstack/react-query"
import { Link, useRouterState } from "@tanstack/react-router"
import type { PendingCounts } from "@tilinta/contract/pending-counts"
import type { UserView } from "@tilinta/contract/users"
import { managers } from "@tilinta/contract/vocabulary/team"
import { countOfTab, pendingCountsQuery, type SectionTab, sections } from "#admin/sections.ts"
import { actingShopOf } from "#api/acting-shop.ts"
import { useMay, useUser } from "#api/session.ts"
import { FeeCard } from "#seller/fee/fee-card.tsx"
import { CountBadge } from "#ui/badge.tsx"
import { buttonClass } from "#ui/button.tsx"
import { Icon, type IconName, LogoMark } from "#ui/icon.tsx"
import { productName } from "#ui/page-title.tsx"
import { homePathOf, mayOpen } from "./places.ts"

export interface MenuEntry {
  to:
    | "/dashboard"
    | "/checkouts"
    | "/counter"
    | "/receivables"
    | "/subscriptions"
    | "/customers"
    | "/transactions"
    | "/withdrawals"
    | "/statement"
    | "/shop"
    | "/team"
    | "/developers"
    | "/admin"
    | SectionTab["to"]
  icon: IconName
  label: string
  /** Screens behind the entry, the one that it leads to among them. */
  tabs?: readonly SectionTab[]
}

/** The specification's six, in its words and order, and what came since. */
const adminEntries: readonly MenuEntry[] = [
  { to: "/admin", icon: "home", label: "Painel" },
  { to: "/admin/users", icon: "users", label: "Usuários" },
  { to: "/admin/transactions", icon: "exchange", label: "Transações", tabs: sections.transactions.tabs },
  { to: "/admin/withdrawals", icon: "bank", label: "Saques" },
  { to: "/admin/reports", icon: "chart", label: "Relatórios" },
  { to: "/admin/settings", icon: "gear", label: "Configurações" },
  { to: "/admin/unmatched-payments", icon: "alert", label: "Pendências", tabs: sections.pending.tabs },
  { to: "/admin/daily-closes", icon: "table", label: "Contabilidade", tabs: sections.books.tabs },
  { to: "/admin/system", icon: "pulse", label: "Sistema", tabs: sections.system.tabs },
]

const sellerEntries: readonly MenuEntry[] = [
  { to: "/dashboard", icon: "home", label: "Painel" },
  { to: "/checkouts", icon: "file", label: "Páginas de Cobrança" },
  { to: "/counter", icon: "till", label: "Balcão" },
  { to: "/receivables", icon: "calendar", label: "A receber" },
  { to: "/subscriptions", icon: "refresh", label: "Assinaturas" },
  { to: "/customers", icon: "users", label: "Clientes" },
  { to: "/transactions", icon: "exchange", label: "Transações" },
  { to: "/withdrawals", icon: "bank", label: "Saques" },
  { to: "/statement", icon: "table", label: "Extrato" },
  { to: "/shop", icon: "shop", label: "Minha loja" },
  { to: "/team", icon: "users", label: "Equipe" },
  { to: "/developers", icon: "code", label: "Integrações" },
]

function menuEntriesOf(user: UserView | null): readonly MenuEntry[] {
  if (user === null) return []
  if (user.role === "admin") return adminEntries
  const { role } = actingShopOf(user)
  return sellerEntries.filter(({ to }) => mayOpen(to, role))
}

/** Every screen that the menu leads to, for the search. */
export function menuScreensOf(user: UserView | null): readonly MenuEntry[] {
  return menuEntriesOf(user).flatMap((entry) =>
    entry.tabs === undefined ? [entry] : entry.tabs.map(({ to, icon, name }) => ({ to, icon, label: name })),
  )
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

/** Renders as a rail when its container is narrow. */
export function Sidebar() {
  const user = useUser()
  const isAdmin = user?.role === "admin"
  const isSeller = useMay(managers) && !isAdmin
  const entries = menuEntriesOf(user)
  const counts = useQuery({ ...pendingCountsQuery, enabled: isAdmin }).data
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
      {isSeller && (
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
              <EntryLink entry={entry} counts={counts} />
            </li>
          ))}
        </ul>
      </nav>
      {isSeller && (
        <div className="mt-auto @max-[120px]:hidden">
          <FeeCard />
        </div>
      )}
    </div>
  )
}

interface EntryLinkProps {
  entry: MenuEntry
  counts: PendingCounts | undefined
}

/** Leads to the first of its screens where something waits. */
function EntryLink({ entry: { to, icon, label, tabs = [] }, counts }: EntryLinkProps) {
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const waiting = tabs.find((tab) => countOfTab(tab, counts) > 0)
  const count = tabs.reduce((sum, tab) => sum + countOfTab(tab, counts), 0)
  return (
    <Link
      to={waiting?.to ?? to}
      title={label}
      aria-current={tabs.some((tab) => tab.to === path) ? "true" : undefined}
      activeOptions={{ includeSearch: false, exact: to === "/admin" }}
      className="group relative -my-[5px] flex min-h-11 items-center gap-3 rounded-m px-3 font-[550] text-t2 transition-colors hover:bg-s1 hover:text-t1 aria-[current]:bg-s2 aria-[current]:font-[650] aria-[current]:text-t1 @max-[120px]:justify-center @max-[120px]:px-0"
    >
      <Icon name={icon} className="size-5 group-aria-[current]:text-mint" />
      <span className="@max-[120px]:sr-only">{label}</span>
      <CountBadge count={count} className="ml-auto @max-[120px]:absolute @max-[120px]:top-1 @max-[120px]:right-1" />
    </Link>
  )
}
