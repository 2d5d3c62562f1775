import { useMutation } from "@tanstack/react-query"
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from "react"
import { FormDialog } from "./dialog.tsx"
import { Field, FormAlert, TextArea } from "./field.tsx"

interface Props {
  title: string
  /** Explains the purpose of the text. */
  children: ReactNode
  label: string
  hint: string
  /** The text to begin with. */
  text?: string
  /** Says that the text is required; without it an empty one is sent, too. */
  missing?: string
  maxLength: number
  verb: string
  busyVerb: string
  /** When it rejects, the text stays and can be sent again. */
  onSend: (text: string) => Promise<unknown>
  failureOf: (error: unknown) => string
  onClose: () => void
}

/** Asks for one text and closes once it is accepted. */
export function TextDialog(props: Props) {
  const { title, children, label, hint, missing, maxLength, verb, busyVerb, onSend, failureOf, onClose } = props
  const input = useRef<HTMLTextAreaElement>(null)
  const [text, setText] = useState(props.text ?? "")
  const [isMissing, setMissing] = useState(false)
  const sent = useMutation({ mutationFn: onSend, onSuccess: onClose })
  useEffect(() => input.current?.focus(), [])

  function submit(event: FormEvent): void {
    event.preventDefault()
    const trimmed = text.trim()
    const lacksText = trimmed === "" && missing !== undefined
    setMissing(lacksText)
    if (lacksText) input.current?.focus()
    else sent.mutate(trimmed)
  }

  return (
    <FormDialog
      title={title}
      verb={sent.isPending ? busyVerb : verb}
      busy={sent.isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      <div className="grid gap-2 text-t2">{children}</div>
      <Field label={label} hint={hint} error={isMissing ? missing : undefined}>
        {(control) => (
          <TextArea
            {...control}
            ref={input}
            aria-required={missing !== undefined}
            rows={6}
            maxLength={maxLength}
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
        )}
      </Field>
      <FormAlert message={sent.error === null ? null : failureOf(sent.error)} />
    </FormDialog>
  )
}
