import { Link } from "@tanstack/react-router"
import type { AdminChargePageView } from "@tilinta/contract/admin-charge-pages"
import { isPayablePage } from "@tilinta/contract/vocabulary/charge-pages"
import { formatDateTime } from "#format/dates.ts"
import { ChargePageBadge, orderNote, pageAmountColumn } from "#parts/charge-pages/charge-page-parts.tsx"
import { iconButtonClass } from "#ui/button.tsx"
import { type Column, DataTable, DateCell, RowLink } from "#ui/data-table.tsx"
import { Icon } from "#ui/icon.tsx"

const columns: readonly Column<AdminChargePageView>[] = [
  {
    header: "Título",
    area: "title",
    cell: (page) => (
      <RowLink
        from="/admin/checkout-pages"
        to="/admin/checkout-pages"
        search={(old) => ({ ...old, checkout: page._id })}
        aria-haspopup="dialog"
        text={page.title}
        note={
          <>
            <span className="cards:hidden">{orderNote(page) ?? page.description}</span>
            <span className="hidden cards:inline">
              {[page.user.name, orderNote(page)].filter((part) => part !== null).join(" · ")}
            </span>
          </>
        }
      />
    ),
  },
  { header: "Vendedor", area: "none", cell: ({ user }) => <Seller {...user} /> },
  pageAmountColumn(),
  {
    header: "Status",
    area: "status",
    cell: ({ status, suspendedAt }) => <ChargePageBadge status={status} isSuspended={suspendedAt !== null} />,
  },
  { header: "Criada em", area: "date", cell: ({ createdAt }) => <DateCell text={formatDateTime(createdAt)} /> },
  {
    header: "Ações",
    area: "menu",
    end: true,
    cell: ({ title, uniqueLink, status, suspendedAt }) =>
      isPayablePage(status) &&
      suspendedAt === null && (
        <a
          href={`/checkout/${uniqueLink}`}
          target="_blank"
          rel="noreferrer"
          aria-label={`Abrir ${title} em nova aba`}
          title="Abrir em nova aba"
          className={iconButtonClass}
        >
          <Icon name="open" />
        </a>
      ),
  },
]

export function ChargePageTable({ rows, dimmed }: { rows: readonly AdminChargePageView[]; dimmed: boolean }) {
  return <DataTable caption="Páginas de cobrança" columns={columns} rows={rows} dimmed={dimmed} wide />
}

function Seller({ _id, name, email }: AdminChargePageView["user"]) {
  return (
    <Link
      to="/admin/users"
      search={{ user: _id }}
      title={email}
      className="flex min-h-11 max-w-44 items-center text-t2 underline-offset-4 hover:underline"
    >
      <span className="truncate">{name}</span>
    </Link>
  )
}
