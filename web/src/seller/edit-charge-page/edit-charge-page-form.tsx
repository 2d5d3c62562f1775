import { zodResolver } from "@hookform/resolvers/zod"
import { useQueryClient } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { type ChargePageView, MAX_EXPIRY_HOURS, type UpdateChargePageBody } from "@tilinta/contract/charge-pages"
import * as heads from "@tilinta/contract/heads"
import { slugFromTitle } from "@tilinta/contract/vocabulary/charge-pages"
import { FormProvider, useForm, useFormContext } from "react-hook-form"
import { detailOf, hasStatus, messageOf } from "#api/api-error.ts"
import { call } from "#api/client.ts"
import { ChargePageFields, ChargePageFormLayout } from "#seller/charge-page-parts/charge-page-fields.tsx"
import { ChargePageOptions } from "#seller/charge-page-parts/charge-page-options.tsx"
import { chargePageQuery, chargePagesKey } from "#seller/charge-page-parts/charge-pages-data.ts"
import { CustomerDataFields } from "#seller/charge-page-parts/customer-data.tsx"
import * as sellerTexts from "#seller/seller-texts.ts"
import { Card, CardHeader } from "#ui/card.tsx"
import { UnsavedChanges } from "#ui/dialog.tsx"
import { Field, TextInput } from "#ui/field.tsx"
import { Switch } from "#ui/switch.tsx"
import { toast } from "#ui/toast.ts"
import { useSubmit } from "#ui/use-submit.ts"
import { ChargePageFacts } from "./charge-page-actions.tsx"
import { type EditChargePageFields, editChargePageSchema, editFieldsOf } from "./edit-charge-page-schema.ts"

function ExpiryFields() {
  const { register, watch, formState } = useFormContext<EditChargePageFields>()
  const never = watch("neverExpires")
  return (
    <div className="grid gap-1">
      <Switch
        label="Nunca expira"
        hint={never ? "O link fica ativo até você cancelar." : "O link deixa de receber depois do prazo."}
        {...register("neverExpires")}
      />
      {!never && (
        <Field
          label="Expira em (horas)"
          hint={`De 1 a ${MAX_EXPIRY_HOURS} horas (7 dias). Um prazo novo conta a partir de agora.`}
          error={formState.errors.expiresInHours?.message}
          className="mt-2 md:max-w-72"
        >
          {(control) => (
            <TextInput
              {...control}
              {...register("expiresInHours")}
              type="number"
              inputMode="numeric"
              min={1}
              max={MAX_EXPIRY_HOURS}
              step={1}
            />
          )}
        </Field>
      )}
    </div>
  )
}

export function EditChargePageForm({ page }: { page: ChargePageView }) {
  const form = useForm({ resolver: zodResolver(editChargePageSchema), defaultValues: editFieldsOf(page) })
  const { submit, failure } = useSaveChargePage(page._id, (path, message) =>
    form.setError(path as "title", { message }),
  )
  const { isDirty, isSubmitting } = form.formState

  return (
    <FormProvider {...form}>
      <UnsavedChanges when={isDirty && !isSubmitting} />
      <ChargePageFormLayout
        onSubmit={(event) => void form.handleSubmit(submit)(event)}
        amount={form.watch("payerChooses") ? null : form.watch("amount")}
        failure={failure}
        submit={{ label: isSubmitting ? "Salvando..." : "Salvar alterações", disabled: isSubmitting }}
        cancelTo="/checkouts"
        aside={<ChargePageFacts page={page} />}
      >
        {page.status === "expired" && <ExpiredNotice />}
        <ChargePageFields
          amountHint="Um valor novo invalida os códigos Pix em aberto."
          ownSlug={page.slug}
          onTitle={(title) => form.setValue("slug", slugFromTitle(title), { shouldDirty: true })}
        />
        <Card className="grid gap-4 p-4 md:gap-5 md:p-6">
          <CardHeader title="Opções" />
          <ExpiryFields />
          <CustomerDataFields />
          <ChargePageOptions metadata={page.metadata} />
        </Card>
      </ChargePageFormLayout>
    </FormProvider>
  )
}

function ExpiredNotice() {
  return (
    <p role="note" className="rounded-l border border-line-2 bg-s2 px-5 py-4 text-t2">
      <b className="font-semibold text-t1">Esta cobrança expirou.</b> Salve para reativá-la: o prazo conta de novo a
      partir de agora.
    </p>
  )
}

function useSaveChargePage(id: string, showProblem: (path: string, message: string) => void) {
  const navigate = useNavigate()
  const queryClient = useQueryClient()

  async function save(body: UpdateChargePageBody): Promise<void> {
    await call(heads.updateChargePage, { params: { id }, body })
    toast.success(sellerTexts.chargePageSaved)
    await navigate({ to: "/checkouts" })
    queryClient.removeQueries({ queryKey: chargePageQuery(id).queryKey })
    void queryClient.invalidateQueries({ queryKey: chargePagesKey })
  }

  function failureOf(error: unknown): string {
    if (detailOf(error) !== undefined) toast.error(sellerTexts.chargePageNotSaved, detailOf(error))
    if (hasStatus(error, 409)) void queryClient.invalidateQueries({ queryKey: chargePageQuery(id).queryKey })
    return messageOf(error, sellerTexts.chargePageNotSaved)
  }

  return useSubmit(save, failureOf, showProblem)
}
