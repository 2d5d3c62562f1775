import { useFormContext } from "react-hook-form"
import { Field } from "#ui/field.tsx"
import { Switch } from "#ui/switch.tsx"
import { TextInput } from "#ui/text-input.tsx"
import type { PaymentsLimitForm } from "./payments-limit.ts"

export function PaymentsLimitFields() {
  const { register, watch, formState } = useFormContext<PaymentsLimitForm>()
  const many = watch("acceptsMany")
  return (
    <div className="grid gap-1">
      <Switch
        label="Aceitar vários pagamentos"
        hint={many ? "O mesmo link recebe de vários clientes." : "A página é concluída com o primeiro pagamento."}
        {...register("acceptsMany")}
      />
      {many && (
        <Field
          label="Limite de pagamentos"
          aside="opcional"
          hint="Em branco: sem limite."
          error={formState.errors.maxPayments?.message}
          className="mt-2 max-w-60"
        >
          {(control) => (
            <TextInput
              {...control}
              {...register("maxPayments")}
              inputMode="numeric"
              maxLength={7}
              placeholder="Sem limite"
            />
          )}
        </Field>
      )}
    </div>
  )
}
