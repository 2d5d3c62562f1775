import type { UserView } from "@tilinta/contract/users"
import { accountTypeLabels, accountTypes } from "@tilinta/contract/vocabulary/withdrawals"
import { useFormContext } from "react-hook-form"
import { maskCpf, maskPhone } from "#format/masks.ts"
import { pixKeyExamples, pixKeyHint } from "#format/withdrawal-texts.ts"
import { BankNames, bankNames } from "#seller/withdrawals/destination-fields.tsx"
import { Options, Select } from "#ui/choice-inputs.tsx"
import { Field, TextInput } from "#ui/field.tsx"
import { FormText } from "#ui/form-text.tsx"
import type { ProfileForm } from "./profile-form.ts"

const ProfileField = FormText<ProfileForm>

export function PersonalFields({ user }: { user: UserView }) {
  return (
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

export function BankFields() {
  const { register, watch } = useFormContext<ProfileForm>()
  const keyHint = pixKeyHint(watch("bankAccount.pixKey"))
  return (
    <>
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
    </>
  )
}
