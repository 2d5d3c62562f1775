import { zodResolver } from "@hookform/resolvers/zod"
import { useQueryClient } from "@tanstack/react-query"
import { updateMyPasswordBody } from "@tilinta/contract/auth"
import * as heads from "@tilinta/contract/heads"
import { useState } from "react"
import { useForm } from "react-hook-form"
import { ApiError, detailOf, messageOf } from "#api/api-error.ts"
import { call } from "#api/client.ts"
import { sellerTexts } from "#seller/seller-texts.ts"
import { Button } from "#ui/button.tsx"
import { Card, CardHeader } from "#ui/card.tsx"
import { Field, FormAlert, PasswordInput } from "#ui/field.tsx"
import { toast } from "#ui/toast.ts"
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
  const [failure, setFailure] = useState<string | null>(null)
  const form = useForm({ resolver: zodResolver(updateMyPasswordBody), defaultValues: empty })
  const { errors, isSubmitting } = form.formState
  const isIncomplete = fields.some(({ name }) => errors[name]?.message === sellerTexts.fillIn)

  const change = form.handleSubmit(async (body) => {
    setFailure(null)
    try {
      await call(heads.updateMyPassword, { body })
      form.reset()
      toast.success(sellerTexts.passwordSaved, "As outras sessões foram encerradas.")
      void queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey })
    } catch (error) {
      setFailure(messageOf(error, sellerTexts.passwordNotSaved))
      if (detailOf(error) !== undefined) toast.error(sellerTexts.passwordNotSaved, detailOf(error))
      if (error instanceof ApiError) showProblems(error)
    }
  })

  function showProblems({ errors: problems }: ApiError): void {
    for (const { name } of fields) {
      const message = problems.find(({ path }) => path === name)?.message
      if (message !== undefined) form.setError(name, { message }, { shouldFocus: true })
    }
  }

  return (
    <Card className="p-5">
      <CardHeader title="Alterar senha" />
      <p className="mt-0.5 text-label text-t3">As suas outras sessões serão encerradas.</p>
      <form noValidate onSubmit={(event) => void change(event)} aria-label="Alterar senha" className="mt-4 grid gap-4">
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
