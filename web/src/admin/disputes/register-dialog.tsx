import { useMutation, useQueryClient } from "@tanstack/react-query"
import { type DisputeReason, disputeReasonLabels, disputeReasons } from "@tilinta/contract/vocabulary/dispute-status"
import { type FormEvent, useEffect, useRef, useState } from "react"
import { messageOf } from "#api/api-error.ts"
import { createSubmissions } from "#api/client.ts"
import { Options, Select } from "#ui/choice-inputs.tsx"
import { FormDialog } from "#ui/dialog.tsx"
import { Field, FormAlert, TextArea, TextInput } from "#ui/field.tsx"
import { MoneyInput } from "#ui/masked-inputs.tsx"
import { toast } from "#ui/toast.ts"
import { adminTexts } from "../admin-texts.ts"
import { registerDispute } from "./disputes-data.ts"

interface Filled {
  endToEndId: string
  amount: number | null
  reason: DisputeReason
  respondUntil: string
  adminNotes: string
}

const empty: Filled = { endToEndId: "", amount: null, reason: "fraud", respondUntil: "", adminNotes: "" }

/** Registers a dispute that the bank reported outside its API: the money is blocked from then on. */
export function RegisterDialog({ onClose }: { onClose: () => void }) {
  const queryClient = useQueryClient()
  const submissions = useRef(createSubmissions())
  const idInput = useRef<HTMLInputElement>(null)
  const [filled, setFilled] = useState(empty)
  const [isMissing, setMissing] = useState(false)
  useEffect(() => idInput.current?.focus(), [])
  const registered = useMutation({
    mutationFn: () => {
      const { respondUntil, ...rest } = { ...filled, endToEndId: filled.endToEndId.trim() }
      const order = { ...rest, respondUntil: respondUntil === "" ? null : `${respondUntil}:00-03:00` }
      return registerDispute(order, submissions.current({ ...order }).key)
    },
    onSuccess: () => {
      onClose()
      toast.success(adminTexts.disputeRegistered)
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: ["admin"] }),
  })
  const change = (changes: Partial<Filled>) => setFilled({ ...filled, ...changes })

  function submit(event: FormEvent): void {
    event.preventDefault()
    const lacksId = filled.endToEndId.trim() === ""
    setMissing(lacksId)
    if (lacksId) idInput.current?.focus()
    else registered.mutate()
  }

  return (
    <FormDialog
      title="Registrar contestação"
      verb="Bloquear e registrar"
      busy={registered.isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      <p className="text-t2">
        O valor contestado sai do saldo disponível do vendedor e fica bloqueado até você registrar o fim.
      </p>
      <Field label="ID do Pix (endToEndId)" error={isMissing ? "Informe o ID do Pix." : undefined}>
        {(control) => (
          <TextInput
            {...control}
            ref={idInput}
            aria-required
            maxLength={64}
            value={filled.endToEndId}
            onChange={({ target }) => change({ endToEndId: target.value })}
          />
        )}
      </Field>
      <OtherFields filled={filled} onChange={change} />
      <FormAlert
        message={registered.error === null ? null : messageOf(registered.error, adminTexts.disputeNotRegistered)}
      />
    </FormDialog>
  )
}

interface OtherFieldsProps {
  filled: Filled
  onChange: (changes: Partial<Filled>) => void
}

function OtherFields({ filled, onChange: change }: OtherFieldsProps) {
  return (
    <>
      <Field label="Valor contestado" aside="opcional" hint="Em branco: o pagamento inteiro.">
        {(control) => <MoneyInput {...control} value={filled.amount} onChange={(amount) => change({ amount })} />}
      </Field>
      <Field label="Motivo">
        {(control) => (
          <Select
            {...control}
            value={filled.reason}
            onChange={({ target }) =>
              change({ reason: disputeReasons.find((word) => word === target.value) ?? "other" })
            }
          >
            <Options words={disputeReasons} labels={disputeReasonLabels} />
          </Select>
        )}
      </Field>
      <Field label="Responder até" aside="opcional" hint="Horário de Brasília.">
        {(control) => (
          <TextInput
            {...control}
            type="datetime-local"
            value={filled.respondUntil}
            onChange={({ target }) => change({ respondUntil: target.value })}
          />
        )}
      </Field>
      <Field label="Observações" aside="opcional">
        {(control) => (
          <TextArea
            {...control}
            maxLength={500}
            value={filled.adminNotes}
            onChange={({ target }) => change({ adminNotes: target.value })}
          />
        )}
      </Field>
    </>
  )
}
