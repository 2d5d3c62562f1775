import * as heads from "@tilinta/contract/heads"
import { type FormEvent, useEffect, useRef, useState } from "react"
import { ApiError, messageOf } from "#api/api-error.ts"
import { call } from "#api/client.ts"
import { askPasskey, offersPasskeys, PasskeyProblem } from "#api/passkeys.ts"
import { useUser } from "#api/session.ts"
import { Button } from "#ui/button.tsx"
import { Dialog, FormDialog } from "#ui/dialog.tsx"
import { CodeInput, Field, FormAlert, PasswordInput, typedText } from "#ui/field.tsx"
import { useSubmit } from "#ui/use-submit.ts"

export interface StepUpProps {
  methods: readonly string[]
  onConfirmed: () => void
  onClose: () => void
}

export interface WayProps extends StepUpProps {
  /** Null when there is no other way. */
  onOther: (() => void) | null
}

export const notConfirmed = "Não foi possível confirmar. Tente de novo."

export function Why() {
  return (
    <p className="text-t2">
      Isto mexe com o dinheiro ou com a segurança da conta. Depois, por 5 minutos, não perguntamos de novo.
    </p>
  )
}

export function OtherWay({ onOther, children }: { onOther: (() => void) | null; children: string }) {
  if (onOther === null) return null
  return (
    <Button variant="ghost" className="-ml-3 justify-self-start px-3 text-label" onClick={onOther}>
      {children}
    </Button>
  )
}

export function PasskeyStepUp({ onConfirmed, onClose, onOther }: WayProps) {
  const button = useRef<HTMLButtonElement>(null)
  const { submit, busy, failure } = useSubmit(confirm, failureOf)
  useEffect(() => button.current?.focus(), [])

  async function confirm(): Promise<void> {
    const { data } = await call(heads.stepUpOptions)
    await call(heads.stepUp, { body: { credential: await askPasskey(data.publicKey) } })
    onConfirmed()
  }

  function failureOf(error: unknown): string {
    button.current?.focus()
    return error instanceof PasskeyProblem ? error.message : messageOf(error, notConfirmed)
  }

  return (
    <Dialog
      title="Confirme que é você"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancelar</Button>
          <Button ref={button} variant="primary" aria-disabled={busy} onClick={() => !busy && void submit()}>
            {busy ? "Esperando o aparelho..." : "Usar chave de acesso"}
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        <Why />
        <FormAlert message={failure} />
        <OtherWay onOther={onOther}>Usar a senha</OtherWay>
      </div>
    </Dialog>
  )
}

type Name = "password" | "code"
const fillIn: Record<Name, string> = { password: "Informe a sua senha.", code: "Informe o código." }

export function PasswordStepUp(props: WayProps) {
  const { methods, onClose, onOther } = props
  const user = useUser()
  const { form, asksCode, problems, failure, busy, submit } = usePasswordStepUp(props)
  return (
    <FormDialog
      ref={form}
      title="Confirme que é você"
      verb={busy ? "Confirmando..." : "Confirmar"}
      busy={busy}
      onSubmit={submit}
      onClose={onClose}
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
    </FormDialog>
  )
}

function usePasswordStepUp({ methods, onConfirmed }: WayProps) {
  const form = useRef<HTMLFormElement>(null)
  const [problems, setProblems] = useState<Partial<Record<Name, string>>>({})
  const confirming = useSubmit(confirm, failureOf)
  const asksCode = methods.includes("totp") || methods.includes("recovery_code")
  useEffect(() => focus("password"), [])

  function focus(name: Name): void {
    form.current?.querySelector<HTMLInputElement>(`input[name=${name}]`)?.focus()
  }

  function refuse(name: Name, message: string): null {
    setProblems({ [name]: message })
    focus(name)
    return null
  }

  async function confirm(body: Record<Name, string>): Promise<void> {
    await call(heads.stepUp, { body: asksCode ? body : { password: body.password } })
    onConfirmed()
  }

  function failureOf(error: unknown): string | null {
    const code = error instanceof ApiError ? error.code : ""
    const message = messageOf(error, notConfirmed)
    if (code === "validation_failed") return refuse("password", message)
    return code === "second_factor_invalid" ? refuse("code", message) : message
  }

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    const typed = new FormData(event.currentTarget)
    const body = { password: typedText(typed, "password"), code: typedText(typed, "code") }
    setProblems({})
    confirming.setFailure(null)
    const missing = (["password", "code"] as const).find((name) => body[name] === "" && (name !== "code" || asksCode))
    if (missing !== undefined) refuse(missing, fillIn[missing])
    else void confirming.submit(body)
  }

  return { ...confirming, form, asksCode, problems, submit }
}

/** A passkey comes first where there is one: a touch instead of a password and a code. */
export function StepUpDialog(props: StepUpProps) {
  const { methods } = props
  const hasPasskey = methods.includes("passkey") && offersPasskeys()
  const takesPassword = !methods.includes("passkey") || methods.includes("totp") || methods.includes("recovery_code")
  const [isByPassword, setByPassword] = useState(!hasPasskey)
  if (isByPassword) {
    return <PasswordStepUp {...props} onOther={hasPasskey ? () => setByPassword(false) : null} />
  }
  return <PasskeyStepUp {...props} onOther={takesPassword ? () => setByPassword(true) : null} />
}
