import { accountTypeLabels, accountTypes } from "@tilinta/contract/vocabulary/account-types"
import { useFormContext } from "react-hook-form"
import { Card, CardHeader } from "#ui/card.tsx"
import { Field } from "#ui/field.tsx"
import { Select } from "#ui/select.tsx"
import { pixKeyExamples, pixKeyHint } from "../bank-texts.ts"
import { ProfileField } from "./profile-field.tsx"
import type { ProfileForm } from "./profile-form.ts"

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
        <ProfileField name="bankAccount.bank" label="Banco" maxLength={100} autoComplete="off" />
        <Field label="Tipo de conta">
          {(control) => (
            <Select {...control} {...register("bankAccount.accountType")} aria-required>
              {accountTypes.map((type) => (
                <option key={type} value={type}>
                  {accountTypeLabels[type]}
                </option>
              ))}
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
