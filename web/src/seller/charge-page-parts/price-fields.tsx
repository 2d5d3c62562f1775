import { type ChargePageView, MOST_SUGGESTIONS } from "@tilinta/contract/charge-pages"
import { Controller, useFormContext } from "react-hook-form"
import { Field } from "#ui/field.tsx"
import { MoneyInput } from "#ui/masked-inputs.tsx"
import { Switch } from "#ui/switch.tsx"
import { NetCalculator } from "./financial-summary.tsx"

export interface PriceForm {
  amount: number | null
  payerChooses: boolean
  minAmount: number | null
  maxAmount: number | null
  suggestions: (number | null)[]
}

export const noPrice: PriceForm = {
  amount: null,
  payerChooses: false,
  minAmount: null,
  maxAmount: null,
  suggestions: [],
}

export function priceFormOf({ amount, minAmount, maxAmount, suggestions }: ChargePageView): PriceForm {
  const isUnlimited = maxAmount === MOST
  return { amount, payerChooses: amount === null, minAmount, maxAmount: isUnlimited ? null : maxAmount, suggestions }
}

const MOST = 9_999_999.99

/** A fixed amount is sent alone: limits would be refused with it. */
export function priceBody({ amount, payerChooses, minAmount, maxAmount, suggestions }: PriceForm) {
  if (!payerChooses) return { amount: amount ?? 0 }
  const given = suggestions.filter((reais) => reais !== null)
  return { amount: null, minAmount: minAmount ?? 1, maxAmount, suggestions: given }
}

export function isPriced({ payerChooses, amount }: Pick<PriceForm, "payerChooses" | "amount">): boolean {
  return payerChooses || amount !== null
}

export function PriceFields({ amountHint }: { amountHint: string }) {
  const { control, register, watch, formState } = useFormContext<PriceForm>()
  const payerChooses = watch("payerChooses")
  return (
    <div className="grid gap-3.5">
      {payerChooses ? (
        <ChoiceFields />
      ) : (
        <Controller
          control={control}
          name="amount"
          render={({ field }) => (
            <div className="grid gap-2">
              <Field label="Valor" hint={amountHint} error={formState.errors.amount?.message} className="md:max-w-72">
                {(described) => <MoneyInput {...described} {...field} aria-required />}
              </Field>
              <NetCalculator onAmount={field.onChange} />
            </div>
          )}
        />
      )}
      <Switch
        label="Quem paga escolhe o valor"
        hint="Para o balcão, gorjetas e doações."
        {...register("payerChooses")}
      />
    </div>
  )
}

function ChoiceFields() {
  const { control, watch, setValue, formState } = useFormContext<PriceForm>()
  const { errors } = formState
  const suggestions = watch("suggestions")
  const shown = [...suggestions, null].slice(0, MOST_SUGGESTIONS)
  return (
    <div className="grid gap-3.5">
      <div className="grid grid-cols-2 gap-3 md:max-w-110">
        <Controller
          control={control}
          name="minAmount"
          render={({ field }) => (
            <Field label="Menor valor" hint="Em branco: R$ 1,00" error={errors.minAmount?.message}>
              {(described) => <MoneyInput {...described} {...field} />}
            </Field>
          )}
        />
        <Controller
          control={control}
          name="maxAmount"
          render={({ field }) => (
            <Field label="Maior valor" hint="Em branco: sem limite" error={errors.maxAmount?.message}>
              {(described) => <MoneyInput {...described} {...field} />}
            </Field>
          )}
        />
      </div>
      <fieldset className="md:max-w-110">
        <legend className="mb-1.5 text-label font-semibold">Valores sugeridos</legend>
        <div className="grid grid-cols-2 gap-3 sm:grid-cols-3">
          {shown.map((reais, at) => (
            <MoneyInput
              // biome-ignore lint/suspicious/noArrayIndexKey: the place is what tells them apart while they are typed
              key={at}
              aria-label={`Valor sugerido ${at + 1}`}
              value={reais}
              onChange={(typed) => setValue("suggestions", shown.with(at, typed), { shouldDirty: true })}
              onBlur={() =>
                setValue(
                  "suggestions",
                  suggestions.filter((one) => one !== null),
                )
              }
            />
          ))}
        </div>
        <p className="mt-1.5 text-meta text-t3">Opcional: botões que poupam a digitação.</p>
        {errors.suggestions?.message !== undefined && (
          <p role="alert" className="mt-1.5 text-meta text-coral">
            {errors.suggestions.message}
          </p>
        )}
      </fieldset>
    </div>
  )
}
