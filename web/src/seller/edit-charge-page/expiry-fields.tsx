import { MAX_EXPIRY_HOURS } from "@tilinta/contract/api/charge-pages-endpoints"
import { useFormContext } from "react-hook-form"
import { Field } from "#ui/field.tsx"
import { Switch } from "#ui/switch.tsx"
import { TextInput } from "#ui/text-input.tsx"
import type { EditChargePageFields } from "./edit-charge-page-schema.ts"

export function ExpiryFields() {
  const { register, watch, formState } = useFormContext<EditChargePageFields>()
  const never = watch("neverExpires")
  return (
    <div className="grid gap-1">
      <Switch
        label="Nunca expira"
        hint={never ? "O link fica ativo até você cancelar." : "O link deixa de receber depois do prazo."}
        {...register("neverExpires")}
      />
      {!never && (
        <Field
          label="Expira em (horas)"
          hint={`De 1 a ${MAX_EXPIRY_HOURS} horas (7 dias). Um prazo novo conta a partir de agora.`}
          error={formState.errors.expiresInHours?.message}
          className="mt-2 md:max-w-72"
        >
          {(control) => (
            <TextInput
              {...control}
              {...register("expiresInHours")}
              type="number"
              inputMode="numeric"
              min={1}
              max={MAX_EXPIRY_HOURS}
              step={1}
            />
          )}
        </Field>
      )}
    </div>
  )
}
