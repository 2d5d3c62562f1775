import * as heads from "@tilinta/contract/heads"
import { type FormEvent, useEffect, useRef, useState } from "react"
import { ApiError, messageOf } from "#api/api-error.ts"
import { call } from "#api/client.ts"
import { useUser } from "#api/session.ts"
import { Button } from "#ui/button.tsx"
import { CodeInput } from "#ui/code-input.tsx"
import { Dialog } from "#ui/dialog.tsx"
import { Field } from "#ui/field.tsx"
import { FormAlert } from "#ui/form-alert.tsx"
import { PasswordInput } from "#ui/password-input.tsx"
import { typedText } from "#ui/typed-text.ts"
import { notConfirmed, OtherWay, type WayProps, Why } from "./step-up-way.tsx"

const formId = "step-up"
type Name = "password" | "code"
const fillIn: Record<Name, string> = { password: "Informe a sua senha.", code: "Informe o código." }

export function PasswordStepUp(props: WayProps) {
  const { methods, onClose, onOther } = props
  const user = useUser()
  const { form, asksCode, problems, failure, isSubmitting, submit } = usePasswordStepUp(props)
  return (
    <Dialog
      title="Confirme que é você"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancelar</Button>
          <Button look="primary" type="submit" form={formId} disabled={isSubmitting}>
            {isSubmitting ? "Confirmando..." : "Confirmar"}
          </Button>
        </>
      }
    >
      <form
        ref={form}
        id={formId}
        noValidate
        aria-label="Confirme que é você"
        onSubmit={(event) => void submit(event)}
        className="grid gap-4"
      >
        <Why />
        <input hidden type="text" autoComplete="username" value={user?.email ?? ""} readOnly />
        <Field label="Senha" error={problems.password}>
          {(control) => <PasswordInput {...control} name="password" autoComplete="current-password" aria-required />}
        </Field>
        {asksCode && (
          <CodeInput
            name="code"
            error={problems.code}
            takesApp={methods.includes("totp")}
            takesRecovery={methods.includes("recovery_code")}
          />
        )}
        <FormAlert message={failure} />
        <OtherWay onOther={onOther}>Usar a chave de acesso</OtherWay>
      </form>
    </Dialog>
  )
}

function usePasswordStepUp({ methods, onConfirmed }: WayProps) {
  const form = useRef<HTMLFormElement>(null)
  const [problems, setProblems] = useState<Partial<Record<Name, string>>>({})
  const [failure, setFailure] = useState<string | null>(null)
  const [isSubmitting, setIsSubmitting] = useState(false)
  const asksCode = methods.includes("totp") || methods.includes("recovery_code")
  useEffect(() => focus("password"), [])

  function focus(name: Name): void {
    form.current?.querySelector<HTMLInputElement>(`input[name=${name}]`)?.focus()
  }

  function refuse(name: Name, message: string): void {
    setProblems({ [name]: message })
    focus(name)
  }

  async function submit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    const typed = new FormData(event.currentTarget)
    const body = { password: typedText(typed, "password"), code: typedText(typed, "code") }
    setProblems({})
    setFailure(null)
    const missing = (["password", "code"] as const).find((name) => body[name] === "" && (name !== "code" || asksCode))
    if (missing !== undefined) return refuse(missing, fillIn[missing])
    setIsSubmitting(true)
    try {
      await call(heads.stepUp, { body: asksCode ? body : { password: body.password } })
      onConfirmed()
    } catch (error) {
      setIsSubmitting(false)
      const code = error instanceof ApiError ? error.code : ""
      const message = messageOf(error, notConfirmed)
      if (code === "validation_failed") refuse("password", message)
      else if (code === "second_factor_invalid") refuse("code", message)
      else setFailure(message)
    }
  }

  return { form, asksCode, problems, failure, isSubmitting, submit }
}
