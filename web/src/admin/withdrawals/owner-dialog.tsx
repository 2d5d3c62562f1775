import { useMutation, useQueryClient } from "@tanstack/react-query"
import type { AdminWithdrawalView } from "@tilinta/contract/admin-withdrawals"
import * as heads from "@tilinta/contract/heads"
import { destinationOwnerLabels } from "@tilinta/contract/vocabulary/withdrawals"
import { useState } from "react"
import { failureText } from "#api/api-error.ts"
import { call } from "#api/client.ts"
import { shortDestination } from "#format/withdrawal-texts.ts"
import { Select } from "#ui/choice-inputs.tsx"
import { ConfirmDialog } from "#ui/dialog.tsx"
import { Field, FormAlert, TextArea } from "#ui/field.tsx"
import { toast } from "#ui/toast.ts"
import { withdrawalsKey } from "./withdrawals-data.ts"

const words = ["confirmed_by_person", "other", "unknown"] as const
type Word = (typeof words)[number]

interface Props {
  withdrawal: AdminWithdrawalView
  destinationId: string
  onClose: () => void
}

/** An administrator's word on whose the destination is, which the seller is told. */
export function OwnerDialog({ withdrawal, destinationId, onClose }: Props) {
  const queryClient = useQueryClient()
  const options = words.filter((word) => word !== withdrawal.owner)
  const [owner, setOwner] = useState<Word>(options[0] ?? "other")
  const [reason, setReason] = useState("")
  const [missing, setMissing] = useState(false)
  const said = useMutation({
    mutationFn: () =>
      call(heads.sayDestinationOwner, {
        params: { id: withdrawal.user._id, destinationId },
        body: { owner, reason },
      }),
    onSuccess: ({ message }) => {
      onClose()
      toast.success(message)
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: withdrawalsKey }),
  })
  return (
    <ConfirmDialog
      title="De quem é o destino?"
      verb="Anotar"
      variant="primary"
      busy={said.isPending}
      onConfirm={() => (reason.trim() === "" ? setMissing(true) : said.mutate())}
      onClose={onClose}
    >
      <p>
        <b className="font-semibold text-t1">{withdrawal.user.name}</b> pediu saque para{" "}
        <span className="wrap-anywhere text-t1">{shortDestination(withdrawal)}</span>.
      </p>
      <Field label="De quem é">
        {(control) => (
          <Select {...control} value={owner} onChange={(event) => setOwner(event.target.value as Word)}>
            {options.map((word) => (
              <option key={word} value={word}>
                {destinationOwnerLabels[word]}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field
        label="Motivo"
        hint="Fica na auditoria. O vendedor é avisado do que foi anotado."
        error={missing && reason.trim() === "" ? "Escreva o motivo." : undefined}
      >
        {(control) => (
          <TextArea {...control} maxLength={500} value={reason} onChange={(event) => setReason(event.target.value)} />
        )}
      </Field>
      <FormAlert message={failureText(said.error, "Erro ao anotar o titular")} />
    </ConfirmDialog>
  )
}
