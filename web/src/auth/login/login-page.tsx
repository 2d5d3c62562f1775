import { Link } from "@tanstack/react-router"
import type { loginEndpoint } from "@tilinta/contract/api/auth-endpoints"
import { type FormEvent, useState } from "react"
import { call } from "#api/client.ts"
import { leanEndpoint } from "#api/lean-endpoint.ts"
import { session } from "#api/session.ts"
import { Button } from "#ui/button.tsx"
import { Field } from "#ui/field.tsx"
import { FormAlert } from "#ui/form-alert.tsx"
import { PasswordInput } from "#ui/password-input.tsx"
import { TextInput } from "#ui/text-input.tsx"
import { toast } from "#ui/toast.ts"
import { AuthCard, textLinkClass } from "../auth-card.tsx"
import { authFailure } from "../auth-failure.ts"
import { authTexts } from "../auth-texts.ts"

const login = leanEndpoint<typeof loginEndpoint>("POST", "/api/v1/auth/login")
const names = ["email", "password"] as const
type Name = (typeof names)[number]

/** Two fields that must not be empty need no form library, which keeps the first screen light. */
export function LoginPage() {
  const [failure, setFailure] = useState<string | null>(null)
  const [missing, setMissing] = useState<readonly Name[]>([])
  const [isSubmitting, setIsSubmitting] = useState(false)

  async function submit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    const form = event.currentTarget
    const body = typedInto(form)
    const empty = names.filter((name) => body[name] === "")
    setMissing(empty)
    setFailure(null)
    if (empty[0] !== undefined) {
      form.querySelector<HTMLInputElement>(`[name=${empty[0]}]`)?.focus()
      return
    }
    setIsSubmitting(true)
    setFailure(await logIn(body))
    setIsSubmitting(false)
  }

  function invalid(name: Name): true | undefined {
    return missing.includes(name) ? true : undefined
  }

  return (
    <AuthCard title="Entrar" lead="Acompanhe suas cobranças e recebimentos.">
      <form
        noValidate
        onSubmit={(event) => void submit(event)}
        onInput={({ currentTarget }) => {
          const typed = typedInto(currentTarget)
          setMissing((before) => before.filter((name) => typed[name] === ""))
        }}
        className="grid gap-4"
      >
        <FormAlert message={missing.length > 0 ? authTexts.fillIn : failure} />
        <Field label="E-mail">
          {(control) => (
            <TextInput
              {...control}
              name="email"
              type="email"
              autoComplete="username"
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
        <Button look="primary" type="submit" disabled={isSubmitting} className="mt-2">
          {isSubmitting ? "Entrando..." : "Entrar"}
        </Button>
      </form>
      <OtherWays />
    </AuthCard>
  )
}

function typedInto(form: HTMLFormElement): Record<Name, string> {
  const typed = new FormData(form)
  return { email: textOf(typed.get("email")).trim(), password: textOf(typed.get("password")) }
}

function textOf(value: FormDataEntryValue | null): string {
  return typeof value === "string" ? value : ""
}

/** Null on success, otherwise the page's message. */
async function logIn(body: Record<Name, string>): Promise<string | null> {
  try {
    const { token, data } = await call(login, { body })
    toast.success(authTexts.loginDone)
    session.open(token, data.user)
    return null
  } catch (error) {
    const { inline, toast: said } = authFailure(error, {
      failed: authTexts.loginFailed,
      broken: authTexts.loginBroken,
      toast: authTexts.loginToast,
    })
    if (said !== null) toast.error(said)
    return inline
  }
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
