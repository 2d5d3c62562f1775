import { Field } from "#ui/field.tsx"
import { PasswordInput } from "#ui/password-input.tsx"
import { TextInput } from "#ui/text-input.tsx"
import { ownMessage } from "../missing-fields.ts"
import type { AccountForm } from "./register-form.ts"

export function AccountStep({ form }: { form: AccountForm }) {
  const { register } = form
  const { errors } = form.formState
  return (
    <>
      <Field label="Nome completo" error={ownMessage(errors.name)}>
        {(control) => (
          <TextInput
            {...control}
            {...register("name")}
            autoComplete="name"
            aria-required
            aria-invalid={errors.name ? true : undefined}
          />
        )}
      </Field>
      <Field label="E-mail" error={ownMessage(errors.email)}>
        {(control) => (
          <TextInput
            {...control}
            {...register("email")}
            type="email"
            autoComplete="email"
            autoCapitalize="none"
            aria-required
            aria-invalid={errors.email ? true : undefined}
          />
        )}
      </Field>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Senha" hint="Pelo menos 8 caracteres" error={ownMessage(errors.password)}>
          {(control) => (
            <PasswordInput
              {...control}
              {...register("password")}
              autoComplete="new-password"
              aria-required
              aria-invalid={errors.password ? true : undefined}
            />
          )}
        </Field>
        <Field label="Confirmar senha" error={ownMessage(errors.passwordConfirm)}>
          {(control) => (
            <PasswordInput
              {...control}
              {...register("passwordConfirm")}
              autoComplete="new-password"
              aria-required
              aria-invalid={errors.passwordConfirm ? true : undefined}
            />
          )}
        </Field>
      </div>
    </>
  )
}
