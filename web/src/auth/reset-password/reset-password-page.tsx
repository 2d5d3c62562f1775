import { getRouteApi, Link } from "@tanstack/react-router"
import * as heads from "@tilinta/contract/heads"
import { useEffect, useState } from "react"
import { useForm } from "react-hook-form"
import { call } from "#api/client.ts"
import { session } from "#api/session.ts"
import { authTexts } from "#auth/auth-parts.tsx"
import { Button } from "#ui/button.tsx"
import { Field, FormAlert, PasswordInput } from "#ui/field.tsx"
import { FormPage } from "#ui/form-page.tsx"
import { lazyResolver, warmUp } from "#ui/lazy-part.tsx"
import { useSubmit } from "#ui/use-submit.ts"
import { FormDone, missingFieldsAlert, ownMessage, recoveryFailureText, textLinkClass } from "../auth-parts.tsx"

const loadRules = () => import("../form-rules.ts").then((rules) => rules.resetPasswordResolver)

const failureTexts = {
  failed: authTexts.resetFailed,
  broken: authTexts.resetBroken,
  toast: authTexts.resetToast,
}

export function NewPasswordForm({ token, onDone }: { token: string; onDone: () => void }) {
  const form = useForm({ resolver: lazyResolver(loadRules), defaultValues: { password: "", passwordConfirm: "" } })
  const { errors, isSubmitting } = form.formState

  const { submit, failure, setFailure } = useSubmit(
    async (body: { password: string; passwordConfirm: string }) => {
      await call(heads.resetPassword, { params: { token }, body })
      session.close()
      onDone()
    },
    (error) => recoveryFailureText(error, failureTexts),
  )

  return (
    <form
      noValidate
      onSubmit={(event) => {
        setFailure(null)
        void form.handleSubmit(submit)(event)
      }}
      onFocus={() => warmUp(loadRules)}
      className="grid gap-4"
    >
      <FormAlert message={missingFieldsAlert(errors) ?? errors.root?.message ?? failure} />
      <Field label="Nova senha" hint="Pelo menos 8 caracteres" error={ownMessage(errors.password)}>
        {(control) => (
          <PasswordInput
            {...control}
            {...form.register("password")}
            autoComplete="new-password"
            aria-required
            aria-invalid={errors.password ? true : undefined}
          />
        )}
      </Field>
      <Field label="Confirmar nova senha" error={ownMessage(errors.passwordConfirm)}>
        {(control) => (
          <PasswordInput
            {...control}
            {...form.register("passwordConfirm")}
            autoComplete="new-password"
            aria-required
            aria-invalid={errors.passwordConfirm ? true : undefined}
          />
        )}
      </Field>
      <Button variant="primary" type="submit" disabled={isSubmitting} className="mt-2">
        {isSubmitting ? "Redefinindo..." : "Redefinir senha"}
      </Button>
    </form>
  )
}

const route = getRouteApi("/mailed-link/reset-password/$token")
const redirectAfterMs = 3000

export function ResetPasswordPage() {
  const { token } = route.useParams()
  const [done, setDone] = useState(false)
  useRedirectToLogin(done)

  return (
    <FormPage title="Redefinir senha" lead={done ? "A nova senha já vale." : "Escolha a nova senha da sua conta."}>
      {done ? (
        <FormDone message={authTexts.resetDone} />
      ) : (
        <NewPasswordForm key={token} token={token} onDone={() => setDone(true)} />
      )}
      <p className="mt-3 -mb-2.5 text-center text-t2">
        {done ? (
          <Link to="/login" replace className={textLinkClass}>
            Ir para o login
          </Link>
        ) : (
          <>
            O link não funciona?{" "}
            <Link to="/forgot-password" className={textLinkClass}>
              Peça um novo
            </Link>
          </>
        )}
      </p>
    </FormPage>
  )
}

/** Replaces the history entry, because the reset link works only once. */
function useRedirectToLogin(done: boolean): void {
  const navigate = route.useNavigate()
  useEffect(() => {
    if (!done) return
    const timer = setTimeout(() => void navigate({ to: "/login", replace: true }), redirectAfterMs)
    return () => clearTimeout(timer)
  }, [done, navigate])
}
