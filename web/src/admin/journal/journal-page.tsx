import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query"
import type { ManualEntryView } from "@tilinta/contract/api/manual-entries-endpoints"
import { manualEntryLabels } from "@tilinta/contract/vocabulary/manual-entries"
import { useState } from "react"
import { detailOf, messageOf } from "#api/api-error.ts"
import { useUser } from "#api/session.ts"
import { formatDateTime } from "#format/date.ts"
import { formatReais } from "#format/money-text.ts"
import { Badge } from "#ui/badge.tsx"
import { Button } from "#ui/button.tsx"
import { ConfirmDialog } from "#ui/confirm-dialog.tsx"
import { EmptyState } from "#ui/empty-state.tsx"
import { lazyDialog } from "#ui/lazy-part.tsx"
import { ListScreen } from "#ui/list-screen.tsx"
import { toast } from "#ui/toast.ts"
import { adminTexts } from "../admin-texts.ts"
import { listFailure } from "../list-failure.ts"
import { approveEntry, journalQuery } from "./journal-data.ts"

const NewEntryDialog = lazyDialog(() => import("./new-entry-dialog.tsx").then((module) => module.NewEntryDialog))

export function JournalPage() {
  const list = useInfiniteQuery(journalQuery)
  const userId = useUser()?._id
  const [isWriting, setIsWriting] = useState(false)
  const [asked, setAsked] = useState<ManualEntryView | null>(null)
  const approve = useApprove(() => setAsked(null))
  const entries = list.data?.pages.flatMap((page) => page.entries) ?? []
  return (
    <>
      <ListScreen
        title="Lançamentos"
        intro="O que o banco não conta sozinho: retiradas das taxas, tarifas, aportes, rendimentos e correções."
        actions={
          <Button look="primary" icon="plus" onClick={() => setIsWriting(true)}>
            Novo lançamento
          </Button>
        }
        failure={listFailure(list.error, adminTexts.journalFailed)}
        onRetry={() => void list.refetch()}
        busy={list.isFetching}
        filters={null}
        waiting={list.isPending ? { rows: 5, label: "Carregando lançamentos" } : null}
      >
        {list.isSuccess && entries.length === 0 && (
          <EmptyState icon="table" title="Nenhum lançamento ainda">
            Com eles as contas continuam iguais ao extrato do banco.
          </EmptyState>
        )}
        {entries.length > 0 && (
          <ul className="grid divide-y divide-line px-2 md:px-3.5">
            {entries.map((entry) => (
              <Entry
                key={entry._id}
                entry={entry}
                onApprove={
                  entry.bookedAt === null && entry.createdBy._id !== userId ? () => setAsked(entry) : undefined
                }
              />
            ))}
          </ul>
        )}
        {list.hasNextPage && (
          <div className="grid p-3">
            <Button
              className="justify-self-center"
              disabled={list.isFetchingNextPage}
              onClick={() => void list.fetchNextPage()}
            >
              Mostrar mais antigos
            </Button>
          </div>
        )}
      </ListScreen>
      {isWriting && <NewEntryDialog onClose={() => setIsWriting(false)} />}
      {asked !== null && (
        <ApproveDialog
          entry={asked}
          busy={approve.isPending}
          onConfirm={() => approve.mutate(asked)}
          onClose={() => setAsked(null)}
        />
      )}
    </>
  )
}

function useApprove(onEnd: () => void) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (entry: ManualEntryView) => approveEntry(entry._id),
    onSuccess: () => toast.success(adminTexts.entryBooked),
    onError: (error) => toast.error(messageOf(error, adminTexts.entryNotApproved), detailOf(error)),
    onSettled: () => {
      onEnd()
      void queryClient.invalidateQueries({ queryKey: ["admin"] })
    },
  })
}

interface ApproveProps {
  entry: ManualEntryView
  busy: boolean
  onConfirm: () => void
  onClose: () => void
}

function ApproveDialog({ entry, ...rest }: ApproveProps) {
  return (
    <ConfirmDialog title={`Aprovar ${formatReais(entry.amount)}?`} verb="Aprovar e lançar" look="primary" {...rest}>
      <p>
        {titleOf(entry)}, a pedido de <b className="font-semibold break-words text-t1">{entry.createdBy.name}</b>.
      </p>
      <p className="break-words">{entry.reason}</p>
    </ConfirmDialog>
  )
}

function titleOf({ kind, direction, seller }: ManualEntryView): string {
  if (seller === null) return manualEntryLabels[kind]
  return `Correção: ${direction === "credit" ? "crédito para" : "débito de"} ${seller.name}`
}

function Entry({ entry, onApprove }: { entry: ManualEntryView; onApprove: (() => void) | undefined }) {
  const { amount, reason, reference, reverses, createdBy, createdAt, approvedBy, bookedAt, alone } = entry
  return (
    <li className="py-3.5">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1.5">
        <b className="min-w-0 font-semibold break-words">{titleOf(entry)}</b>
        <b className="font-[650] whitespace-nowrap tabular-nums">{formatReais(amount)}</b>
      </div>
      <p className="mt-1 text-label break-words whitespace-pre-line text-t2">{reason}</p>
      <p className="mt-1 text-meta break-words text-t3 tabular-nums">
        {createdBy.name}, {formatDateTime(createdAt)}
        {approvedBy !== null && <> · aprovado por {approvedBy.name}</>}
        {reference !== null && <> · referência {reference}</>}
        {reverses !== null && <> · corrige {reverses}</>}
      </p>
      <div className="mt-2 flex flex-wrap items-center gap-3">
        {bookedAt === null ? <Badge tone="warning">Espera aprovação</Badge> : <Badge tone="success">Lançado</Badge>}
        {alone && <span className="text-meta text-t3">Lançado sem segunda aprovação</span>}
        {onApprove !== undefined && <Button onClick={onApprove}>Aprovar</Button>}
      </div>
    </li>
  )
}
