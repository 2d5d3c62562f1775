import type { SyntheticEvent } from "react"
import { masking, maskPhone, maskState, maskZipCode } from "#format/masks.ts"
import { Field, PasswordInput, TextInput } from "#ui/field.tsx"
import { ownMessage } from "../auth-card.tsx"
import { type AccountForm, CPF_DIGITS, digitsOfCpf, type PersonForm } from "./register-form.ts"

type MaskedName = "cpf" | "phone" | "address.zipCode" | "address.state"

/** Registers a field that is masked while typing. */
function maskedField(form: PersonForm, name: MaskedName, mask: (text: string) => string) {
  const { onChange, onCompositionEnd } = masking(mask, (masked) => form.setValue(name, masked))
  return { ...form.register(name, { onChange }), onCompositionEnd }
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
              onPaste={(event) => insertCpf(form, event, event.clipboardData.getData("text"))}
              onBeforeInput={(event) => insertCpf(form, event, (event as { data?: string }).data ?? "")}
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
              placeholder="(00) 00000-0000"
            />
          )}
        </Field>
      </div>
      <AddressFields form={form} />
    </>
  )
}

/** Unformats a pasted or suggested CPF first: the browser would cut it at eleven characters, dots included. */
function insertCpf(form: PersonForm, event: SyntheticEvent, text: string): void {
  const digits = digitsOfCpf(text)
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
              {...maskedField(form, "address.state", maskState)}
              autoComplete="address-level1"
              autoCapitalize="characters"
              placeholder="UF"
            />
          )}
        </Field>
      </div>
    </fieldset>
  )
}
