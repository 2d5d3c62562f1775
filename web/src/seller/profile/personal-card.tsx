import type { UserView } from "@tilinta/contract/api/users-endpoints"
import { maskCpf } from "#format/cpf.ts"
import { maskPhone, PHONE_MAX_LENGTH } from "#format/phone.ts"
import { Card, CardHeader } from "#ui/card.tsx"
import { Field } from "#ui/field.tsx"
import { TextInput } from "#ui/text-input.tsx"
import { ProfileField } from "./profile-field.tsx"

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
          maxLength={PHONE_MAX_LENGTH}
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
