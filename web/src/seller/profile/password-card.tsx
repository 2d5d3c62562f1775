import { zodResolver } from "@hookform/resolvers/zod"
import { useQueryClient } from "@tanstack/react-query"
import { updateMyPasswordBody } from "@tilinta/contract/auth"
import * as heads from "@tilinta/contract/heads"
import { useForm } from "react-hook-form"
import { detailOf, messageOf } from "#api/api-error.ts"
import { call } from "#api/client.ts"
import * as sellerTexts from "#seller/seller-texts.ts"
import { Button } from "#ui/button.tsx"
import { Card, CardHeader } from "#ui/card.tsx"
import { Field, FormAlert, PasswordInput } from "#ui/field.tsx"
import { toast } from "#ui/toast.ts"
import { useSubmit } from "#ui/use-submit.ts"
import { sessionsQuery } from "./security-data.ts"

const empty = { passwordCurrent: "", password: "", passwordConfirm: "" }
export type NewPassword = typeof empty

const fields: readonly { name: keyof NewPassword; label: string; hint?: string; autoComplete: string }[] = [
  { name: "passwordCurrent", label: "Senha atual", autoComplete: "current-password" },
  { name: "password", label: "Nova senha", hint: "Pelo menos 8 caracteres", autoComplete: "new-password" },
  { name: "passwordConfirm", label: "Confirmar nova senha", autoComplete: "new-password" },
]

export function PasswordCard({ email }: { email: string }) {
  const queryClient = useQueryClient()

  async function change(body: NewPassword): Promise<void> {
    await call(heads.updateMyPassword, { body })
    toast.success(sellerTexts.passwordSaved, "As outras sessões foram encerradas.")
    void queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey })
  }

  return (
    <Card className="p-5">
      <CardHeader title="Alterar senha" />
      <p className="mt-0.5 mb-4 text-label text-t3">As suas outras sessões serão encerradas.</p>
      <PasswordForm email={email} verb="Alterar senha" busyVerb="Alterando..." send={change} />
    </Card>
  )
}

interface PasswordFormProps {
  email: string
  verb: string
  busyVerb: string
  /** The one thing to do on its screen. */
  isPrimary?: boolean
  send: (body: NewPassword) => Promise<void>
}

export function PasswordForm({ email, verb, busyVerb, isPrimary = false, send }: PasswordFormProps) {
  const form = useForm({ resolver: zodResolver(updateMyPasswordBody), defaultValues: empty })
  const { errors, isSubmitting } = form.formState
  const isIncomplete = fields.some(({ name }) => errors[name]?.message === sellerTexts.fillIn)

  const { submit, failure } = useSubmit(sendOnce, failureOf, (path, message) => {
    const name = fields.find((field) => field.name === path)?.name
    if (name !== undefined) form.setError(name, { message }, { shouldFocus: true })
  })

  async function sendOnce(body: NewPassword): Promise<void> {
    await send(body)
    form.reset()
  }

  function failureOf(error: unknown): string {
    if (detailOf(error) !== undefined) toast.error(sellerTexts.passwordNotSaved, detailOf(error))
    return messageOf(error, sellerTexts.passwordNotSaved)
  }

  return (
    <form
      noValidate
      onSubmit={(event) => void form.handleSubmit(submit)(event)}
      aria-label={verb}
      className="grid gap-4"
    >
      <input hidden type="text" autoComplete="username" value={email} readOnly />
      {fields.map(({ name, label, hint, autoComplete }) => {
        const message = errors[name]?.message
        return (
          <Field key={name} label={label} hint={hint} error={message === sellerTexts.fillIn ? undefined : message}>
            {(control) => (
              <PasswordInput
                {...control}
                {...form.register(name)}
                autoComplete={autoComplete}
                aria-required
                aria-invalid={errors[name] ? true : undefined}
              />
            )}
          </Field>
        )
      })}
      <FormAlert message={isIncomplete ? sellerTexts.fillIn : failure} />
      <Button variant={isPrimary ? "primary" : "secondary"} type="submit" disabled={isSubmitting}>
        {isSubmitting ? busyVerb : verb}
      </Button>
    </form>
  )
}
