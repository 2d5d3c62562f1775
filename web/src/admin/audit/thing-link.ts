import type { LinkProps } from "@tanstack/react-router"
import type { AuditRecordView } from "@tilinta/contract/api/audit-records-endpoints"
import { isPartOfSystem } from "./record-words.ts"

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
