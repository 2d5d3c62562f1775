import { zodResolver } from "@hookform/resolvers/zod"
import { useQueryClient } from "@tanstack/react-query"
import { updateMyPasswordBody } from "@tilinta/contract/auth"
import * as heads from "@tilinta/contract/heads"
import { useForm } from "react-hook-form"
import { detailOf, messageOf } from "#api/api-error.ts"
import { call } from "#api/client.ts"
import { sellerTexts } from "#seller/seller-texts.ts"
import { Button } from "#ui/button.tsx"
import { Card, CardHeader } from "#ui/card.tsx"
import { Field, FormAlert, PasswordInput } from "#ui/field.tsx"
import { toast } from "#ui/toast.ts"
import { useSubmit } from "#ui/use-submit.ts"
import { sessionsQuery } from "./security-data.ts"

const empty = { passwordCurrent: "", password: "", passwordConfirm: "" }
type PasswordName = keyof typeof empty

const fields: readonly { name: PasswordName; label: string; hint?: string; autoComplete: string }[] = [
  { name: "passwordCurrent", label: "Senha atual", autoComplete: "current-password" },
  { name: "password", label: "Nova senha", hint: "Pelo menos 8 caracteres", autoComplete: "new-password" },
  { name: "passwordConfirm", label: "Confirmar nova senha", autoComplete: "new-password" },
]

export function PasswordCard({ email }: { email: string }) {
  const queryClient = useQueryClient()
  const form = useForm({ resolver: zodResolver(updateMyPasswordBody), defaultValues: empty })
  const { errors, isSubmitting } = form.formState
  const isIncomplete = fields.some(({ name }) => errors[name]?.message === sellerTexts.fillIn)

  const { submit, failure } = useSubmit(change, failureOf, (path, message) => {
    const name = fields.find((field) => field.name === path)?.name
    if (name !== undefined) form.setError(name, { message }, { shouldFocus: true })
  })

  async function change(body: typeof empty): Promise<void> {
    await call(heads.updateMyPassword, { body })
    form.reset()
    toast.success(sellerTexts.passwordSaved, "As outras sessões foram encerradas.")
    void queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey })
  }

  function failureOf(error: unknown): string {
    if (detailOf(error) !== undefined) toast.error(sellerTexts.passwordNotSaved, detailOf(error))
    return messageOf(error, sellerTexts.passwordNotSaved)
  }

  return (
    <Card className="p-5">
      <CardHeader title="Alterar senha" />
      <p className="mt-0.5 text-label text-t3">As suas outras sessões serão encerradas.</p>
      <form
        noValidate
        onSubmit={(event) => void form.handleSubmit(submit)(event)}
        aria-label="Alterar senha"
        className="mt-4 grid gap-4"
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
        <Button type="submit" disabled={isSubmitting}>
          {isSubmitting ? "Alterando..." : "Alterar senha"}
        </Button>
      </form>
    </Card>
  )
}
