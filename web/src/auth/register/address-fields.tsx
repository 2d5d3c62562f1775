import { maskZipCode, ZIP_CODE_MAX_LENGTH } from "#format/zip-code.ts"
import { Field } from "#ui/field.tsx"
import { TextInput } from "#ui/text-input.tsx"
import { maskedField } from "./masked-field.ts"
import type { PersonForm } from "./register-form.ts"

export function AddressFields({ form }: { form: PersonForm }) {
  const { register } = form
  const errors = form.formState.errors.address
  return (
    <fieldset className="grid gap-4">
      <legend className="mb-3 flex w-full items-baseline justify-between gap-3 text-section font-[650]">
        Endereço <span className="text-meta font-normal tracking-normal text-t3">opcional</span>
      </legend>
      <div className="grid gap-4 sm:grid-cols-[160px_1fr]">
        <Field label="CEP" error={errors?.zipCode?.message}>
          {(control) => (
            <TextInput
              {...control}
              {...maskedField(form, "address.zipCode", maskZipCode)}
              inputMode="numeric"
              autoComplete="postal-code"
              maxLength={ZIP_CODE_MAX_LENGTH}
              placeholder="00000-000"
            />
          )}
        </Field>
        <Field label="Rua" error={errors?.street?.message}>
          {(control) => <TextInput {...control} {...register("address.street")} autoComplete="address-line1" />}
        </Field>
      </div>
      <div className="grid grid-cols-[100px_1fr] gap-4">
        <Field label="Número" error={errors?.number?.message}>
          {(control) => <TextInput {...control} {...register("address.number")} />}
        </Field>
        <Field label="Complemento" error={errors?.complement?.message}>
          {(control) => <TextInput {...control} {...register("address.complement")} autoComplete="address-line2" />}
        </Field>
      </div>
      <Field label="Bairro" error={errors?.neighborhood?.message}>
        {(control) => <TextInput {...control} {...register("address.neighborhood")} autoComplete="address-level3" />}
      </Field>
      <div className="grid grid-cols-[1fr_88px] gap-4">
        <Field label="Cidade" error={errors?.city?.message}>
          {(control) => <TextInput {...control} {...register("address.city")} autoComplete="address-level2" />}
        </Field>
        <Field label="Estado" error={errors?.state?.message}>
          {(control) => (
            <TextInput
              {...control}
              {...maskedField(form, "address.state", stateLetters)}
              autoComplete="address-level1"
              autoCapitalize="characters"
              maxLength={2}
              placeholder="UF"
            />
          )}
        </Field>
      </div>
    </fieldset>
  )
}

function stateLetters(text: string): string {
  return text.toUpperCase()
}
