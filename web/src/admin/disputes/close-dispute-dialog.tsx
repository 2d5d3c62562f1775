import { useMutation, useQueryClient } from "@tanstack/react-query"
import type { AdminDisputeDetails } from "@tilinta/contract/disputes"
import { useState } from "react"
import { adminTexts } from "#admin/admin-texts.ts"
import { messageOf } from "#api/api-error.ts"
import { formatReais } from "#format/money-text.ts"
import { ConfirmDialog } from "#ui/dialog.tsx"
import { Field, FormAlert, TextArea } from "#ui/field.tsx"
import { toast } from "#ui/toast.ts"
import { closeDispute, disputeQuery, type Ending, effectLines, endingWords } from "./disputes-data.ts"

interface Props {
  ending: Ending
  dispute: AdminDisputeDetails
  onClose: () => void
}

/** States what will happen to the money. */
export function CloseDialog({ ending, dispute, onClose }: Props) {
  const queryClient = useQueryClient()
  const [notes, setNotes] = useState("")
  const effect = dispute.effect[ending]
  const closed = useMutation({
    mutationFn: () => closeDispute({ id: dispute._id, ending, adminNotes: notes }),
    onSuccess: ({ message, data }) => {
      queryClient.setQueryData(disputeQuery(dispute._id).queryKey, data.dispute)
      onClose()
      toast.success(message)
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: ["admin"] }),
  })
  return (
    <ConfirmDialog
      title={endingWords[ending].title}
      verb={`${endingWords[ending].verb} ${formatReais(ending === "release" ? effect.sellerGets : effect.payerGets)}`}
      variant={ending === "release" ? "primary" : "danger"}
      busy={closed.isPending}
      onConfirm={() => closed.mutate()}
      onClose={onClose}
    >
      <p>{ending === "release" ? adminTexts.disputeRelease : adminTexts.disputeDebit} O que muda:</p>
      <ul className="rounded-m border border-line bg-bg px-4 py-2.5 text-label text-t1 tabular-nums">
        {effectLines(effect).map((line) => (
          <li key={line}>{line}.</li>
        ))}
      </ul>
      <Field label="Observações" aside="opcional">
        {(control) => (
          <TextArea {...control} maxLength={500} value={notes} onChange={({ target }) => setNotes(target.value)} />
        )}
      </Field>
      <FormAlert message={closed.error === null ? null : messageOf(closed.error, adminTexts.disputeNotClosed)} />
    </ConfirmDialog>
  )
}
