import { zodResolver } from "@hookform/resolvers/zod"
import { useQueryClient } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { type CreateCustomerBody, type CustomerView, createCustomerBody } from "@tilinta/contract/customers"
import { CUSTOMER_NOTES_MAX, customerLabels } from "@tilinta/contract/vocabulary/customers"
import { emptyAddress } from "@tilinta/contract/vocabulary/people"
import { useEffect, useRef, useState } from "react"
import { FormProvider, type UseFormReturn, useForm, useFormContext } from "react-hook-form"
import type * as z from "zod/mini"
import { messageOf } from "#api/api-error.ts"
import { createSubmissions } from "#api/client.ts"
import { maskDocument, maskPhone } from "#format/masks.ts"
import { AddressFields, maskedAddress } from "#parts/people/address-fields.tsx"
import { customersKey } from "#seller/seller-data.ts"
import * as sellerTexts from "#seller/seller-texts.ts"
import { FormDialog } from "#ui/dialog.tsx"
import { Field, FormAlert, TextArea } from "#ui/field.tsx"
import { FormText } from "#ui/form-text.tsx"
import { inlineLink } from "#ui/page-title.tsx"
import { toast } from "#ui/toast.ts"
import { useSubmit } from "#ui/use-submit.ts"
import { createCustomer, customerQuery, updateCustomer } from "./customers-data.ts"

type CustomerForm = z.input<typeof createCustomerBody>

function formOf(customer: CustomerView | null): CustomerForm {
  return {
    name: customer?.name ?? "",
    document: maskDocument(customer?.document ?? ""),
    email: customer?.email ?? "",
    phone: maskPhone(customer?.phone ?? ""),
    externalReference: customer?.externalReference ?? "",
    notes: customer?.notes ?? "",
    address: maskedAddress(customer?.address ?? emptyAddress),
  }
}

interface Props {
  /** Null for a new one. */
  customer: CustomerView | null
  onClose: () => void
}

export function CustomerDialog({ customer, onClose }: Props) {
  const form = useForm({ resolver: zodResolver(createCustomerBody), defaultValues: formOf(customer) })
  const { submit, failure } = useSave(form, { customer, onClose })
  useEffect(() => form.setFocus("name"), [form])
  const { isSubmitting } = form.formState
  const [title, verb] = customer === null ? ["Novo cliente", "Cadastrar"] : ["Editar cliente", "Salvar"]
  return (
    <FormProvider {...form}>
      <FormDialog
        title={title}
        verb={isSubmitting ? "Salvando..." : verb}
        busy={isSubmitting}
        onSubmit={form.handleSubmit(submit)}
        onClose={onClose}
        className="grid gap-4 [&_:is(input,textarea)]:scroll-my-16"
      >
        <FormText<CustomerForm> name="name" label={customerLabels.name} autoComplete="off" />
        <div className="grid gap-4 sm:grid-cols-2">
          <FormText<CustomerForm>
            name="phone"
            label={customerLabels.phone}
            optional
            type="tel"
            mask={maskPhone}
            placeholder="(00) 00000-0000"
            autoComplete="off"
          />
          <FormText<CustomerForm>
            name="document"
            label={customerLabels.document}
            optional
            mask={maskDocument}
            autoComplete="off"
          />
        </div>
        <FormText<CustomerForm> name="email" label={customerLabels.email} optional type="email" autoComplete="off" />
        <MoreFields startsOpen={customer !== null && hasMore(customer)} />
        {customer === null && (
          <p className="text-label text-t3">
            Vários de uma vez?{" "}
            <Link to="/customers/$id" params={{ id: "import" }} className={inlineLink}>
              Importe a sua planilha
            </Link>
          </p>
        )}
        <FormAlert message={failure} />
      </FormDialog>
    </FormProvider>
  )
}

function hasMore({ externalReference, notes, address }: CustomerView): boolean {
  return [externalReference ?? "", notes, ...Object.values(address)].some((text) => text !== "")
}

function MoreFields({ startsOpen }: { startsOpen: boolean }) {
  const { register, formState } = useFormContext<CustomerForm>()
  const { externalReference, notes, address } = formState.errors
  const [isOpen, setIsOpen] = useState(startsOpen)
  const isFaulty = externalReference !== undefined || notes !== undefined || address !== undefined
  return (
    <details
      open={isOpen || isFaulty}
      onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}
      className="border-t border-line pt-1"
    >
      <summary className="flex min-h-11 cursor-pointer items-center text-label font-semibold text-t2">
        Endereço, referência e anotações
      </summary>
      <div className="grid gap-4 pt-2">
        <AddressFields />
        <FormText<CustomerForm>
          name="externalReference"
          label={customerLabels.externalReference}
          hint="O código deste cliente no seu sistema ou na sua planilha."
          optional="unmarked"
          maxLength={100}
          autoComplete="off"
        />
        <Field label={customerLabels.notes} hint="Só você vê." error={notes?.message}>
          {(control) => <TextArea {...control} {...register("notes")} rows={3} maxLength={CUSTOMER_NOTES_MAX} />}
        </Field>
      </div>
    </details>
  )
}

function useSave(form: UseFormReturn<CustomerForm, unknown, CreateCustomerBody>, { customer, onClose }: Props) {
  const queryClient = useQueryClient()
  const submissions = useRef(createSubmissions())

  async function save(body: CreateCustomerBody): Promise<void> {
    if (customer === null) {
      await createCustomer(body, submissions.current(body).key)
      toast.success(sellerTexts.customerCreated)
    } else {
      queryClient.setQueryData(customerQuery(customer._id).queryKey, await updateCustomer(customer._id, body))
      toast.success(sellerTexts.customerSaved)
    }
    onClose()
    await queryClient.invalidateQueries({ queryKey: customersKey })
  }

  return useSubmit(
    save,
    (error) => messageOf(error, sellerTexts.customerNotSaved),
    (path, message) => form.setError(path as keyof CustomerForm, { message }, { shouldFocus: true }),
  )
}
