import * as heads from "@tilinta/contract/heads"
import { useState } from "react"
import { useForm } from "react-hook-form"
import { call } from "#api/client.ts"
import { session } from "#api/session.ts"
import { Button } from "#ui/button.tsx"
import { Field } from "#ui/field.tsx"
import { FormAlert } from "#ui/form-alert.tsx"
import { lazyResolver, warmUp } from "#ui/lazy-resolver.ts"
import { PasswordInput } from "#ui/password-input.tsx"
import { authTexts } from "../auth-texts.ts"
import { missingFieldsAlert, ownMessage } from "../missing-fields.ts"
import { tellRecoveryFailure } from "../recovery-failure.ts"

const loadRules = () => import("./reset-password-rules.ts").then((rules) => rules.resetPasswordResolver)

const failureTexts = {
  failed: authTexts.resetFailed,
  broken: authTexts.resetBroken,
  toast: authTexts.resetToast,
}

export function NewPasswordForm({ token, onDone }: { token: string; onDone: () => void }) {
  const [failure, setFailure] = useState<string | null>(null)
  const form = useForm({ resolver: lazyResolver(loadRules), defaultValues: { password: "", passwordConfirm: "" } })
  const { errors, isSubmitting } = form.formState

  const save = form.handleSubmit(async (body) => {
    try {
      await call(heads.resetPassword, { params: { token }, body })
      session.close()
      onDone()
    } catch (error) {
      setFailure(tellRecoveryFailure(error, failureTexts))
    }
  })

  return (
    <form
      noValidate
      onSubmit={(event) => {
        setFailure(null)
        void save(event)
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
      <Button look="primary" type="submit" disabled={isSubmitting} className="mt-2">
        {isSubmitting ? "Redefinindo..." : "Redefinir senha"}
      </Button>
    </form>
  )
}
