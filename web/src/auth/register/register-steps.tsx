import type { ClipboardEvent } from "react"
import { maskPhone, maskZipCode, PHONE_MAX_LENGTH, ZIP_CODE_MAX_LENGTH } from "#format/masks.ts"
import { Field, PasswordInput, TextInput } from "#ui/field.tsx"
import { ownMessage } from "../auth-card.tsx"
import { type AccountForm, CPF_DIGITS, digitsOfCpf, type PersonForm } from "./register-form.ts"

type MaskedName = "cpf" | "phone" | "address.zipCode" | "address.state"

/** Registers a field that is masked while typing. */
function maskedField(form: PersonForm, name: MaskedName, mask: (text: string) => string) {
  return form.register(name, {
    onChange: (event: { target: { value: string } }) => form.setValue(name, mask(event.target.value)),
  })
}

export function AccountStep({ form }: { form: AccountForm }) {
  const { register } = form
  const { errors } = form.formState
  return (
    <>
      <Field label="Nome completo" error={ownMessage(errors.name)}>
        {(control) => (
          <TextInput
            {...control}
            {...register("name")}
            autoComplete="name"
            aria-required
            aria-invalid={errors.name ? true : undefined}
          />
        )}
      </Field>
      <Field label="E-mail" error={ownMessage(errors.email)}>
        {(control) => (
          <TextInput
            {...control}
            {...register("email")}
            type="email"
            autoComplete="email"
            autoCapitalize="none"
            aria-required
            aria-invalid={errors.email ? true : undefined}
          />
        )}
      </Field>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Senha" hint="Pelo menos 8 caracteres" error={ownMessage(errors.password)}>
          {(control) => (
            <PasswordInput
              {...control}
              {...register("password")}
              autoComplete="new-password"
              aria-required
              aria-invalid={errors.password ? true : undefined}
            />
          )}
        </Field>
        <Field label="Confirmar senha" error={ownMessage(errors.passwordConfirm)}>
          {(control) => (
            <PasswordInput
              {...control}
              {...register("passwordConfirm")}
              autoComplete="new-password"
              aria-required
              aria-invalid={errors.passwordConfirm ? true : undefined}
            />
          )}
        </Field>
      </div>
    </>
  )
}

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

function AddressFields({ form }: { form: PersonForm }) {
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
