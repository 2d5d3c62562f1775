import { useQuery } from "@tanstack/react-query"
import { getRouteApi, Link } from "@tanstack/react-router"
import * as heads from "@tilinta/contract/heads"
import type { listInvoicesEndpoint } from "@tilinta/contract/invoices"
import { managers } from "@tilinta/contract/vocabulary/team"
import { useCallback } from "react"
import type { ReplyOf } from "#api/client.ts"
import { daysOf, formatDay, saoPauloDay } from "#format/dates.ts"
import type { Period } from "#format/days.ts"
import { useRefreshMs } from "#seller/live/live-store.ts"
import * as sellerTexts from "#seller/seller-texts.ts"
import { useReais } from "#ui/amounts.tsx"
import { Button, buttonClass } from "#ui/button.tsx"
import { ExportButton } from "#ui/export-button.tsx"
import { Icon } from "#ui/icon.tsx"
import { lazyDialog } from "#ui/lazy-part.tsx"
import { FilterBar, SearchInput } from "#ui/list-filters.tsx"
import { ListScreen, NoRows, useListPage } from "#ui/list-screen.tsx"
import { hasPeriod, noPeriod, wordOf } from "#ui/list-search.ts"
import { Only } from "#ui/only.tsx"
import { PeriodFilter, type Periods } from "#ui/period-filter.tsx"
import { Tabs } from "#ui/tabs.tsx"
import { InvoiceTable } from "./invoice-table.tsx"
import { customerNameOf, invoicesQuery, pageSize, tabs, todayQuery } from "./receivables-data.ts"
import { todaysQuery } from "./reminders-data.ts"

const InvoiceDialog = lazyDialog(() => import("./invoice-dialog.tsx"), "InvoiceDialog")

const route = getRouteApi("/session/receivables")

export function ReceivablesPage() {
  const { invoice, customer, page = 1, status, search, ...address } = route.useSearch()
  const tab = tabs.find(({ word }) => word === status) ?? tabs[0]
  const { periods } = tab
  // Days ahead have other words than days past.
  const days = { ...address, period: wordOf(address.period, wordsOf(periods)) }
  const { data: today = saoPauloDay(new Date()) } = useQuery({ ...todayQuery, enabled: days.period !== undefined })
  const { dateFrom, dateTo } = daysOf(days, today, periods.rangeOf)
  const criteria = { status: tab.status, search, customerId: customer, dueFrom: dateFrom, dueTo: dateTo }
  const { list, set, filter, screen } = useListPage(route, {
    query: invoicesQuery(page, { ...criteria, order: tab.order }),
    refreshMs: useRefreshMs(),
    failed: sellerTexts.invoicesFailed,
    waiting: { rows: 6, label: "Carregando cobranças" },
    paging: { page, perPage: pageSize },
  })
  const clear = useCallback(() => filter({ search: undefined, customer: undefined, ...noPeriod }), [filter])

  const { invoices: rows = [], summary } = list.data?.data ?? {}
  const isFiltered = search !== undefined || customer !== undefined || hasPeriod(days)
  return (
    <ListScreen
      title="A receber"
      intro="Cobranças com vencimento: quem deve, quanto e até quando."
      tabs={<InvoiceTabs open={tab.word} search={{ ...address, search, customer }} summary={summary} />}
      actions={
        <>
          <ExportButton
            head={heads.exportInvoices}
            name="cobrancas"
            failed={sellerTexts.invoicesNotExported}
            query={criteria}
          />
          <Only roles={managers}>
            <CreateLink />
          </Only>
        </>
      }
      {...screen}
      filters={
        <>
          <Only roles={managers}>
            <TodayLine />
          </Only>
          <Filters
            search={search}
            days={days}
            periods={periods}
            onChange={filter}
            onClear={isFiltered ? clear : undefined}
          />
          {customer !== undefined && (
            <OneCustomer name={rows[0] && customerNameOf(rows[0])} onAll={() => filter({ customer: undefined })} />
          )}
        </>
      }
    >
      {summary !== undefined && <MovedDays day={summary.day} />}
      {rows.length > 0 && <InvoiceTable rows={rows} dimmed={list.isPlaceholderData} />}
      {list.isSuccess && rows.length === 0 && (
        <NoRows
          filtered={isFiltered || page > 1}
          onClear={clear}
          title={tab.none}
          filteredTitle="Nenhuma cobrança encontrada"
          icon="calendar"
        >
          Cobre um cliente até um dia, com multa, juros e descontos como vocês combinaram.
        </NoRows>
      )}
      {invoice !== undefined && (
        <InvoiceDialog key={invoice} id={invoice} onClose={() => set({ invoice: undefined })} />
      )}
    </ListScreen>
  )
}

