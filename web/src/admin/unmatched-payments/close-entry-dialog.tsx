import { useMutation, useQueryClient } from "@tanstack/react-query"
import type { UnreadableEntryView } from "@tilinta/contract/unmatched-payments"
import { differenceKindLabels } from "@tilinta/contract/vocabulary/books"
import { useState } from "react"
import { adminTexts } from "#admin/admin-texts.ts"
import { failureText } from "#api/api-error.ts"
import { ConfirmDialog } from "#ui/dialog.tsx"
import { Field, FormAlert, TextArea } from "#ui/field.tsx"
import { toast } from "#ui/toast.ts"
import { closeEntry } from "./unmatched-data.ts"

interface Props {
  entry: UnreadableEntryView
  onClose: () => void
}

export function CloseEntryDialog({ entry, onClose }: Props) {
  const queryClient = useQueryClient()
  const [reason, setReason] = useState("")
  const [isChecked, setIsChecked] = useState(false)
  const isMissing = reason.trim() === ""
  const closed = useMutation({
    mutationFn: () => closeEntry(entry._id, reason.trim()),
    onSuccess: ({ message }) => {
      onClose()
      toast.success(message)
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: ["admin"] }),
  })

  function confirm(): void {
    setIsChecked(true)
    if (!isMissing) closed.mutate()
  }

  return (
    <ConfirmDialog
      title="Encerrar lançamento?"
      verb="Encerrar lançamento"
      variant="primary"
      busy={closed.isPending}
      onConfirm={confirm}
      onClose={onClose}
    >
      <p className="wrap-anywhere">
        {differenceKindLabels[entry.kind]} <code className="text-t1">{entry.reference}</code>. Confira antes no banco:
        nenhum saldo muda, e o lançamento sai desta lista. O fechamento diário continua a mostrá-lo.
      </p>
      <Field label="Motivo" error={isChecked && isMissing ? "Escreva o motivo: o que se viu no banco." : undefined}>
        {(control) => (
          <TextArea {...control} maxLength={500} value={reason} onChange={({ target }) => setReason(target.value)} />
        )}
      </Field>
      <FormAlert message={failureText(closed.error, adminTexts.entryNotClosed)} />
    </ConfirmDialog>
  )
}
