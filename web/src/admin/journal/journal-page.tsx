import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query"
import type { ManualEntryView } from "@tilinta/contract/manual-entries"
import { manualEntryLabels } from "@tilinta/contract/vocabulary/books"
import { useState } from "react"
import { adminTexts } from "#admin/admin-texts.ts"
import { inBooks } from "#admin/section-tabs.tsx"
import { detailOf, messageOf } from "#api/api-error.ts"
import { useUser } from "#api/session.ts"
import { formatDateTime } from "#format/dates.ts"
import { formatReais } from "#format/money-text.ts"
import { Badge } from "#ui/badge.tsx"
import { Button } from "#ui/button.tsx"
import { EmptyState } from "#ui/card.tsx"
import { ConfirmDialog } from "#ui/dialog.tsx"
import { lazyDialog } from "#ui/lazy-part.tsx"
import { ListScreen, listState, MoreButton } from "#ui/list-screen.tsx"
import { toast } from "#ui/toast.ts"
import { approveEntry, journalQuery, refuseEntry } from "./journal-data.ts"

const NewEntryDialog = lazyDialog(() => import("./new-entry-dialog.tsx"), "NewEntryDialog")

export function JournalPage() {
  const list = useInfiniteQuery(journalQuery)
  const userId = useUser()?._id
  const [isWriting, setIsWriting] = useState(false)
  const [opened, setOpened] = useState<ManualEntryView | null>(null)
  const [ended, setEnded] = useState<ManualEntryView | null>(null)
  const entries = list.data?.pages.flatMap((page) => page.entries) ?? []
  return (
    <>
      <ListScreen
        {...inBooks}
        title="Lançamentos"
        intro="O que o banco não conta sozinho: retiradas das taxas, tarifas, aportes, rendimentos e correções."
        actions={
          <Button variant="primary" icon="plus" onClick={() => setIsWriting(true)}>
            Novo lançamento
          </Button>
        }
        {...listState(list, adminTexts.journalFailed, { rows: 5, label: "Carregando lançamentos" })}
        filters={null}
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
                onApprove={waits(entry) && entry.createdBy._id !== userId ? () => setOpened(entry) : undefined}
                onRefuse={waits(entry) ? () => setEnded(entry) : undefined}
                isOwn={entry.createdBy._id === userId}
              />
            ))}
          </ul>
        )}
        {list.hasNextPage && (
          <div className="grid p-3">
            <MoreButton list={list}>Mostrar mais antigos</MoreButton>
          </div>
        )}
      </ListScreen>
      {isWriting && <NewEntryDialog onClose={() => setIsWriting(false)} />}
      {opened !== null && <ApproveDialog entry={opened} onClose={() => setOpened(null)} />}
      {ended !== null && (
        <RefuseDialog entry={ended} isOwn={ended.createdBy._id === userId} onClose={() => setEnded(null)} />
      )}
    </>
  )
}

function waits({ bookedAt, refusedAt }: ManualEntryView): boolean {
  return bookedAt === null && refusedAt === null
}

function refusalVerb(isOwn: boolean): string {
  return isOwn ? "Retirar" : "Recusar"
}

function useDecision(
  decide: (id: string) => Promise<unknown>,
  [done, failed]: readonly [done: string, failed: string],
  onEnd: () => void,
) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (entry: ManualEntryView) => decide(entry._id),
    onSuccess: () => toast.success(done),
    onError: (error) => toast.error(messageOf(error, failed), detailOf(error)),
    onSettled: () => {
      onEnd()
      void queryClient.invalidateQueries({ queryKey: ["admin"] })
    },
  })
}

interface DialogProps {
  entry: ManualEntryView
  onClose: () => void
}

function ApproveDialog({ entry, onClose }: DialogProps) {
  const approve = useDecision(approveEntry, [adminTexts.entryBooked, adminTexts.entryNotApproved], onClose)
  return (
    <ConfirmDialog
      title={`Aprovar ${formatReais(entry.amount)}?`}
      verb="Aprovar e lançar"
      variant="primary"
      busy={approve.isPending}
      onConfirm={() => approve.mutate(entry)}
      onClose={onClose}
    >
      <p>
        {titleOf(entry)}, a pedido de <b className="font-semibold break-words text-t1">{entry.createdBy.name}</b>.
      </p>
      <p className="break-words">{entry.reason}</p>
    </ConfirmDialog>
  )
}

function RefuseDialog({ entry, isOwn, onClose }: DialogProps & { isOwn: boolean }) {
  const refuse = useDecision(refuseEntry, [adminTexts.entryRefused, adminTexts.entryNotRefused], onClose)
  const verb = refusalVerb(isOwn)
  return (
    <ConfirmDialog
      title={`${verb} ${formatReais(entry.amount)}?`}
      verb={verb}
      busy={refuse.isPending}
      onConfirm={() => refuse.mutate(entry)}
      onClose={onClose}
    >
      <p>{titleOf(entry)}. Nada será lançado.</p>
    </ConfirmDialog>
  )
}

function titleOf({ kind, direction, seller }: ManualEntryView): string {
  if (seller === null) return manualEntryLabels[kind]
  return `Correção: ${direction === "credit" ? "crédito para" : "débito de"} ${seller.name}`
}

interface EntryProps {
  entry: ManualEntryView
  isOwn: boolean
  onApprove: (() => void) | undefined
  onRefuse: (() => void) | undefined
}

function Entry({ entry, isOwn, onApprove, onRefuse }: EntryProps) {
  const { amount, reason, reference, reverses, createdBy, createdAt, approvedBy, refusedBy, alone } = entry
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
        {refusedBy !== null && <> · encerrado por {refusedBy.name}</>}
        {reference !== null && <> · referência {reference}</>}
        {reverses !== null && <> · corrige {reverses}</>}
      </p>
      <div className="mt-2 flex flex-wrap items-center gap-3">
        <EntryBadge entry={entry} />
        {alone && <span className="text-meta text-t3">Lançado sem segunda aprovação</span>}
        {onApprove !== undefined && <Button onClick={onApprove}>Aprovar</Button>}
        {onRefuse !== undefined && <Button onClick={onRefuse}>{refusalVerb(isOwn)}</Button>}
      </div>
    </li>
  )
}

function EntryBadge({ entry: { bookedAt, refusedAt, refusedBy, createdBy } }: { entry: ManualEntryView }) {
  if (bookedAt !== null) return <Badge tone="success">Lançado</Badge>
  if (refusedAt === null) return <Badge tone="warning">Espera aprovação</Badge>
  return <Badge tone="secondary">{refusedBy?._id === createdBy._id ? "Retirado" : "Recusado"}</Badge>
}
