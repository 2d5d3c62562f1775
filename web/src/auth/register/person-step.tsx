import { maskPhone, PHONE_MAX_LENGTH } from "#format/phone.ts"
import { Field } from "#ui/field.tsx"
import { TextInput } from "#ui/text-input.tsx"
import { AddressFields } from "./address-fields.tsx"
import { maskedField } from "./masked-field.ts"
import { digitsOfCpf, type PersonForm } from "./register-form.ts"

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
              inputMode="numeric"
              maxLength={11}
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
