import { Link } from "@tanstack/react-router"
import { useUser } from "#api/session.ts"
import { buttonClass } from "#ui/button.tsx"
import { Icon } from "#ui/icon.tsx"
import { lazyPart } from "#ui/lazy-part.tsx"
import { LogoMark } from "#ui/logo.tsx"
import { productName } from "#ui/page-title.tsx"
import { homePathOf } from "./home-path.ts"
import { menuEntriesOf } from "./menu-entries.ts"

const ApprovalsCount = lazyPart(() =>
  import("#admin/approvals/approvals-count.tsx").then((module) => module.ApprovalsCount),
)

const OpenReportsCount = lazyPart(() =>
  import("#admin/page-reports/open-reports-count.tsx").then((module) => module.OpenReportsCount),
)

const FeeCard = lazyPart(() => import("#seller/fee/fee-card.tsx").then((module) => module.FeeCard))

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
