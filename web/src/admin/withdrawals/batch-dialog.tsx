import { useMutation, useQueryClient } from "@tanstack/react-query"
import type { AdminWithdrawalView } from "@tilinta/contract/api/admin-withdrawals-endpoints"
import { useState } from "react"
import { detailOf, messageOf } from "#api/api-error.ts"
import { countOf } from "#format/count.ts"
import { formatReais } from "#format/money-text.ts"
import { shortDestination } from "#format/withdrawal-destination.ts"
import { ConfirmDialog } from "#ui/confirm-dialog.tsx"
import { Field } from "#ui/field.tsx"
import { FormAlert } from "#ui/form-alert.tsx"
import { TextArea } from "#ui/text-input.tsx"
import { adminTexts } from "../admin-texts.ts"
import { batchConsequences, sumOf } from "./batch.ts"
import { Signals } from "./signals.tsx"
import { signalsOf } from "./signals-of.ts"
import type { ApproveBatch, BatchReply } from "./use-approve-batch.ts"
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
      look="primary"
      busy={approved.isPending}
      onConfirm={() => approved.mutate()}
      onClose={onClose}
    >
      <p>
        São <b className="font-semibold whitespace-nowrap text-t1 tabular-nums">{total}</b> em {count}:
      </p>
      <Asked withdrawals={withdrawals} />
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

function Asked({ withdrawals }: { withdrawals: readonly AdminWithdrawalView[] }) {
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
