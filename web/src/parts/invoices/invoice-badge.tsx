import type { InvoiceView } from "@tilinta/contract/invoices"
import { invoiceStateLabels } from "@tilinta/contract/vocabulary/invoices"
import { Badge, type BadgeTone } from "#ui/badge.tsx"

const tones = {
  due: "primary",
  due_today: "warning",
  overdue: "danger",
  paid: "success",
  paid_late: "success",
  refunded: "secondary",
  expired: "secondary",
  cancelled: "secondary",
  settled_outside: "secondary",
} as const satisfies Record<InvoiceView["state"], BadgeTone>

export function InvoiceBadge({ state }: Pick<InvoiceView, "state">) {
  return <Badge tone={tones[state]}>{invoiceStateLabels[state]}</Badge>
}
