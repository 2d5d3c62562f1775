import { zodResolver } from "@hookform/resolvers/zod"
import { useQueryClient } from "@tanstack/react-query"
import type { UserView } from "@tilinta/contract/users"
import { type ReactNode, useCallback, useEffect, useState } from "react"
import { FormProvider, useForm } from "react-hook-form"
import { detailOf, messageOf } from "#api/api-error.ts"
import { session } from "#api/session.ts"
import { AddressFields } from "#parts/people/address-fields.tsx"
import * as sellerTexts from "#seller/seller-texts.ts"
import { Button } from "#ui/button.tsx"
import { Card, CardHeader } from "#ui/card.tsx"
import { UnsavedChanges } from "#ui/dialog.tsx"
import { FormAlert } from "#ui/field.tsx"
import { Icon } from "#ui/icon.tsx"
import { toast } from "#ui/toast.ts"
import { useSubmit } from "#ui/use-submit.ts"
import { BankFields, PersonalFields } from "./profile-fields.tsx"
import {
  type ProfileBody,
  type ProfileForm,
  profileFormOf,
  profileQuery,
  profileSchema,
  saveProfile,
} from "./profile-form.ts"

/** Each card saves its own part, whatever the others hold. */
export function ProfileForms({ user }: { user: UserView }) {
  const [dirty, setDirty] = useState<ReadonlySet<string>>(new Set())

  const note = useCallback((title: string, isDirty: boolean) => {
    setDirty((known) => new Set([...known].filter((each) => each !== title).concat(isDirty ? [title] : [])))
  }, [])

  return (
    <div className="grid gap-4 [&_:is(input,select)]:scroll-my-24">
      <PartForm user={user} part={["name", "phone"]} title="Dados pessoais" verb="Salvar dados" onDirty={note}>
        <PersonalFields user={user} />
      </PartForm>
      <PartForm user={user} part={["address"]} title="Endereço" verb="Salvar endereço" onDirty={note}>
        <AddressFields isRequired />
      </PartForm>
      {user.role === "user" && (
        <PartForm
          user={user}
          part={["bankAccount"]}
          title="Dados bancários"
          intro="Para onde vão os seus saques. Cada pedido pode usar outro destino."
          verb="Salvar conta"
          onDirty={note}
        >
          <BankFields />
        </PartForm>
      )}
      <UnsavedChanges when={dirty.size > 0} />
    </div>
  )
}

interface PartProps {
  user: UserView
  part: readonly (keyof ProfileForm)[]
  title: string
  intro?: string
  verb: string
  onDirty: (title: string, isDirty: boolean) => void
  children: ReactNode
}

function PartForm({ user, part, title, intro, verb, onDirty, children }: PartProps) {
  const valuesOf = (stored: UserView) =>
    Object.fromEntries(part.map((name) => [name, profileFormOf(stored)[name]])) as Partial<ProfileForm>
  const form = useForm({ resolver: zodResolver(profileSchema), defaultValues: valuesOf(user) })
  const { isDirty, isSubmitting, errors } = form.formState
  const queryClient = useQueryClient()
  const { submit, failure, saved, setFailure } = useSave(user, {
    keep: (stored) => {
      form.reset(valuesOf(stored))
      queryClient.setQueryData(profileQuery.queryKey, stored)
      session.renew(stored)
    },
    showProblem: (path, message) => form.setError(path as keyof ProfileForm, { message }),
  })
  const leavesDirty = isDirty && !isSubmitting
  useEffect(() => onDirty(title, leavesDirty), [onDirty, title, leavesDirty])

  return (
    <FormProvider {...form}>
      <Card className="p-5 md:p-6">
        <form
          noValidate
          aria-label={title}
          onSubmit={(event) => void form.handleSubmit(submit)(event)}
          className="grid gap-4"
        >
          <div>
            <CardHeader title={title} />
            {intro !== undefined && <p className="mt-0.5 text-label text-t3">{intro}</p>}
          </div>
          {children}
          <FormAlert message={saysFillIn(errors) ? sellerTexts.fillIn : failure} />
          <div className="flex flex-wrap items-center justify-end gap-x-3 gap-y-2 max-sm:[&>button]:flex-1">
            <PartState saved={saved && !isDirty} dirty={isDirty} />
            {isDirty && (
              <Button
                variant="ghost"
                disabled={isSubmitting}
                onClick={() => {
                  form.reset()
                  setFailure(null)
                }}
              >
                Descartar
              </Button>
            )}
            <Button variant={isDirty ? "primary" : "secondary"} type="submit" disabled={isSubmitting}>
              {isSubmitting ? "Salvando..." : verb}
            </Button>
          </div>
        </form>
      </Card>
    </FormProvider>
  )
}

function PartState({ saved, dirty }: { saved: boolean; dirty: boolean }) {
  return (
    <p
      role="status"
      className="mr-auto flex items-center gap-2 text-label font-semibold empty:absolute max-sm:basis-full"
    >
      {saved && (
        <>
          <Icon name="check" className="size-[18px] stroke-[2.4] text-mint" />
          {sellerTexts.profileSaved}
        </>
      )}
      {!saved && dirty && <span className="font-medium text-t2">Há alterações não salvas.</span>}
    </p>
  )
}

function saysFillIn(errors: object): boolean {
  return Object.entries(errors).some(([name, value]: [string, unknown]) => {
    if (name === "message") return value === sellerTexts.fillIn
    return name !== "ref" && typeof value === "object" && value !== null && saysFillIn(value)
  })
}

interface Outcome {
  keep: (stored: UserView) => void
  showProblem: (path: string, message: string) => void
}

const successMs = 3000

function useSave(user: UserView, { keep, showProblem }: Outcome) {
  const [savedAt, setSavedAt] = useState<number | null>(null)

  useEffect(() => {
    if (savedAt === null) return
    const timer = setTimeout(() => setSavedAt(null), successMs)
    return () => clearTimeout(timer)
  }, [savedAt])

  async function save(body: ProfileBody): Promise<void> {
    setSavedAt(null)
    keep(await saveProfile(user, body))
    setSavedAt(Date.now())
    toast.success(sellerTexts.profileSavedToast)
  }

  function failureOf(error: unknown): string {
    const text = messageOf(error, sellerTexts.profileNotSaved)
    if (text === sellerTexts.profileNotSaved) toast.error(sellerTexts.profileNotSavedToast, detailOf(error))
    return text
  }

  return { ...useSubmit(save, failureOf, showProblem), saved: savedAt !== null }
}
