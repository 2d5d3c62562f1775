import { Link } from "@tanstack/react-router"
import type { AdminChargePageView } from "@tilinta/contract/api/admin-charge-pages-endpoints"
import { isPayablePage } from "@tilinta/contract/vocabulary/charge-page-status"
import { formatDateTime } from "#format/date.ts"
import { ChargePageBadge } from "#ui/charge-page-badge.tsx"
import { type Column, DataTable } from "#ui/data-table.tsx"
import { DateCell } from "#ui/date-cell.tsx"
import { Icon } from "#ui/icon.tsx"
import { iconButtonClass } from "#ui/icon-button.tsx"
import { Reais } from "#ui/shown-amounts.ts"

const columns: readonly Column<AdminChargePageView>[] = [
  {
    header: "Título",
    area: "title",
    cell: ({ _id, title, description }) => (
      <Link
        from="/admin/checkout-pages"
        to="/admin/checkout-pages"
        search={(old) => ({ ...old, checkout: _id })}
        aria-haspopup="dialog"
        className="group block min-w-0"
      >
        <b className="block truncate font-semibold underline-offset-4 group-hover:underline">{title}</b>
        {description !== "" && <span className="block truncate text-meta text-t3">{description}</span>}
      </Link>
    ),
  },
  { header: "Vendedor", area: "extra", cell: ({ user }) => <Seller {...user} /> },
  {
    header: "Valor",
    area: "amount",
    end: true,
    cell: ({ amount }) => (
      <b className="font-semibold whitespace-nowrap tabular-nums">
        <Reais>{amount}</Reais>
      </b>
    ),
  },
  { header: "Status", area: "status", cell: ({ status }) => <ChargePageBadge status={status} /> },
  { header: "Criada em", area: "date", cell: ({ createdAt }) => <DateCell text={formatDateTime(createdAt)} /> },
  {
    header: "Ações",
    area: "actions",
    end: true,
    cell: ({ title, uniqueLink, status }) =>
      isPayablePage(status) && (
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
  return (
    <DataTable
      caption="Páginas de cobrança"
      columns={columns}
      rows={rows}
      rowKey={({ _id }) => _id}
      dimmed={dimmed}
      wide
    />
  )
}

function Seller({ _id, name, email }: AdminChargePageView["user"]) {
  return (
    <Link
      to="/admin/users"
      search={{ user: _id }}
      title={email}
      className="block max-w-44 truncate text-t2 underline-offset-4 hover:underline cards:max-w-none cards:text-meta"
    >
      {name}
    </Link>
  )
}
