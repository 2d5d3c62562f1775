import { zodResolver } from "@hookform/resolvers/zod"
import { useQueryClient } from "@tanstack/react-query"
import { Link, useNavigate } from "@tanstack/react-router"
import {
  type ChargePageView,
  DESCRIPTION_MAX,
  TITLE_MAX,
  type UpdateChargePageBody,
  updateChargePageEndpoint,
} from "@tilinta/contract/api/charge-pages-endpoints"
import { slugFromTitle } from "@tilinta/contract/vocabulary/slug"
import { useState } from "react"
import { Controller, FormProvider, useForm } from "react-hook-form"
import { ApiError, messageOf } from "#api/api-error.ts"
import { call } from "#api/client.ts"
import { Button, buttonClass } from "#ui/button.tsx"
import { Card, CardHeader } from "#ui/card.tsx"
import { Field } from "#ui/field.tsx"
import { FormAlert } from "#ui/form-alert.tsx"
import { MoneyInput } from "#ui/money-input.tsx"
import { TextArea, TextInput } from "#ui/text-input.tsx"
import { toast } from "#ui/toast.ts"
import { chargePageQuery, chargePagesKey } from "../charge-pages/charge-pages-data.ts"
import { CustomerDataFields } from "../charge-pages/customer-data-fields.tsx"
import { FinancialSummary } from "../charge-pages/financial-summary.tsx"
import { PaymentsLimitFields } from "../charge-pages/payments-limit-fields.tsx"
import { SlugField } from "../charge-pages/slug-field.tsx"
import { sellerTexts } from "../seller-texts.ts"
import { ChargeFacts } from "./charge-facts.tsx"
import { editChargeSchema, editFormOf } from "./edit-charge-form.ts"
import { ExpiryFields } from "./expiry-fields.tsx"

export function EditForm({ page }: { page: ChargePageView }) {
  const form = useForm({ resolver: zodResolver(editChargeSchema), defaultValues: editFormOf(page) })
  const { control, register, watch, setValue, formState } = form
  const { save, failure } = useSaveCharge(page._id, (path, message) => form.setError(path as "title", { message }))
  const { errors, isSubmitting } = formState
  const [amount, description] = watch(["amount", "description"])

  return (
    <FormProvider {...form}>
      <form
        noValidate
        onSubmit={(event) => void form.handleSubmit(save)(event)}
        className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_340px]"
      >
        <div className="grid gap-4">
          {page.status === "expired" && <ExpiredNotice />}
          <Card className="grid gap-4 p-5 md:p-6">
            <CardHeader title="Cobrança" />
            <Field label="Título" error={errors.title?.message}>
              {(field) => (
                <TextInput
                  {...field}
                  {...register("title", {
                    onChange: (event: { target: { value: string } }) =>
                      setValue("slug", slugFromTitle(event.target.value), { shouldDirty: true }),
                  })}
                  maxLength={TITLE_MAX}
                  autoComplete="off"
                  aria-required
                />
              )}
            </Field>
            <Controller
              control={control}
              name="amount"
              render={({ field }) => (
                <Field
                  label="Valor"
                  hint="Um valor novo invalida os códigos PIX em aberto."
                  error={errors.amount?.message}
                  className="max-w-72"
                >
                  {(described) => <MoneyInput {...described} {...field} aria-required />}
                </Field>
              )}
            />
            <Controller
              control={control}
              name="slug"
              render={({ field }) => (
                <SlugField value={field.value} own={page.slug} error={errors.slug?.message} onChange={field.onChange} />
              )}
            />
            <Field
              label="Descrição"
              aside={`${[...description].length}/${DESCRIPTION_MAX}`}
              error={errors.description?.message}
            >
              {(field) => <TextArea {...field} {...register("description")} rows={3} maxLength={DESCRIPTION_MAX} />}
            </Field>
          </Card>
          <Card className="grid gap-5 p-5 md:p-6">
            <CardHeader title="Opções" />
            <ExpiryFields />
            <CustomerDataFields />
            <PaymentsLimitFields />
          </Card>
        </div>
        <div className="grid gap-4 lg:sticky lg:top-[92px]">
          <FinancialSummary amount={amount} />
          <ChargeFacts page={page} />
          <FormAlert message={failure} />
          <Button look="primary" type="submit" disabled={isSubmitting}>
            {isSubmitting ? "Salvando..." : "Salvar alterações"}
          </Button>
          <Link to="/checkouts" className={buttonClass("ghost")}>
            Cancelar
          </Link>
        </div>
      </form>
    </FormProvider>
  )
}

function ExpiredNotice() {
  return (
    <p role="note" className="rounded-l border border-line-2 bg-s2 px-5 py-4 text-t2">
      <b className="font-semibold text-t1">Esta cobrança expirou.</b> Escolha outro prazo e salve para reativá-la.
    </p>
  )
}

function useSaveCharge(id: string, showProblem: (path: string, message: string) => void) {
  const [failure, setFailure] = useState<string | null>(null)
  const navigate = useNavigate()
  const queryClient = useQueryClient()

  async function save(body: UpdateChargePageBody): Promise<void> {
    setFailure(null)
    try {
      await call(updateChargePageEndpoint, { params: { id }, body })
      toast.success(sellerTexts.chargeSaved)
      await navigate({ to: "/checkouts" })
      queryClient.removeQueries({ queryKey: chargePageQuery(id).queryKey })
      void queryClient.invalidateQueries({ queryKey: chargePagesKey })
    } catch (error) {
      setFailure(messageOf(error, sellerTexts.chargeNotSaved))
      if (error instanceof ApiError) for (const { path, message } of error.errors) showProblem(path, message)
      if (error instanceof ApiError && error.status === 409) {
        void queryClient.invalidateQueries({ queryKey: chargePageQuery(id).queryKey })
      }
    }
  }

  return { save, failure }
}
