import { queryOptions } from "@tanstack/react-query"
import * as heads from "@tilinta/contract/heads"
import type { InvoiceView } from "@tilinta/contract/invoices"
import type { InvoiceFilter } from "@tilinta/contract/vocabulary/invoices"
import { isOpenInvoice } from "@tilinta/contract/vocabulary/invoices"
import { erasedDataLabel } from "@tilinta/contract/vocabulary/payer-data"
import { call } from "#api/client.ts"
import { listQuery } from "#api/queries.ts"
import { type DayRange, formatDay, rangeOfPeriod } from "#format/dates.ts"
import { addDays, type PeriodWord } from "#format/days.ts"
import { formatReais } from "#format/money-text.ts"
import { customersKey, invoicesKey } from "#seller/seller-data.ts"
import type { Periods } from "#ui/period-filter.tsx"

export const pageSize = 10

/** The words of days ahead are those of days past, read the other way; a month is whole, since due days are of both. */
function dueRangeOf(word: PeriodWord, today: string, isAhead: boolean): DayRange {
  if (word === "month") {
    const monthStart = `${today.slice(0, 8)}01`
    return { dateFrom: monthStart, dateTo: addDays(`${addDays(monthStart, 31).slice(0, 8)}01`, -1) }
  }
  if (!isAhead || (word !== "7d" && word !== "30d")) return rangeOfPeriod(word, today)
  return { dateFrom: today, dateTo: addDays(today, word === "7d" ? 6 : 29) }
}

const ofDueDay = { label: "Vencimento", none: "Qualquer data" } as const

const ahead: Periods = {
  ...ofDueDay,
  options: [
    { word: "today", label: "Hoje" },
    { word: "7d", label: "Próximos 7 dias" },
    { word: "30d", label: "Próximos 30 dias" },
    { word: "month", label: "Este mês" },
  ],
  rangeOf: (word, today) => dueRangeOf(word, today, true),
}

const past: Periods = {
  ...ofDueDay,
  options: [
    { word: "yesterday", label: "Ontem" },
    { word: "7d", label: "Últimos 7 dias" },
    { word: "30d", label: "Últimos 30 dias" },
    { word: "month", label: "Este mês" },
    { word: "last-month", label: "Mês passado" },
  ],
  rangeOf: (word, today) => dueRangeOf(word, today, false),
}

interface Tab {
  label: string
  /** Its word in the address; the first tab needs none. */
  word: string | undefined
  status: InvoiceFilter
  order: "newest" | "oldest"
  periods: Periods
  none: string
}

/** Invoices due next come first; of those that are over, the latest. */
export const tabs = [
  {
    label: "A vencer",
    word: undefined,
    status: "due",
    order: "oldest",
    periods: ahead,
    none: "Nenhuma cobrança a vencer",
  },
  {
    label: "Vencidas",
    word: "overdue",
    status: "overdue",
    order: "newest",
    periods: past,
    none: "Nenhuma cobrança vencida",
  },
  {
    label: "Pagas",
    word: "paid",
    status: "paid",
    order: "newest",
    periods: past,
    none: "Nenhuma cobrança paga ainda",
  },
  {
    label: "Encerradas",
    word: "ended",
    status: "ended",
    order: "newest",
    periods: past,
    none: "Nenhuma cobrança encerrada",
  },
] as const satisfies readonly Tab[]

interface InvoicesFilter {
  status: InvoiceFilter
  search: string | undefined
  customerId: string | undefined
  dueFrom: string | undefined
  dueTo: string | undefined
}

export function invoicesQuery(page: number, filter: InvoicesFilter & { order: "newest" | "oldest" }) {
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
  queryFn: async ({ signal }) => (await call(heads.listInvoices, { query: { limit: "1" }, signal })).data,
  select: ({ summary }) => summary.day,
})

/** Whether the bank gives an invoice one code for its whole life. */
export const hasBankCodesQuery = queryOptions({ ...todayQuery, select: ({ modes }) => modes.includes("bank") })

export function invoiceQuery(id: string) {
  return queryOptions({
    queryKey: [...invoicesKey, "one", id],
    queryFn: async ({ signal }) => (await call(heads.getInvoice, { params: { id }, signal })).data,
  })
}

/** The first few customers, or those whom the words find. */
export function foundCustomersQuery(search: string, limit: number) {
  return queryOptions({
    queryKey: [...customersKey, "found", search, limit],
    queryFn: async ({ signal }) =>
      (await call(heads.listCustomers, { query: { search, limit: String(limit) }, signal })).data.customers,
  })
}

/** The customer's name, or why there is none. */
export function customerNameOf({ customer }: Pick<InvoiceView, "customer">): string {
  return customer.name || erasedDataLabel
}

/** The amount to be paid, or that was; of one that is over, what it was made for. */
export function amountOf({ amount, paid, status, today }: InvoiceView): number {
  return paid?.amount ?? (isOpenInvoice(status) ? today.amount : amount)
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
