import type { UserView } from "@tilinta/contract/users"
import { accountTypeLabels, accountTypes } from "@tilinta/contract/vocabulary/withdrawals"
import type { ComponentPropsWithRef, ReactNode } from "react"
import { type FieldError, get, type Path, useFormContext } from "react-hook-form"
import { maskCpf, masking, maskPhone, maskState, maskZipCode } from "#format/masks.ts"
import { pixKeyExamples, pixKeyHint } from "#format/withdrawal-texts.ts"
import { sellerTexts } from "#seller/seller-texts.ts"
import { BankNames, bankNames } from "#seller/withdrawals/destination-fields.tsx"
import { Card, CardHeader } from "#ui/card.tsx"
import { Options, Select } from "#ui/choice-inputs.tsx"
import { Field, TextInput } from "#ui/field.tsx"
import type { ProfileForm } from "./profile-form.ts"

interface Props extends Omit<ComponentPropsWithRef<"input">, "name"> {
  name: Path<ProfileForm>
  label: string
  optional?: boolean
  hint?: ReactNode
  mask?: (text: string) => string
}

/** One text of the profile, required unless `optional`. */
function ProfileField({ name, label, optional = false, hint, mask, className = "", ...rest }: Props) {
  const { register, setValue, formState } = useFormContext<ProfileForm>()
  const masked = mask && masking(mask, (text) => setValue(name, text, { shouldDirty: true }))
  const registered = {
    ...register(name, masked && { onChange: masked.onChange }),
    ...(masked && { onCompositionEnd: masked.onCompositionEnd }),
  }
  return (
    <Field
      label={label}
      hint={hint}
      error={fieldProblem(get<object, FieldError | undefined>(formState.errors, name)?.message)}
      className={className}
      {...(optional && { aside: "opcional" })}
    >
      {(control) => <TextInput {...control} {...registered} aria-required={!optional} {...rest} />}
    </Field>
  )
}

/** The whole sentence stands once, above the button; fields show a short form. */
function fieldProblem(message: string | undefined): string | undefined {
  return message === sellerTexts.fillIn ? "Campo obrigatório" : message
}

export function PersonalCard({ user }: { user: UserView }) {
  return (
    <Card className="grid gap-4 p-5 md:p-6">
      <CardHeader title="Dados pessoais" />
      <div className="grid gap-4 sm:grid-cols-2">
        <ProfileField name="name" label="Nome completo" autoComplete="name" maxLength={120} />
        <ProfileField
          name="phone"
          label="Telefone"
          mask={maskPhone}
          type="tel"
          autoComplete="tel-national"
          placeholder="(00) 00000-0000"
        />
        <Fixed label="E-mail" value={user.email} />
        <Fixed label="CPF" value={maskCpf(user.cpf)} />
      </div>
    </Card>
  )
}

function Fixed({ label, value }: { label: string; value: string }) {
  return (
    <Field label={label} aside="não pode ser alterado">
      {(control) => (
        <TextInput {...control} value={value} readOnly className="border-dashed bg-s2 text-t2 hover:border-ctl" />
      )}
    </Field>
  )
}

export function AddressCard() {
  return (
    <Card className="grid gap-4 p-5 md:p-6">
      <CardHeader title="Endereço" />
      <div className="grid gap-4 sm:grid-cols-[160px_1fr]">
        <ProfileField
          name="address.zipCode"
          label="CEP"
          mask={maskZipCode}
          inputMode="numeric"
          autoComplete="postal-code"
          placeholder="00000-000"
        />
        <ProfileField name="address.street" label="Rua" autoComplete="address-line1" maxLength={200} />
      </div>
      <div className="grid grid-cols-[80px_minmax(0,1fr)] gap-x-3 gap-y-4 sm:grid-cols-[160px_1fr_1fr] sm:gap-x-4">
        <ProfileField name="address.number" label="Número" maxLength={20} />
        <ProfileField
          name="address.complement"
          label="Complemento"
          optional
          autoComplete="address-line2"
          maxLength={100}
        />
        <ProfileField
          name="address.neighborhood"
          label="Bairro"
          autoComplete="address-level3"
          maxLength={100}
          className="max-sm:col-span-full"
        />
      </div>
      <div className="grid grid-cols-[minmax(0,1fr)_80px] gap-3 sm:gap-4">
        <ProfileField name="address.city" label="Cidade" autoComplete="address-level2" maxLength={100} />
        <ProfileField
          name="address.state"
          label="Estado"
          mask={maskState}
          autoComplete="address-level1"
          autoCapitalize="characters"
          placeholder="UF"
        />
      </div>
    </Card>
  )
}

export function BankCard() {
  const { register, watch } = useFormContext<ProfileForm>()
  const keyHint = pixKeyHint(watch("bankAccount.pixKey"))
  return (
    <Card className="grid gap-4 p-5 md:p-6">
      <div>
        <CardHeader title="Dados bancários" />
        <p className="mt-0.5 text-label text-t3">Para onde vão os seus saques. Cada pedido pode usar outro destino.</p>
      </div>
      <div className="grid gap-4 sm:grid-cols-2">
        <ProfileField
          name="bankAccount.bank"
          label="Banco"
          maxLength={100}
          list={bankNames}
          hint="Escolha na lista, pelo nome ou pelo código."
          autoComplete="off"
        />
        <BankNames />
        <Field label="Tipo de conta">
          {(control) => (
            <Select {...control} {...register("bankAccount.accountType")} aria-required>
              <Options words={accountTypes} labels={accountTypeLabels} />
            </Select>
          )}
        </Field>
        <ProfileField name="bankAccount.agency" label="Agência" maxLength={20} autoComplete="off" />
        <ProfileField name="bankAccount.account" label="Conta" maxLength={30} autoComplete="off" />
      </div>
      <ProfileField
        name="bankAccount.pixKey"
        label="Chave Pix"
        optional
        hint={keyHint ?? pixKeyExamples}
        maxLength={77}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
    </Card>
  )
}
