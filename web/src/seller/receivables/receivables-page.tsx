import { getRouteApi, Link } from "@tanstack/react-router"
import * as heads from "@tilinta/contract/heads"
import type { listInvoicesEndpoint } from "@tilinta/contract/invoices"
import { useCallback } from "react"
import type { ReplyOf } from "#api/client.ts"
import { formatDay, saoPauloDay } from "#format/dates.ts"
import { useRefreshMs } from "#seller/live/live-store.ts"
import * as sellerTexts from "#seller/seller-texts.ts"
import { useReais } from "#ui/amounts.tsx"
import { Button, buttonClass } from "#ui/button.tsx"
import { ExportButton } from "#ui/export-button.tsx"
import { SumsLine } from "#ui/facts.tsx"
import { Icon } from "#ui/icon.tsx"
import { lazyDialog } from "#ui/lazy-part.tsx"
import { SearchInput } from "#ui/list-filters.tsx"
import { ListScreen, NoRows, useListPage } from "#ui/list-screen.tsx"
import { Tabs } from "#ui/tabs.tsx"
import { InvoiceTable } from "./invoice-table.tsx"
import { invoicesQuery, pageSize, tabs } from "./receivables-data.ts"

const InvoiceDialog = lazyDialog(() => import("./invoice-dialog.tsx"), "InvoiceDialog")

const route = getRouteApi("/session/receivables")

export function ReceivablesPage() {
  const { invoice, customer, page = 1, status, search } = route.useSearch()
  const tab = tabs.find(({ word }) => word === status) ?? tabs[0]
  const { list, set, filter, screen } = useListPage(route, {
    query: invoicesQuery(page, { status: tab.status, order: tab.order, search, customerId: customer }),
    refreshMs: useRefreshMs(),
    failed: sellerTexts.invoicesFailed,
    waiting: { rows: 6, label: "Carregando cobranças" },
    paging: { page, perPage: pageSize },
  })
  const clear = useCallback(() => filter({ search: undefined, customer: undefined }), [filter])
  const searchFor = useCallback((text: string) => filter({ search: text === "" ? undefined : text }), [filter])

  const { invoices: rows = [], summary } = list.data?.data ?? {}
  return (
    <ListScreen
      title="A receber"
      intro="Cobranças com vencimento: quem deve, quanto e até quando."
      tabs={
        <Tabs
          label="A receber"
          tabs={tabs.map(({ label, word }) => ({
            label,
            to: "/receivables",
            search: { status: word, search, customer },
            isOpen: word === tab.word,
          }))}
        />
      }
      actions={
        <>
          <ExportButton
            head={heads.exportInvoices}
            name="cobrancas"
            failed={sellerTexts.invoicesNotExported}
            query={{ status: tab.status, search, customerId: customer }}
          />
          <Link to="/receivables/$form" params={{ form: "create" }} className={buttonClass("primary")}>
            <Icon name="plus" className="size-5 stroke-[2.1]" />
            Cobrar cliente
          </Link>
        </>
      }
      {...screen}
      filters={
        <>
          <div className="flex flex-wrap gap-2 px-1 pb-2 md:gap-3 md:px-3.5 md:pb-3">
            <SearchInput
              label="Buscar por cliente, descrição ou referência"
              value={search ?? ""}
              onSearch={searchFor}
            />
          </div>
          {customer !== undefined && <OneCustomer name={rows[0]?.customer.name} onAll={clear} />}
        </>
      }
    >
      {summary !== undefined && <Sums summary={summary} />}
      {rows.length > 0 && <InvoiceTable rows={rows} dimmed={list.isPlaceholderData} />}
      {list.isSuccess && rows.length === 0 && (
        <NoRows
          filtered={search !== undefined || customer !== undefined || page > 1}
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

type Summary = ReplyOf<typeof listInvoicesEndpoint>["data"]["summary"]

/** Sums of all invoices, whatever the tab shows. */
function Sums({ summary: { day, open, overdue, received } }: { summary: Summary }) {
  const reais = useReais()
  const sums = [
    { term: "A receber hoje", value: reais(open) },
    { term: "Vencido", value: reais(overdue) },
    { term: "Recebido", value: reais(received), apart: true },
  ]
  return (
    <>
      <MovedDays day={day} />
      {(open > 0 || received > 0) && <SumsLine sums={sums} />}
    </>
  )
}

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

function OneCustomer({ name, onAll }: { name: string | undefined; onAll: () => void }) {
  return (
    <p className="mb-2 flex flex-wrap items-center gap-x-3 gap-y-1 px-4 text-label text-t2">
      <span className="min-w-0 break-words">{name === undefined ? "Só de um cliente" : `Só de ${name}`}</span>
      <Button onClick={onAll}>Mostrar todas</Button>
    </p>
  )
}
