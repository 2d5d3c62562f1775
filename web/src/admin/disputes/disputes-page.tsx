import { getRouteApi } from "@tanstack/react-router"
import type { AdminDisputeView, DisputesSummary } from "@tilinta/contract/disputes"
import { disputeReasonLabels, disputeReasons } from "@tilinta/contract/vocabulary/dispute-status"
import { useCallback, useState } from "react"
import { adminTexts } from "#admin/admin-texts.ts"
import { inPending } from "#admin/section-tabs.tsx"
import { SellerCell } from "#admin/seller-picker.tsx"
import { formatDateTime } from "#format/dates.ts"
import { formatCount } from "#format/money-text.ts"
import { useReais } from "#ui/amounts.tsx"
import { Badge } from "#ui/badge.tsx"
import { Button } from "#ui/button.tsx"
import { type Column, DataTable, DateCell, RowLink } from "#ui/data-table.tsx"
import { SumsLine } from "#ui/facts.tsx"
import { lazyDialog } from "#ui/lazy-part.tsx"
import { FilterSelect, isFiltered, ListFilters, optionsOf } from "#ui/list-filters.tsx"
import { ListScreen, NoRows, useListPage } from "#ui/list-screen.tsx"
import { wordOf } from "#ui/list-search.ts"
import { amountColumn, quietAmountColumn } from "#ui/table-columns.tsx"
import { disputesQuery, pageSize, stateWords } from "./disputes-data.ts"

const DisputeDialog = lazyDialog(() => import("./dispute-dialog.tsx"), "DisputeDialog")
const RegisterDialog = lazyDialog(() => import("./register-dialog.tsx"), "RegisterDialog")

const statusOptions = [
  { word: "accepted", label: "Aceitas" },
  { word: "released", label: "Liberadas" },
  { word: "all", label: "Todas" },
] as const
const reasonOptions = optionsOf(disputeReasons, disputeReasonLabels)

const route = getRouteApi("/session/admin/disputes")
const refreshMs = 15_000

export function DisputesPage() {
  const { dispute: openId, page = 1, reason, ...others } = route.useSearch()
  const criteria = { ...others, reason: wordOf(reason, disputeReasons) }
  const [registering, setRegistering] = useState(false)
  const { list, set, filter, screen } = useListPage(route, {
    query: disputesQuery(page, criteria),
    refreshMs,
    failed: adminTexts.disputesFailed,
    waiting: { rows: 6, label: "Carregando contestações" },
    paging: { page, perPage: pageSize },
  })
  const clear = useCallback(() => filter({ status: undefined, reason: undefined, search: undefined }), [filter])
  const rows = list.data?.data.disputes ?? []
  return (
    <ListScreen
      {...inPending}
      title="Contestações"
      intro="Pix que os pagadores contestaram no banco deles: o valor fica bloqueado até a decisão."
      actions={
        list.data?.data.toldByBank === false && (
          <Button variant="primary" onClick={() => setRegistering(true)}>
            Registrar contestação
          </Button>
        )
      }
      {...screen}
      filters={
        <ListFilters
          searchLabel="Buscar por vendedor ou ID do pagamento"
          value={criteria}
          none="Em andamento"
          options={statusOptions}
          onChange={filter}
          onClear={clear}
          hidesMore={criteria.reason !== undefined}
          timeless
        >
          <FilterSelect
            label="Motivo"
            none="Todos os motivos"
            options={reasonOptions}
            value={criteria.reason}
            onChange={(word) => filter({ reason: word })}
          />
        </ListFilters>
      }
    >
      {rows.length > 0 && list.data !== undefined && (
        <>
          <Sums summary={list.data.data.summary} />
          <DisputesTable rows={rows} dimmed={list.isPlaceholderData} />
        </>
      )}
      {list.isSuccess && rows.length === 0 && (
        <NoRows
          filtered={isFiltered(criteria) || criteria.reason !== undefined || page > 1}
          onClear={clear}
          title={adminTexts.noDisputes}
          filteredTitle="Nenhuma contestação encontrada"
          icon="check"
        >
          Nenhum pagador contesta um pagamento agora.
        </NoRows>
      )}
      {openId !== undefined && <DisputeDialog key={openId} id={openId} onClose={() => set({ dispute: undefined })} />}
      {registering && <RegisterDialog onClose={() => setRegistering(false)} />}
    </ListScreen>
  )
}

function Sums({ summary }: { summary: DisputesSummary }) {
  const reais = useReais()
  const sums = [
    { term: summary.count === 1 ? "Contestação" : "Contestações", value: formatCount(summary.count), minor: true },
    { term: "Contestado", value: reais(summary.totalAmount) },
    { term: "Bloqueado", value: reais(summary.totalBlocked) },
  ]
  return <SumsLine sums={sums} />
}

const columns: readonly Column<AdminDisputeView>[] = [
  {
    header: "Responder até",
    area: "date",
    cell: (row) => (row.respondUntil === null ? "Sem prazo" : <DateCell text={formatDateTime(row.respondUntil)} />),
  },
  { header: "Motivo", area: "title", cell: (row) => <ReasonCell dispute={row} /> },
  { header: "Vendedor", area: "none", cell: (row) => <SellerCell user={row.user} /> },
  amountColumn("Contestado", (row) => row.amount),
  quietAmountColumn("Bloqueado", (row) => row.blocked),
  {
    header: "Status",
    area: "status",
    cell: (row) => <Badge tone={stateWords[row.status].tone}>{stateWords[row.status].label}</Badge>,
  },
]

function DisputesTable({ rows, dimmed }: { rows: readonly AdminDisputeView[]; dimmed: boolean }) {
  return <DataTable caption="Contestações" columns={columns} rows={rows} dimmed={dimmed} wide />
}

function ReasonCell({ dispute }: { dispute: AdminDisputeView }) {
  return (
    <RowLink
      from="/admin/disputes"
      to="/admin/disputes"
      search={(old) => ({ ...old, dispute: dispute._id })}
      aria-haspopup="dialog"
      text={disputeReasonLabels[dispute.reason]}
      note={
        <>
          {dispute.checkoutPage?.title ?? dispute.endToEndId}
          <span className="hidden cards:inline"> · {dispute.user?.name ?? "Vendedor desconhecido"}</span>
        </>
      }
    />
  )
}
