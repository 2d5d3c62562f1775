import { zodResolver } from "@hookform/resolvers/zod"
import { useQueryClient } from "@tanstack/react-query"
import { Link, useNavigate } from "@tanstack/react-router"
import {
  type CreateChargePageBody,
  createChargePageEndpoint,
  DESCRIPTION_MAX,
  TITLE_MAX,
} from "@tilinta/contract/api/charge-pages-endpoints"
import { slugFromTitle } from "@tilinta/contract/vocabulary/slug"
import { useRef, useState } from "react"
import { Controller, FormProvider, useForm } from "react-hook-form"
import { ApiError, detailOf, messageOf } from "#api/api-error.ts"
import { call } from "#api/client.ts"
import { createSubmissions } from "#api/idempotency-key.ts"
import { Button, buttonClass } from "#ui/button.tsx"
import { Card, CardHeader } from "#ui/card.tsx"
import { Field } from "#ui/field.tsx"
import { FormAlert } from "#ui/form-alert.tsx"
import { MoneyInput } from "#ui/money-input.tsx"
import { Select } from "#ui/select.tsx"
import { TextArea, TextInput } from "#ui/text-input.tsx"
import { toast } from "#ui/toast.ts"
import { chargePagesKey } from "../charge-pages/charge-pages-data.ts"
import { CustomerDataFields } from "../charge-pages/customer-data-fields.tsx"
import { FinancialSummary } from "../charge-pages/financial-summary.tsx"
import { PaymentsLimitFields } from "../charge-pages/payments-limit-fields.tsx"
import { SlugField } from "../charge-pages/slug-field.tsx"
import { sellerTexts } from "../seller-texts.ts"
import { type CreateChargeForm, createChargeSchema, expiresAtOf, expiryOptions } from "./create-charge-form.ts"

export function ChargeForm({ start }: { start: CreateChargeForm }) {
  const form = useForm({ resolver: zodResolver(createChargeSchema), defaultValues: start })
  const { control, register, watch, setValue, formState } = form
  const [slugIsOwn, setSlugIsOwn] = useState(start.slug !== "")
  const { create, failure } = useCreateCharge((path, message) => form.setError(path as "title", { message }))
  const { errors, isSubmitting } = formState
  const [title, amount, description] = watch(["title", "amount", "description"])
  const incomplete = title.trim() === "" || amount === null

  function retitle(next: string): void {
    if (!slugIsOwn) setValue("slug", slugFromTitle(next), { shouldValidate: formState.isSubmitted })
  }

  return (
    <FormProvider {...form}>
      <form
        noValidate
        onSubmit={(event) => void form.handleSubmit(create)(event)}
        className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_340px]"
      >
        <div className="grid gap-4">
          <Card className="grid gap-4 p-5 md:p-6">
            <CardHeader title="Cobrança" />
            <Field label="Título" error={errors.title?.message}>
              {(field) => (
                <TextInput
                  {...field}
                  {...register("title", {
                    onChange: (event: { target: { value: string } }) => retitle(event.target.value),
                  })}
                  maxLength={TITLE_MAX}
                  autoComplete="off"
                  aria-required
                  placeholder="Ex.: Mentoria de vendas"
                />
              )}
            </Field>
            <Controller
              control={control}
              name="amount"
              render={({ field }) => (
                <Field label="Valor" hint="Mínimo de R$ 1,00" error={errors.amount?.message} className="max-w-72">
                  {(described) => <MoneyInput {...described} {...field} aria-required />}
                </Field>
              )}
            />
            <Controller
              control={control}
              name="slug"
              render={({ field }) => (
                <SlugField
                  value={field.value}
                  error={errors.slug?.message}
                  onChange={(slug) => {
                    setSlugIsOwn(true)
                    field.onChange(slug)
                  }}
                />
              )}
            />
            <Field
              label="Descrição"
              aside={`${[...description].length}/${DESCRIPTION_MAX}`}
              error={errors.description?.message}
            >
              {(field) => (
                <TextArea
                  {...field}
                  {...register("description")}
                  rows={3}
                  maxLength={DESCRIPTION_MAX}
                  placeholder="O que o cliente está pagando (opcional)"
                />
              )}
            </Field>
          </Card>
          <Card className="grid gap-5 p-5 md:p-6">
            <CardHeader title="Opções" />
            <Field label="Expira em" className="max-w-72">
              {(field) => (
                <Select {...field} {...register("expiresInHours")}>
                  {expiryOptions.map(({ hours, label }) => (
                    <option key={hours} value={hours}>
                      {label}
                    </option>
                  ))}
                </Select>
              )}
            </Field>
            <CustomerDataFields />
            <PaymentsLimitFields />
          </Card>
        </div>
        <div className="grid gap-4 lg:sticky lg:top-[92px]">
          <FinancialSummary amount={amount} />
          <FormAlert message={failure} />
          <Button look="primary" type="submit" disabled={incomplete || isSubmitting}>
            {isSubmitting ? "Criando..." : "Criar cobrança"}
          </Button>
          <Link to="/dashboard" className={buttonClass("ghost")}>
            Cancelar
          </Link>
        </div>
      </form>
    </FormProvider>
  )
}

/** One filled form is one charge, however often it is sent. */
function useCreateCharge(showProblem: (path: string, message: string) => void) {
  const [failure, setFailure] = useState<string | null>(null)
  const submissions = useRef(createSubmissions())
  const navigate = useNavigate()
  const queryClient = useQueryClient()

  async function create(content: CreateChargePageBody): Promise<void> {
    setFailure(null)
    const { key, firstSentAt } = submissions.current(content)
    const body = { ...content, expiresAt: expiresAtOf(content.pixConfig?.expiresInHours ?? 24, firstSentAt) }
    try {
      const { data } = await call(createChargePageEndpoint, { body, headers: { "Idempotency-Key": key } })
      toast.success(sellerTexts.chargeCreated)
      void queryClient.invalidateQueries({ queryKey: chargePagesKey })
      await navigate({ to: "/checkouts/$id", params: { id: data.checkoutPage._id } })
    } catch (error) {
      setFailure(messageOf(error, sellerTexts.chargeNotCreated))
      toast.error(sellerTexts.chargeNotCreatedToast, detailOf(error))
      if (error instanceof ApiError) for (const { path, message } of error.errors) showProblem(path, message)
    }
  }

  return { create, failure }
}
