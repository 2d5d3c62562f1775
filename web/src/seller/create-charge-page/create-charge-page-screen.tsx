import { zodResolver } from "@hookform/resolvers/zod"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { getRouteApi, useNavigate } from "@tanstack/react-router"
import type { CreateChargePageBody } from "@tilinta/contract/charge-pages"
import * as heads from "@tilinta/contract/heads"
import { slugFromTitle } from "@tilinta/contract/vocabulary/charge-pages"
import { useRef, useState } from "react"
import { FormProvider, useForm } from "react-hook-form"
import { detailOf, messageOf } from "#api/api-error.ts"
import { call, createSubmissions } from "#api/client.ts"
import { BackLink, ChargePageFields, ChargePageFormLayout } from "#seller/charge-page-parts/charge-page-fields.tsx"
import { ChargePageOptions } from "#seller/charge-page-parts/charge-page-options.tsx"
import { chargePageQuery, chargePagesKey } from "#seller/charge-page-parts/charge-pages-data.ts"
import { CustomerDataFields } from "#seller/charge-page-parts/customer-data.tsx"
import { isPriced } from "#seller/charge-page-parts/price-fields.tsx"
import * as sellerTexts from "#seller/seller-texts.ts"
import { Card, CardHeader, QueryFailure } from "#ui/card.tsx"
import { Select } from "#ui/choice-inputs.tsx"
import { UnsavedChanges } from "#ui/dialog.tsx"
import { Field } from "#ui/field.tsx"
import { Skeleton } from "#ui/lazy-part.tsx"
import { PageTitle } from "#ui/page-title.tsx"
import { toast } from "#ui/toast.ts"
import { useSubmit } from "#ui/use-submit.ts"
import {
  type CreateChargePageFields,
  createChargePageSchema,
  duplicateOf,
  emptyChargePage,
  expiresAtOf,
  expiryOptions,
} from "./create-charge-page-schema.ts"

export function CreateChargePageForm({ start }: { start: CreateChargePageFields }) {
  const form = useForm({ resolver: zodResolver(createChargePageSchema), defaultValues: start })
  const [slugIsOwn, setSlugIsOwn] = useState(start.slug !== "")
  const { submit, failure } = useCreateChargePage((path, message) => form.setError(path as "title", { message }))
  const { isDirty, isSubmitting, isSubmitted } = form.formState
  const [title, amount, payerChooses] = form.watch(["title", "amount", "payerChooses"])
  const incomplete = title.trim() === "" || !isPriced({ amount, payerChooses })

  function retitle(next: string): void {
    if (!slugIsOwn) form.setValue("slug", slugFromTitle(next), { shouldValidate: isSubmitted })
  }

  return (
    <FormProvider {...form}>
      <UnsavedChanges when={isDirty && !isSubmitting} />
      <ChargePageFormLayout
        onSubmit={(event) => void form.handleSubmit(submit)(event)}
        amount={payerChooses ? null : amount}
        failure={failure}
        submit={{ label: isSubmitting ? "Criando..." : "Criar cobrança", disabled: incomplete || isSubmitting }}
        cancelTo="/dashboard"
      >
        <ChargePageFields amountHint="Mínimo de R$ 1,00" onTitle={retitle} onSlug={() => setSlugIsOwn(true)} />
        <Card className="grid gap-4 p-4 md:gap-5 md:p-6">
          <CardHeader title="Opções" />
          <Field label="Expira em" className="md:max-w-72">
            {(field) => (
              <Select {...field} {...form.register("expiresInHours")}>
                {expiryOptions.map(({ hours, label }) => (
                  <option key={hours} value={hours}>
                    {label}
                  </option>
                ))}
              </Select>
            )}
          </Field>
          <CustomerDataFields />
          <ChargePageOptions />
        </Card>
      </ChargePageFormLayout>
    </FormProvider>
  )
}

/** One filled form creates one charge page, however often it is submitted. */
function useCreateChargePage(showProblem: (path: string, message: string) => void) {
  const submissions = useRef(createSubmissions())
  const navigate = useNavigate()
  const queryClient = useQueryClient()

  async function create(content: CreateChargePageBody): Promise<void> {
    const { key, firstSentAt } = submissions.current(content)
    const body = { ...content, expiresAt: expiresAtOf(content.pixConfig?.expiresInHours ?? 24, firstSentAt) }
    const { data } = await call(heads.createChargePage, { body, headers: { "Idempotency-Key": key } })
    toast.success(sellerTexts.chargePageCreated)
    void queryClient.invalidateQueries({ queryKey: chargePagesKey })
    await navigate({ to: "/checkouts/$id", params: { id: data.checkoutPage._id }, state: { isNew: true } })
  }

  function failureOf(error: unknown): string {
    toast.error(sellerTexts.chargePageNotCreatedToast, detailOf(error))
    return messageOf(error, sellerTexts.chargePageNotCreated)
  }

  return useSubmit(create, failureOf, showProblem)
}

const route = getRouteApi("/session/checkouts/create")

export function CreateChargePageScreen() {
  const { from } = route.useSearch()
  return (
    <>
      <div>
        <BackLink to="/dashboard">Voltar ao painel</BackLink>
        <PageTitle title={from === undefined ? "Criar cobrança Pix" : "Duplicar cobrança"} />
        <p className="mt-1 text-t2">Crie um link de pagamento e envie para o seu cliente.</p>
      </div>
      {from === undefined ? <CreateChargePageForm start={emptyChargePage} /> : <Duplicate id={from} key={from} />}
    </>
  )
}

/** When the original can't be loaded the form is empty, under a notice: creating stays possible. */
function Duplicate({ id }: { id: string }) {
  const original = useQuery({
    ...chargePageQuery(id),
    refetchOnWindowFocus: false,
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (original.isPending) {
    return (
      <div role="status" className="after-a-moment">
        <span className="sr-only">Carregando cobrança</span>
        <Skeleton className="h-96 w-full rounded-xl" />
      </div>
    )
  }
  if (original.isSuccess) return <CreateChargePageForm start={duplicateOf(original.data)} />
  return (
    <>
      <QueryFailure query={original} failed={sellerTexts.chargePageNotCopied} />
      <CreateChargePageForm start={emptyChargePage} />
    </>
  )
}
