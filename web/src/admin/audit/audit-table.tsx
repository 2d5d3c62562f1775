import { type LinkProps } from "@tanstack/react-router"
import type { AuditRecordView } from "@tilinta/contract/audit-records"
import { auditActionLabels } from "@tilinta/contract/vocabulary/audit"
import { formatDateTime } from "#format/dates.ts"
import { useReais } from "#ui/amounts.tsx"
import { type Column, DataTable, DateCell, RowLink } from "#ui/data-table.tsx"
import { aboutText, actorName, fieldLabel, isPartOfSystem } from "./audit-words.ts"

interface ThingLink {
  label: string
  link: Pick<LinkProps, "to" | "search">
}

/** Links to the screens that show the record's subject. */
export function thingLinks({ entity, entityId, about }: AuditRecordView): ThingLink[] {
  const links: ThingLink[] = []
  const add = (label: string, to: NonNullable<LinkProps["to"]>, search: NonNullable<LinkProps["search"]>) =>
    links.push({ label, link: { to, search } })
  if (entity === "daily_close") add("Ver fechamento", "/admin/daily-closes", { close: entityId })
  if (entity === "withdrawal") add("Ver saque", "/admin/withdrawals", { withdrawal: entityId })
  if (entity === "setting") add("Ver configurações", "/admin/settings", {})
  if (entity === "unmatched_payment") add("Ver pagamento", "/admin/unmatched-payments", { payment: entityId })
  if (isPartOfSystem(entity)) add("Ver sistema", "/admin/system", {})
  if (entity === "dispute") add("Ver contestação", "/admin/disputes", { status: "all", dispute: entityId })
  if (entity === "charge_page") add("Ver página", "/admin/checkout-pages", { checkout: entityId })
  if (about.transactionId !== null) add("Ver transação", "/admin/transactions", { transaction: about.transactionId })
  if (about.user !== null) add("Ver usuário", "/admin/users", { user: about.user._id })
  return links
}

const columns: readonly Column<AuditRecordView>[] = [
  { header: "Quando", area: "date", cell: (row) => <DateCell text={formatDateTime(row.happenedAt)} /> },
  { header: "O que aconteceu", area: "title", cell: (row) => <ActionCell record={row} /> },
  { header: "O que mudou", area: "none", cell: (row) => <ChangedCell record={row} /> },
  { header: "Quem fez", area: "status", cell: (row) => <ActorCell record={row} /> },
]

export function AuditTable({ rows, dimmed }: { rows: readonly AuditRecordView[]; dimmed: boolean }) {
  return <DataTable caption="Auditoria" columns={columns} rows={rows} dimmed={dimmed} wide />
}

function ActionCell({ record }: { record: AuditRecordView }) {
  const reais = useReais()
  return (
    <RowLink
      from="/admin/audit"
      to="/admin/audit"
      search={(old) => ({ ...old, record: record._id })}
      aria-haspopup="dialog"
      text={auditActionLabels[record.action]}
      note={aboutText(record, reais)}
    />
  )
}

const shownFields = 3

function ChangedCell({ record }: { record: AuditRecordView }) {
  const fields = record.changes.map(({ field }) => fieldLabel(field))
  const rest = fields.length - shownFields
  return (
    <span className="block w-56 truncate text-t2">
      {fields.length === 0 ? "–" : fields.slice(0, shownFields).join(", ")}
      {rest > 0 && ` e mais ${rest}`}
    </span>
  )
}

/** A phone's card names a person once, also where the act is about its actor. */
function ActorCell({ record }: { record: AuditRecordView }) {
  const name = actorName(record)
  const isAboutActor = aboutText(record, useReais()) === name
  return (
    <span className={`block w-48 cards:w-auto cards:max-w-44 ${isAboutActor ? "cards:hidden" : ""}`}>
      <span className="block truncate text-t2 cards:text-meta">{name}</span>
      {record.actor !== null && (
        <span className="block truncate text-meta text-t3 cards:hidden">{record.actor.email}</span>
      )}
    </span>
  )
}
