import { zodResolver } from "@hookform/resolvers/zod"
import { createUserEndpoint } from "@tilinta/contract/api/admin-users-endpoints"
import { type ReactNode, useEffect, useId, useState } from "react"
import { FormProvider, useForm } from "react-hook-form"
import { ApiError, detailOf, messageOf } from "#api/api-error.ts"
import { Button } from "#ui/button.tsx"
import { Dialog } from "#ui/dialog.tsx"
import { FormAlert } from "#ui/form-alert.tsx"
import { adminTexts } from "../admin-texts.ts"
import { UserFields } from "./user-fields.tsx"
import type { UserForm } from "./user-form.ts"

interface Props {
  title: string
  verb: string
  values: UserForm
  /** Rejects with the server's error. */
  send: (form: UserForm) => Promise<void>
  onClose: () => void
  /** Explains the effects of saving. */
  children: ReactNode
}

export function UserFormDialog({ title, verb, values, send, onClose, children }: Props) {
  const formId = useId()
  const form = useForm({ resolver: zodResolver(createUserEndpoint.body), defaultValues: values })
  const [failure, setFailure] = useState<string | null>(null)
  const { isSubmitting, errors } = form.formState
  const isIncomplete = [errors.name, errors.email].some((problem) => problem?.message === adminTexts.fillIn)
  useEffect(() => form.setFocus("name"), [form])

  const submit = form.handleSubmit(async (body) => {
    setFailure(null)
    try {
      await send(body)
    } catch (error) {
      setFailure([messageOf(error, adminTexts.userNotSaved), detailOf(error)].filter(Boolean).join(". "))
      if (error instanceof ApiError) showProblems(error)
    }
  })

  function showProblems({ code, errors: problems, message }: ApiError): void {
    if (code === "email_taken") form.setError("email", { message }, { shouldFocus: true })
    for (const { path, message: problem } of problems) {
      if (path === "name" || path === "email") form.setError(path, { message: problem }, { shouldFocus: true })
    }
  }

  return (
    <Dialog
      title={title}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancelar</Button>
          <Button look="primary" type="submit" form={formId} disabled={isSubmitting}>
            {isSubmitting ? "Salvando..." : verb}
          </Button>
        </>
      }
    >
      <FormProvider {...form}>
        <form id={formId} noValidate aria-label={title} onSubmit={(event) => void submit(event)} className="grid gap-4">
          <FormAlert message={isIncomplete ? adminTexts.fillIn : failure} />
          <UserFields />
          {children}
        </form>
      </FormProvider>
    </Dialog>
  )
}
