import { queryOptions } from "@tanstack/react-query"
import * as heads from "@tilinta/contract/heads"
import type { InvoiceView } from "@tilinta/contract/invoices"
import type { InvoiceFilter } from "@tilinta/contract/vocabulary/invoices"
import { call } from "#api/client.ts"
import { listQuery } from "#api/queries.ts"
import { formatDay } from "#format/dates.ts"
import { formatReais } from "#format/money-text.ts"
import { customersKey, invoicesKey } from "#seller/seller-data.ts"

export const pageSize = 10

interface Tab {
  label: string
  /** Its word in the address; the first tab needs none. */
  word: string | undefined
  status: InvoiceFilter
  order: "newest" | "oldest"
  none: string
}

/** The next due comes first; of those over, the latest. */
export const tabs = [
  { label: "A vencer", word: undefined, status: "due", order: "oldest", none: "Nenhuma cobrança a vencer" },
  { label: "Vencidas", word: "overdue", status: "overdue", order: "newest", none: "Nenhuma cobrança vencida" },
  { label: "Pagas", word: "paid", status: "paid", order: "newest", none: "Nenhuma cobrança paga ainda" },
  { label: "Encerradas", word: "ended", status: "ended", order: "newest", none: "Nenhuma cobrança encerrada" },
] as const satisfies readonly Tab[]

interface InvoicesFilter {
  status: InvoiceFilter
  order: "newest" | "oldest"
  search: string | undefined
  customerId: string | undefined
}

export function invoicesQuery(page: number, filter: InvoicesFilter) {
  return listQuery({
    key: invoicesKey,
    page,
    filter,
    ask: (part, signal) => call(heads.listInvoices, { query: { ...part, limit: String(pageSize), ...filter }, signal }),
    rowsOf: ({ data }) => data.invoices,
  })
}

/** Today, as the server has it: the sandbox's days may be ahead. */
export const todayQuery = queryOptions({
  queryKey: [...invoicesKey, "today"],
  queryFn: async ({ signal }) => (await call(heads.listInvoices, { query: { limit: "1" }, signal })).data.summary.day,
})

export function invoiceQuery(id: string) {
  return queryOptions({
    queryKey: [...invoicesKey, "one", id],
    queryFn: async ({ signal }) => (await call(heads.getInvoice, { params: { id }, signal })).data,
  })
}

/** The first few customers, or those whom the words find. */
export function foundCustomersQuery(search: string) {
  return queryOptions({
    queryKey: [...customersKey, "found", search],
    queryFn: async ({ signal }) =>
      (await call(heads.listCustomers, { query: { search, limit: "6" }, signal })).data.customers,
  })
}

/** The amount to be paid, or that was. */
export function amountOf({ paid, today }: InvoiceView): number {
  return paid?.amount ?? today.amount
}

/** Opens WhatsApp with the words ready, to the customer where their number is known. */
export function whatsappLink(invoice: InvoiceView, shop: string): string {
  const { customer, link } = invoice
  const number = customer.phone === "" ? "" : `55${customer.phone}`
  const text = `Olá, ${customer.name}! ${dueSentence(invoice, shop)} Pague com Pix em ${link}`
  return `https://wa.me/${number}?text=${encodeURIComponent(text)}`
}

function dueSentence({ state, dueDate, today, description }: InvoiceView, shop: string): string {
  const from = shop && ` de ${shop}`
  const amount = formatReais(today.amount)
  const what = description && ` (${description})`
  const charge = `A sua cobrança${from}${what}`
  if (state === "overdue") return `${charge} venceu em ${formatDay(dueDate)}, e hoje está em ${amount}.`
  if (state === "due_today") return `${charge}, de ${amount}, vence hoje.`
  return `${charge}, de ${amount}, vence em ${formatDay(dueDate)}.`
}
