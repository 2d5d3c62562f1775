import { type FormEvent, type ReactNode, useEffect, useRef, useState } from "react"
import { messageOf } from "#api/api-error.ts"
import { PasskeyProblem } from "#api/passkeys.ts"
import { FormDialog } from "#ui/dialog.tsx"
import { Field, FormAlert, TextInput } from "#ui/field.tsx"
import { useSubmit } from "#ui/use-submit.ts"
import * as sellerTexts from "../seller-texts.ts"

interface Props {
  title: string
  initial: string
  verb: string
  busyVerb: string
  children?: ReactNode
  /** When it rejects, the dialog stays and can be sent again. */
  onSend: (name: string) => Promise<void>
  onClose: () => void
}

export function PasskeyNameDialog({ title, initial, verb, busyVerb, children, onSend, onClose }: Props) {
  const input = useRef<HTMLInputElement>(null)
  const [name, setName] = useState(initial)
  const [problem, setProblem] = useState<string | undefined>()
  const sending = useSubmit(onSend, (error) =>
    error instanceof PasskeyProblem ? error.message : messageOf(error, sellerTexts.factorNotChanged),
  )
  useEffect(() => {
    input.current?.focus()
    input.current?.select()
  }, [])

  function submit(event: FormEvent): void {
    event.preventDefault()
    const isMissing = name.trim() === ""
    sending.setFailure(null)
    setProblem(isMissing ? "Dê um nome à chave de acesso." : undefined)
    if (isMissing) input.current?.focus()
    else void sending.submit(name.trim())
  }

  return (
    <FormDialog
      title={title}
      verb={sending.busy ? busyVerb : verb}
      busy={sending.busy}
      onSubmit={submit}
      onClose={onClose}
    >
      {children}
      <Field label="Nome" hint="Para você reconhecer depois em que aparelho ela está." error={problem}>
        {(control) => (
          <TextInput
            {...control}
            ref={input}
            aria-required
            autoComplete="off"
            maxLength={60}
            value={name}
            onChange={({ target }) => setName(target.value)}
          />
        )}
      </Field>
      <FormAlert message={sending.failure} />
    </FormDialog>
  )
}
