import { type FormEvent, type ReactNode, useEffect, useRef, useState } from "react"
import { messageOf } from "#api/api-error.ts"
import { PasskeyProblem } from "#api/passkeys.ts"
import { Button } from "#ui/button.tsx"
import { Dialog } from "#ui/dialog.tsx"
import { Field, FormAlert, TextInput } from "#ui/field.tsx"
import { sellerTexts } from "../seller-texts.ts"

const formId = "passkey-name"

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
  const [failure, setFailure] = useState<string | null>(null)
  const [isSending, setIsSending] = useState(false)
  useEffect(() => {
    input.current?.focus()
    input.current?.select()
  }, [])

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
    const isMissing = name.trim() === ""
    setFailure(null)
    setProblem(isMissing ? "Dê um nome à chave de acesso." : undefined)
    if (isMissing) return input.current?.focus()
    setIsSending(true)
    try {
      await onSend(name.trim())
    } catch (error) {
      setIsSending(false)
      setFailure(error instanceof PasskeyProblem ? error.message : messageOf(error, sellerTexts.factorNotChanged))
    }
  }

  return (
    <Dialog
      title={title}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancelar</Button>
          <Button look="primary" type="submit" form={formId} disabled={isSending}>
            {isSending ? busyVerb : verb}
          </Button>
        </>
      }
    >
      <form id={formId} noValidate aria-label={title} onSubmit={(event) => void submit(event)} className="grid gap-4">
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
        <FormAlert message={failure} />
      </form>
    </Dialog>
  )
}
