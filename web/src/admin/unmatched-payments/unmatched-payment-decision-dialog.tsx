import { useMutation, useQueryClient } from "@tanstack/react-query"
import type { UnmatchedPaymentView } from "@tilinta/contract/unmatched-payments"
import type { UserView } from "@tilinta/contract/users"
import { useState } from "react"
import { adminTexts } from "#admin/admin-texts.ts"
import { SellerPicker } from "#admin/seller-picker.tsx"
import { failureText, hasStatus, messageOf } from "#api/api-error.ts"
import { formatReais } from "#format/money-text.ts"
import { ConfirmDialog } from "#ui/dialog.tsx"
import { Field, FormAlert, TextArea } from "#ui/field.tsx"
import { toast } from "#ui/toast.ts"
import {
  type Decision,
  decide,
  decisionWords,
  effectFor,
  effectLines,
  needsSeller,
  paymentQuery,
} from "./unmatched-data.ts"

interface Props {
  decision: Decision
  payment: UnmatchedPaymentView
  onClose: () => void
}

/** Opens over the payment itself, which then shows the outcome. */
export function DecisionDialog({ decision, payment, onClose }: Props) {
  const queryClient = useQueryClient()
  const [notes, setNotes] = useState("")
  const [seller, setSeller] = useState<UserView | null>(null)
  const asksForSeller = needsSeller(payment, decision)
  const one = paymentQuery(payment._id)

  async function showWhatItIs(refusal: unknown): Promise<void> {
    await queryClient.fetchQuery({ ...one, staleTime: 0 }).catch(() => undefined)
    onClose()
    toast.error(messageOf(refusal, adminTexts.unmatchedNotDecided))
  }

  const decided = useMutation({
    mutationFn: () => decide({ id: payment._id, decision, adminNotes: notes, sellerId: seller?._id ?? null }),
    onSuccess: ({ message, data }) => {
      queryClient.setQueryData(one.queryKey, data.payment)
      onClose()
      toast.success(message)
    },
    onError: (error) => (hasStatus(error, 409) ? showWhatItIs(error) : undefined),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ["admin"] }),
  })

  return (
    <ConfirmDialog
      title={decisionWords[decision].title}
      verb={`${decisionWords[decision].verb} ${formatReais(payment.amount)}`}
      variant={decision === "accept" ? "primary" : "danger"}
      busy={decided.isPending || (asksForSeller && seller === null)}
      onConfirm={() => decided.mutate()}
      onClose={onClose}
    >
      <Consequences decision={decision} payment={payment} seller={seller} />
      {asksForSeller && <SellerPicker legend="Quem recebe" chosen={seller} onChoose={setSeller} />}
      <Field label="Observações" aside="opcional">
        {(control) => (
          <TextArea {...control} maxLength={500} value={notes} onChange={(event) => setNotes(event.target.value)} />
        )}
      </Field>
      {/* After a conflict somebody else decided first: the dialog closes, and a toast says so. */}
      <FormAlert
        message={hasStatus(decided.error, 409) ? null : failureText(decided.error, adminTexts.unmatchedNotDecided)}
      />
    </ConfirmDialog>
  )
}

function Consequences({
  decision,
  payment,
  seller,
}: Pick<Props, "decision" | "payment"> & { seller: UserView | null }) {
  const effect = payment.effect[decision]
  return (
    <>
      <p>
        Pix de <b className="font-semibold whitespace-nowrap text-t1 tabular-nums">{formatReais(payment.amount)}</b>
        {payment.user !== null && (
          <>
            {" "}
            para <b className="font-semibold break-words text-t1">{payment.user.name}</b>
          </>
        )}
        . O que muda:
      </p>
      <ul className="rounded-m border border-line bg-bg px-4 py-2.5 text-label text-t1 tabular-nums">
        {effectLines(seller === null ? effect : effectFor(effect, seller)).map((line) => (
          <li key={line}>{line}.</li>
        ))}
      </ul>
    </>
  )
}
