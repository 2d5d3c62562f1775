import { Link } from "@tanstack/react-router"
import type { loginEndpoint } from "@tilinta/contract/auth"
import * as heads from "@tilinta/contract/heads"
import { type FormEvent, useEffect, useEffectEvent, useRef, useState } from "react"
import { ApiError } from "#api/api-error.ts"
import { call, type ReplyOf } from "#api/client.ts"
import { session } from "#api/session.ts"
import { authFailure, authTexts, textLinkClass } from "#auth/auth-parts.tsx"
import { Button } from "#ui/button.tsx"
import { CodeInput, Field, FormAlert, PasswordInput, TextInput, typedText } from "#ui/field.tsx"
import { FormPage } from "#ui/form-page.tsx"
import { toast } from "#ui/toast.ts"
import { useSubmit } from "#ui/use-submit.ts"

export const knowsPasskeys = typeof PublicKeyCredential === "function"

interface PasskeyLoginEvents {
  onBegun: () => void
  onOpened: (opened: ReplyOf<typeof loginEndpoint>) => void
  onFailed: (error: unknown) => void
}

/** Offers passkeys in the fields and by a button. The code for it is fetched after the screen, which it would delay. */
export function usePasskeyLogin({ onBegun, onOpened, onFailed }: PasskeyLoginEvents) {
  /** Grows after each question of the button, which ended the offer in the fields. */
  const [round, setRound] = useState(0)
  const opened = useEffectEvent(onOpened)
  const failed = useEffectEvent(onFailed)

  useEffect(() => {
    if (!knowsPasskeys) return
    let stop: (() => void) | null = null
    let isGone = false
    import("./passkey-login.ts").then(
      ({ offerPasskeys }) => {
        if (!isGone) stop = offerPasskeys(opened, failed)
      },
      () => undefined,
    )
    return () => {
      isGone = true
      stop?.()
    }
  }, [round])

  async function enter(): Promise<void> {
    onBegun()
    const { signInByPasskey } = await import("./passkey-login.ts")
    onOpened(await signInByPasskey())
  }

  return useSubmit(enter, (error) => {
    onFailed(error)
    setRound(round + 1)
    return null
  })
}

const names = ["email", "password", "code"] as const
type Name = (typeof names)[number]

function useLogin() {
  const { submit: logIn, busy, failure, setFailure } = useSubmit(sendLogin, failureOf)
  const [missing, setMissing] = useState<readonly Name[]>([])
  /** Ways to prove oneself besides the password; empty until the server has asked for one. */
  const [methods, setMethods] = useState<readonly string[]>([])
  const form = useRef<HTMLFormElement>(null)
  const asksCode = methods.includes("totp") || methods.includes("recovery_code")
  const asksPasskey = methods.includes("passkey") && !methods.includes("totp")
  const passkeyButton = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (asksPasskey) passkeyButton.current?.focus()
    else if (asksCode) focusOn("code")
  }, [asksCode, asksPasskey])
  const passkey = usePasskeyLogin({
    onBegun: clear,
    onOpened: enter,
    onFailed: (error) => setFailure(failureOf(error)),
  })

  function focusOn(name: Name): void {
    form.current?.querySelector<HTMLInputElement>(`[name=${name}]`)?.focus()
  }

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    const body = typedInto(event.currentTarget)
    const empty = names.filter((name) => body[name] === "" && (name !== "code" || asksCode))
    setFailure(null)
    setMissing(empty)
    if (empty[0] !== undefined) focusOn(empty[0])
    else void logIn(body)
  }

  function failureOf(error: unknown): string | null {
    if (error instanceof Error && error.name === "PasskeyProblem") return error.message
    const code = error instanceof ApiError ? error.code : ""
    if (error instanceof ApiError && error.methods.length > 0) setMethods(error.methods)
    if (code === "second_factor_required" && error instanceof ApiError && error.methods.includes("totp")) return null
    const { inline, toast: said } = authFailure(error, {
      failed: authTexts.loginFailed,
      broken: authTexts.loginBroken,
      toast: authTexts.loginToast,
    })
    if (said !== null) toast.error(said)
    if (code === "second_factor_invalid") focusOn("code")
    return inline
  }

  function clear(): void {
    setFailure(null)
    setMissing([])
  }

  function invalid(name: Name): true | undefined {
    return missing.includes(name) ? true : undefined
  }

  function noteInput(typed: Record<Name, string>): void {
    setMissing((before) => before.filter((name) => typed[name] === ""))
  }

  return {
    form,
    submit,
    noteInput,
    invalid,
    methods,
    asksCode,
    busy,
    passkeyButton,
    passkey,
    message: missing.length > 0 ? authTexts.fillIn : failure,
  }
}

/** Two fields that must not be empty need no form library, which keeps the first screen light. */
export function LoginPage() {
  const { form, passkeyButton, submit, noteInput, invalid, methods, asksCode, busy, passkey, message } = useLogin()
  return (
    <FormPage title="Entrar" lead="Acompanhe suas cobranças e recebimentos.">
      <form
        ref={form}
        noValidate
        onSubmit={submit}
        onInput={({ currentTarget }) => noteInput(typedInto(currentTarget))}
        className="grid gap-4"
      >
        <FormAlert message={message} />
        <Field label="E-mail">
          {(control) => (
            <TextInput
              {...control}
              name="email"
              type="email"
              autoComplete="username webauthn"
              autoCapitalize="none"
              aria-invalid={invalid("email")}
              aria-required
            />
          )}
        </Field>
        <Field label="Senha">
          {(control) => (
            <PasswordInput
              {...control}
              name="password"
              autoComplete="current-password"
              aria-invalid={invalid("password")}
              aria-required
            />
          )}
        </Field>
        {asksCode && (
          <CodeInput
            name="code"
            takesApp={methods.includes("totp")}
            takesRecovery={methods.includes("recovery_code")}
            aria-invalid={invalid("code")}
          />
        )}
        <Button variant="primary" type="submit" disabled={busy || passkey.busy} className="mt-2">
          {busy ? "Entrando..." : "Entrar"}
        </Button>
        {knowsPasskeys && (
          <Button ref={passkeyButton} disabled={passkey.busy} onClick={() => void passkey.submit()}>
            Usar chave de acesso
          </Button>
        )}
      </form>
      <OtherWays />
    </FormPage>
  )
}

function typedInto(form: HTMLFormElement): Record<Name, string> {
  const typed = new FormData(form)
  return {
    email: typedText(typed, "email").trim(),
    password: typedText(typed, "password"),
    code: typedText(typed, "code").trim(),
  }
}

async function sendLogin({ email, password, code }: Record<Name, string>): Promise<void> {
  enter(await call(heads.login, { body: { email, password, ...(code !== "" && { code }) } }))
}

function enter({ token, data }: ReplyOf<typeof loginEndpoint>): void {
  toast.success(authTexts.loginDone)
  session.open(token, data.user)
}

function OtherWays() {
  return (
    <>
      <p className="mt-2 text-center">
        <Link to="/forgot-password" className={textLinkClass}>
          Esqueceu sua senha?
        </Link>
      </p>
      <p className="-mb-2.5 text-center text-t2">
        Ainda não tem conta?{" "}
        <Link to="/register" className={textLinkClass}>
          Cadastre-se
        </Link>
      </p>
    </>
  )
}
