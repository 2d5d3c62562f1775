import {
  type AuditSubject,
  auditActionLabels,
  auditActions,
  auditEntities,
  auditEntityLabels,
  auditSubjectLabels,
} from "@tilinta/contract/vocabulary/audit"
import { useCallback } from "react"
import { Icon } from "#ui/icon.tsx"
import { FilterBar, FilterSelect, optionsOf, SearchInput } from "#ui/list-filters.tsx"
import { hasPeriod, noPeriod } from "#ui/list-search.ts"
import { PeriodFilter } from "#ui/period-filter.tsx"
import type { AuditSearch } from "../search-params.ts"

interface Props {
  value: AuditSearch
  onChange: (change: AuditSearch) => void
}

const actionOptions = optionsOf(auditActions, auditActionLabels)
const entityOptions: readonly { word: AuditSubject; label: string }[] = optionsOf(auditEntities, auditEntityLabels)
const none = { action: undefined, search: undefined, entity: undefined, entityId: undefined, ...noPeriod }

export function hasFilters(value: AuditSearch): boolean {
  const { action, search, entity } = value
  return action !== undefined || search !== undefined || entity !== undefined || hasPeriod(value)
}

export function AuditFilters({ value, onChange }: Props) {
  const searchFor = useCallback((text: string) => onChange({ search: text === "" ? undefined : text }), [onChange])
  return (
    <>
      <FilterBar
        search={<SearchInput label="Buscar por quem fez" value={value.search ?? ""} onSearch={searchFor} />}
        inUse={[value.action !== undefined, value.entity !== undefined, hasPeriod(value)].filter(Boolean).length}
        onClear={hasFilters(value) ? () => onChange(none) : undefined}
      >
        <FilterSelect
          label="Ação"
          none="Todas as ações"
          options={actionOptions}
          value={value.action}
          onChange={(action) => onChange({ action })}
          className="shrink-0 basis-52"
        />
        {value.entityId === undefined && (
          <FilterSelect
            label="Sobre"
            none="Sobre tudo"
            options={entityOptions}
            value={value.entity}
            onChange={(entity) => onChange({ entity })}
            className="shrink-0 basis-48"
          />
        )}
        <PeriodFilter value={value} onChange={onChange} />
      </FilterBar>
      {value.entity !== undefined && value.entityId !== undefined && (
        <OneThing label={auditSubjectLabels[value.entity]} id={value.entityId} onChange={onChange} />
      )}
    </>
  )
}

/** Shown when a link limits the list to one thing; one touch removes the limit. */
function OneThing({ label, id, onChange }: { label: string; id: string; onChange: Props["onChange"] }) {
  return (
    <p className="flex flex-wrap items-center gap-x-2 px-3.5 pb-3 text-label text-t2">
      <span className="min-w-0 break-all">
        Somente o que aconteceu com: {label} <b className="font-semibold text-t1">{id}</b>
      </span>
      <button
        type="button"
        onClick={() => onChange({ entity: undefined, entityId: undefined })}
        className="inline-flex min-h-11 items-center gap-1.5 rounded-m px-2 font-semibold hover:text-mint"
      >
        <Icon name="close" className="size-4" />
        Ver tudo
      </button>
    </p>
  )
}
