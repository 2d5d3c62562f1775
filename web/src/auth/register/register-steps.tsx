import type { SyntheticEvent } from "react"
import { FormProvider } from "react-hook-form"
import { masking, maskPhone } from "#format/masks.ts"
import { AddressFields } from "#parts/people/address-fields.tsx"
import { Field, PasswordInput, TextInput } from "#ui/field.tsx"
import { FormText } from "#ui/form-text.tsx"
import { ownMessage } from "../auth-parts.tsx"
import { type AccountForm, CPF_DIGITS, digitsOfCpf, type emptyPerson, type PersonForm } from "./register-form.ts"

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
  const cpf = masking(digitsOfCpf, (digits) => form.setValue("cpf", digits))
  return (
    <FormProvider {...form}>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="CPF" hint="Somente números" error={errors.cpf?.message}>
          {(control) => (
            <TextInput
              {...control}
              {...form.register("cpf", { onChange: cpf.onChange })}
              onCompositionEnd={cpf.onCompositionEnd}
              onPaste={(event) => insertCpf(form, event, event.clipboardData.getData("text"))}
              onBeforeInput={(event) => insertCpf(form, event, (event as { data?: string }).data ?? "")}
              inputMode="numeric"
              maxLength={CPF_DIGITS}
              aria-required
            />
          )}
        </Field>
        <FormText<typeof emptyPerson>
          name="phone"
          label="Telefone"
          optional
          mask={maskPhone}
          type="tel"
          autoComplete="tel-national"
          placeholder="(00) 00000-0000"
        />
      </div>
      <fieldset>
        <legend className="mb-3 flex w-full items-baseline justify-between gap-3 text-section font-[650]">
          Endereço <span className="text-meta font-normal tracking-normal text-t3">opcional</span>
        </legend>
        <AddressFields />
      </fieldset>
    </FormProvider>
  )
}

/** Unformats a pasted or suggested CPF first: the browser would cut it at eleven characters, dots included. */
function insertCpf(form: PersonForm, event: SyntheticEvent, text: string): void {
  const digits = digitsOfCpf(text)
  if (digits.length < CPF_DIGITS) return
  event.preventDefault()
  form.setValue("cpf", digits, { shouldDirty: true, shouldValidate: form.formState.isSubmitted })
}
