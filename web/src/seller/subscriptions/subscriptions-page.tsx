import { getRouteApi, Link } from "@tanstack/react-router"
import type { SubscriptionsSummary } from "@tilinta/contract/subscriptions"
import { subscriptionStatuses, subscriptionStatusLabels } from "@tilinta/contract/vocabulary/subscriptions"
import { useCallback } from "react"
import { useRefreshMs } from "#seller/live/live-store.ts"
import * as sellerTexts from "#seller/seller-texts.ts"
import { useReais } from "#ui/amounts.tsx"
import { buttonClass } from "#ui/button.tsx"
import { SumsLine } from "#ui/facts.tsx"
import { Icon } from "#ui/icon.tsx"
import { isFiltered, ListFilters, noFilters, optionsOf } from "#ui/list-filters.tsx"
import { ListScreen, NoRows, useListPage } from "#ui/list-screen.tsx"
import { wordOf } from "#ui/list-search.ts"
import { SubscriptionTable } from "./subscription-table.tsx"
import { SubscriptionTabs } from "./subscription-tabs.tsx"
import { pageSize, subscriptionsQuery } from "./subscriptions-data.ts"

const route = getRouteApi("/session/subscriptions")

const statusOptions = optionsOf(subscriptionStatuses, subscriptionStatusLabels)

export function SubscriptionsPage() {
  const { page = 1, search, customer, ...address } = route.useSearch()
  const filters = { status: wordOf(address.status, subscriptionStatuses), search }
  const { list, filter, screen } = useListPage(route, {
    query: subscriptionsQuery(page, { ...filters, customerId: customer }),
    refreshMs: useRefreshMs(),
    failed: sellerTexts.subscriptionsFailed,
    waiting: { rows: 6, label: "Carregando assinaturas" },
    paging: { page, perPage: pageSize },
  })
  const clear = useCallback(() => filter({ ...noFilters, customer: undefined }), [filter])
  const { subscriptions: rows = [], summary, automatic = [], automaticPix } = list.data?.data ?? {}
  return (
    <ListScreen
      title="Assinaturas"
      intro="O que os seus clientes pagam de novo a cada período."
      tabs={<SubscriptionTabs open="subscriptions" />}
      actions={
        <Link
          to="/subscriptions/$id"
          params={{ id: "create" }}
          search={{ customer }}
          className={buttonClass("primary")}
        >
          <Icon name="plus" className="size-5 stroke-[2.1]" />
          Nova assinatura
        </Link>
      }
      {...screen}
      filters={
        <ListFilters
          searchLabel="Buscar por cliente ou nome da assinatura"
          value={filters}
          options={statusOptions}
          onChange={filter}
          onClear={clear}
          hidesMore={customer !== undefined}
          timeless
        />
      }
    >
      {summary !== undefined && <Sums summary={summary} />}
      {rows.length > 0 && (
        <SubscriptionTable rows={rows} automatic={automaticPix ? automatic : null} dimmed={list.isPlaceholderData} />
      )}
      {list.isSuccess && rows.length === 0 && (
        <NoRows
          filtered={isFiltered(filters) || customer !== undefined || page > 1}
          onClear={clear}
          title="Nenhuma assinatura ainda"
          filteredTitle="Nenhuma assinatura encontrada"
          icon="refresh"
        >
          Cobre um cliente todo mês sem digitar de novo. Ou crie um plano e envie o link: o cliente assina sozinho.
        </NoRows>
      )}
    </ListScreen>
  )
}

/** Sums over all subscriptions, whatever the filter shows. */
function Sums({ summary: { mrr, active, pastDue, overdue, churn } }: { summary: SubscriptionsSummary }) {
  const reais = useReais()
  if (active + pastDue + churn.atStart === 0) return null
  const share = churn.cancelled === 0 ? "" : ` · ${churn.percent.toLocaleString("pt-BR")} %`
  return (
    <SumsLine
      sums={[
        { term: "Receita por mês", value: reais(mrr) },
        { term: "Em dia", value: String(active), minor: true },
        { term: "Em atraso", value: pastDue === 0 ? "0" : `${pastDue} · ${reais(overdue)}` },
        { term: "Canceladas no mês", value: `${churn.cancelled}${share}`, apart: true, minor: true },
      ]}
    />
  )
}
