import { Link } from "@tanstack/react-router"
import * as heads from "@tilinta/contract/heads"
import { useState } from "react"
import { useForm } from "react-hook-form"
import { call } from "#api/client.ts"
import { authTexts } from "#auth/auth-parts.tsx"
import { Button } from "#ui/button.tsx"
import { Field, FormAlert, TextInput } from "#ui/field.tsx"
import { FormPage } from "#ui/form-page.tsx"
import { lazyResolver, warmUp } from "#ui/lazy-part.tsx"
import { toast } from "#ui/toast.ts"
import { useSubmit } from "#ui/use-submit.ts"
import { FormDone, recoveryFailureText, textLinkClass } from "../auth-parts.tsx"

const loadRules = () => import("../form-rules.ts").then((rules) => rules.forgotPasswordResolver)

const failureTexts = {
  failed: authTexts.forgotFailed,
  broken: authTexts.forgotBroken,
  toast: authTexts.forgotToast,
}

export function ForgotPasswordPage() {
  const [sent, setSent] = useState(false)
  const form = useForm({ resolver: lazyResolver(loadRules), defaultValues: { email: "" } })
  const { errors, isSubmitting } = form.formState

  const { submit, failure, setFailure } = useSubmit(
    async (body: { email: string }) => {
      await call(heads.forgotPassword, { body })
      toast.success(authTexts.forgotDoneToast)
      setSent(true)
    },
    (error) => recoveryFailureText(error, failureTexts),
  )

  return (
    <FormPage title="Recuperar senha" lead="Informe seu e-mail para receber um link e criar uma nova senha.">
      <form
        noValidate
        onSubmit={(event) => {
          setFailure(null)
          setSent(false)
          void form.handleSubmit(submit)(event)
        }}
        onFocus={() => warmUp(loadRules)}
        className="grid gap-4"
      >
        <FormAlert message={errors.root?.message ?? failure} />
        {sent && <FormDone message={authTexts.forgotDone} />}
        <Field label="E-mail" error={errors.email?.message}>
          {(control) => (
            <TextInput
              {...control}
              {...form.register("email")}
              type="email"
              autoComplete="username"
              autoCapitalize="none"
              aria-required
            />
          )}
        </Field>
        <Button variant="primary" type="submit" disabled={isSubmitting} className="mt-2">
          {isSubmitting ? "Enviando..." : "Enviar link"}
        </Button>
      </form>
      <p className="mt-3 -mb-2.5 text-center text-t2">
        Lembrou a senha?{" "}
        <Link to="/login" className={textLinkClass}>
          Voltar para o login
        </Link>
      </p>
    </FormPage>
  )
}
