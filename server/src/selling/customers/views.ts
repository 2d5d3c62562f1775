import type { CustomerView } from "@tilinta/contract/customers"
import { emptyAddress } from "@tilinta/contract/vocabulary/people"
import type { Customer } from "./rules.ts"

export function toCustomerView(customer: Customer): CustomerView {
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
    createdAt: customer.createdAt.toISOString(),
    updatedAt: customer.updatedAt.toISOString(),
  }
}
