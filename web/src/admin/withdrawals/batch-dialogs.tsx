import { useMutation, useQueryClient } from "@tanstack/react-query"
import type { AdminWithdrawalView, Approval } from "@tilinta/contract/admin-withdrawals"
import { useState } from "react"
import { adminTexts } from "#admin/admin-texts.ts"
import { detailOf, messageOf } from "#api/api-error.ts"
import { countOf, formatReais } from "#format/money-text.ts"
import { shortDestination } from "#format/withdrawal-texts.ts"
import { Reais } from "#ui/amounts.tsx"
import { Button } from "#ui/button.tsx"
import { ConfirmDialog, Dialog } from "#ui/dialog.tsx"
import { Field, FormAlert, TextArea } from "#ui/field.tsx"
import { Icon } from "#ui/icon.tsx"
import { type ApproveBatch, type BatchReply, batchConsequences, sumOf } from "./batch.ts"
import { Signals, signalsOf } from "./withdrawal-facts.tsx"
import { WithdrawalStatusBadge } from "./withdrawals-cards.tsx"
import { withdrawalsKey } from "./withdrawals-data.ts"

interface Props {
  withdrawals: readonly AdminWithdrawalView[]
  approve: ApproveBatch
  onDone: (reply: BatchReply) => void
  onClose: () => void
}

/** Lists every withdrawal, the sum and the consequences before anything is approved. */
export function BatchDialog({ withdrawals, approve, onDone, onClose }: Props) {
  const queryClient = useQueryClient()
  const [notes, setNotes] = useState("")
  const total = formatReais(sumOf(withdrawals))
  const count = countOf(withdrawals.length, "saque", "saques")
  const approved = useMutation({
    mutationFn: () => approve({ ids: withdrawals.map(({ _id }) => _id), adminNotes: notes }),
    onSuccess: onDone,
    onSettled: () => queryClient.invalidateQueries({ queryKey: withdrawalsKey }),
  })
  const failure = approved.isError
    ? [messageOf(approved.error, adminTexts.withdrawalNotDecided), detailOf(approved.error)].filter(Boolean).join(". ")
    : null
  return (
    <ConfirmDialog
      title={`Aprovar ${count}?`}
      verb={`Aprovar ${count} · ${total}`}
      variant="primary"
      busy={approved.isPending}
      onConfirm={() => approved.mutate()}
      onClose={onClose}
    >
      <p>
        São <b className="font-semibold whitespace-nowrap text-t1 tabular-nums">{total}</b> em {count}:
      </p>
      <RequestedSum withdrawals={withdrawals} />
      {batchConsequences(withdrawals).map((line) => (
        <p key={line}>{line}</p>
      ))}
      <Field label="Observações" aside="opcional" hint="Cada vendedor lê o que for escrito aqui.">
        {(control) => (
          <TextArea {...control} maxLength={500} value={notes} onChange={(event) => setNotes(event.target.value)} />
        )}
      </Field>
      <FormAlert message={failure} />
    </ConfirmDialog>
  )
}

function RequestedSum({ withdrawals }: { withdrawals: readonly AdminWithdrawalView[] }) {
  const now = new Date()
  return (
    // A scrolling list must be reachable by keyboard.
    <ul
      tabIndex={0}
      aria-label="Saques a aprovar"
      className="grid max-h-64 grid-cols-[minmax(0,1fr)] divide-y divide-line overflow-y-auto rounded-m border border-line bg-bg px-4 text-label"
    >
      {withdrawals.map((withdrawal) => (
        <li key={withdrawal._id} className="py-2.5">
          <span className="flex items-baseline justify-between gap-4">
            <span className="min-w-0 truncate font-semibold text-t1">{withdrawal.user.name}</span>
            <b className="flex-none font-semibold text-t1 tabular-nums">{formatReais(withdrawal.amount)}</b>
          </span>
          <span className="block truncate text-meta text-t3">
            {withdrawal.user.email} · {shortDestination(withdrawal)}
          </span>
          <div className="mt-1 empty:hidden">
            <Signals signals={signalsOf(withdrawal, now)} />
          </div>
        </li>
      ))}
    </ul>
  )
}

interface BatchResultDialogProps {
  reply: BatchReply
  onOpen: (id: string) => void
  onClose: () => void
}

/** One line for each withdrawal: approved, or the reason why not. */
export function BatchResultDialog({ reply, onOpen, onClose }: BatchResultDialogProps) {
  const { approvals, approved } = reply.data
  const refused = approvals.filter(({ code }) => code !== null)
  return (
    <Dialog title="Resultado da aprovação" onClose={onClose} footer={<Button onClick={onClose}>Fechar</Button>}>
      <p role="status" className="text-t2">
        {reply.message}{" "}
        {approved.count > 0 && (
          <b className="font-semibold whitespace-nowrap text-t1 tabular-nums">
            Total: <Reais>{approved.amount}</Reais>
          </b>
        )}
      </p>
      {refused.length > 0 && <Rows title="Não aprovados" approvals={refused} onOpen={onOpen} />}
      {approved.count > 0 && (
        <Rows title="Aprovados" approvals={approvals.filter(({ code }) => code === null)} onOpen={onOpen} />
      )}
    </Dialog>
  )
}

interface RowsProps {
  title: string
  approvals: readonly Approval[]
  onOpen: BatchResultDialogProps["onOpen"]
}

function Rows({ title, approvals, onOpen }: RowsProps) {
  return (
    <section className="mt-5">
      <h3 className="text-label font-semibold text-t2">
        {title} ({approvals.length})
      </h3>
      <ul className="mt-1 grid grid-cols-[minmax(0,1fr)] divide-y divide-line text-label">
        {approvals.map((approval) => (
          <ResultRow key={approval._id} approval={approval} onOpen={onOpen} />
        ))}
      </ul>
    </section>
  )
}

function ResultRow({
  approval: { _id, code, message, withdrawal },
  onOpen,
}: { approval: Approval } & Pick<BatchResultDialogProps, "onOpen">) {
  return (
    <li className="flex items-start gap-3 py-2.5">
      <Icon
        name={code === null ? "check" : "alert"}
        className={`mt-0.5 size-[18px] stroke-2 ${code === null ? "text-mint" : "text-amber"}`}
      />
      <span className="min-w-0 flex-1">
        {withdrawal === null ? (
          <b className="font-semibold">Saque desconhecido</b>
        ) : (
          <button
            type="button"
            onClick={() => onOpen(_id)}
            className="-my-[11px] block min-h-11 content-center min-w-11 max-w-full truncate text-left font-semibold underline-offset-4 hover:underline"
          >
            {withdrawal.user.name}
          </button>
        )}
        {code !== null && <span className="block text-t2">{message}</span>}
      </span>
      {withdrawal !== null && (
        <span className="flex flex-none flex-col items-end gap-1">
          <b className="font-semibold tabular-nums">
            <Reais>{withdrawal.amount}</Reais>
          </b>
          {code !== null && <WithdrawalStatusBadge status={withdrawal.status} />}
        </span>
      )}
    </li>
  )
}
