import { queryOptions } from "@tanstack/react-query"
import type { CreateCustomerBody, CustomerImport, CustomerView, UpdateCustomerBody } from "@tilinta/contract/customers"
import * as heads from "@tilinta/contract/heads"
import { type CustomerStatus, IMPORT_MAX_BYTES } from "@tilinta/contract/vocabulary/customers"
import { ApiError } from "#api/api-error.ts"
import { call } from "#api/client.ts"
import { listQuery } from "#api/queries.ts"
import { customersKey, invoicesKey } from "#seller/seller-data.ts"

export const pageSize = 20

interface CustomersFilter {
  status: CustomerStatus | undefined
  search: string | undefined
}

export function customersQuery(page: number, filter: CustomersFilter) {
  return listQuery({
    key: customersKey,
    page,
    filter,
    ask: (part, signal) =>
      call(heads.listCustomers, { query: { ...part, limit: String(pageSize), ...filter }, signal }),
    rowsOf: ({ data }) => data.customers,
  })
}

export function customerQuery(id: string) {
  return queryOptions({
    queryKey: [...customersKey, "one", id],
    queryFn: async ({ signal }) => (await call(heads.getCustomer, { params: { id }, signal })).data.customer,
  })
}

export async function createCustomer(body: CreateCustomerBody, idempotencyKey: string): Promise<CustomerView> {
  return (await call(heads.createCustomer, { body, headers: { "Idempotency-Key": idempotencyKey } })).data.customer
}

export async function updateCustomer(id: string, body: UpdateCustomerBody): Promise<CustomerView> {
  return (await call(heads.updateCustomer, { params: { id }, body })).data.customer
}

/** Without `dryRun` the file's customers are entered. */
export async function importCustomers(file: File, dryRun: boolean): Promise<CustomerImport> {
  if (file.size > IMPORT_MAX_BYTES) {
    throw new ApiError(413, "payload_too_large", "O arquivo tem mais de 2 MB. Divida-o em partes.")
  }
  // Windows calls CSV a workbook, phones nothing at all.
  const body = new Blob([file], { type: "text/csv" })
  return (await call(heads.importCustomers, { query: { dryRun: dryRun ? "true" : "false" }, body })).data
}

const MOST_INVOICES = 10

/** The open ones, first what has been due for the longest; then the latest of the others. */
export function customerInvoicesQuery(customerId: string) {
  return queryOptions({
    queryKey: [...invoicesKey, "of", customerId],
    queryFn: async ({ signal }) => {
      const query = { customerId, limit: String(MOST_INVOICES) }
      const [open, paid, ended] = await Promise.all([
        call(heads.listInvoices, { query: { ...query, status: "open", order: "oldest" }, signal }),
        call(heads.listInvoices, { query: { ...query, status: "paid" }, signal }),
        call(heads.listInvoices, { query: { ...query, status: "ended" }, signal }),
      ])
      const others = [...paid.data.invoices, ...ended.data.invoices]
      const latest = others.toSorted((a, b) => b.dueDate.localeCompare(a.dueDate)).slice(0, MOST_INVOICES)
      return [...open.data.invoices, ...latest]
    },
  })
}

/** Opens WhatsApp with a greeting; null without a phone. */
export function greetingLink({ name, phone }: CustomerView, shop: string): string | null {
  if (phone === "") return null
  const [firstName = name] = name.split(" ")
  const text = `Olá, ${firstName}!${shop === "" ? "" : ` Aqui é ${shop}.`}`
  return `https://wa.me/55${phone}?text=${encodeURIComponent(text)}`
}
