import type { AutomaticView } from "@tilinta/contract/mandates"
import type { SubscriptionView } from "@tilinta/contract/subscriptions"
import { debitStatusLabels, mandateStatusLabels } from "@tilinta/contract/vocabulary/mandates"
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

type Row = SubscriptionView & { automatic: AutomaticView | undefined }

const columns: readonly Column<Row>[] = [
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

/** A quiet line of its authorisation, for sellers who may ask for one. */
const automaticColumn: Column<Row> = {
  header: "Pix Automático",
  area: "extra",
  cell: ({ automatic }) =>
    automatic === undefined ? null : (
      <span className="block w-44 cards:w-auto text-[12.5px] text-pretty text-t3 tabular-nums">
        <span className="hidden cards:inline">Pix Automático: </span>
        {automaticText(automatic)}
      </span>
    ),
}

/** 'Ativa · próximo débito 10/01/2027 · último: pago' */
function automaticText({ mandate, nextDebitDate, lastDebit }: AutomaticView): string {
  const state = mandate.restsFor === null ? mandateStatusLabels[mandate.status] : "Parada"
  const next = nextDebitDate === null ? "" : `próximo débito ${formatDay(nextDebitDate)}`
  const last = lastDebit === null ? "" : `último: ${debitStatusLabels[lastDebit.status].toLowerCase()}`
  return [state, next, last].filter(Boolean).join(" · ")
}

const columnsWithAutomatic = columns.toSpliced(3, 0, automaticColumn)

interface Props {
  rows: readonly SubscriptionView[]
  /** Null for sellers who may not use Pix Automático. */
  automatic: readonly AutomaticView[] | null
  dimmed: boolean
}

export function SubscriptionTable({ rows, automatic, dimmed }: Props) {
  const byId = new Map(automatic?.map((each) => [each.mandate.subscriptionId, each]))
  return (
    <DataTable
      caption="Assinaturas"
      columns={automatic === null ? columns : columnsWithAutomatic}
      rows={rows.map((row) => ({ ...row, automatic: byId.get(row._id) }))}
      dimmed={dimmed}
    />
  )
}
