import { zodResolver } from "@hookform/resolvers/zod"
import { useQueryClient } from "@tanstack/react-query"
import { DESCRIPTION_MAX } from "@tilinta/contract/charge-pages"
import * as heads from "@tilinta/contract/heads"
import type { CreatePlanBody, PlanView, UpdatePlanBody } from "@tilinta/contract/subscriptions"
import { useRef } from "react"
import { FormProvider, useForm } from "react-hook-form"
import { messageOf } from "#api/api-error.ts"
import { call, createSubmissions } from "#api/client.ts"
import { subscriptionsKey } from "#seller/seller-data.ts"
import * as sellerTexts from "#seller/seller-texts.ts"
import { Button } from "#ui/button.tsx"
import { FormDialog } from "#ui/dialog.tsx"
import { FormAlert } from "#ui/field.tsx"
import { FormText } from "#ui/form-text.tsx"
import { toast } from "#ui/toast.ts"
import { useSubmit } from "#ui/use-submit.ts"
import { ChargeFields } from "./charge-fields.tsx"
import { emptySubscription, formOf, planOfForm, type SubscriptionForm } from "./subscription-form.ts"

const PlanText = FormText<SubscriptionForm>

interface Props {
  /** Null for a new one. */
  plan: PlanView | null
  onClose: () => void
}

export function PlanDialog({ plan, onClose }: Props) {
  const isNew = plan === null
  const form = useForm({
    resolver: zodResolver(planOfForm),
    defaultValues: isNew ? emptySubscription() : formOf(plan),
  })
  const create = useCreatePlan()
  const queryClient = useQueryClient()
  const { submit, failure } = useSubmit(
    async (save: () => Promise<unknown>) => {
      await save()
      toast.success(sellerTexts.planSaved)
      onClose()
      await queryClient.invalidateQueries({ queryKey: subscriptionsKey })
    },
    (error) => messageOf(error, sellerTexts.planNotSaved),
    (path, message) => form.setError(path as "amount", { message }, { shouldFocus: true }),
  )
  /** A period and an address never change. */
  const save = ({ period, slug, ...rest }: CreatePlanBody) =>
    submit(() => (isNew ? create({ period, slug, ...rest }) : changePlan(plan, changesIn(rest))))
  const { isSubmitting } = form.formState
  return (
    <FormProvider {...form}>
      <FormDialog
        title={isNew ? "Novo plano" : "Editar plano"}
        verb={isSubmitting ? "Salvando..." : isNew ? "Criar plano" : "Salvar"}
        busy={isSubmitting}
        onSubmit={form.handleSubmit(save)}
        onClose={onClose}
        className="grid gap-4 [&_:is(input,select)]:scroll-my-16"
      >
        {!isNew && <p className="text-t2">Vale para quem assinar depois: quem já assina fica como está.</p>}
        <ChargeFields fixedPeriod={!isNew} isPlan />
        <PlanText
          name="description"
          label="Descrição"
          optional
          maxLength={DESCRIPTION_MAX}
          hint="O que o cliente recebe: ele lê na página do plano."
        />
        {isNew && (
          <PlanText
            name="slug"
            label="Endereço da página"
            optional
            maxLength={100}
            hint="Por exemplo: plano-mensal. Em branco, vem do nome."
            autoCapitalize="none"
          />
        )}
        {plan !== null && (
          <Button
            variant={plan.status === "active" ? "quiet-danger" : "secondary"}
            className="justify-self-start"
            onClick={() =>
              void submit(() => changePlan(plan, { status: plan.status === "active" ? "archived" : "active" }))
            }
          >
            {plan.status === "active" ? "Arquivar plano" : "Reativar plano"}
          </Button>
        )}
        <FormAlert message={failure} />
      </FormDialog>
    </FormProvider>
  )
}

/** One filled form creates one plan, however often it is submitted. */
function useCreatePlan() {
  const submissions = useRef(createSubmissions())
  return (body: CreatePlanBody) =>
    call(heads.createPlan, { body, headers: { "Idempotency-Key": submissions.current(body).key } })
}

/** The form always has both numbers of days. */
function changesIn({ leadDays, daysAfterDue, ...rest }: Omit<CreatePlanBody, "period" | "slug">): UpdatePlanBody {
  return {
    ...rest,
    ...(typeof leadDays === "number" && { leadDays }),
    ...(typeof daysAfterDue === "number" && { daysAfterDue }),
  }
}

function changePlan({ _id }: PlanView, body: UpdatePlanBody) {
  return call(heads.updatePlan, { params: { id: _id }, body })
}
