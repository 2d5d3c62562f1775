import type { SubscriptionView } from "@tilinta/contract/subscriptions"
import { subscriptionPeriodLabels, subscriptionStatusLabels } from "@tilinta/contract/vocabulary/subscriptions"
import { formatDay } from "#format/dates.ts"
import { Badge, type BadgeTone } from "#ui/badge.tsx"
import { type Column, DataTable, DateCell, RowLink } from "#ui/data-table.tsx"
import { amountColumn } from "#ui/table-columns.tsx"

const tones = {
  active: "success",
  past_due: "danger",
  paused: "warning",
  completed: "secondary",
  cancelled: "secondary",
} as const satisfies Record<SubscriptionView["status"], BadgeTone>

export function SubscriptionBadge({ status }: Pick<SubscriptionView, "status">) {
  return <Badge tone={tones[status]}>{subscriptionStatusLabels[status]}</Badge>
}

const columns: readonly Column<SubscriptionView>[] = [
  {
    header: "Cliente",
    area: "title",
    cell: ({ _id, customer, title }) => (
      <RowLink to="/subscriptions/$id" params={{ id: _id }} text={customer.name} note={title} />
    ),
  },
  {
    header: "Próximo vencimento",
    area: "date",
    cell: ({ nextDueDate }) => <DateCell text={nextDueDate === null ? "—" : formatDay(nextDueDate)} />,
  },
  {
    header: "Período",
    area: "none",
    cell: ({ period }) => <span className="whitespace-nowrap text-t2">{subscriptionPeriodLabels[period]}</span>,
  },
  amountColumn("Valor", ({ amount }) => amount),
  { header: "Status", area: "status", cell: ({ status }) => <SubscriptionBadge status={status} /> },
]

export function SubscriptionTable({ rows, dimmed }: { rows: readonly SubscriptionView[]; dimmed: boolean }) {
  return <DataTable caption="Assinaturas" columns={columns} rows={rows} dimmed={dimmed} />
}
