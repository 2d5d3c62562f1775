import { getRouteApi } from "@tanstack/react-router"
import * as heads from "@tilinta/contract/heads"
import { useCallback } from "react"
import { inSystem } from "#admin/section-tabs.tsx"
import { daysOf, saoPauloDay } from "#format/dates.ts"
import { Button } from "#ui/button.tsx"
import { ExportButton } from "#ui/export-button.tsx"
import { lazyDialog } from "#ui/lazy-part.tsx"
import { ListScreen, NoRows, useListPage } from "#ui/list-screen.tsx"
import { noPeriod } from "#ui/list-search.ts"
import { adminTexts } from "../admin-texts.ts"
import type { AuditSearch } from "../search-params.ts"
import { auditQuery, knownSearch } from "./audit-data.ts"
import { AuditFilters, hasFilters } from "./audit-filters.tsx"
import { AuditTable } from "./audit-table.tsx"

const AuditDialog = lazyDialog(() => import("./audit-dialog.tsx"), "AuditDialog")

const exported = { head: heads.exportAuditRecords, name: "auditoria", failed: adminTexts.notExported } as const
const route = getRouteApi("/session/admin/audit")

export function AuditPage() {
  const { record: openId, after, ...filters } = knownSearch(route.useSearch())
  const navigate = route.useNavigate()
  const { action, search, entity, entityId } = filters
  const criteria = { action, search, entity, entityId, ...daysOf(filters, saoPauloDay(new Date())) }
  const { list, set, screen } = useListPage(route, {
    query: auditQuery(after, criteria),
    failed: adminTexts.auditFailed,
    waiting: { rows: 8, label: "Carregando auditoria" },
  })

  const filter = useCallback((change: AuditSearch) => set({ after: undefined, ...change }), [set])
  const clear = () => void navigate({ search: { ...noPeriod }, replace: true })
  const go = (next: string | undefined) => void navigate({ search: (old) => ({ ...old, after: next }) })
  const rows = list.data?.records ?? []
  const opened = rows.find(({ _id }) => _id === openId)
  return (
    <ListScreen
      {...inSystem}
      title="Auditoria"
      intro="Quem fez o quê, e o que mudou. Nada daqui pode ser alterado ou apagado."
      actions={<ExportButton {...exported} query={criteria} />}
      {...screen}
      filters={<AuditFilters value={filters} onChange={filter} />}
    >
      {rows.length > 0 && <AuditTable rows={rows} dimmed={list.isPlaceholderData} />}
      {list.isSuccess && rows.length === 0 && (
        <NoRows
          filtered={hasFilters(filters) || after !== undefined}
          onClear={clear}
          title={adminTexts.noAudit}
          icon="history"
        >
          Quando alguém mudar algo na plataforma, aparece aqui.
        </NoRows>
      )}
      <Parts isLater={after !== undefined} next={list.data?.next ?? null} onGo={go} />
      {opened !== undefined && <AuditDialog record={opened} onClose={() => set({ record: undefined })} />}
    </ListScreen>
  )
}

interface PartsProps {
  isLater: boolean
  next: string | null
  onGo: (after: string | undefined) => void
}

/** Keyset paging: an ever-growing history is never counted, and the browser's 'back' returns to the previous part. */
function Parts({ isLater, next, onGo }: PartsProps) {
  if (!isLater && next === null) return null
  return (
    <nav aria-label="Paginação" className="flex items-center justify-between gap-3 px-4 py-3">
      <Button variant="ghost" disabled={!isLater} onClick={() => onGo(undefined)}>
        Mais recentes
      </Button>
      <Button disabled={next === null} onClick={() => onGo(next ?? undefined)}>
        Mais antigos
      </Button>
    </nav>
  )
}
