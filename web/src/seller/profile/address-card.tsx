import { maskZipCode, ZIP_CODE_MAX_LENGTH } from "#format/zip-code.ts"
import { Card, CardHeader } from "#ui/card.tsx"
import { ProfileField } from "./profile-field.tsx"
import { stateLetters } from "./profile-form.ts"

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
          maxLength={ZIP_CODE_MAX_LENGTH}
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
          mask={stateLetters}
          autoComplete="address-level1"
          autoCapitalize="characters"
          maxLength={2}
          placeholder="UF"
        />
      </div>
    </Card>
  )
}
