import type { ClipboardEvent } from "react"
import { maskPhone, PHONE_MAX_LENGTH } from "#format/phone.ts"
import { Field } from "#ui/field.tsx"
import { TextInput } from "#ui/text-input.tsx"
import { AddressFields } from "./address-fields.tsx"
import { maskedField } from "./masked-field.ts"
import { CPF_DIGITS, digitsOfCpf, type PersonForm } from "./register-form.ts"

export function PersonStep({ form }: { form: PersonForm }) {
  const { errors } = form.formState

  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="CPF" hint="Somente números" error={errors.cpf?.message}>
          {(control) => (
            <TextInput
              {...control}
              {...maskedField(form, "cpf", digitsOfCpf)}
              onPaste={(event) => pasteCpf(form, event)}
              inputMode="numeric"
              maxLength={CPF_DIGITS}
              aria-required
            />
          )}
        </Field>
        <Field label="Telefone" aside="opcional" error={errors.phone?.message}>
          {(control) => (
            <TextInput
              {...control}
              {...maskedField(form, "phone", maskPhone)}
              type="tel"
              autoComplete="tel-national"
              maxLength={PHONE_MAX_LENGTH}
              placeholder="(00) 00000-0000"
            />
          )}
        </Field>
      </div>
      <AddressFields form={form} />
    </>
  )
}

/** Unformats the pasted text first: the browser would cut it at eleven characters, dots included. */
function pasteCpf(form: PersonForm, event: ClipboardEvent): void {
  const digits = digitsOfCpf(event.clipboardData.getData("text"))
  if (digits.length < CPF_DIGITS) return
  event.preventDefault()
  form.setValue("cpf", digits, { shouldDirty: true, shouldValidate: form.formState.isSubmitted })
}
