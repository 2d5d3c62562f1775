import type { CustomerView } from "@tilinta/contract/customers"
import { reaisFromCents } from "@tilinta/contract/vocabulary/money"
import { emptyAddress } from "@tilinta/contract/vocabulary/people"
import type { Debt } from "#selling/invoices/list-reads"
import type { Customer } from "./rules.ts"

export function toCustomerView(customer: Customer, { openCents, overdueCents }: Debt): CustomerView {
  return {
    _id: customer.id,
    name: customer.name,
    document: customer.document ?? "",
    email: customer.email ?? "",
    phone: customer.phone ?? "",
    address: { ...emptyAddress, ...customer.address },
    notes: customer.notes,
    externalReference: customer.externalReference,
    status: customer.archivedAt === null ? "active" : "archived",
    owed: { open: reaisFromCents(openCents), overdue: reaisFromCents(overdueCents) },
    createdAt: customer.createdAt.toISOString(),
    updatedAt: customer.updatedAt.toISOString(),
  }
}
