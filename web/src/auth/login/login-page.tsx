import { Link } from "@tanstack/react-router"
import type { loginEndpoint } from "@tilinta/contract/api/auth-endpoints"
import { useState } from "react"
import { useForm } from "react-hook-form"
import { call } from "#api/client.ts"
import { leanEndpoint } from "#api/lean-endpoint.ts"
import { session } from "#api/session.ts"
import { Button } from "#ui/button.tsx"
import { Field } from "#ui/field.tsx"
import { FormAlert } from "#ui/form-alert.tsx"
import { lazyResolver, warmUp } from "#ui/lazy-resolver.ts"
import { PasswordInput } from "#ui/password-input.tsx"
import { TextInput } from "#ui/text-input.tsx"
import { toast } from "#ui/toast.ts"
import { AuthCard, textLinkClass } from "../auth-card.tsx"
import { authFailure } from "../auth-failure.ts"
import { authTexts } from "../auth-texts.ts"
import { missingFieldsAlert } from "../missing-fields.ts"

const login = leanEndpoint<typeof loginEndpoint>("POST", "/api/v1/auth/login")
const loadRules = () => import("./login-rules.ts").then((rules) => rules.loginResolver)

export function LoginPage() {
  const [failure, setFailure] = useState<string | null>(null)
  const form = useForm({ resolver: lazyResolver(loadRules), defaultValues: { email: "", password: "" } })
  const { errors, isSubmitting } = form.formState
  const missing = missingFieldsAlert(errors)

  const submit = form.handleSubmit(async (body) => {
    setFailure(null)
    try {
      const { token, data } = await call(login, { body })
      toast.success(authTexts.loginDone)
      session.open(token, data.user)
    } catch (error) {
      const { inline, toast: said } = authFailure(error, {
        failed: authTexts.loginFailed,
        broken: authTexts.loginBroken,
        toast: authTexts.loginToast,
      })
      setFailure(inline)
      if (said !== null) toast.error(said)
    }
  })

  return (
    <AuthCard title="Entrar" lead="Acompanhe suas cobranças e recebimentos.">
      <form
        noValidate
        onSubmit={(event) => void submit(event)}
        onFocus={() => warmUp(loadRules)}
        className="grid gap-4"
      >
        <FormAlert message={missing ?? errors.root?.message ?? failure} />
        <Field label="E-mail">
          {(control) => (
            <TextInput
              {...control}
              {...form.register("email")}
              type="email"
              autoComplete="username"
              autoCapitalize="none"
              aria-invalid={errors.email ? true : undefined}
              aria-required
            />
          )}
        </Field>
        <Field label="Senha">
          {(control) => (
            <PasswordInput
              {...control}
              {...form.register("password")}
              autoComplete="current-password"
              aria-invalid={errors.password ? true : undefined}
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

function OtherWays() {
  return (
    <>
      <p className="mt-5 text-center">
        <Link to="/forgot-password" className={textLinkClass}>
          Esqueceu sua senha?
        </Link>
      </p>
      <p className="mt-3 text-center text-t2">
        Ainda não tem conta?{" "}
        <Link to="/register" className={textLinkClass}>
          Cadastre-se
        </Link>
      </p>
    </>
  )
}
