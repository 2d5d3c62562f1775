import type { ComponentPropsWithRef } from "react"
import { Field } from "#ui/field.tsx"
import { PasswordInput } from "#ui/password-input.tsx"

/** Confirms that it is the account's owner who gives programs access. */
export function CurrentPasswordField({
  input,
  error,
}: {
  input: ComponentPropsWithRef<"input">
  error: string | undefined
}) {
  return (
    <Field label="Senha atual" hint="A senha da sua conta, para confirmar que é você." error={error}>
      {(control) => <PasswordInput {...control} {...input} autoComplete="current-password" aria-required />}
    </Field>
  )
}
