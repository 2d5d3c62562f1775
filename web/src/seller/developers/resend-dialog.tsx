import { useMutation } from "@tanstack/react-query"
import { type FormEvent, useRef, useState } from "react"
import { messageOf } from "#api/api-error.ts"
import { createSubmissions } from "#api/client.ts"
import { FormDialog } from "#ui/dialog.tsx"
import { Field, FormAlert, TextInput } from "#ui/field.tsx"
import { toast } from "#ui/toast.ts"
import * as sellerTexts from "../seller-texts.ts"
import { resendSince, type Webhook } from "./developers-data.ts"

interface Props {
  webhook: Webhook
  onResent: () => void
  onClose: () => void
}

export function ResendDialog({ webhook: { _id, url }, onResent, onClose }: Props) {
  const [since, setSince] = useState(yesterday)
  const [isMissing, setIsMissing] = useState(false)
  const submissions = useRef(createSubmissions())
  const resend = useMutation({
    mutationFn: (moment: string) => resendSince(_id, moment, submissions.current(moment).key),
    onSuccess: (count) => {
      toast.success(
        count === 0 ? "Nenhuma entrega desde então" : count === 1 ? "1 entrega na fila" : `${count} entregas na fila`,
      )
      onResent()
    },
  })

  function submit(event: FormEvent): void {
    event.preventDefault()
    const moment = new Date(`${since}-03:00`)
    setIsMissing(Number.isNaN(moment.getTime()))
    if (!Number.isNaN(moment.getTime())) resend.mutate(moment.toISOString())
  }

  return (
    <FormDialog
      title="Reenviar desde…"
      verb={resend.isPending ? "Reenviando..." : "Reenviar"}
      busy={resend.isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      <p className="text-t2">
        Tudo o que aconteceu desde este momento é enviado de novo para{" "}
        <code className="font-mono text-[13px] break-all">{url}</code>, também o que já foi entregue.
      </p>
      <Field
        label="Desde"
        hint="Horário de Brasília."
        error={isMissing ? "Informe uma data e hora válidas." : undefined}
      >
        {(control) => (
          <TextInput
            {...control}
            type="datetime-local"
            value={since}
            onChange={(event) => setSince(event.target.value)}
            aria-required
          />
        )}
      </Field>
      <FormAlert message={resend.isError ? messageOf(resend.error, sellerTexts.webhookNotResent) : null} />
    </FormDialog>
  )
}

/** As the field writes it, in São Paulo, which keeps one offset all year. */
function yesterday(): string {
  return new Date(Date.now() - (24 + 3) * 3_600_000).toISOString().slice(0, 16)
}
