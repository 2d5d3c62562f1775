import { zodResolver } from "@hookform/resolvers/zod"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { Link, useNavigate } from "@tanstack/react-router"
import * as heads from "@tilinta/contract/heads"
import type { CreateSubscriptionBody, SubscriptionView } from "@tilinta/contract/subscriptions"
import { useRef } from "react"
import { FormProvider, useForm } from "react-hook-form"
import { detailOf, messageOf } from "#api/api-error.ts"
import { call, createSubmissions } from "#api/client.ts"
import { BackLink } from "#seller/charge-page-parts/charge-page-fields.tsx"
import { CustomerChoice } from "#seller/receivables/customer-choice.tsx"
import { invoicesKey, subscriptionsKey } from "#seller/seller-data.ts"
import * as sellerTexts from "#seller/seller-texts.ts"
import { Button, buttonClass } from "#ui/button.tsx"
import { Card, CardHeader } from "#ui/card.tsx"
import { UnsavedChanges } from "#ui/dialog.tsx"
import { FormAlert } from "#ui/field.tsx"
import { PageTitle } from "#ui/page-title.tsx"
import { toast } from "#ui/toast.ts"
import { useSubmit } from "#ui/use-submit.ts"
import { ChargeFields } from "./charge-fields.tsx"
import { emptySubscription, newSubscription } from "./subscription-form.ts"
import { automaticQuery } from "./subscriptions-data.ts"

export function SubscriptionFormPage({ customer }: { customer: string | undefined }) {
  const form = useForm({
    resolver: zodResolver(newSubscription),
    defaultValues: emptySubscription(...(customer === undefined ? [] : [customer])),
  })
  const { submit, failure } = useCreate((path, message) => form.setError(path as "amount", { message }))
  const mayDebit = useQuery(automaticQuery).data ?? false
  const { isDirty, isSubmitting } = form.formState
  return (
    <>
      <div>
        <BackLink to="/subscriptions">Voltar às assinaturas</BackLink>
        <PageTitle title="Nova assinatura" />
        <p className="mt-1 text-t2">A cada período o cliente recebe uma cobrança e paga por Pix.</p>
      </div>
      <FormProvider {...form}>
        <UnsavedChanges when={isDirty && !isSubmitting} />
        <form
          noValidate
          onSubmit={(event) => void form.handleSubmit(submit)(event)}
          className="grid max-w-[720px] gap-4"
        >
          <CustomerChoice isSingle />
          <Card className="grid gap-3.5 p-4 md:gap-4 md:p-6">
            <CardHeader title="Assinatura" />
            <ChargeFields mayDebit={mayDebit} />
          </Card>
          <FormAlert message={failure} />
          <div className="flex flex-wrap justify-end gap-3 max-sm:flex-col-reverse">
            <Link to="/subscriptions" className={buttonClass("ghost")}>
              Cancelar
            </Link>
            <Button variant="primary" type="submit" disabled={isSubmitting}>
              {isSubmitting ? "Enviando..." : "Criar assinatura"}
            </Button>
          </div>
        </form>
      </FormProvider>
    </>
  )
}

/** One filled form creates one subscription, however often it is submitted. */
function useCreate(showProblem: (path: string, message: string) => void) {
  const submissions = useRef(createSubmissions())
  const navigate = useNavigate()
  const queryClient = useQueryClient()

  async function send(body: CreateSubscriptionBody): Promise<void> {
    const headers = { "Idempotency-Key": submissions.current(body).key }
    const { subscription } = (await call(heads.createSubscription, { body, headers })).data
    toast.success(sellerTexts.subscriptionCreated)
    if (body.method === "automatic") await askFor(subscription)
    void queryClient.invalidateQueries({ queryKey: subscriptionsKey })
    void queryClient.invalidateQueries({ queryKey: invoicesKey })
    await navigate({ to: "/subscriptions/$id", params: { id: subscription._id } })
  }

  /** The subscription's page has the link to send, or asks again. */
  async function askFor({ _id, issued }: SubscriptionView): Promise<void> {
    const journey = issued > 0 ? 3 : 2
    try {
      await call(heads.createMandate, { params: { id: _id }, body: { journey } })
      toast.success(sellerTexts.authorisationRequested)
    } catch (error) {
      toast.error(messageOf(error, sellerTexts.subscriptionNotSaved), detailOf(error))
    }
  }

  function failureOf(error: unknown): string {
    toast.error(sellerTexts.subscriptionNotCreated, detailOf(error))
    return messageOf(error, sellerTexts.subscriptionNotCreated)
  }

  return useSubmit(send, failureOf, showProblem)
}
