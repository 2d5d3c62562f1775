import { zodResolver } from "@hookform/resolvers/zod"
import { useQueryClient } from "@tanstack/react-query"
import type { UserView } from "@tilinta/contract/users"
import { useEffect, useState } from "react"
import { FormProvider, useForm } from "react-hook-form"
import { detailOf, messageOf } from "#api/api-error.ts"
import { session } from "#api/session.ts"
import { sellerTexts } from "#seller/seller-texts.ts"
import { Button } from "#ui/button.tsx"
import { UnsavedChanges } from "#ui/dialog.tsx"
import { FormAlert } from "#ui/field.tsx"
import { Icon } from "#ui/icon.tsx"
import { toast } from "#ui/toast.ts"
import { useSubmit } from "#ui/use-submit.ts"
import { AddressCard, BankCard, PersonalCard } from "./profile-cards.tsx"
import {
  type ProfileBody,
  type ProfileForm,
  profileFormOf,
  profileQuery,
  profileSchema,
  saveProfile,
} from "./profile-form.ts"

interface Props {
  failure: string | null
  saved: boolean
  dirty: boolean
  busy: boolean
  onDiscard: () => void
}

/** Stays visible while there is something to save, however long the form is. */
function SaveBar({ failure, saved, dirty, busy, onDiscard }: Props) {
  const floats = dirty || saved || failure !== null
  return (
    <div
      className={`grid gap-3 rounded-xl border bg-s2 p-3 sm:pl-5 ${floats ? "sticky bottom-3 z-5 border-line-2 shadow-float" : "border-line"}`}
    >
      <FormAlert message={failure} />
      <div className="flex flex-wrap items-center justify-end gap-x-3 gap-y-2 max-sm:*:flex-1">
        <p
          role="status"
          className="mr-auto flex items-center gap-2 text-label font-semibold empty:absolute max-sm:basis-full max-sm:justify-center"
        >
          {saved && (
            <>
              <Icon name="check" className="size-[18px] stroke-[2.4] text-mint" />
              {sellerTexts.profileSaved}
            </>
          )}
          {!saved && dirty && <span className="font-medium text-t2">Há alterações não salvas.</span>}
        </p>
        {dirty && (
          <Button variant="ghost" onClick={onDiscard} disabled={busy}>
            Descartar
          </Button>
        )}
        <Button variant="primary" type="submit" disabled={busy}>
          {busy ? "Salvando..." : "Salvar alterações"}
        </Button>
      </div>
    </div>
  )
}

const successMs = 3000

export function ProfileFields({ user }: { user: UserView }) {
  const form = useForm({ resolver: zodResolver(profileSchema), defaultValues: profileFormOf(user) })
  const { isDirty, isSubmitting, errors } = form.formState
  const queryClient = useQueryClient()
  const { submit, failure, saved, setFailure } = useSave(user, {
    keep: (stored) => {
      form.reset(profileFormOf(stored))
      queryClient.setQueryData(profileQuery.queryKey, stored)
      session.renew(stored)
    },
    showProblem: (path, message) => form.setError(path as keyof ProfileForm, { message }),
  })
  const isIncomplete = saysFillIn(errors)

  return (
    <FormProvider {...form}>
      <form
        noValidate
        aria-label="Dados do perfil"
        onSubmit={(event) => void form.handleSubmit(submit)(event)}
        className="grid gap-4 [&_:is(input,select)]:scroll-mt-24 [&_:is(input,select)]:scroll-mb-36"
      >
        <PersonalCard user={user} />
        <AddressCard />
        <BankCard />
        <SaveBar
          failure={isIncomplete ? sellerTexts.fillIn : failure}
          saved={saved && !isDirty}
          dirty={isDirty}
          busy={isSubmitting}
          onDiscard={() => {
            form.reset()
            setFailure(null)
          }}
        />
      </form>
      <UnsavedChanges when={isDirty && !isSubmitting} />
    </FormProvider>
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