function CreateLink() {
  return (
    <Link to="/receivables/$form" params={{ form: "create" }} className={buttonClass("primary")}>
      <Icon name="plus" className="size-5 stroke-[2.1]" />
      Cobrar cliente
    </Link>
  )
}

const wordsOf = ({ options }: Periods) => options.map(({ word }) => word)

interface FiltersProps {
  search: string | undefined
  days: Period
  periods: Periods
  onChange: (change: Period & { search?: string | undefined }) => void
  onClear: (() => void) | undefined
}

function Filters({ search = "", days, periods, onChange, onClear }: FiltersProps) {
  const searchFor = useCallback((text: string) => onChange({ search: text === "" ? undefined : text }), [onChange])
  return (
    <FilterBar
      search={<SearchInput label="Buscar por cliente, descrição ou referência" value={search} onSearch={searchFor} />}
      inUse={hasPeriod(days) ? 1 : 0}
      onClear={onClear}
    >
      <PeriodFilter value={days} periods={periods} onChange={onChange} />
    </FilterBar>
  )
}

type Summary = ReplyOf<typeof listInvoicesEndpoint>["data"]["summary"]

/** The sandbox's days may be ahead of this device's. */
function MovedDays({ day }: { day: string }) {
  if (day <= saoPauloDay(new Date())) return null
  return (
    <p className="mx-4 mb-3 text-label text-t2">
      No ambiente de teste hoje é <b className="font-semibold text-t1">{formatDay(day)}</b>: os dias foram adiantados no
      banco simulado.
    </p>
  )
}

interface InvoiceTabsProps {
  open: string | undefined
  /** Filters that stay when another tab is opened. */
  search: object
  summary: Summary | undefined
}

function InvoiceTabs({ open, search, summary }: InvoiceTabsProps) {
  const sums = useSums(summary)
  return (
    <Tabs
      label="A receber"
      tabs={tabs.map(({ label, word, status }) => ({
        label,
        note: sums[status],
        to: "/receivables",
        search: { ...search, status: word },
        isOpen: word === open,
      }))}
    >
      <Only roles={managers}>
        <RemindersTab />
      </Only>
    </Tabs>
  )
}

/** Sums of all invoices of a tab, whatever its filters hide; what has ended asks nothing. */
function useSums(summary: Summary | undefined): Record<(typeof tabs)[number]["status"], string> {
  const reais = useReais()
  if (summary === undefined) return { due: "", overdue: "", paid: "", ended: "" }
  const { open, overdue, received } = summary
  const due = Math.round((open - overdue) * 100) / 100
  return { due: reais(due), overdue: reais(overdue), paid: reais(received), ended: "" }
}

function OneCustomer({ name, onAll }: { name: string | undefined; onAll: () => void }) {
  return (
    <p className="mb-2 flex flex-wrap items-center gap-x-3 gap-y-1 px-4 text-label text-t2">
      <span className="min-w-0 break-words">{name === undefined ? "Só de um cliente" : `Só de ${name}`}</span>
      <Button onClick={onAll}>Mostrar todas</Button>
    </p>
  )
}

const toReminders = { to: "/receivables/$form", params: { form: "reminders" } } as const

/** Stands after the tabs, on the line of their names. */
function RemindersTab() {
  return (
    <Link
      {...toReminders}
      className="flex min-h-11 border-b-2 border-transparent px-0.5 pt-1 leading-[1.35] font-[550] whitespace-nowrap text-t2 outline-offset-[-2px] transition-colors hover:text-t1"
    >
      Lembretes
    </Link>
  )
}

/** Nothing while there is nobody to remind. */
function TodayLine() {
  const { data } = useQuery(todaysQuery)
  const rows = data?.data.reminders ?? []
  const waiting = rows.filter(({ reminder }) => reminder === null).length
  if (waiting === 0) return null
  const isMore = waiting === rows.length && (data?.results ?? 0) > waiting
  return (
    <Link
      {...toReminders}
      className="mx-1 mb-2 flex min-h-11 items-center gap-2.5 rounded-m bg-amber-bg px-3.5 text-label font-semibold text-amber underline-offset-4 hover:underline md:mx-3.5"
    >
      <Icon name="bell" className="size-[18px]" />
      Para lembrar hoje: {isMore && "mais de "}
      {waiting === 1 ? "1 cobrança" : `${waiting} cobranças`}
    </Link>
  )
}
