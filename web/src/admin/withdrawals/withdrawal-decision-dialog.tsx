import { useMutation, useQueryClient } from "@tanstack/react-query"
import type { AdminWithdrawalView } from "@tilinta/contract/admin-withdrawals"
import { useState } from "react"
import { adminTexts } from "#admin/admin-texts.ts"
import { failureText, hasStatus, messageOf } from "#api/api-error.ts"
import { formatReais } from "#format/money-text.ts"
import { wholeDestination } from "#format/withdrawal-texts.ts"
import { ConfirmDialog } from "#ui/dialog.tsx"
import { Field, FormAlert, TextArea } from "#ui/field.tsx"
import { toast } from "#ui/toast.ts"
import { consequenceOf, type Decision, decisionWords } from "./withdrawal-decision.ts"
import { payoutMethodLabel } from "./withdrawal-facts.tsx"
import { decide, doubtOf, notPaidVerb, withdrawalQuery, withdrawalsKey } from "./withdrawals-data.ts"

interface Props {
  decision: Decision
  withdrawal: AdminWithdrawalView
  /** Called when somebody else decided first: shows the current state. */
  onOutrun: () => void
  /** `isPending`: nothing has changed before another person says the same. */
  onDecided?: ((isPending: boolean) => void) | undefined
  onClose: () => void
}

export function DecisionDialog({ decision, withdrawal, onOutrun, onDecided, onClose }: Props) {
  const queryClient = useQueryClient()
  const [notes, setNotes] = useState("")
  const [missing, setMissing] = useState(false)
  const [doubt, setDoubt] = useState<string | null>(null)
  const one = withdrawalQuery(withdrawal._id)

  async function showWhatItIs(refusal: unknown): Promise<void> {
    await queryClient.fetchQuery({ ...one, staleTime: 0 }).catch(() => undefined)
    onClose()
    onOutrun()
    toast.error(messageOf(refusal, adminTexts.withdrawalNotDecided))
  }

  const decided = useMutation({
    mutationFn: () => decide(decision, withdrawal, notes, doubt !== null),
    onSuccess: ({ message, data }) => {
      queryClient.setQueryData(one.queryKey, data.withdrawal)
      onClose()
      onDecided?.("pending" in data && data.pending === true)
      toast.success(message)
    },
    onError: (error) => {
      const found = decision === "return" ? doubtOf(error) : null
      if (found === null) return hasStatus(error, 409) ? showWhatItIs(error) : undefined
      return setDoubt(found)
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: withdrawalsKey }),
  })

  return (
    <ConfirmDialog
      {...decisionWords[decision]}
      {...(doubt !== null && { verb: notPaidVerb })}
      busy={decided.isPending}
      onConfirm={() => (decision === "return" && notes.trim() === "" ? setMissing(true) : decided.mutate())}
      onClose={onClose}
    >
      <Question decision={decision} withdrawal={withdrawal} />
      <Field
        {...fieldOf(decision)}
        hint="O vendedor lê o que for escrito aqui."
        error={missing && notes.trim() === "" ? "Escreva o motivo." : undefined}
      >
        {(control) => (
          <TextArea {...control} maxLength={500} value={notes} onChange={(event) => setNotes(event.target.value)} />
        )}
      </Field>
      {/* After a conflict somebody else decided first: the dialog closes, and a toast says so. */}
      <FormAlert
        message={
          (hasStatus(decided.error, 409) ? null : failureText(decided.error, adminTexts.withdrawalNotDecided)) ?? doubt
        }
      />
    </ConfirmDialog>
  )
}

function fieldOf(decision: Decision) {
  return decision === "return" ? { label: "Motivo" } : { label: "Observações", aside: "opcional" }
}

function Question({ decision, withdrawal }: Pick<Props, "decision" | "withdrawal">) {
  const { user, amount, paymentMethod } = withdrawal
  return (
    <>
      <p>
        <b className="font-semibold whitespace-nowrap text-t1 tabular-nums">{formatReais(amount)}</b> para{" "}
        <b className="font-semibold break-words text-t1">{user.name}</b> ({user.email}), por{" "}
        {payoutMethodLabel(paymentMethod)}:
      </p>
      <ul className="rounded-m border border-line bg-bg px-4 py-2.5 text-label wrap-anywhere">
        {wholeDestination(withdrawal).map(({ term, value }) => (
          <li key={term}>
            {term}: <span className="text-t1">{value}</span>
          </li>
        ))}
      </ul>
      <p>{consequenceOf(decision, withdrawal)}</p>
    </>
  )
}
